"""A reading of the table: distances, the risk to each tile, who collects which treasure, and where pawns should go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Power, Tile, Treasure
from engine.games.forbidden_island.state import IslandState
from engine.games.forbidden_island.turn import floods_due

Weights = Mapping[str, float]
"""The weights of the player, by name."""
Distances = tuple[int, ...]
"""The number of actions to reach each space, at most `FAR`."""
Errand = tuple[float, Distances]
"""An errand of a pawn: the weight of each step towards its place, and the distances to the place."""

FAR = 9
FLIGHT = 1.5
"""Distance for the Pilot, who may have to wait for the next turn."""
MOST_ERRANDS = 2
MOST_DANGERS = 4
LEAST_DANGER = 0.5
SITE_OF: dict[Tile, tuple[Treasure, Tile]] = {
    tile: (treasure, sites[1 - at]) for treasure, sites in box.SITES.items() for at, tile in enumerate(sites)
}
"""For each tile with a treasure: the treasure, and the other tile with the same treasure."""


@lru_cache(1 << 8)
def spaces_of(layout: tuple[Tile, ...]) -> dict[Tile, int]:
    """Return the space of each tile."""
    return {tile: space for space, tile in enumerate(layout)}


@lru_cache(1 << 12)
def _mask(layout: tuple[Tile, ...], tiles: frozenset[Tile]) -> int:
    """Return a bit mask of the spaces with these tiles."""
    spaces = spaces_of(layout)
    return sum(1 << spaces[tile] for tile in tiles)


@lru_cache(1 << 14)
def _walk(start: int, sunk: int, *, is_diagonal: bool) -> Distances:
    """Return the distances from `start`; `sunk` is a bit mask of the spaces without a tile."""
    near = box.AROUND if is_diagonal else box.ORTHOGONAL
    far = [FAR] * len(box.SPACES)
    far[start] = 0
    ring = [start]
    for steps in range(1, FAR):
        ahead = []
        for space in ring:
            for other in near[space]:
                if far[other] == FAR and not sunk >> other & 1:
                    far[other] = steps
                    ahead.append(other)
        ring = ahead
    return tuple(far)


@lru_cache(1 << 13)
def _dive(start: int, sunk: int, flooded: int) -> Distances:
    """Return the distances for the Diver, who passes any number of wet spaces for one action."""
    water = sunk | flooded
    far = [FAR] * len(box.SPACES)
    far[start] = 0
    ring = [start]
    for steps in range(1, FAR):
        ahead, passed = [], set[int]()
        for space in ring:
            for other in box.ORTHOGONAL[space] - passed:
                passed.add(other)
                if water >> other & 1:
                    ring.append(other)
                if far[other] == FAR and not sunk >> other & 1:
                    far[other] = steps
                    ahead.append(other)
        ring = ahead
    return tuple(far)


class IslandReading:
    """Facts about a state that several decisions of the player use."""

    def __init__(self, state: IslandState, weights: Weights) -> None:
        self.state, self.weights = state, weights
        self.space = spaces_of(state.layout)
        self.sunk = _mask(state.layout, state.sunk)
        self.flooded = _mask(state.layout, state.flooded)
        self.pawns = [self.space[tile] for tile in state.pawns]
        self.missing = [treasure for treasure in box.TREASURES if treasure not in state.captured]
        self.lifts = sum(hand.count(box.HELICOPTER_LIFT) for hand in state.hands)
        self.may_leave: bool = getattr(state, "is_quota_sunk", True)
        """False while more tiles of the Archaens' island must sink."""
        self._errands: dict[int, list[Errand]] = {}

    def holder(self, card: str) -> int | None:
        """Return the first seat that can play a special card now; None if there is none."""
        state = self.state
        seats = range(len(state.hands)) if state.phase != "discard" else (state.over_limit(),)
        return next((seat for seat in seats if seat is not None and card in state.hands[seat]), None)

    def distances(self, seat: int, space: int) -> Distances:
        """Return the distances between `space` and all other spaces for the seat's pawn, without flights."""
        power = self.state.power(seat)
        if power is Power.SWIM:
            return _dive(space, self.sunk, self.flooded)
        return _walk(space, self.sunk, is_diagonal=power is Power.DIAGONAL)

    def walk(self, space: int) -> Distances:
        """Return the distances between `space` and all other spaces for a pawn without a power."""
        return _walk(space, self.sunk, is_diagonal=False)

    def cost(self, tile: Tile) -> float:
        """Return the cost of losing a tile."""
        state, weights = self.state, self.weights
        if tile == box.FOOLS_LANDING:
            return weights["landing"]
        site = SITE_OF.get(tile)
        if site is not None and site[0] not in state.captured:
            other = site[1]
            name = "last_site" if other in state.sunk else "pair_site" if other in state.flooded else "site"
            return weights[name]
        if not self.may_leave and len(self.missing) < weights["sink_from"]:
            return 0.0
        is_next_to_landing = self.space[box.FOOLS_LANDING] in box.ORTHOGONAL[self.space[tile]]
        return weights["land"] + (weights["beside_landing"] if is_next_to_landing else 0.0)

    @cached_property
    def _chances(self) -> list[tuple[int, float, float]]:
        """The space of each flooded tile, and the chances that it sinks this turn and within two turns."""
        state, rise = self.state, self._rise
        due, discarded = state.flood_draws_left or floods_due(state.water_level), len(state.flood_discard)
        chances, above = {}, 0
        for layer in state.flood_pile.layers:
            size = len(layer)
            now, soon = (
                rise * _share(draws - above - discarded, size) + (1 - rise) * _share(draws - above, size)
                for draws in (due, 2 * due)
            )
            chances.update(dict.fromkeys(layer, (now, soon)))
            above += size
        other = rise * _share(due, discarded), rise * _share(2 * due, discarded)
        # Sort, because the order of a set differs between processes.
        return [(self.space[tile], *chances.get(tile, other)) for tile in sorted(state.flooded)]

    @cached_property
    def sinking(self) -> dict[int, float]:
        """The chance that each flooded tile sinks this turn, by space."""
        return {space: now for space, now, _ in self._chances}

    @cached_property
    def risks(self) -> dict[int, float]:
        """The value of shoring up each flooded tile, by space."""
        state, weights = self.state, self.weights
        values = {}
        for space, now, soon in self._chances:
            cost = self.cost(state.layout[space])
            if cost > 0:
                cost += weights["pawn"] * self.pawns.count(space)
            values[space] = cost * (weights["now"] * now + weights["soon"] * soon + weights["later"])
        return values

    @cached_property
    def dangers(self) -> list[tuple[float, int]]:
        """The greatest risks: the value of shoring up, and the space."""
        found = ((value, space) for space, value in self.risks.items() if value > LEAST_DANGER)
        return sorted(found, reverse=True)[:MOST_DANGERS]

    @cached_property
    def _rise(self) -> float:
        """The chance that this turn's treasure cards raise the water."""
        state = self.state
        top = state.treasure_pile.layers[0] if state.treasure_pile.layers else ()
        size, rising, dry = len(top), top.count(state.edition.rising_card), 1.0
        for drawn in range(min(state.treasure_draws_left, size)):
            dry *= max(0, size - rising - drawn) / (size - drawn)
        return 1 - dry

    @cached_property
    def collectors(self) -> dict[Treasure, int]:
        """The seat that collects each treasure, if a hand has a card of the treasure."""
        state, weights = self.state, self.weights
        loads = [weights["messenger"] * (state.power(seat) is Power.GIVE_ANYWHERE) for seat in range(len(self.pawns))]
        found = {}
        for treasure in sorted(self.missing, key=lambda one: (-max(hand.count(one) for hand in state.hands), one)):
            counts = [hand.count(treasure) for hand in state.hands]
            if any(counts):
                seat = max(range(len(counts)), key=lambda one: (counts[one] - loads[one], -one))  # called at once
                found[treasure] = seat
                loads[seat] += weights["load"] * counts[seat]
        return found

    def worth(self, seat: int, card: str) -> float:
        """Return the value of a card in a hand."""
        state, weights = self.state, self.weights
        if card == box.HELICOPTER_LIFT:
            # The last lift is needed at the end of the game. Before the end, the pile is shuffled again.
            return weights["spare_lift" if self.lifts > 1 or len(self.missing) > 2 else "last_lift"]
        if card == box.SANDBAGS:
            return weights["keep_sandbags"]
        if card in state.captured:
            return 0.0
        count = state.hands[seat].count(card)
        if count > box.CARDS_TO_CAPTURE:
            return weights["fifth"]
        is_collected = self.collectors.get(card) == seat  # type: ignore[call-overload]
        return (weights["keep"] if is_collected else weights["keep_other"]) + weights["keep_count"] * count

    def errands(self, seat: int) -> list[Errand]:
        """Return the tasks of the seat's pawn, most important first."""
        if seat not in self._errands:
            self._errands[seat] = self._find_errands(seat)
        return self._errands[seat]

    def _find_errands(self, seat: int) -> list[Errand]:
        state, weights = self.state, self.weights
        if not self.missing:
            return [(weights["go_home"], self.distances(seat, self.space[box.FOOLS_LANDING]))]
        hand = state.hands[seat]
        complete = [treasure for treasure in self.missing if hand.count(treasure) >= box.CARDS_TO_CAPTURE]
        sites = [
            self.distances(seat, self.space[site])
            for treasure in complete
            for site in box.SITES[treasure]
            if site not in state.sunk
        ]
        if sites:
            return [(weights["go_site"], tuple(map(min, zip(*sites, strict=True))))]
        return sorted(self._meetings(seat), reverse=True)[:MOST_ERRANDS]

    def _meetings(self, seat: int) -> Iterator[Errand]:
        """Yield the pawns that the seat's pawn should meet, to give or to get cards."""
        state, weights = self.state, self.weights
        hand = state.hands[seat]
        for treasure, collector in self.collectors.items():
            count = state.hands[collector].count(treasure)
            if count >= box.CARDS_TO_CAPTURE:
                continue
            if collector == seat:
                for other, cards in enumerate(state.hands):
                    is_enough = other != seat and cards.count(treasure) >= box.CARDS_TO_CAPTURE - count
                    if is_enough and state.power(other) is not Power.GIVE_ANYWHERE:
                        yield weights["wait"], self.distances(seat, self.pawns[other])
            elif (given := hand.count(treasure)) and state.power(seat) is not Power.GIVE_ANYWHERE:
                is_enough = given + count >= box.CARDS_TO_CAPTURE
                weight = weights["meet"] if is_enough else weights["drift"] * given
                yield weight, self.distances(seat, self.pawns[collector])

    def progress(self, seat: int) -> list[float]:
        """Return the value of each space for the errands of the seat's pawn."""
        can_fly, found = self.state.power(seat) is Power.FLY, [0.0] * len(box.SPACES)
        for weight, far in self.errands(seat):
            for space, steps in enumerate(far):
                found[space] -= weight * (FLIGHT if can_fly and steps > 1 else steps)
        return found


def _share(drawn: int, size: int) -> float:
    """Return the chance that a card is among `drawn` of `size` cards."""
    return 0.0 if drawn <= 0 else 1.0 if drawn >= size else drawn / size
