"""A player who decides only by what a table can read before its decision.

That includes the names and guide symbols of actions, the names of options and of places on the map, the player's own
sheet and treasures, and the ship's log. The player does not read the text and effects of actions, options, results and
entries, nor hidden cards and tokens. If nothing visible tells which choice is better, the player guesses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from engine.games.forgotten_waters.actions.gains import (
    BuryTreasure,
    ChooseSkill,
    DiscardTreasure,
    FillStar,
    StealTreasure,
    UseTreasure,
)
from engine.games.forgotten_waters.actions.performing_checks import ConsultCheck, Reroll
from engine.games.forgotten_waters.actions.phases import (
    ChooseAction,
    ChooseOption,
    PlayOn,
    SaveGame,
    Stop,
    TimerRunsOut,
)
from engine.games.forgotten_waters.actions.the_ship import (
    DiscardCannon,
    LoadCannon,
    MoveShip,
    ScoutSpace,
    UnloadCannon,
    UpgradeCannon,
)
from engine.games.forgotten_waters.rules import measures
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.pack import TREASURE_LIMIT, ActionSpace
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.kernel import LegalAction
from engine.players.forgotten_waters.player import filling
from engine.players.forgotten_waters.reading import WatersReading
from engine.players.forgotten_waters.worth import box, star

Legal = LegalAction[Any]
NEVER = -1000.0
MISJUDGED = 0.3
"""The standard deviation of players' errors about a value, in stars."""
GOOD_TOTAL = 8
"""The total of a skill check that players keep."""

_STAYS = re.compile(r"(Stay|Once more|Fight on)\b")
_LEAVES = re.compile(r"(Back to the ship|Run\b|Throw barrels overboard and run)")
_LANDS = re.compile(r"Put in\b")
_PASSES = re.compile(r"(Sail past|Not tonight)")
_UNINVITING = re.compile(r"\b(Fog|Rocky)\b")


def choose(state: WatersState, legal: Sequence[Legal], rng: Random) -> Legal:
    """Return the action that looks best; of those that look equal, a random one."""
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda one: _value(state, one, rng) + rng.gauss(0, MISJUDGED))


def _value(state: WatersState, one: Legal, rng: Random) -> float:
    weigh = _VALUES.get(type(one.action))
    return rng.random() if weigh is None else weigh(state, one.seat, one.action)


def need(state: WatersState, seat: int, symbol: str) -> float:
    """Return how much the ship or this pirate needs what a black guide symbol promises, in stars."""
    pirate = state.pirates[seat]
    margin = state.crew - state.discontent
    events_left = state.last_threat_event - state.threat_events
    unloaded = sum(not cannon.is_loaded for cannon in state.cannons)
    needs = {
        "hull": 0.2 + 0.4 * max(0, 9 - state.hull),
        "supplies": 0.4 + 0.35 * max(0, 5 - state.supplies),
        "crew": 0.2 + 0.4 * max(0, 9 - margin),
        "discontent": 0.2 + 0.4 * max(0, 9 - margin),
        "threat": 0.2 + 0.6 * max(0, 4 - events_left) + 0.2 * state.threat,
        "cannons": 0.3 + 0.3 * unloaded,
        "star": star(state, seat),
        "events": 1.3 * pirate.event_tokens,
        "treasure": 0.8 if len(pirate.treasures) < TREASURE_LIMIT else 0.1,
        "reroll": 0.5,
        "misfortune": 0.6 * pirate.misfortune,
        "infamy": 0.15,
        "scout": 0.25,
    }
    if symbol == "ship":
        planned = sum("ship" in _printed_action(state, number).black for number in state.standees if number)
        return 2.0 if _distance(state) > 2 * planned else 0.0
    if symbol in {feature.id for feature in state.features}:
        return 1.8
    return needs[symbol]


def _printed_action(state: WatersState, number: int) -> ActionSpace:
    return state.pack.action[state.page, number]


def _action(state: WatersState, seat: int, action: ChooseAction) -> float:
    printed = _printed_action(state, action.number)
    practice = sum(box(state, seat, skill) + 0.1 * state.pirates[seat].filled_boxes(skill) for skill in printed.white)
    return practice + sum(need(state, seat, symbol) for symbol in printed.black)


def attraction(state: WatersState, token: str) -> float:
    """Return how much players want to land at a place on the map, in stars.

    An unvisited place may have what the objective asks for. Players remember the guide symbols of a visited place; a
    place whose dial can still turn is not finished.
    """
    location = state.pack.token[token]
    if _UNINVITING.search(location.name):
        return 0.5
    page = state.pack.page.get(location.id)
    has_been = location.entry in state.entries or location.id == "gullet_harbour"
    if not has_been or page is None:
        return 6.0
    if page.features:
        return 6.0
    symbols = {symbol for action in page.actions for symbol in action.black} - {"ship", "infamy"}
    seats = range(len(state.pirates))
    return sum(max(need(state, seat, symbol) for seat in seats) for symbol in symbols) - 4.5


