"""Comparing a log with the one that was signed: the first event that differs, and what was done to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from engine.core.errors import Malformed
from engine.core.events import GENESIS, Event, event_hash

Kind = Literal["changed", "removed", "added", "reordered"]

_KINDS: dict[tuple[bool, bool], Kind] = {
    (True, True): "reordered",
    (True, False): "added",
    (False, True): "removed",
    (False, False): "changed",
}
"""By whether what stands here is in the way of what was signed, which follows, and whether it was moved here."""


class Difference(msgspec.Struct, frozen=True):
    """The first place at which a log is not the signed one."""

    seq: int
    """The event there, counted from 1: of the signed log where it was removed, else of the log."""
    kind: Kind

    def __str__(self) -> str:
        where = ": another one stands in its place" if self.kind == "reordered" else ""
        return f"event {self.seq} was {self.kind}{where}"


def first_difference(
    hashes: Sequence[str], events: Sequence[Event], withheld: Collection[int] = (), *, after: int = 0
) -> Difference | None:
    """The first event of a log that is not the signed one, however the events after it were chained anew.

    Args:
        hashes: those of the signed log, from event 1 on.
        events: those of the log after its event `after`.
        withheld: the events (by `seq`) of which a part is masked: their own word is taken for their hash, which the
            next event repeats.
        after: 0, or an event up to which the logs are the same.
    """
    log = _Log(hashes, events, withheld)
    for seq, event in enumerate(events, after + 1):
        if seq > len(hashes) or not log.is_signed(event, seq):
            return Difference(seq, log.what_was_done(event, seq, events[seq - after :]))
    missing = after + len(events) + 1
    return Difference(missing, "removed") if missing <= len(hashes) else None


class _Log(msgspec.Struct, frozen=True):
    hashes: Sequence[str]
    events: Sequence[Event]
    withheld: Collection[int]

    def is_signed(self, event: Event, seq: int) -> bool:
        """Whether `event` is the signed event `seq`, and stands there as it was."""
        links = seq, self._prev(seq), self.hashes[seq - 1]
        return (event.seq, event.prev, event.hash) == links and self._is(event, seq)

    def what_was_done(self, event: Event, seq: int, rest: Sequence[Event]) -> Kind:
        """What was done at `seq`, where `event` stands instead of the signed one, and `rest` after it."""
        is_in_the_way = seq > len(self.hashes) or self._is_among(rest, seq)
        came_from = next(self._origins(event, seq), None)
        was_moved = came_from is not None and came_from > seq and not self._is_among(rest, came_from)
        return _KINDS[is_in_the_way, was_moved]

    def _origins(self, event: Event, seq: int) -> Iterator[int]:
        """Which signed events, of other numbers, `event` is."""
        return (other for other in range(1, len(self.hashes) + 1) if other != seq and self._is(event, other))

    def _is_among(self, events: Sequence[Event], seq: int) -> bool:
        return any(self._is(event, seq) for event in events)

    def _is(self, event: Event, seq: int) -> bool:
        """Whether `event`, put in the place `seq` of the signed log, is the event that was signed there."""
        if event.seq in self.withheld:
            return event.hash == self.hashes[seq - 1]
        try:
            placed = event_hash(msgspec.structs.replace(event, seq=seq, prev=self._prev(seq)))
        except Malformed:
            return False
        return placed == self.hashes[seq - 1]

    def _prev(self, seq: int) -> str:
        return self.hashes[seq - 2] if seq > 1 else GENESIS
