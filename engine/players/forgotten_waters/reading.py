"""The player's reading of a state: the course in The Bell Below (the pieces, then the trench) and the dials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from engine.games.forgotten_waters.rules.measures import holds, measure
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.pack import Map
from engine.games.forgotten_waters.scenario.values import Condition
from engine.games.forgotten_waters.state import WatersState
from engine.kit import paths

PIECES = {"lantern_market": "rope", "weeping_wreck": "clapper", "choir_of_stilts": "song"}
"""The location of each piece of the bell."""
FAR = 99
"""The distance of a space that the ship cannot reach."""


def counter_value(counter: str) -> float:
    """Return the number of stars that one step of a number in the ship's log is worth."""
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


@lru_cache(1 << 12)
def _distances(chart: Map, start: str, rocky: frozenset[str]) -> dict[str, int]:
    spaces = chart.spaces()
    return paths.distances(start, lambda space: (near for near in spaces[space] if near not in rocky))


class WatersReading:
    """Facts about a state that several decisions of the player use."""

    def __init__(self, state: WatersState) -> None:
        self.state = state

    @cached_property
    def _rocky(self) -> frozenset[str]:
        token = self.state.pack.token
        return frozenset(space for space, id_ in self.state.tokens if getattr(token.get(id_), "is_rocky", False))

    def distances(self, start: str) -> dict[str, int]:
        """Return the distance of each space that a ship can reach from `start`."""
        return _distances(self.state.map, start, self._rocky)

    @cached_property
    def target(self) -> str:
        """The best space to sail to: its value, less the cost of the way, is the highest."""
        state, far = self.state, self.distances(self.state.ship)
        best, most = state.ship, 0.0
        for space, id_ in state.tokens:
            token = state.pack.token[id_]
            if space == state.ship or token.entry is None or space not in far:
                continue
            pages = set(self._leads_to(state.pack.entry[token.entry].effects))
            value = max((page_worth(state, page) for page in pages), default=0.0) - 0.5 * far[space]
            if value > most:
                best, most = space, value
        return best

    def _leads_to(self, effects: Iterable[do.Effect], depth: int = 0) -> Iterator[str]:
        for effect in effects if depth < 5 else ():
            if isinstance(effect, do.TurnPage):
                yield effect.page
            elif isinstance(effect, do.If):
                yield from self._leads_to((*effect.then, *effect.otherwise), depth + 1)
            elif isinstance(effect, do.Choose):
                for option in effect.options:
                    yield from self._leads_to(option.effects, depth + 1)

    @cached_property
    def distance_left(self) -> int:
        """The distance between the ship and its target."""
        return self.distances(self.state.ship)[self.target]

    @cached_property
    def planned_moves(self) -> int:
        """The number of spaces that the standees on this page may move the ship."""
        state = self.state
        if state.phase != "planning":
            return 0
        return sum(_moves(state.pack.action[state.page, number].effects) for number in state.standees if number)

    def _deciding_conditions(self, effects: Iterable[do.Effect], depth: int) -> Iterator[Condition]:
        """Yield the conditions on dials that decide how the round ends."""
        state = self.state
        for effect in effects if depth < 5 else ():
            if isinstance(effect, do.If):
                if not any(condition.of.startswith("dial:") for condition in effect.when):
                    inner = effect.then if holds(state, 0, effect.when) else effect.otherwise
                    yield from self._deciding_conditions(inner, depth + 1)
                elif all(
                    condition.of.startswith("dial:") or holds(state, 0, (condition,)) for condition in effect.when
                ):
                    yield from (condition for condition in effect.when if condition.of.startswith("dial:"))
                else:
                    yield from self._deciding_conditions(effect.otherwise, depth + 1)
            elif isinstance(effect, do.Read):
                yield from self._deciding_conditions(state.pack.entry[effect.entry].effects, depth + 1)

    def dial_worth(self, effect: do.Dial) -> float:
        """Return the value of turning a dial, in stars."""
        feature = effect.feature
        if feature not in self._ways:
            return 0.0
        sign, left = self._ways[feature]
        if effect.n * sign < 0:
            return -1.2 * abs(effect.n)
        return 1.4 * min(abs(effect.n), left) if left > 0 else 0.1

    @cached_property
    def _ways(self) -> dict[str, tuple[int, int]]:
        """For each dial that the Round End section of the page checks: the direction, and the number of missing steps.

        Steps that the standees' actions may add are not missing.
        """
        state, found = self.state, dict[str, tuple[int, int]]()
        page = state.pack.page.get(state.page)
        chosen = [number for number in state.standees if number and state.phase == "planning"]
        for condition in self._deciding_conditions(page.round_end if page is not None else (), 0):
            sign, goal = (1, condition.at_least) if condition.at_least is not None else (-1, condition.at_most or 0)
            feature, left = condition.of.removeprefix("dial:"), (goal - measure(state, 0, condition.of)) * sign
            for number in chosen:
                left -= _steps(state.pack.action[state.page, number].effects, feature, sign)
            found.setdefault(feature, (sign, left))
        return found


def _moves(effects: Iterable[do.Effect]) -> int:
    most = 0
    for effect in effects:
        if isinstance(effect, do.MoveShip):
            most += effect.n
        elif isinstance(effect, do.Check):
            most += _moves(effect.results[len(effect.results) // 2].effects)
    return most


def _steps(effects: Iterable[do.Effect], feature: str, sign: int) -> int:
    """Estimate the number of steps by which the effects turn a dial. A check counts as its middle result."""
    steps = 0
    for effect in effects:
        if isinstance(effect, do.Dial) and effect.feature == feature:
            steps += effect.n * sign
        elif isinstance(effect, do.Check):
            steps += _steps(effect.results[len(effect.results) // 2].effects, feature, sign)
    return max(0, steps)
