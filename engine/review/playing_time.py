"""Start and duration of a game, for all pages, lists, statistics and exports.

The time of an event is the reported time of the action, or else the time of recording. A game began at its first event
after the opening. There is one exception: the setup may have been recorded after play had begun. Then a later event has
the first reported time, and this time is earlier than that of the first event. In this case, the game began at the
reported time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from engine.core import lifecycle
from engine.core.events import Event

BREAK = timedelta(hours=1)
"""Longer pauses are breaks, which do not count as playing time."""
_NOT_PLAYED = frozenset(lifecycle.KINDS) - {lifecycle.SET_UP}
"""Types of events that may be recorded long after the game was played: notes, corrections and closings."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Clock(msgspec.Struct, frozen=True, array_like=True):
    """Playing time of a game: the time between its events, without breaks."""

    milliseconds: int = 0
    at: str | None = None
    """The time of the last event of the game, without annotations and corrections; None before the first."""
    began_at: str | None = None
    """The time when the game began; None before its first event."""
    is_reported: bool = False
    """True if a player reported the time `at`."""
    typed: int = 0
    """The part of `milliseconds` to subtract if the next reported time rules it out; see `typed_at`."""
    typed_at: str | None = None
    """The time of the last event without a reported time that was recorded after a break; None if there is none.

    This is only set if the time `at` was reported.

    After the break, either the game went on, or the recorder entered moves from before the break. The next reported
    time decides: if it is shortly after `at`, the recorder entered moves, and `typed` does not count.
    """

    @classmethod
    def of(cls, log: Iterable[Event]) -> Clock:
        """Return the clock after a whole log."""
        return cls().after(retime_events(log))

    def after(self, events: Iterable[Event]) -> Clock:
        """Return the clock after further `events`, as `retime_events` yields them."""
        clock = self
        for event in events:
            if event.type not in _NOT_PLAYED:
                clock = clock._with(event)
        return clock

    def _with(self, event: Event) -> Clock:
        at, began = happened_at(event), self.began_at
        is_before = self.at is not None and moment(at) < moment(self.at)
        if event.type != lifecycle.GAME_OPENED and (began is None or (self.at == began and is_before)):
            began = at
        elif is_before and moment(self.at or at) - moment(at) <= BREAK:
            # The clock of another phone is slow: count no time.
            at = self.at or at
        is_reported = event.occurred_at is not None
        if self.at is None:
            return Clock(0, at, began, is_reported)
        passed, since_typed = _elapsed_milliseconds(self.at, at), _elapsed_milliseconds(self.typed_at or at, at) or 0
        if not is_reported and (self.typed_at or (self.is_reported and passed is None and not is_before)):
            typed = self.typed + since_typed
            return Clock(self.milliseconds + since_typed, self.at, began, self.is_reported, typed, at)
        if passed is not None:
            return Clock(self.milliseconds - self.typed + passed, at, began, is_reported)
        return Clock(self.milliseconds + since_typed, at, began, is_reported)

    def ended_at(self, played_at: str | None) -> str | None:
        """Return the time of the last event of the game.

        If `played_at`, the date of play, is set, return that time plus the duration.
        """
        if played_at is None:
            last = self.typed_at if self.typed_at and 2 * self.typed >= self.milliseconds else self.at
            # The last reported time may come from a wrong clock.
            return self.began_at if last and self.began_at and moment(last) < moment(self.began_at) else last
        end = moment(played_at).astimezone(UTC) + self.milliseconds * _MILLISECOND
        return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @property
    def minutes(self) -> int | None:
        """The playing time in minutes, at least 1; None if unknown, as for a game that was recorded all at once."""
        return max(1, round(self.milliseconds / 60_000)) if self.milliseconds else None


def _elapsed_milliseconds(start: str, end: str) -> int | None:
    """Return the milliseconds between two times; None after a break, or if the end is before the start."""
    gap = moment(end) - moment(start)
    return gap // _MILLISECOND if timedelta(0) <= gap <= BREAK else None


def happened_at(event: Event) -> str:
    """Return the time of an event (RFC 3339): the reported time, or else the time of recording."""
    return event.occurred_at or event.recorded_at


class _Rewrite(msgspec.Struct, frozen=True):
    """An amend in effect, reduced to place, type and time, because a log can have very many amends."""

    seq: int
    place: int
    """The number of the event that the amend replaces or removes, or before which it inserts an event."""
    is_insert: bool
    type: str | None
    """The type of the new event; None if the amend removes an event."""
    occurred_at: str | None


def retime_events(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a log after all amends in effect: with their new times, and without removed events.

    An inserted event is yielded before the event at its place, or omitted if its time is unknown. An inserted event has
    its own type and time. All its other members come from the event at its place.

    Args:
        events: all events of the log, in order. They are iterated twice.
    """
    inserted: dict[int, list[_Rewrite]] = {}
    written: dict[int, _Rewrite] = {}
    for one in _in_effect(events):
        if one.is_insert:
            inserted.setdefault(one.place, []).append(one)
        else:
            written[one.place] = one

    def read(place: int, event: Event) -> Iterator[Event]:
        for one in inserted.get(place, ()):
            yield from read(one.seq, _retime_event(msgspec.structs.replace(event, type="amend"), one))
        if place not in written:
            yield event
        elif written[place].type is not None:
            yield _retime_event(event, written[place])

    for event in events:
        if event.type != "amend":
            yield from (one for one in read(event.seq, event) if one.type != "amend")


def _in_effect(events: Iterable[Event]) -> list[_Rewrite]:
    corrections = [_correction(event) for event in events if event.type in {"undo", "amend"}]
    found: list[_Rewrite] = []
    at = corrections[-1][0] if corrections else 0
    for seq, correction in reversed(corrections):
        if seq > at:
            # A later undo goes back to before this event.
            continue
        if isinstance(correction, int):
            at = correction
        else:
            found.append(correction)
    return found[::-1]


def _correction(event: Event) -> tuple[int, int | _Rewrite]:
    """Return the number of a correction, and either the event to which an undo goes back, or an amend's rewrite."""
    params = event.params
    if event.type == "undo":
        return event.seq, params["to"]
    insert = params.get("insert")
    draft = params.get("event") if insert is None else insert
    type_, at = (None, None) if draft is None else (draft["type"], draft.get("occurred_at"))
    return event.seq, _Rewrite(event.seq, params["seq"], insert is not None, type_, at)


def _retime_event(event: Event, rewrite: _Rewrite) -> Event:
    if rewrite.occurred_at is None or rewrite.type is None:
        return event
    return msgspec.structs.replace(event, type=rewrite.type, occurred_at=rewrite.occurred_at)


def began_at(events: Iterable[Event]) -> str:
    """Return the start of a game (see `Clock.began_at`), or the time of the opening if it has only been opened.

    Args:
        events: the events that `retime_events` yields, or the first events of a log without amends.
    """
    opening, clock = "", Clock()
    for event in events:
        opening = opening or happened_at(event)
        clock = clock.after((event,))
        if clock.at != clock.began_at and clock.began_at is not None:
            break
    return clock.began_at or opening


def moment(text: str) -> datetime:
    """Parse an RFC 3339 time; an invalid time, from an imported log, becomes a fixed time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return _EPOCH
    return found if found.tzinfo else found.replace(tzinfo=UTC)
