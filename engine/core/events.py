"""Events: the entries of a game's log, and the hash chain over them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from engine.core.canonical import digest
from engine.core.values import SEAT_IDS, SeatId, State, Value, Verdict

GENESIS = "0" * 64
"""The value of `prev` in event 1."""

ChanceKind = Literal["seeded", "observed"]
Corrections = Literal["anyone", "recorder", "arbiter"]
"""The users who may correct an event: any recorder, only its own recorder and arbiters, or only arbiters."""
Mode = Literal["strict", "as_played"]
"""`strict`: illegal actions are rejected. `as_played`: they are recorded with a verdict."""


ExplanationKind = Literal[
    "skipped_step",
    "late_step",
    "swapped_steps",
    "one_too_many",
    "other_player",
    "missed_reshuffle",
    "unnoticed_end",
    "wrong_player",
    "wrong_result",
    "house_rule",
]
"""The kinds of explanation of an illegal action."""


class Explanation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The mistake that explains an illegal event.

    Every game can record an explained event, even a strict one. Only this event is marked as illegal.
    """

    kind: Literal["late_step", "swapped_steps", "one_too_many", "other_player"]
    """The kind of mistake. Any other kind is recorded as a separate event, not as an explanation."""
    seat: SeatId
    """The seat that made the mistake."""
    events: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1)], ...], msgspec.Meta(max_length=10)] = ()
    """The `seq` of each related earlier event, such as the `left_out` of a step that is done late."""


