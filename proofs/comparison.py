"""Comparison of a log with a signed one: the first event that differs, and the kind of change."""

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
"""Kind of change, by two booleans: the log has the signed event later; the event here was signed at a later place."""


class LogDifference(msgspec.Struct, frozen=True):
    """The first place at which a log differs from the signed one."""

    seq: int
    """The number of the event: in the signed log if the event was removed, otherwise in this log."""
    kind: Kind

    def __str__(self) -> str:
        where = ": another event is in its place" if self.kind == "reordered" else ""
        return f"event {self.seq} was {self.kind}{where}"


def first_difference(
    hashes: Sequence[str], events: Sequence[Event], withheld: Collection[int] = (), *, after: int = 0
) -> LogDifference | None:
    """Return the first difference between a log and the signed log, even if the hashes after it were recomputed.

    Args:
        hashes: the hashes of the signed log, from event 1 on.
        events: the events of the log after event `after`.
        withheld: the events (by `seq`) with masked parts. Their stated hashes are accepted, because the next event
            repeats the hash.
        after: the `seq` of an event up to which the logs are the same; 0 if none is known.
    """
    log = _Log(hashes, events, withheld)
    for seq, event in enumerate(events, after + 1):
        if seq > len(hashes) or not log.is_signed(event, seq):
            return LogDifference(seq, log.change_kind(event, seq, events[seq - after :]))
    missing = after + len(events) + 1
    return LogDifference(missing, "removed") if missing <= len(hashes) else None


class _Log(msgspec.Struct, frozen=True):
    hashes: Sequence[str]
    events: Sequence[Event]
    withheld: Collection[int]

    def is_signed(self, event: Event, seq: int) -> bool:
        """Return True if `event` is the signed event `seq`, unchanged and in its place."""
        links = seq, self._prev(seq), self.hashes[seq - 1]
        return (event.seq, event.prev, event.hash) == links and self._is(event, seq)

    def change_kind(self, event: Event, seq: int, rest: Sequence[Event]) -> Kind:
        """Return the kind of change at `seq`.

        Args:
            event: the event in place `seq`, which differs from the signed event.
            rest: the events after `event`.
        """
        is_in_the_way = seq > len(self.hashes) or self._is_among(rest, seq)
        came_from = next(self._origins(event, seq), None)
        was_moved = came_from is not None and came_from > seq and not self._is_among(rest, came_from)
        return _KINDS[is_in_the_way, was_moved]

    def _origins(self, event: Event, seq: int) -> Iterator[int]:
        """Yield the numbers of other signed events that equal `event`."""
        return (other for other in range(1, len(self.hashes) + 1) if other != seq and self._is(event, other))

    def _is_among(self, events: Sequence[Event], seq: int) -> bool:
        return any(self._is(event, seq) for event in events)

    def _is(self, event: Event, seq: int) -> bool:
        """Return True if `event`, placed at `seq`, would be the event signed at `seq`."""
        if event.seq in self.withheld:
            return event.hash == self.hashes[seq - 1]
        try:
            placed = event_hash(msgspec.structs.replace(event, seq=seq, prev=self._prev(seq)))
        except Malformed:
            return False
        return placed == self.hashes[seq - 1]

    def _prev(self, seq: int) -> str:
        return self.hashes[seq - 2] if seq > 1 else GENESIS
