"""Queries during play: legal actions, time limits and unknown results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from engine.core import lifecycle
from engine.core.language import current_language, say
from engine.core.values import SEAT_INDEX, State, probability
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import AnyRuleset
from engine.kit.scene import Scene
from engine.play.beliefs import belief
from engine.play.beliefs.pooling import count_many
from engine.play.corrections import reveals
from engine.play.explanations import missed
from engine.play.game import Game
from engine.play.house_rules import allowed_actions
from engine.play.legality import HOUSE_RULE
from engine.play.offers import may_be_unseen, offers, point
from engine.play.rules import Rules
from engine.play.slips import label_of
from service.access import Caller
from service.chance import chance_document
from store.cache import Cache
from store.errors import replaying

if TYPE_CHECKING:
    from store import Store

KEPT = 8 * 1024 * 1024
"""Maximum size of each cache below, in bytes of JSON."""


class Actions(msgspec.Struct, frozen=True):
    """Events that can be appended now, as JSON documents."""

    legal: list[dict[str, Any]]
    """Actions that are certainly legal."""
    possible: list[dict[str, Any]]
    """Actions that may be legal if results are unknown, each with its probability."""
    ranges: list[dict[str, Any]]
    """Action types for which all params that match a JSON Schema are legal; `legal` has examples."""


_Offered = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""The actions that are legal on all possible tables, and those that are legal on some, with their probability."""


def _size(document: Any) -> int:
    return len(msgspec.json.encode(document))


_UNKNOWNS: Cache[tuple[str, str], list[dict[str, Any]]] = Cache(KEPT, _size)
"""Unknown results, by head and language."""
_OFFERED: Cache[tuple[str, str | None, str], _Offered] = Cache(KEPT, _size)
"""Legal actions on a partly unknown table, by head, seat and language."""


def looks(rules: AnyRuleset) -> dict[str, Any]:
    """Return the members of a ruleset's document that a page needs to show a table: names, symbols and layouts."""
    return {
        "actions": [
            {"type": kind.type, "title": say(kind.english_title()), "any_time": kind.any_time, "symbol": kind.symbol}
            for kind in rules.actions
        ],
        "titles": rules.result_titles(),
        "phases": {phase: say(name) for phase, name in rules.phases.items()},
        "faces": {name: msgspec.to_builtins(layout) for name, layout in rules.faces.items()},
        "menu": [kind.type for kind in rules.menu],
        "sections": rules.sections,
        "endings": {reason: say(sentence) for reason, sentence in rules.endings.items()},
    }


def actions(game: Game, caller: Caller, actor: str | None = None) -> Actions:
    """Return the actions that can be appended now.

    Args:
        caller: if the caller acts for one seat, only the actions of that seat are returned.
        actor: a seat's id, to return only its actions.
    """
    if caller.seat is not None:
        if actor not in {None, caller.seat}:
            return Actions([], [], [])
        actor = caller.seat
    if game.state is None:
        return Actions([_set_up(game)] if actor is None else [], [], [])
    legal, possible = _legal(game, actor)
    return Actions(legal, possible, _ranges(game, actor))


def position(game: Game) -> dict[str, Any]:
    """Return the status of a game for responses that contain a version."""
    return {
        "version": game.version,
        "turn": game.turn,
        "phase": game.phase,
        "awaiting": game.awaiting,
        "outcome": game.outcome,
    }


def legal_actions(game: Game, caller: Caller, actor: str | None = None) -> dict[str, Any]:
    """Return the response with all actions that `caller`, or the seat `actor`, may append to the game."""
    found = actions(game, caller, actor)
    document = {
        **position(game),
        "ask": ask(game, found),
        "actions": found.legal,
        "possible": found.possible,
        "ranges": found.ranges,
        "timer": timer(game),
        "play_on": play_on(game, caller),
    }
    del document["outcome"]
    return document


