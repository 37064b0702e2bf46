"""The course of a sensible table in The Bell Below: first the pieces, then the trench, with stops if needed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.state import WatersState

PIECES = {"lantern_market": "rope", "weeping_wreck": "clapper", "choir_of_stilts": "song"}
"""The location of each piece of the bell."""


def counted(counter: str) -> float:
    """Return the value of one step of a number in the ship's log, in stars."""
    return 3.0 if counter == "pieces" else 0.3


def page_worth(state: WatersState, page: str) -> float:
    """Return the value of turning to a page, in stars."""
    if page in PIECES:
        return 0.0 if state.count(PIECES[page]) else 6.0
    if page in {"over_the_trench", "drowned_belfry", "plumes_blockade", "the_bell_rings"}:
        return 6.0
    if page == "small_hours_beach":
        waiting = sum(pirate.event_tokens for pirate in state.pirates) / len(state.pirates)
        return 1.2 * waiting + max(0, 5 - state.hull) + 0.5 * max(0, 4 - state.supplies)
    if page == "gullet_harbour":
        return max(0, 4 - state.supplies) + max(0, 5 - (state.crew - state.discontent)) - 0.5
    if page == "tariff_cutter":
        loaded = sum(cannon.level for cannon in state.cannons if cannon.is_loaded)
        return 0.5 * loaded + 0.6 * (state.hull - 8)
    if page == "unlit_fog":
        return -2.0
    return 0.0


def _leads_to(state: WatersState, effects: Iterable[do.Effect], depth: int = 0) -> Iterable[str]:
    for effect in effects if depth < 5 else ():
        if isinstance(effect, do.TurnPage):
            yield effect.page
        elif isinstance(effect, do.Read):
            yield from _leads_to(state, state.pack.entry[effect.entry].effects, depth + 1)
        elif isinstance(effect, do.If):
            yield from _leads_to(state, (*effect.then, *effect.otherwise), depth + 1)
        elif isinstance(effect, do.Choose):
            for option in effect.options:
                yield from _leads_to(state, option.effects, depth + 1)


def distances(state: WatersState) -> dict[str, int]:
    """Return the distance of each space from the ship; a stop on the way counts as two spaces."""
    spaces = state.map.spaces()
    far = {state.ship: 0}
    ahead = deque([state.ship])
    while ahead:
        space = ahead.popleft()
        for near in spaces[space]:
            if near not in far and not state.is_rocky(near):
                far[near] = far[space] + 1
                ahead.append(near)
    return far


def target(state: WatersState) -> str:
    """Return the space with the highest value, less the cost of the way."""
    far = distances(state)
    best, most = state.ship, 0.0
    for space, id_ in state.tokens:
        token = state.pack.token[id_]
        if space == state.ship or token.entry is None or space not in far:
            continue
        pages = set(_leads_to(state, state.pack.entry[token.entry].effects))
        value = max((page_worth(state, page) for page in pages), default=0.0) - 0.5 * far[space]
        if value > most:
            best, most = space, value
    return best


def distance_left(state: WatersState) -> int:
    """Return the distance between the ship and its target."""
    return distances(state).get(target(state), 0)


def planned_moves(state: WatersState) -> int:
    """Return the number of spaces that the standees on this page may move the ship."""
    if state.phase != "planning":
        return 0
    return sum(_moves(state.pack.action[state.page, number].effects) for number in state.standees if number)


def _moves(effects: Iterable[do.Effect]) -> int:
    most = 0
    for effect in effects:
        if isinstance(effect, do.MoveShip):
            most += effect.n
        elif isinstance(effect, do.Check):
            most += _moves(effect.results[len(effect.results) // 2].effects)
    return most
