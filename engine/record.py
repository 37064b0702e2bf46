"""Recording: what somebody asks to append becomes events, or nothing happens at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine import lifecycle, registry
from engine.chance import Chance, Observed, Sealed, Seeded, seed_commitment
from engine.errors import EngineError, Malformed
from engine.events import GENESIS, ChanceKind, Draft, Event, Fork, Header, Mode, Seat, Value, seal
from engine.fold import Body, Game, Recall, Rules
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
    recall: Recall,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
) -> tuple[Game, list[Event]]:
    """Judge `drafts` one after the other: all of them become events, or none.

    The event that ends the game is followed by `game_closed`, which reveals the seed of a seeded game.

    Args:
        recall: the state after an earlier event of this game, for an undo.
        recorded_at: RFC 3339 in UTC.

    Returns:
        The game after the last, and the events.

    Raises:
        EngineError: a draft is refused; its `index` says which.
    """
    rules = Rules(game.header)
    states = {game.version: game.state}

    def remembered(at: int) -> State | None:
        return states[at] if at in states else recall(at)

    state, seq, prev = game.state, game.version, game.head
    events: list[Event] = []
    for index, draft in enumerate(drafts):
        before = state
        try:
            if draft.type == lifecycle.GAME_CLOSED:
                raise Malformed("/type", "a game is closed by the service, with the event that ends it")
            state, body = rules.play(before, draft, seq + 1, chance, remembered)
            entries: list[tuple[Draft, Body, tuple[Value, ...]]] = [(draft, body, chance.finish())]
            if state is not None and state.outcome is not None and (before is None or before.outcome is None):
                seed = chance.seed if isinstance(chance, Seeded) else None
                entries.append((_CLOSING, lifecycle.GameClosed(outcome=state.outcome, seed=seed), ()))
            for entry, params, outcomes in entries:
                event = seal(
                    entry,
                    seq=seq + 1,
                    turn=before.turn if before is not None else 0,
                    params=msgspec.to_builtins(params),
                    outcomes=outcomes,
                    recorded_at=recorded_at,
                    recorded_by=recorded_by,
                    prev=prev,
                )
                seq, prev, before = event.seq, event.hash, state
                events.append(event)
                states[seq] = state
        except EngineError as error:
            error.index = index
            raise
    return Game(header=game.header, version=seq, head=prev, state=state), events