def scene(game: Game, seat: int | None) -> Scene:
    """Return the table as `seat` sees it; None: the public."""
    if game.state is None:
        return game.ruleset.empty_board(game.names)
    return belief.board(game.ruleset, game.state, game.names, seat)


def ask(game: Game, found: Actions) -> str:
    """Return a sentence that asks for the next action; empty before the setup and after the end of the game."""
    if game.state is None or game.outcome is not None:
        return ""
    entries = (*found.legal, *found.possible, *found.ranges)
    types = {entry["type"] for entry in entries if {entry["actor"], *entry.get("seats", ())} & {*game.awaiting}}
    kinds = (kind for kind in game.ruleset.actions if kind.type in types and not kind.any_time)
    return game.ruleset.ask(belief.likeliest(game.state), kinds, game.names)


def play_on(game: Game, caller: Caller) -> dict[str, Any] | None:
    """Return the event that continues a game whose end nobody noticed, as a JSON document.

    Return None if the game has not ended, if players cannot miss this end, or if only another seat can append the
    event.
    """
    draft = None if game.state is None else missed.play_on(Rules(game.header), game.state)
    if draft is None or caller.seat not in {None, draft.params["seat"]}:
        return None
    return {"type": draft.type, "actor": draft.actor, "params": draft.params}


def timer(game: Game) -> dict[str, Any] | None:
    """Return the current time limit as a JSON document; None if there is none."""
    if game.state is None or game.outcome is not None:
        return None
    found = game.ruleset.timer(belief.likeliest(game.state))
    if found is None:
        return None
    actor = game.header.seat_ids[found.seat]
    return {"title": say(found.title), "seconds": found.seconds, "type": found.action.type, "actor": actor}


def unknowns(store: Store, game_id: str, game: Game) -> list[dict[str, Any]]:
    """Return the unknown results at the version of `game`, as JSON: chance points, each with the `seq` of its event."""

    def compute() -> list[dict[str, Any]]:
        line = store.games.line(game_id, game.version)
        with replaying():
            found = reveals.unknowns(Rules(game.header), line)
        return [{"seq": one.seq, **chance_document(one.point, game.ruleset)} for one in found]

    # Computing the possible tables of a long record takes seconds, and all viewers request the same ones.
    return _UNKNOWNS.once((game.head, current_language()), compute)


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
        by_house_rule = (
            {**_action(game, state, state, one), "rule": HOUSE_RULE}
            for one in allowed_actions(Rules(game.header), state)
            if actor in {None, one.actor}
        )
        return [*(_action(game, state, state, one) for one in found), *by_house_rule], []

    def find_offers() -> _Offered:
        tables, table = count_many(game.ruleset, state), belief.likeliest(state)
        found = [one for one in offers(game.ruleset, tables) if actor in {None, one.legal.actor}]
        sure = [_action(game, tables, table, one.legal) for one in found if one.probability == 1]
        unsure = [one for one in found if one.probability != 1]
        return sure, [{**_action(game, tables, table, one.legal), **probability(one.probability)} for one in unsure]

    # Cached, because listing is slow if many tables are possible, and all phones at the table request the same list.
    return _OFFERED.once((game.head, actor, current_language()), find_offers)


def _action(game: Game, state: State, table: State, legal: LegalAction[Any]) -> dict[str, Any]:
    """Return a listed action as JSON.

    The label describes it on `table`: the known state, or the likeliest possible table.
    """
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
        "label": label_of(legal.action, table, game.names),
        "warning": legal.action.warning(table, legal.seat),
        "rule": legal.action.rule,
        "chance": chance,
    }


def _ranges(game: Game, actor: str | None) -> list[dict[str, Any]]:
    return [
        {
            "type": legal.kind.type,
            "actor": actor or legal.actors[0],
            "seats": legal.actors if actor is None else [actor],
            "rule": legal.kind.rule,
            "params": legal.params,
        }
        for legal in game.ruleset.legal_ranges(belief.likeliest(game.state))
        if actor is None or actor in legal.actors
    ]
