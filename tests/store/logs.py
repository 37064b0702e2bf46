"""Logs whose events have only a text, because the store does not judge events."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import GENESIS, Draft, Event, seal
from store.log.idempotency import IdempotencyKey
from tests.playouts import clock


def notes(*texts: str, after: Sequence[Event] = ()) -> list[Event]:
    """Return an event for each text, chained to the last event of `after`."""
    seq, prev = position(after)
    events: list[Event] = []
    for text in texts:
        seq += 1
        events.append(note(text, seq, prev))
        prev = events[-1].hash
    return events


def note(text: str, seq: int, prev: str) -> Event:
    """Return event `seq`, with the note `text`."""
    draft = Draft(type="annotate", note=text)
    return seal(draft, seq=seq, turn=0, params={}, outcomes=(), recorded_at=clock(seq), recorded_by=None, prev=prev)


def position(events: Sequence[Event]) -> tuple[int, str]:
    """Return the version and the head at the end of a log."""
    return (events[-1].seq, events[-1].hash) if events else (0, GENESIS)


def key(name: str, body: str = "") -> IdempotencyKey:
    """Return the idempotency key `name` of a request with this body."""
    return IdempotencyKey(name, body.encode())
