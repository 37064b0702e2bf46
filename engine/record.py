"""Recording: what somebody asks to append becomes events, or nothing happens at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine import lifecycle, registry
from engine.beliefs import Belief
from engine.canonical import digest
from engine.chance import Chance, Observed, Sealed, Seeded, seed_commitment
from engine.corrections import MOST_PLAYS
from engine.errors import EngineError, Malformed
from engine.events import GENESIS, ChanceKind, Draft, Event, Fork, Header, Mode, Seat, Value, seal
from engine.fold import Body, Game, Rules
from engine.history import Growing
from engine.lines import Impact, Judgement, Past, is_ending
from engine.ruleset import State

_CLOSING = Draft(type=lifecycle.GAME_CLOSED)


def open_game(
    *,
    ruleset: str,
    seats: Sequence[Seat],
    options: Mapping[str, Any],
    seed: str | None,
    recorded_at: str,
    tags: Sequence[str] = (),
    mode: Mode = "strict",
    fork: Fork | None = None,
    recorded_by: str | None = None,
) -> tuple[Game, Event]:
    """A new game and its event 1.

    Args:
        options: those that differ from the ruleset's defaults.
        seed: of a seeded game; None where the table's own chance is observed.
        recorded_at: RFC 3339 in UTC.

    Raises:
        UnknownRuleset: no such ruleset.
        Malformed: the seats or options do not fit it.
    """
    rules = registry.ruleset(ruleset)
    chance: ChanceKind = "observed" if seed is None else "seeded"
    header = Header(
        ruleset=rules.id,
        ruleset_version=rules.version,
        seats=tuple(seats),
        # As a JSON document holds them, so that a header is the same when it is read back.
        options=msgspec.json.decode(msgspec.json.encode(rules.parse_options(options, len(seats)))),
        chance=chance,
        mode=mode,
        tags=tuple(tags),
        seed_commitment=None if seed is None else seed_commitment(seed),
        fork=fork,
    )
    event = seal(
        Draft(type=lifecycle.GAME_OPENED),
        seq=1,
        turn=0,
        params=msgspec.to_builtins(header),
        outcomes=(),
        recorded_at=recorded_at,
        recorded_by=recorded_by,
        prev=GENESIS,
    )
    return Game(header=header, version=1, head=event.hash, state=None), event


def chance_for(header: Header, seed: str | None) -> Chance:
    """The source of chance of a game that goes on; `seed` is None where it is observed, or not known here."""
    if header.chance == "observed":
        return Observed()
    return Sealed() if seed is None else Seeded(seed)


def record(
    game: Game,
    drafts: Sequence[Draft],
    chance: Chance,
    past: Past,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
) -> tuple[Game, list[Event]]:
    """Judge `drafts` one after the other: all of them become events, or none.

    The event that ends the game is followed by `game_closed`, which reveals the seed of a seeded game.

    Args:
        past: what came before in this game, for an undo or an amend; what an amend does to later events is
            remembered there, in `impacts`.
        recorded_at: RFC 3339 in UTC.

    Returns:
        The game after the last, and the events.

    Raises:
        EngineError: a draft is refused; its `index` says which. A list is refused, too, where it takes too long.
    """
    rules = Rules(game.header)
    growing = Growing(game, past)
    is_judged = game.header.mode == "as_played"
    state, seq, prev = game.state, game.version, game.head
    events: list[Event] = []
    plays = 0
    for index, draft in enumerate(drafts):
        before = state
        try:
            if plays > MOST_PLAYS:
                raise Malformed("", "this is more than is judged at once: send what begins here by itself")
            if draft.type == lifecycle.GAME_CLOSED:
                raise Malformed("/type", "a game is closed by the service, with the event that ends it")
            state, body, judgement = rules.play(before, draft, seq + 1, chance, growing)
            outcomes = chance.finish()
            plays += _plays(state, body, growing.impacts.get(seq + 1, ()))
            if isinstance(body, lifecycle.Amend):
                # They stand in the event that it brings.
                outcomes = ()
            entries: list[tuple[Draft, Body, tuple[Value | None, ...], Judgement | None]] = [
                (draft, body, outcomes, judgement)
            ]
            if is_ending(draft, before, state, growing):
                assert state is not None
                assert state.outcome is not None
                seed = chance.seed if isinstance(chance, Seeded) else None
                entries.append((_CLOSING, lifecycle.GameClosed(outcome=state.outcome, seed=seed), (), None))
            for entry, params, came_up, told in entries:
                event = seal(
                    entry,
                    seq=seq + 1,
                    turn=before.turn if before is not None else 0,
                    params=msgspec.to_builtins(params),
                    outcomes=came_up,
                    recorded_at=recorded_at,
                    recorded_by=recorded_by,
                    prev=prev,
                    verdict=(told.verdict if told is not None else "legal") if is_judged else None,
                    rule=told.rule if told is not None and is_judged else None,
                    reason=told.reason if told is not None and is_judged else None,
                    state_hash=turn_hash(before, state),
                )
                seq, prev, before = event.seq, event.hash, state
                events.append(event)
                growing.add(event, state, told)
        except EngineError as error:
            error.index = index
            raise
    past.impacts.update(growing.impacts)
    return Game(header=game.header, version=seq, head=prev, state=state), events


def _plays(after: State | None, body: Body, impact: tuple[Impact, ...]) -> int:
    """How much it took to judge an entry, see `engine.corrections.MOST_PLAYS`."""
    tables = len(after.worlds) if isinstance(after, Belief) else 1
    operations = len(body.patch) if isinstance(body, lifecycle.Adjust) else 1
    return tables * (operations + len(impact))


def turn_hash(before: State | None, after: State | None) -> str | None:
    """The `state_hash` of an event that leads from `before` to `after`: where a turn begins, or the game ends."""
    if after is None:
        return None
    if before is not None and before.turn == after.turn and before.outcome == after.outcome:
        return None
    return digest(after)
