"""A player for Forever Island: it settles beside totems, raids its rivals there, and leaves resources on islands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from engine.core.values import SEAT_IDS
from engine.games.forever_island import components as box
from engine.games.forever_island.building import Carve, Erect, Harvest, Settle
from engine.games.forever_island.components import Area, Goods, Shore, Tile
from engine.games.forever_island.gameplay import EndTurn, PlaceHut, RollForWeather
from engine.games.forever_island.raid import ChooseLosses, DeclareRaid, GuessSpears, OpenFist, ThrowSpears
from engine.games.forever_island.ruleset import ForeverIsland
from engine.games.forever_island.state import ForeverState, Totem, neighbours
from engine.games.forever_island.tax import Tax
from engine.games.forever_island.trade import (
    AcceptDoubleUp,
    AcceptExchange,
    Convert,
    DeclineDoubleUp,
    DeclineExchange,
)
from engine.games.forever_island.travel import Travel
from engine.kit.actions import Action
from engine.kit.chance import RandomSource
from engine.kit.effects import needed
from engine.kit.paths import distances
from engine.players.protocol import Player, Proposal

FLOOR = 2
"""The fertility that harvests must leave on an island. If the volcano can erupt, they leave one more."""
WANTED_HUTS = 5
"""The number of huts to build for more harvests."""
FORCE = 2
"""The minimum number of pieces for a raid."""
HOLD_COST = 2
"""The cost of a rival's piece beside a totem, in steps."""
GROUP_COST = Goods(hog=1, log=1, frog=2)
"""The price of a canoe that travels to the next tile and becomes a hut."""

Idea = Action[ForeverState]


class ForeverPlayer(Player[ForeverState]):
    """Plays Forever Island."""

    name = "Totemist"
    version = "2"

    def __init__(self, rules: ForeverIsland) -> None:
        self.ruleset, self._rules = rules.id, rules

    def sides(self, state: ForeverState) -> Sequence[tuple[int, ...]]:
        seats = range(len(state.hands))
        return [
            tuple(seat for seat in seats if state.side(seat) == side) for side in sorted(set(map(state.side, seats)))
        ]

    def propose(self, state: ForeverState, rng: RandomSource) -> Sequence[Proposal]:
        # The raider throws before the defender guesses.
        seat = state.active if state.phase == "throw" else state.awaited_seats()[0]
        legal = (action for action in self._ideas(state, seat, rng) if action.refusal(state, seat) is None)
        return [(action, seat) for action in islice(legal, 1)]

    def _ideas(self, state: ForeverState, seat: int, rng: RandomSource) -> Iterator[Idea]:
        match state.phase:
            case "placement":
                yield PlaceHut(_first_shore(state))
            case "weather":
                yield RollForWeather()
            case "actions":
                yield from _Turn(state).ideas()
                yield EndTurn()
            case "double_up":
                hut = needed(state.hut(needed(state.double_up)))
                is_safe = state.fertility[box.ISLAND_INDEX[hut.shore]] > FLOOR
                yield AcceptDoubleUp() if is_safe else DeclineDoubleUp()
            case "exchange":
                is_gift = needed(state.exchange).take == box.NOTHING
                yield AcceptExchange() if is_gift else DeclineExchange()
            case "throw":
                yield ThrowSpears(1 + rng.randrange(_force(state, seat)))
            case "guess":
                yield GuessSpears(1 + rng.randrange(_force(state, state.active)))
            case "open_fist":
                yield OpenFist(1 + rng.randrange(_force(state, seat)))
            case _:
                yield min(ChooseLosses.candidates(state, seat), key=_loss)


def _loss(lost: Any) -> tuple[int, Sequence[str], Sequence[str]]:
    """Return the sort key of losses: huts are worth more than canoes."""
    return len(lost.huts), lost.huts, lost.docked


def _force(state: ForeverState, seat: int) -> int:
    return min(box.SPEARS, state.pieces_in(seat, needed(state.raid).area))


def _first_shore(state: ForeverState) -> Shore:
    """Return the shore for a first hut: beside a totem, without other huts, on a fertile island near other totems."""
    taken = {hut.shore for hut in state.every_hut()}
    totems = {totem.shore for totem in state.totems}
    # Six players have only five totems, so the last player, too, settles near some of them.
    wanted = sorted(totems - taken or totems)

    def value(shore: Shore) -> tuple[float, Shore]:
        steps = _steps(state.tiles, state.coordinates)[box.TILE_OF[shore]]
        near = sum(1 / (1 + steps[box.TILE_OF[totem]]) for totem in wanted)
        at = box.ISLAND_INDEX[shore]
        return near + 2 * (shore in totems) - 2 * (shore in taken) + 0.2 * state.fertility[at], shore

    return max(box.SHORES, key=value)


@lru_cache(1 << 10)
def _steps(tiles: tuple[Tile, ...], coordinates: tuple[tuple[int, int], ...]) -> dict[Tile, dict[Tile, int]]:
    """Return the number of steps between each pair of tiles."""
    near = neighbours(tiles, coordinates)
    return {start: distances(start, near.__getitem__) for start in tiles}


