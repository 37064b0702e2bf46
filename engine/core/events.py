"""Events: what a game's log is made of, and the hash chain that binds them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from engine.core.canonical import digest
from engine.core.values import SEAT_IDS, SeatId, Value, Verdict

GENESIS = "0" * 64
"""`prev` of event 1."""

ChanceKind = Literal["seeded", "observed"]
Corrections = Literal["anyone", "recorder", "arbiter"]
"""Who may correct a record: whoever records; whoever recorded what is corrected, or an arbiter; an arbiter alone."""
Mode = Literal["strict", "as_played"]
"""`strict`: what the rules forbid is refused. `as_played`: what the table did is recorded, with a verdict."""


ExplanationKind = Literal[
    "skipped_step",
    "late_step",
    "swapped_steps",
    "one_too_many",
    "other_player",
    "wrong_player",
    "wrong_result",
]
"""The kinds of explanation of an illegal action."""


class Explanation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The slip of the table that an event is: it stands in any record, marked as this and nothing else."""

    kind: Literal["late_step", "swapped_steps", "one_too_many", "other_player"]
    """Any other slip needs no explanation in its event: the events before it say what happened."""
    seat: SeatId
    """Who slipped."""
    events: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1)], ...], msgspec.Meta(max_length=10)] = ()
    """The `seq` of each earlier event that it speaks of, such as the `left_out` that it makes up for."""


IfIllegal = Literal["refuse", "ask", "accept"]
"""What becomes of an action that the rules forbid: for a program `refuse` and `ask` are the same."""


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
    explanation: Explanation | msgspec.UnsetType = msgspec.UNSET
    """Why the table did it against the rules; dropped where it is legal."""


class Proposal(msgspec.Struct, frozen=True):
    """One explanation of an action that the rules forbid: `drafts`, appended as they are, record both."""

    kind: ExplanationKind
    seat: SeatId
    """Who slipped."""
    message: str
    """The sentence that a player reads."""
    drafts: tuple[Draft, ...]


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
    """What the rules said of it when it was recorded; None in a game that is recorded strictly, but for
    what happened there against the rules."""
    rule: str | None = None
    """The rulebook's heading, where the verdict is not `legal`."""
    reason: str | None = None
    """The sentence that a player reads, where the verdict is not `legal`."""
    state_hash: str | None = None
    """Of an event after which a turn begins or the game ends: the digest of the state's document after it."""
    keeps_turn: bool | None = None
    """Of an illegal act out of turn that stands in a strict record: whether it leaves the turn as it is, as in
    `Header`."""
    explanation: Explanation | None = None
    """The slip of the table that it is, where somebody said so."""


_UNSEALED: Any = msgspec.UNSET
"""The `hash` of an event that has none yet: such a member is left out of the JSON."""


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
    keeps_turn: bool | None = None,
) -> Event:
    """The event that a judged draft becomes, chained to `prev`.

    Args:
        params: the draft's, in the one spelling in which they are stored.
        outcomes: what chance did, in the order in which the rules asked.
        recorded_at: RFC 3339 in UTC.
        prev: the hash of event `seq - 1`.
    """
    event = Event(
        seq=seq,
        type=draft.type,
        actor=draft.actor,
        params=params,
        outcomes=outcomes,
        turn=turn,
        recorded_at=recorded_at,
        occurred_at=draft.occurred_at,
        recorded_by=recorded_by,
        note=draft.note,
        prev=prev,
        hash=_UNSEALED,
        verdict=verdict,
        rule=rule,
        reason=reason,
        state_hash=state_hash,
        keeps_turn=keeps_turn,
        explanation=draft.explanation or None,
    )
    # Nobody else has it yet.
    msgspec.structs.force_setattr(event, "hash", digest(event))
    return event


def event_hash(event: Event) -> str:
    """The hash that `event` should carry: SHA-256 over its canonical JSON without `hash`."""
    return digest(msgspec.structs.replace(event, hash=_UNSEALED))


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
    corrections: Corrections | None = None
    """None where the table agreed on nothing: then it is whoever recorded what is corrected."""
    keeps_turn: bool = False
    """Whether an illegal act out of turn leaves the turn as it is, in a game recorded as played. Earlier records do not
    have it: there such an act used up what was left of the turn, and they replay as they were recorded."""

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