def distances(state: WatersState) -> dict[str, int]:
    """Return the distance of each space that the ship can reach."""
    return WatersReading(state).distances(state.ship)


def destination(state: WatersState) -> str:
    """Return the space that attracts players most, less the cost of the way."""
    far = distances(state)
    best, most = state.ship, 0.0
    places = {location.id for location in state.pack.locations if location.entry is not None}
    for space, token in state.tokens:
        if token in places and space != state.ship and space in far:
            value = attraction(state, token) - 0.5 * far[space]
            if value > most:
                best, most = space, value
    return best


def _distance(state: WatersState) -> int:
    return distances(state).get(destination(state), 0)


def _option(state: WatersState, _seat: int, action: ChooseOption) -> float:
    effect = state.agenda[0].effect
    assert isinstance(effect, do.Choose)
    name = effect.options[action.option - 1].name
    is_in_danger = state.hull <= 2 or state.crew - state.discontent <= 2
    if _STAYS.match(name):
        return -2.0 if is_in_danger else 2.0
    if _LANDS.match(name):
        here = state.token_on(state.ship)
        return 0.0 if here is None else attraction(state, here)
    if _LEAVES.match(name) or _PASSES.match(name):
        return 0.0
    return 0.5


def _move(state: WatersState, _seat: int, action: MoveShip) -> float:
    goal = destination(state)
    before, after = distances(state), distances(_at(state, action.to))
    known = state.pack.token.get(state.token_on(action.to) or "")
    stops = known is not None and known.stops and action.to != goal
    return 2 * (before.get(goal, 99) - after.get(goal, 99)) + 0.5 - 1.5 * stops


def _at(state: WatersState, space: str) -> WatersState:
    return replace(state, ship=space)


def _stop(state: WatersState, seat: int, _action: Stop) -> float:
    effect = state.agenda[0].effect
    if isinstance(effect, do.MoveShip):
        return 0.0 if _distance(state) else 5.0
    if isinstance(effect, do.BuryTreasure):
        return 0.6
    return -1.0


def _scout(state: WatersState, _seat: int, action: ScoutSpace) -> float:
    return -float(distances(_at(state, action.space)).get(destination(state), 99))


def _reroll(state: WatersState, _seat: int, action: Reroll) -> float:
    step = state.agenda[0]
    assert isinstance(step.effect, do.Check)
    total = measures.total(state, step, step.effect)
    return float(GOOD_TOTAL - total - step.dice[action.die - 1] / 12)


def _use_value(state: WatersState, seat: int, action: UseTreasure) -> float:
    """Return the value of using a treasure in play, whose text the player knows."""
    card = state.pack.card[action.treasure]
    effect = card.discard[0]
    if card.when == "check":
        step = state.agenda[0]
        assert isinstance(step.effect, do.Check)
        if isinstance(effect, do.AddToCheck) and step.dice:
            return float(GOOD_TOTAL - 1 - measures.total(state, step, step.effect))
        return 0.1 if isinstance(effect, do.SetDie) and not step.dice else NEVER
    kind = {"ship": getattr(effect, "stat", ""), "threat": "threat", "misfortune": "misfortune", "fill_star": "star"}
    symbol = kind.get(str(type(effect).__struct_config__.tag))
    return NEVER if symbol is None or need(state, seat, symbol) < 1.2 else 2.0


def _bury_value(state: WatersState, seat: int, action: BuryTreasure) -> float:
    return star(state, seat) - 0.1 * len(state.pack.card[action.treasure].skills)


_VALUES: dict[type[Any], Callable[[WatersState, int, Any], float]] = {
    ChooseAction: _action,
    TimerRunsOut: lambda *_: NEVER,
    SaveGame: lambda *_: NEVER,
    PlayOn: lambda *_: 1.0,
    ChooseOption: _option,
    Stop: _stop,
    Reroll: _reroll,
    ConsultCheck: lambda *_: 0.0,
    ChooseSkill: lambda state, seat, action: (
        box(state, seat, action.skill) + 0.1 * state.pirates[seat].filled_boxes(action.skill)
    ),
    FillStar: filling,
    BuryTreasure: _bury_value,
    MoveShip: _move,
    ScoutSpace: _scout,
    UpgradeCannon: lambda _state, _seat, action: action.level + 1,
    LoadCannon: lambda _state, _seat, action: action.level + 1,
    UnloadCannon: lambda _state, _seat, action: 10 - action.level,
    DiscardCannon: lambda _state, _seat, action: 1.0 - action.level,
    StealTreasure: lambda *_: 0.5,
    DiscardTreasure: lambda state, _seat, action: -0.5 * sum(state.pack.card[action.treasure].skills.values()),
    UseTreasure: _use_value,
}