class _Turn:
    """The decisions of the active player, in the actions phase."""

    def __init__(self, state: ForeverState) -> None:
        self.state, self.seat = state, state.active
        self.hand, self.side = state.hands[self.seat], state.side(self.seat)
        self.steps = _steps(state.tiles, state.coordinates)
        owners: dict[Shore, set[int]] = {}
        for seat, huts in enumerate(state.huts):
            for hut in huts:
                owners.setdefault(hut.shore, set()).add(seat)
        self.owners = owners
        self.floor = FLOOR + (state.volcano == 1)

    def ideas(self) -> Iterator[Idea]:
        """Yield possible actions, best first; some may be illegal."""
        yield from self._erect()
        yield from self._harvest()
        yield from self._tax()
        if self._fallen_totems():
            yield from self._convert(box.ERECT_COST)
        goal = self._goal()
        if goal is not None:
            yield from self._raid(goal)
            yield from self._settle(goal)
            yield from self._send(goal)
        yield from self._spread()
        yield from self._convert(GROUP_COST)

    def _is_ours(self, shore: Shore) -> bool:
        owners = self.owners.get(shore)
        return owners is not None and all(self.state.side(seat) == self.side for seat in owners)

    def _rivals(self, shore: Shore) -> list[int]:
        return [seat for seat in sorted(self.owners.get(shore, ())) if self.state.side(seat) != self.side]

    def _fallen_totems(self) -> list[Totem]:
        return [totem for totem in self.state.totems if not totem.is_standing and self._is_ours(totem.shore)]

    def _erect(self) -> Iterator[Idea]:
        if self.hand.hog >= box.ERECT_COST.hog:
            yield from (Erect(totem.shore) for totem in self._fallen_totems())

    def _harvest(self) -> Iterator[Idea]:
        state = self.state
        for hut in state.huts[self.seat]:
            if hut.harvested < state.turn and state.fertility[box.ISLAND_INDEX[hut.shore]] > self.floor:
                yield Harvest(hut.id)

    def _tax(self) -> Iterator[Idea]:
        state = self.state
        for totem in state.totems:
            if totem.is_standing and totem.taxed <= totem.extensions and state.controls(self.seat, totem):
                rich = [at for at, count in enumerate(state.fertility) if count > self.floor]
                rich.sort(key=lambda at: (self.hand.of(box.RESOURCE_OF[at]) > 5, box.RESOURCE_OF[at] != "hog", at))
                yield from (Tax(totem.shore, box.ISLANDS[at]) for at in rich)

    def _goal(self) -> Shore | None:
        tiles = {box.TILE_OF[hut.shore] for hut in self.state.huts[self.seat]}
        tiles |= {box.TILE_OF[area] for area in self.state.canoes[self.seat]}
        found = []
        for totem in self.state.totems:
            shore = totem.shore
            if tiles and not self._is_ours(shore):
                held = sum(self.state.pieces_in(seat, shore) for seat in self._rivals(shore))
                mine = self.state.pieces_in(self.seat, shore)
                way = min(self.steps[tile][box.TILE_OF[shore]] for tile in tiles)
                found.append((way + HOLD_COST * held - mine, shore))
        return min(found)[1] if found else None

    def _raid(self, goal: Shore) -> Iterator[Idea]:
        if self.state.has_erected and self.state.pieces_in(self.seat, goal) >= FORCE:
            yield from (DeclareRaid(SEAT_IDS[seat], goal) for seat in self._rivals(goal))

    def _settle(self, goal: Shore) -> Iterator[Idea]:
        if not self._rivals(goal):
            yield from self._settle_on(goal)

    def _settle_on(self, shore: Shore) -> Iterator[Idea]:
        if self.hand >= box.SETTLE_COST and shore in self.state.canoes[self.seat]:
            yield Settle(shore)

    def _send(self, goal: Shore) -> Iterator[Idea]:
        state, seat = self.state, self.seat
        wanted = FORCE if self._rivals(goal) else 1
        if state.pieces_in(seat, goal) >= wanted:
            return
        far = self.steps[box.TILE_OF[goal]]
        canoes = [area for area in state.canoes[seat] if area != goal]
        if canoes:
            canoe = min(canoes, key=lambda area: (far[box.TILE_OF[area]], area))
            yield Travel(canoe, self._next(canoe, goal))
        if len(canoes) < wanted and self.hand.log:
            homes = sorted({hut.shore for hut in state.huts[seat]}, key=lambda shore: (far[box.TILE_OF[shore]], shore))
            yield from map(Carve, homes[:1])

    def _next(self, canoe: Area, goal: Shore) -> Area:
        far, here = self.steps[box.TILE_OF[goal]], box.TILE_OF[canoe]
        if far[here] <= 1:
            return goal
        tile = min(self.state.borders(here), key=lambda tile: (far[tile], tile == box.VOLCANO, tile))
        return box.VOLCANO if tile == box.VOLCANO else box.SHORES_OF[box.ISLAND_INDEX[tile]][0]

    def _spread(self) -> Iterator[Idea]:
        state, huts = self.state, self.state.huts[self.seat]
        if len(huts) < WANTED_HUTS and self.hand >= box.SETTLE_COST:
            homes = sorted(
                {hut.shore for hut in huts}, key=lambda shore: (-state.fertility[box.ISLAND_INDEX[shore]], shore)
            )
            for shore in homes:
                if state.fertility[box.ISLAND_INDEX[shore]] > FLOOR:
                    yield from self._settle_on(shore)
                    yield Carve(shore)

    def _convert(self, price: Goods) -> Iterator[Idea]:
        """Propose to convert resources, if this completes a price."""
        over = {kind: self.hand.of(kind) - price.of(kind) for kind in box.RESOURCES}
        missing = -sum(count for count in over.values() if count < 0)
        if 0 < missing <= sum(count // 2 for count in over.values() if count > 0):
            give = max(box.RESOURCES, key=lambda kind: (over[kind], kind))
            take = min(box.RESOURCES, key=lambda kind: (over[kind], kind))
            yield Convert(give, take)
