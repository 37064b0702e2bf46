"""Superseded events of a log: those that were undone or rewritten.

Superseded events are computed from the corrections alone, without a replay, so they can be shown in any part of a log.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Protocol

import msgspec

from engine.core import lifecycle

SUPERSEDING = frozenset({"undo", "amend"})
"""Types of events that supersede others."""

READ = lifecycle.CORRECTING | {lifecycle.GAME_CLOSED}
"""Types of events that `superseded_events` reads. A correction can supersede `game_closed`, too."""


class CorrectionEntry(Protocol):
    """The members of an event that this module reads."""

    @property
    def type(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...


class Numbered(CorrectionEntry, Protocol):
    """An entry with its number in the log."""

    @property
    def seq(self) -> int: ...


class StoredCorrection(msgspec.Struct, frozen=True, gc=False):
    """The part of an event that `superseded_events` needs. The type of the event is in `READ`."""

    seq: int
    type: str
    params: dict[str, Any]
    """The params that `superseded_events` reads."""


def correction(seq: int, entry: CorrectionEntry) -> StoredCorrection:
    """Return the part of event `seq` that `superseded_events` needs."""
    params = entry.params
    if entry.type == "undo":
        kept = {"to": params["to"]}
    elif entry.type == lifecycle.GAME_CLOSED:
        kept = {}
    else:
        kept = {"seq": params["seq"]} | ({"insert": {}} if params.get("insert") is not None else {})
    return StoredCorrection(seq, entry.type, kept)


class SupersededRange(msgspec.Struct, frozen=True):
    """A range of superseded events, `first` to `last`; event `by` supersedes them."""

    first: int
    last: int
    by: int


def superseded_events(corrections: Iterable[Numbered], version: int) -> list[SupersededRange]:
    """Return the events that are superseded as of event `version`, in order. An undone undo has no effect.

    Args:
        corrections: the log's events of the types `READ`, in order; other types and later events are ignored.
    """
    found: list[SupersededRange] = []
    written: dict[int, int] = {}
    """The latest amend of each place."""
    rewrites: list[tuple[int, int]] = []
    """The rewrites of the line, latest first: each event, and the first place that it rewrote.

    A new rewrite removes the rewrites that begin at the same place or later from the list.
    """
    at = version
    for event in reversed([event for event in corrections if event.type in READ]):
        seq = event.seq
        if seq > at:
            # The event is not in effect: it was undone, or is later than `version`.
            continue
        if event.type == "undo":
            at = event.params["to"]
            if at + 1 < seq:
                found.append(SupersededRange(at + 1, seq - 1, seq))
        elif event.type == lifecycle.GAME_CLOSED:
            while rewrites and rewrites[-1][1] > seq:
                rewrites.pop()
            if rewrites:
                found.append(SupersededRange(seq, seq, rewrites[-1][0]))
        else:
            place = event.params["seq"]
            while rewrites and rewrites[-1][1] >= place:
                rewrites.pop()
            rewrites.append((seq, place))
            if event.type == "amend" and event.params.get("insert") is None:
                last = seq if place in written else place
                found.append(SupersededRange(last, last, written.setdefault(place, seq)))
    return sorted(found, key=lambda one: one.first)


class Ways:
    """Index of a log's corrections: for each event, the chain of corrections in effect at that point.

    Args:
        corrections: the corrections of the log, in order.
    """

    def __init__(self, corrections: Sequence[StoredCorrection] = ()) -> None:
        self.corrections: list[StoredCorrection] = []
        self._before: list[int] = []
        """For each correction, the index of the previous correction in its chain; -1 if there is none."""
        self._lengths: list[int] = []
        """The length of the chain that ends with each correction."""
        for one in corrections:
            self._add(one)

    def and_on(self, corrections: Iterable[StoredCorrection]) -> Ways:
        """Return a copy of this index with `corrections` appended."""
        ways = Ways()
        ways.corrections, ways._before, ways._lengths = self.corrections[:], self._before[:], self._lengths[:]
        for one in corrections:
            ways._add(one)
        return ways

    def length(self, version: int) -> int:
        """Return the number of corrections in effect at event `version`. At most this many ranges are superseded."""
        index = self._index(version)
        return self._lengths[index] if index >= 0 else 0

    def superseded_events(self, version: int) -> list[SupersededRange]:
        """Return the same as the function `superseded_events`, without reading corrections that are not in effect."""
        return superseded_events(reversed(list(self.back(version))), version)

    def back(self, version: int) -> Iterator[StoredCorrection]:
        """Yield the corrections in effect at event `version`, latest first."""
        index = self._index(version)
        while index >= 0:
            yield self.corrections[index]
            index = self._before[index]

    def _index(self, version: int) -> int:
        return bisect_right(self.corrections, version, key=attrgetter("seq")) - 1

    def _add(self, one: StoredCorrection) -> None:
        before = self._index(one.params["to"]) if one.type == "undo" else len(self.corrections) - 1
        self.corrections.append(one)
        self._before.append(before)
        self._lengths.append(1 + (self._lengths[before] if before >= 0 else 0))
