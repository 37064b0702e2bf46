"""What a table asks of its game: what may be done now, and what nobody saw."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.language import say, spoken
from engine.core.values import SEAT_INDEX, State, probability
from engine.kit.kernel import LegalAction
from engine.play.beliefs import belief
from engine.play.corrections import reveals
from engine.play.game import Game
from engine.play.offers import may_be_unseen, offers, point
from engine.play.rules import Rules
from service.access import Caller
from service.chance import chance_document
from store import Store
from store.cache import Cache
from store.errors import replaying

KEPT = 8 * 1024 * 1024
"""Bytes that each of these is, as JSON, at the most."""


class Actions(msgspec.Struct, frozen=True):
    """What may be appended now, as JSON has it."""

    legal: list[dict[str, Any]]
    """Complete and exact, whatever nobody saw."""
    possible: list[dict[str, Any]]
    """What may be legal besides, each with the probability that it is."""
    ranges: list[dict[str, Any]]
    """Kinds of which all that fits a JSON Schema is legal: of these `legal` has examples."""


_Offered = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Each action that is legal whatever nobody saw, and each that may be, with the probability that it is."""


def _size(document: Any) -> int:
    return len(msgspec.json.encode(document))


_UNKNOWNS: Cache[tuple[str, str], list[dict[str, Any]]] = Cache(KEPT, _size)
"""What nobody saw, by the hash of the last event and the language."""
_OFFERED: Cache[tuple[str, str | None, str], _Offered] = Cache(KEPT, _size)
"""What may be done where something was not seen, by the hash of the last event, the seat that asks and the language."""


def actions(game: Game, caller: Caller, actor: str | None = None) -> Actions:
    """What may be appended now; of `actor` (a seat's id) alone, where one is named.

    Args:
        caller: who asks: where it acts as one seat alone, what that seat may.
    """
    if caller.seat is not None:
        if actor not in {None, caller.seat}:
            return Actions([], [], [])
        actor = caller.seat
    if game.state is None:
        return Actions([_set_up(game)] if actor is None else [], [], [])
    legal, possible = _legal(game, actor)
    return Actions(legal, possible, _ranges(game, actor))


def timer(game: Game) -> dict[str, Any] | None:
    """What the players have only so long for now, as JSON has it; None where they may take their time."""
    if game.state is None or game.outcome is not None:
        return None
    found = game.ruleset.timer(belief.likeliest(game.state))
    if found is None:
        return None
    actor = game.header.seat_ids[found.seat]
    return {"title": say(found.title), "seconds": found.seconds, "type": found.action.type, "actor": actor}


def unknowns(store: Store, game_id: str, game: Game) -> list[dict[str, Any]]:
    """What nobody saw and nobody had revealed when `game` stood there, as JSON has it: each chance point with the
    `seq` of its event.

    Raises:
        Damaged: the log does not replay.
    """

    def told() -> list[dict[str, Any]]:
        line = store.games.line(game_id, game.version)
        with replaying():
            found = reveals.unknowns(Rules(game.header), line)
        return [{"seq": one.seq, **chance_document(one.point, game.ruleset)} for one in found]

    # What a long record may have been takes seconds, and all who watch it ask the same.
    return _UNKNOWNS.once((game.head, spoken()), told)


def _set_up(game: Game) -> dict[str, Any]:
    rules, players = game.ruleset, len(game.header.seats)
    point = rules.setup_point(rules.parse_options(game.header.options, players), players)
    return {
        "type": lifecycle.SET_UP,
        "actor": None,
        "params": {},
        "label": say("Set up the game"),
        "warning": None,
        "rule": rules.sections[0],
        "chance": [] if point is None else [chance_document(point, rules)],
    }


def _legal(game: Game, actor: str | None) -> _Offered:
    state = game.state
    assert state is not None
    if not isinstance(state, belief.Belief):
        found = game.ruleset.legal_actions(state, SEAT_INDEX.get(actor))
        return [_action(game, state, state, one) for one in found], []

    def offered() -> _Offered:
        found = [one for one in offers(game.ruleset, state) if actor in {None, one.legal.actor}]
        table = belief.likeliest(state)
        sure = [_action(game, state, table, one.legal) for one in found if one.probability == 1]
        unsure = [one for one in found if one.probability != 1]
        return sure, [{**_action(game, state, table, one.legal), **probability(one.probability)} for one in unsure]

    # Dear where many tables are possible, and all phones at the table ask the same.
    return _OFFERED.once((game.head, actor, spoken()), offered)


def _action(game: Game, state: State, table: State, legal: LegalAction[Any]) -> dict[str, Any]:
    """An action as it is listed; its label is that at `table`, the state or the likeliest of its worlds."""
    rules = game.ruleset
    chance = []
    asked = point(rules, state, legal)
    if asked is not None:
        chance.append(chance_document(asked, rules))
        if game.header.chance == "observed":
            chance[0]["may_be_unknown"] = may_be_unseen(rules, state, legal)
    return {
        "type": legal.action.type,
        "actor": legal.actor,
        "params": legal.action,
        "label": legal.action.label(table, game.header.names),
        "warning": legal.action.warning(table, legal.seat),
        "rule": legal.action.rule,
        "chance": chance,
    }


def _ranges(game: Game, actor: str | None) -> list[dict[str, Any]]:
    return [
        {"type": legal.kind.type, "actor": legal.actor, "rule": legal.kind.rule, "params": legal.params}
        for legal in game.ruleset.legal_ranges(belief.likeliest(game.state))
        if actor is None or legal.actor == actor
    ]
