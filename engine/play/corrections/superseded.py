"""What does not stand: the events of a log that were taken back, or written anew.

Found from the corrections alone, without playing a single event, so that it can be told with every part of a log.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from engine.core import lifecycle

SUPERSEDING = frozenset({"undo", "amend"})
"""The types of event because of which others do not stand."""

READ = lifecycle.CORRECTING | {lifecycle.GAME_CLOSED}
"""The types of event from which it is found: what closed a game does not close it any more once it is written anew."""


class Entry(Protocol):
    """What is read of an event."""

    @property
    def type(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...


class Numbered(Entry, Protocol):
    """An entry that knows its place in the log."""

    @property
    def seq(self) -> int: ...


class Correction(msgspec.Struct, frozen=True, gc=False):
    """What has to be remembered of an event of the types `READ`."""

    seq: int
    type: str
    params: dict[str, Any]
    """No more of them than `superseded` reads."""


def correction(seq: int, entry: Entry) -> Correction:
    """What has to be remembered of event `seq`."""
    params = entry.params
    if entry.type == "undo":
        kept = {"to": params["to"]}
    elif entry.type == lifecycle.GAME_CLOSED:
        kept = {}
    else:
        kept = {"seq": params["seq"]} | ({"insert": {}} if params.get("insert") is not None else {})
    return Correction(seq, entry.type, kept)


class Superseded(msgspec.Struct, frozen=True):
    """Events that do not stand: those from `first` to `last`, because of event `by`."""

    first: int
    last: int
    by: int


def superseded(corrections: Iterable[Numbered], version: int) -> list[Superseded]:
    """Which events do not stand after event `version`, in their order; of an undo that was undone nothing is left.

    Args:
        corrections: the events of the types `READ` of the log, in order; later ones and others have no part in it.
    """
    found: list[Superseded] = []
    written: dict[int, int] = {}
    """The last amend of each place."""
    rewrites: list[tuple[int, int]] = []
    """What wrote the line anew, latest first: the event, and the place from which it did. One that came before another
    and wrote from there on or earlier takes its place."""
    at = version
    for event in reversed([event for event in corrections if event.type in READ]):
        seq = event.seq
        if seq > at:
            # Not on the way back from the end: it was taken back itself, or came later.
            continue
        if event.type == "undo":
            at = event.params["to"]
            if at + 1 < seq:
                found.append(Superseded(at + 1, seq - 1, seq))
        elif event.type == lifecycle.GAME_CLOSED:
            while rewrites and rewrites[-1][1] > seq:
                rewrites.pop()
            if rewrites:
                found.append(Superseded(seq, seq, rewrites[-1][0]))
        else:
            place = event.params["seq"]
            while rewrites and rewrites[-1][1] >= place:
                rewrites.pop()
            rewrites.append((seq, place))
            if event.type == "amend" and event.params.get("insert") is None:
                last = seq if place in written else place
                found.append(Superseded(last, last, written.setdefault(place, seq)))
    return sorted(found, key=lambda one: one.first)


class Ways:
    """The ways back from each event of a log over the corrections that are not taken back there.

    Args:
        corrections: of the log, in order.
    """

    def __init__(self, corrections: Sequence[Correction] = ()) -> None:
        self.corrections: list[Correction] = []
        self._before: list[int] = []
        """For each correction, where in the list the one before it on the way is; -1: there is none."""
        self._lengths: list[int] = []
        """How many lie on the way back from each, it included."""
        for one in corrections:
            self._add(one)

    def and_on(self, corrections: Iterable[Correction]) -> Ways:
        """The ways of the log that goes on with `corrections`."""
        ways = Ways()
        ways.corrections, ways._before, ways._lengths = self.corrections[:], self._before[:], self._lengths[:]
        for one in corrections:
            ways._add(one)
        return ways

    def length(self, version: int) -> int:
        """How many corrections lie on the way back from event `version`: no more than so many events are superseded."""
        index = self._index(version)
        return self._lengths[index] if index >= 0 else 0

    def superseded(self, version: int) -> list[Superseded]:
        """As `superseded` says it of the whole log; only what lies on the way is looked at."""
        return superseded(reversed(list(self.back(version))), version)

    def back(self, version: int) -> Iterator[Correction]:
        """The corrections on the way back from event `version`, latest first."""
        index = self._index(version)
        while index >= 0:
            yield self.corrections[index]
            index = self._before[index]

    def _index(self, version: int) -> int:
        return bisect_right(self.corrections, version, key=_seq) - 1

    def _add(self, one: Correction) -> None:
        before = self._index(one.params["to"]) if one.type == "undo" else len(self.corrections) - 1
        self.corrections.append(one)
        self._before.append(before)
        self._lengths.append(1 + (self._lengths[before] if before >= 0 else 0))


def _seq(one: Correction) -> int:
    return one.seq
