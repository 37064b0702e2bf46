"""Forgeries of a log, each with the event and the kind of change that a check must report."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from engine.core.events import Event
from proofs.comparison import Kind, LogDifference
from tests.recording import chained, forged


class Forgery(NamedTuple):
    """A forged log."""

    name: str
    events: list[Event]
    found: LogDifference
    """The expected result of the check."""


Fix = Callable[[Sequence[Event]], list[Event]]
"""A function with which a forger hides changes."""


def as_they_are(events: Sequence[Event]) -> list[Event]:
    return list(events)


def hash_events(events: Sequence[Event]) -> list[Event]:
    """Give every event the hash of its contents, without chaining events."""
    return [forged(event) for event in events]


FIXES: tuple[Fix, ...] = (as_they_are, hash_events, chained)

FLIPS: dict[str, Callable[[Event], Any]] = {
    "type": lambda event: f"{event.type}_twice",
    "actor": lambda event: "p2" if event.actor == "p1" else "p1",
    "params": lambda event: {**event.params, "to": "somewhere_else"},
    "outcomes": lambda event: [*event.outcomes[1:], "another_card"],
    "turn": lambda event: event.turn + 1,
    "recorded_at": lambda _: "2027-01-01T00:00:00.000Z",
    "occurred_at": lambda _: "2026-11-20T12:00:00.000Z",
    "recorded_by": lambda _: "Mallory",
    "note": lambda event: f"{event.note or ''} or so",
    "verdict": lambda event: "illegal" if event.verdict != "illegal" else "legal",
    "state_hash": lambda event: "0" * 64 if event.state_hash is None else None,
}
LINKS: dict[str, Callable[[Event], Any]] = {
    "seq": lambda event: event.seq + 1,
    "prev": lambda _: "f" * 64,
    "hash": lambda _: "e" * 64,
}
"""Members that a forger overwrites when chaining events anew."""


Changed = tuple[str, list[Event], Kind, int]
Change = Callable[[Sequence[Event], Sequence[Event], random.Random], Changed]
Forger = Callable[[Sequence[Event], Sequence[Event], random.Random], Forgery]
"""A function that forges a log; its second argument is a log of another game of the same ruleset."""


def _flipping(name: str, flip: Callable[[Event], Any], fix: Fix) -> Forger:
    def forge(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Forgery:
        seq = rng.randint(1, len(events))
        log = list(events)
        log[seq - 1] = msgspec.structs.replace(log[seq - 1], **{name: flip(log[seq - 1])})
        return Forgery(f"{name} of {seq} flipped, {fix.__name__}", fix(log), LogDifference(seq, "changed"))

    return forge


def _fixing(change: Change, fix: Fix) -> Forger:
    def forge(events: Sequence[Event], other: Sequence[Event], rng: random.Random) -> Forgery:
        name, log, kind, seq = change(events, other, rng)
        return Forgery(f"{name}, {fix.__name__}", fix(log), LogDifference(seq, kind))

    return forge


def _drop(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Changed:
    seq, count = rng.randint(1, len(events)), rng.choice((1, 1, 3))
    log = [*events[: seq - 1], *events[seq - 1 + count :]]
    # A log without events is no log: keep its first event, which is then in the wrong place.
    return (
        (f"{count} dropped at {seq}", log, "removed", seq)
        if log
        else ("all but one dropped", [*events[:1]], "removed", 2)
    )


def _truncate(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Changed:
    left = rng.randint(1, len(events) - 1)
    return f"truncated after {left}", list(events[:left]), "removed", left + 1


def _double(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Changed:
    seq, at = rng.randint(1, len(events)), rng.randint(1, len(events) + 1)
    log = [*events[: at - 1], events[seq - 1], *events[at - 1 :]]
    return f"{seq} doubled at {at}", log, "added", seq + 1 if at == seq else at


def _overwritten(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Changed:
    seq, by = rng.sample(range(1, len(events) + 1), 2)
    log = [*events[: seq - 1], events[by - 1], *events[seq:]]
    return f"{seq} overwritten by {by}", log, "changed", seq


def _swap(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Changed:
    one, other = sorted(rng.sample(range(1, len(events) + 1), 2))
    log = list(events)
    log[one - 1], log[other - 1] = log[other - 1], log[one - 1]
    return f"{one} and {other} swapped", log, "reordered", one


def _move(events: Sequence[Event], _: Sequence[Event], rng: random.Random) -> Changed:
    seq = rng.randint(1, len(events) - 1)
    to = rng.randint(seq + 1, len(events))
    log = [*events[: seq - 1], *events[seq:to], events[seq - 1], *events[to:]]
    return f"{seq} moved to {to}", log, "reordered", seq


def _insert(events: Sequence[Event], other: Sequence[Event], rng: random.Random) -> Changed:
    seq, count = rng.randint(1, len(events)), rng.choice((1, 1, 3))
    strange = [msgspec.structs.replace(event, recorded_by="Mallory") for event in rng.choices(other, k=count)]
    return f"{count} inserted at {seq}", [*events[: seq - 1], *strange, *events[seq - 1 :]], "added", seq


def _append(events: Sequence[Event], other: Sequence[Event], rng: random.Random) -> Changed:
    return "appended", [*events, *rng.choices(other, k=rng.choice((1, 4)))], "added", len(events) + 1


def _fork(events: Sequence[Event], other: Sequence[Event], rng: random.Random) -> Forgery:
    """Return the beginning of the game with another end."""
    at = rng.randint(1, min(len(events), len(other)) - 1)
    tail = [msgspec.structs.replace(event, recorded_by="Mallory") for event in other[at:]]
    return Forgery(f"forked after {at}", chained([*events[:at], *tail]), LogDifference(at + 1, "changed"))


def _fixes(change: Change) -> list[Forger]:
    return [_fixing(change, fix) for fix in FIXES]


FORGERS: dict[str, list[Forger]] = {
    "flip": [
        *(_flipping(name, flip, fix) for name, flip in FLIPS.items() for fix in FIXES),
        *(_flipping(name, flip, as_they_are) for name, flip in LINKS.items()),
    ],
    "drop": _fixes(_drop),
    "truncate": _fixes(_truncate),
    "duplicate": _fixes(_double),
    "overwrite": _fixes(_overwritten),
    "swap": _fixes(_swap),
    "move": _fixes(_move),
    "insert": _fixes(_insert),
    "append": _fixes(_append),
    "fork": [_fork],
}
"""All ways to forge a log."""


def forgeries(events: Sequence[Event], other: Sequence[Event], rng: random.Random) -> Iterator[Forgery]:
    """Forged variations of a log, one by each forger."""
    return (forge(events, other, rng) for forgers in FORGERS.values() for forge in forgers)