class Draft(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """An event to append, without verdict, number and hash."""

    type: str
    actor: str | None = None
    params: dict[str, Any] = {}
    outcomes: tuple[Value | None, ...] = ()
    """Results seen at the table, None if unknown; empty in a seeded game."""
    occurred_at: str | None = None
    """Time of the action, RFC 3339 in UTC; None if not given."""
    note: str | None = None
    explanation: Explanation | msgspec.UnsetType = msgspec.UNSET
    """Explanation of an illegal action; dropped if the action is legal."""


class Proposal(msgspec.Struct, frozen=True):
    """One explanation of an illegal action. To record the action with this explanation, append `drafts` unchanged."""

    kind: ExplanationKind
    seat: SeatId
    """The seat that made the mistake."""
    message: str
    """The sentence that a player reads."""
    drafts: tuple[Draft, ...]


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One action and its results, as stored in the log. An event never changes.

    The members from `verdict` on are omitted if None, in the JSON and in the hash.
    """

    seq: int
    """Number of the event, from 1 without gaps."""
    type: str
    actor: str | None
    params: dict[str, Any]
    outcomes: tuple[Value | None, ...]
    """Results of chance; None if unknown."""
    turn: int
    """The number of the turn in which the event happened; 0 before the first turn."""
    recorded_at: str
    occurred_at: str | None
    recorded_by: str | None
    note: str | None
    prev: str
    hash: str
    verdict: Verdict | None = None
    """The verdict at the time of recording. In a strict game: None, unless the rulebook forbids the action."""
    rule: str | None = None
    """The rulebook's heading, if the verdict is not `legal`."""
    reason: str | None = None
    """The text for players, if the verdict is not `legal`."""
    state_hash: str | None = None
    """The digest of the state after the event, if the event begins a turn or ends the game."""
    keeps_turn: bool | None = None
    """True for an illegal action that does not end the current turn. In a strict record, this is an action out of turn
    (as `Header.keeps_turn`). In every record, it is an action while the game waits for another seat. Earlier releases
    did not set the member in the second case; their events replay as recorded.
    """
    explanation: Explanation | None = None
    """The explanation given for an illegal action."""
    sets_aside: bool | None = None
    """True if the action was applied to `Rules.set_aside`, so that it carried out no later step of the turn.

    Earlier releases did not set this member. Their events also carried out the later steps, which remained due.
    """


class Content(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The hashed members of an event in canonical order, for `digests`. Nested structs must be plain JSON already."""

    # The default UNSET is never used: every event has these members, so JSON never omits them.
    actor: str | msgspec.UnsetType | None = msgspec.UNSET
    explanation: dict[str, Any] | None = None
    keeps_turn: bool | None = None
    note: str | msgspec.UnsetType | None = msgspec.UNSET
    occurred_at: str | msgspec.UnsetType | None = msgspec.UNSET
    outcomes: tuple[Value | None, ...] | msgspec.UnsetType = msgspec.UNSET
    params: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    prev: str | msgspec.UnsetType = msgspec.UNSET
    reason: str | None = None
    recorded_at: str | msgspec.UnsetType = msgspec.UNSET
    recorded_by: str | msgspec.UnsetType | None = msgspec.UNSET
    rule: str | None = None
    seq: int | msgspec.UnsetType = msgspec.UNSET
    sets_aside: bool | None = None
    state_hash: str | None = None
    turn: int | msgspec.UnsetType = msgspec.UNSET
    type: str | msgspec.UnsetType = msgspec.UNSET
    verdict: Verdict | None = None


_UNSEALED: Any = msgspec.UNSET
"""Placeholder for the `hash` of an event before it is computed; msgspec omits it from the JSON."""


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
    sets_aside: bool | None = None,
) -> Event:
    """Turn a judged draft into an event chained to `prev`.

    Args:
        params: the draft's params, in the form in which they are stored.
        outcomes: the results of chance, in the order in which the rules need them.
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
        sets_aside=sets_aside,
    )
    # Safe for a frozen struct: no other code has the event yet.
    msgspec.structs.force_setattr(event, "hash", digest(event))
    return event


def event_hash(event: Event) -> str:
    """Compute the hash of `event`: SHA-256 of its canonical JSON without `hash`."""
    return digest(msgspec.structs.replace(event, hash=_UNSEALED))


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player at the table."""

    name: str


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Origin of a forked game. Events 2 to `at` are copied from `game`; `hash` is the hash of event `at` in `game`."""

    game: str
    at: int
    hash: str
    chance: ChanceKind | None = None
    """The kind of chance of `game`; None if the fork has the same kind."""
    fork: Fork | None = None
    """Origin of `game`, if `game` is a fork itself. Stored only if their kinds of chance differ, because replay needs
    both.
    """


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The params of event 1, `game_opened`: the data of a game that never changes."""

    ruleset: str
    ruleset_version: str
    seats: tuple[Seat, ...]
    options: dict[str, Any]
    """Every option of the ruleset with its value."""
    chance: ChanceKind
    mode: Mode
    tags: tuple[str, ...] = ()
    seed_commitment: str | None = None
    """Lower-case hex SHA-256 of the seed in UTF-8; None in an observed game."""
    fork: Fork | None = None
    corrections: Corrections | None = None
    """The users who may correct the record.

    None: the players did not choose, and the rule is the same as for `recorder`.
    """
    seed_chosen: bool = False
    """True if the opener chose the seed, and so can know every draw. Logs of earlier releases lack this member."""
    seed_shares: tuple[str, ...] = ()
    """SHA-256 of each part (share) of a mixed seed: that of the service first, the others in ascending order."""
    keeps_turn: bool = False
    """In an as-played game: True if an illegal action out of turn does not end the current turn.

    Earlier records lack this member. In their replay, as at the time of recording, such an action ends the turn.
    """

    def chance_at(self, seq: int) -> ChanceKind:
        """Return the kind of chance of event `seq`. In a fork, copied events have the kind of the parent game."""
        chance, fork = self.chance, self.fork
        while fork is not None and seq <= fork.at:
            chance, fork = fork.chance or chance, fork.fork
        return chance

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return tuple(seat.name for seat in self.seats)

    def names_at(self, state: State | None) -> tuple[str, ...]:
        """Return the players' names in seat order as of `state`, which is None before the setup."""
        return self.names if state is None else state.details.names(self.names)

    @property
    def seat_ids(self) -> tuple[SeatId, ...]:
        """The ids of the occupied seats, in seat order."""
        return SEAT_IDS[: len(self.seats)]
