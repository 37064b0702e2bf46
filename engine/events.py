"""Events: what a game's log is made of, and the hash chain that binds them."""

from __future__ import annotations

import hashlib
from typing import Any, Literal, get_args

import msgspec

from engine.canonical import canonical

Value = str | int
"""What chance can bring up: a card, a tile, a role (their ids) or a number rolled."""

SeatId = Literal["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"]
"""A place at the table, in seat order."""

SEAT_IDS: tuple[SeatId, ...] = get_args(SeatId)
SEAT_INDEX: dict[str | None, int] = {seat: index for index, seat in enumerate(SEAT_IDS)}

GENESIS = "0" * 64
"""`prev` of event 1."""

ChanceKind = Literal["seeded", "observed"]
Mode = Literal["strict", "as_played"]
"""`strict`: what the rules forbid is refused. `as_played`: what the table did is recorded, with a verdict."""

Verdict = Literal["legal", "illegal", "unknowable"]
"""What the rules say of an event; `unknowable`: it depends on what nobody saw."""


class GameOutcome(msgspec.Struct, frozen=True):
    """How a game ended: `reason` is the ruleset's id of the ending, `rule` the rulebook's heading."""

    result: Literal["won", "lost", "draw", "abandoned"]
    winners: tuple[SeatId, ...]
    reason: str
    rule: str


class Draft(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """An event that somebody asks to append: not yet judged, numbered or sealed."""

    type: str
    actor: str | None = None
    params: dict[str, Any] = {}
    outcomes: tuple[Value | None, ...] = ()
    """What chance did, as seen on the table, None where nobody saw it; empty in a seeded game."""
    occurred_at: str | None = None
    """When it happened, RFC 3339 in UTC; None where nobody said."""
    note: str | None = None


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One action and what chance did in it, as it stands in the log for ever.

    The members from `verdict` on are left out where they are None, of the JSON and of the hash.
    """

    seq: int
    """Gapless from 1."""
    type: str
    actor: str | None
    params: dict[str, Any]
    outcomes: tuple[Value | None, ...]
    """What chance did; None where nobody saw it."""
    turn: int
    """The turn in which it happened; 0 before the first."""
    recorded_at: str
    occurred_at: str | None
    recorded_by: str | None
    note: str | None
    prev: str
    hash: str
    verdict: Verdict | None = None
    """What the rules said of it when it was recorded; None in a game that is recorded strictly."""
    rule: str | None = None
    """The rulebook's heading, where the verdict is not `legal`."""
    reason: str | None = None
    """The sentence that a player reads, where the verdict is not `legal`."""
    state_hash: str | None = None
    """Of an event after which a turn begins or the game ends: the digest of the state's document after it."""


class _Unsealed(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An event without its hash: what the hash is taken over."""

    actor: str | None
    note: str | None
    occurred_at: str | None
    outcomes: tuple[Value | None, ...]
    params: dict[str, Any]
    prev: str
    recorded_at: str
    recorded_by: str | None
    seq: int
    turn: int
    type: str
    verdict: Verdict | None = None
    rule: str | None = None
    reason: str | None = None
    state_hash: str | None = None


def seal(
    draft: Draft,
    *,
    seq: int,
    turn: int,
    params: dict[str, Any],
    outcomes: tuple[Value | None, ...],
    recorded_at: str,
    recorded_by: str | None,
    prev: str,
    verdict: Verdict | None = None,
    rule: str | None = None,
    reason: str | None = None,
    state_hash: str | None = None,
) -> Event:
    """The event that a judged draft becomes, chained to `prev`.

    Args:
        params: the draft's, in the one spelling in which they are stored.
        outcomes: what chance did, in the order in which the rules asked.
        recorded_at: RFC 3339 in UTC.
        prev: the hash of event `seq - 1`.
    """
    type_, actor, note, occurred_at = draft.type, draft.actor, draft.note, draft.occurred_at
    unsealed = _Unsealed(
        actor,
        note,
        occurred_at,
        outcomes,
        params,
        prev,
        recorded_at,
        recorded_by,
        seq,
        turn,
        type_,
        verdict,
        rule,
        reason,
        state_hash,
    )
    return Event(
        seq=seq,
        type=type_,
        actor=actor,
        params=params,
        outcomes=outcomes,
        turn=turn,
        recorded_at=recorded_at,
        occurred_at=occurred_at,
        recorded_by=recorded_by,
        note=note,
        prev=prev,
        hash=hashlib.sha256(canonical(unsealed)).hexdigest(),
        verdict=verdict,
        rule=rule,
        reason=reason,
        state_hash=state_hash,
    )


def event_hash(event: Event) -> str:
    """The hash that `event` should carry: SHA-256 over its canonical JSON without `hash`."""
    unsealed = _Unsealed(
        event.actor,
        event.note,
        event.occurred_at,
        event.outcomes,
        event.params,
        event.prev,
        event.recorded_at,
        event.recorded_by,
        event.seq,
        event.turn,
        event.type,
        event.verdict,
        event.rule,
        event.reason,
        event.state_hash,
    )
    return hashlib.sha256(canonical(unsealed)).hexdigest()


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits there."""

    name: str


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a forked game comes from: events 2 to `at` are `game`'s own; `hash` is that of its event `at`."""

    game: str
    at: int
    hash: str
    chance: ChanceKind | None = None
    """The kind of chance of `game`; None where the fork's is the same."""
    fork: Fork | None = None
    """Where `game` itself was forked from, where that has to be known to play its events again: chance was of another
    kind there."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The params of event 1, `game_opened`: all that never changes about a game."""

    ruleset: str
    ruleset_version: str
    seats: tuple[Seat, ...]
    options: dict[str, Any]
    """Every option of the ruleset with its value."""
    chance: ChanceKind
    mode: Mode
    tags: tuple[str, ...] = ()
    seed_commitment: str | None = None
    """Lower-case hex SHA-256 of the seed's UTF-8; None in an observed game."""
    fork: Fork | None = None

    def chance_at(self, seq: int) -> ChanceKind:
        """The kind of chance by which event `seq` was recorded: in a fork, its parent's up to where it was forked."""
        chance, fork = self.chance, self.fork
        while fork is not None and seq <= fork.at:
            chance, fork = fork.chance or chance, fork.fork
        return chance

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return tuple(seat.name for seat in self.seats)

    @property
    def seat_ids(self) -> tuple[SeatId, ...]:
        """The ids of the seats that are taken, in seat order."""
        return SEAT_IDS[: len(self.seats)]
