"""The player: it compares the spaces where the active pawn can end its turn.

The value of a space depends on two things: the other actions of the turn, at its start or at the space (shore up, give,
capture), and the distance to the pawn's next errands. Special cards are played in emergencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nlargest
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.core.values import SEAT_IDS
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.actions import Fly, Navigate, ShoreUp
from engine.games.forbidden_island.components import Power, Tile
from engine.games.forbidden_island.draws import Discard, Drown, Swim
from engine.games.forbidden_island.movement import move_targets, navigate_targets, swim_targets
from engine.games.forbidden_island.ruleset import ForbiddenIsland
from engine.games.forbidden_island.specials import PlayHelicopterLift
from engine.games.forbidden_island.state import IslandState
from engine.kit.actions import Action
from engine.kit.chance import RandomSource
from engine.players.forbidden_island.outlook import features
from engine.players.forbidden_island.reading import FAR, IslandReading, Weights
from engine.players.protocol import Player, Proposal

SHARE = 2
"""The number of shares in an action. The Engineer shores up one tile for 1 share."""
STEP = 0.01
"""The cost of a step: a small value, to prefer the shortest of otherwise equal plans."""
EVERYWHERE = (1 << len(box.SPACES)) - 1
ORTHOGONAL_MASKS, AROUND_MASKS = (
    tuple(1 << space | sum(1 << other for other in near[space]) for space in range(len(box.SPACES)))
    for near in (box.ORTHOGONAL, box.AROUND)
)
"""For each space, a bit mask of the spaces from which a pawn reaches it."""


class TurnTask(NamedTuple):
    """Something to do in a turn, besides moving."""

    value: float
    spaces: int
    """A bit for each space on which the pawn can do the task."""
    shored: int = 0
    """The bit of the space that is shored up."""
    share: int = SHARE
    """The cost, in shares of an action."""
    action: Action[IslandState] | None = None
    """The action; None: shore up."""


_value = itemgetter(0)


@cache
def weights_of(ruleset: str) -> Weights:
    """Return the weights for a ruleset."""
    path = Path(__file__).with_name("weights.json")
    found: Mapping[str, Weights] = msgspec.json.decode(path.read_bytes())
    return found[ruleset]


@cache
def outlook_of(ruleset: str) -> Weights:
    """Return the trained weights of the chance to win."""
    return msgspec.json.decode(Path(__file__).with_name(f"outlook-{ruleset}.json").read_bytes(), type=dict[str, float])


class IslandPlayer(Player[IslandState]):
    """Plays a ruleset of the Forbidden Island family."""

    name = "Keen"
    version = "1"

    def __init__(self, rules: ForbiddenIsland) -> None:
        self.ruleset, self._rules = rules.id, rules
        self._weights = weights_of(rules.id)
        kinds: dict[str, type[Any]] = {kind.type: kind for kind in rules.actions}
        treasure = rules.edition.treasure
        self._capture = kinds["capture_treasure" if treasure == "treasure" else f"save_{treasure}"]
        self._draw = kinds[f"draw_{treasure}_card"]()
        self._draw_flood, self._lift_off = kinds["draw_flood_card"](), kinds["lift_off"]()
        self._move, self._give, self._sandbags = kinds["move"], kinds["give_card"], kinds["play_sandbags"]
        self._kinds = kinds

    def ideas(self, state: IslandState, rng: RandomSource) -> Sequence[Proposal]:
        own = self.propose(state, rng)
        if state.phase == "draw_treasure" and len(state.captured) < len(box.TREASURES):
            return own
        legal = ((one.action, one.seat) for one in self._rules.legal_actions(state))
        # Skip flights between two Flood cards: there are many, and they are rarely better than flights in a turn.
        skipped = PlayHelicopterLift if state.phase == "draw_flood" else ()
        return list(dict.fromkeys([*own, *(one for one in legal if not isinstance(one[0], skipped))]))

    @property
    def outlook(self) -> Weights:
        return outlook_of(self.ruleset)

    def features(self, state: IslandState, seat: int) -> Mapping[str, float]:
        return features(IslandReading(state, self._weights))

    def propose(self, state: IslandState, rng: RandomSource) -> Sequence[Proposal]:
        if len(state.captured) < len(box.TREASURES):
            # Most draws need no decision.
            if state.phase == "draw_treasure":
                return [(self._draw, state.active)]
            if state.phase == "draw_flood" and not any(box.SANDBAGS in hand for hand in state.hands):
                return [(self._draw_flood, state.active)]
        reading = IslandReading(state, self._weights)
        return [*self._leave(reading), *self._step(reading)]

    def _leave(self, reading: IslandReading) -> Iterator[Proposal]:
        state = reading.state
        is_ready = not reading.missing and reading.may_leave and set(state.pawns) == {box.FOOLS_LANDING}
        if is_ready and (holder := reading.holder(box.HELICOPTER_LIFT)) is not None:
            yield self._lift_off, holder

    def _step(self, reading: IslandReading) -> Iterator[Proposal]:
        """Yield actions, best first."""
        state = reading.state
        match state.phase:
            case "actions":
                yield from self._lift(reading)
                yield from self._shore_early(reading)
                yield from self._plan(reading)
                yield self._draw, state.active
            case "draw_treasure":
                yield self._draw, state.active
            case "draw_flood":
                yield from self._save(reading)
                yield self._draw_flood, state.active
            case "discard":
                yield from self._discard(reading)
            case "swim":
                yield from self._swim(reading)
            case _:
                yield from self._save_revealed(reading)
                yield self._kinds["sink_tile"](), state.active

    def _shore_early(self, reading: IslandReading) -> Iterator[Proposal]:
        """Play Sandbags before the turn's draws if a tile is in great danger."""
        holder = reading.holder(box.SANDBAGS)
        if holder is not None and reading.state.actions_left == 1:
            yield from self._shore_worst(reading, holder, reading.weights["sandbags_early"])

    def _shore_worst(self, reading: IslandReading, holder: int, least: float) -> Iterator[Proposal]:
        value, space = max(((value, space) for space, value in reading.risks.items()), default=(0.0, 0))
        if value > least:
            yield self._sandbags(reading.state.layout[space]), holder

    def _save(self, reading: IslandReading) -> Iterator[Proposal]:
        """Play Sandbags if the next Flood card can cost much."""
        state, holder = reading.state, reading.holder(box.SANDBAGS)
        if holder is None or not state.flood_pile.layers:
            return
        top = state.flood_pile.layers[0]
        cost, tile = max(((reading.cost(tile), tile) for tile in top if tile in state.flooded), default=(0.0, top[0]))
        if cost / len(top) >= reading.weights["sandbags"]:
            yield self._sandbags(tile), holder

    def _save_revealed(self, reading: IslandReading) -> Iterator[Proposal]:
        tile: Tile = getattr(reading.state, "revealed", box.FOOLS_LANDING)
        holder = reading.holder(box.SANDBAGS)
        if holder is not None and reading.cost(tile) >= reading.weights["site"]:
            yield self._sandbags(tile), holder

    def _swim(self, reading: IslandReading) -> Iterator[Proposal]:
        state = reading.state
        swimmers = state.swimmers()
        stuck = [seat for seat in swimmers if not swim_targets(state, seat)]
        for seat in stuck:
            holder = reading.holder(box.HELICOPTER_LIFT)
            if holder is not None and state.options.lift_rescues_sinking:
                pawns = tuple(SEAT_IDS[other] for other in swimmers if state.pawns[other] == state.pawns[seat])
                yield PlayHelicopterLift(pawns, self._refuge(reading, seat, state.island())), holder
            yield Drown(), seat
        if not stuck:
            seat = swimmers[0]
            yield Swim(self._refuge(reading, seat, swim_targets(state, seat))), seat

    def _refuge(self, reading: IslandReading, seat: int, tiles: Iterable[Tile]) -> Tile:
        progress = reading.progress(seat)

        def value(tile: Tile) -> tuple[float, Tile]:
            space = reading.space[tile]
            return progress[space] - reading.weights["wet"] * (space in reading.risks), tile

        return max(tiles, key=value)

    def _discard(self, reading: IslandReading) -> Iterator[Proposal]:
        """Use a special card of the full hand, or discard its worst card."""
        seat = reading.state.over_limit()
        assert seat is not None
        hand = reading.state.hands[seat]
        if box.SANDBAGS in hand:
            yield from self._shore_worst(reading, seat, reading.weights["sandbags_over"])
        if box.HELICOPTER_LIFT in hand and reading.lifts > 1:
            yield from self._carry(reading, seat, 1.0)
        for card in sorted(set(hand), key=lambda card: (reading.worth(seat, card), card)):
            yield Discard(card), seat

    def _lift(self, reading: IslandReading) -> Iterator[Proposal]:
        state, holder = reading.state, reading.holder(box.HELICOPTER_LIFT)
        if holder is None or reading.lifts < 2:
            return
        if reading.missing:
            yield from self._carry(reading, holder, reading.weights["lift_far"])
            return
        away = sorted(set(state.pawns) - {box.FOOLS_LANDING})
        if reading.may_leave and len(away) < reading.lifts:
            for tile in away:
                pawns = tuple(SEAT_IDS[seat] for seat, where in enumerate(state.pawns) if where == tile)
                yield PlayHelicopterLift(pawns, box.FOOLS_LANDING), holder

    def _carry(self, reading: IslandReading, holder: int, least: float) -> Iterator[Proposal]:
        """Lift the pawn with the longest way to a capture, if that way is longer than `least`."""
        state, ways = reading.state, []
        for seat, here in enumerate(reading.pawns):
            for weight, far in reading.errands(seat)[:1]:
                if weight >= reading.weights["go_site"] and far[here] > least:
                    ways.append((far[here], seat, far.index(0)))
        if ways:
            _, seat, to = max(ways)
            yield PlayHelicopterLift((SEAT_IDS[seat],), state.layout[to]), holder

    def _plan(self, reading: IslandReading) -> Iterator[Proposal]:
        """Propose the first action of the best plan for the turn, if this plan has an action."""
        state, weights = reading.state, self._weights
        seat = state.active
        here, left, power = reading.pawns[seat], state.actions_left, state.power(seat)
        far = reading.distances(seat, here)
        can_fly = power is Power.FLY and not state.has_flown
        useful = (job for job in self._jobs(reading, seat) if job.value > weights["least"])
        jobs = sorted(useful, key=_value, reverse=True)
        dangers = [(risk * weights["far"], 1 << at, reading.walk(at)) for risk, at in reading.dangers]
        progress, sinking, wet = reading.progress(seat), reading.sinking, weights["wet"]
        fading = [weights["reach"] ** steps for steps in range(FAR + 1)]
        sunk = reading.sunk
        # A flight is one action.
        ways = [1 if can_fly and steps > 1 else steps for steps in far]
        ends = [(space, steps) for space, steps in enumerate(ways) if steps <= left and not sunk >> space & 1]
        plans = []
        for space, steps in ends:
            value = progress[space] - STEP * steps - wet * sinking.get(space, 0.0)
            gain, shored, chosen = _choose(jobs, 1 << here | 1 << space, SHARE * (left - steps))
            ahead = 0.0
            for risk, bit, walk in dangers:
                if not shored & bit and risk * fading[walk[space]] > ahead:
                    ahead = risk * fading[walk[space]]
            plans.append((value + gain + ahead, space, chosen))
        _, to, chosen = max(plans, key=_value)
        now = [job for job in chosen if job.spaces >> here & 1]
        if now:
            yield self._action(reading, now), seat
        elif to != here:
            yield self._towards(reading, seat, to, can_fly=ways[to] < far[to]), seat

    def _action(self, reading: IslandReading, jobs: Sequence[TurnTask]) -> Action[IslandState]:
        """Return the action for the first of `jobs`. The Engineer can shore up the tiles of two jobs in one action."""
        first, *others = jobs
        if first.action is not None:
            return first.action
        pair = [first, *(job for job in others if job.action is None)][: SHARE // first.share]
        return ShoreUp(tuple(reading.state.layout[job.shored.bit_length() - 1] for job in pair))

    def _towards(self, reading: IslandReading, seat: int, space: int, *, can_fly: bool) -> Action[IslandState]:
        state = reading.state
        if can_fly:
            return Fly(state.layout[space])
        far = reading.distances(seat, space)
        to = min(move_targets(state, seat), key=lambda tile: (far[reading.space[tile]], tile))
        step: Action[IslandState] = self._move(to)
        return step

    def _jobs(self, reading: IslandReading, seat: int) -> Iterator[TurnTask]:
        """Yield the seat's possible tasks in its turn, besides moving."""
        state, power = reading.state, reading.state.power(seat)
        reach = AROUND_MASKS if power is Power.DIAGONAL else ORTHOGONAL_MASKS
        share = SHARE // 2 if power is Power.SHORE_UP_TWO else SHARE
        for at, value in reading.risks.items():
            yield TurnTask(value, reach[at], 1 << at, share)
        for treasure in reading.missing:
            if state.hands[seat].count(treasure) >= box.CARDS_TO_CAPTURE:
                spaces = sum(1 << reading.space[site] for site in box.SITES[treasure] if site not in state.sunk)
                yield TurnTask(self._weights["capture"], spaces, action=self._capture(treasure))
        for other, space in enumerate(reading.pawns):
            if other != seat:
                where = EVERYWHERE if power is Power.GIVE_ANYWHERE else 1 << space
                yield from self._gifts(reading, seat, other, where)
                if power is Power.MOVE_OTHERS:
                    yield from self._moves_of(reading, other)

    def _gifts(self, reading: IslandReading, seat: int, other: int, where: int) -> Iterator[TurnTask]:
        """Yield gifts: cards for the seat that collects their treasure."""
        weights, hand, theirs = self._weights, reading.state.hands[seat], reading.state.hands[other]
        room = box.HAND_LIMIT - len(theirs)
        for treasure, collector in reading.collectors.items():
            mine, count = hand.count(treasure), theirs.count(treasure)
            need = box.CARDS_TO_CAPTURE - count
            if collector != other or not mine or need <= 0:
                continue
            value = weights["give"] + weights["give_count"] * count
            if len(hand) >= box.HAND_LIMIT - 1:
                value += weights["full"]
            if mine >= need:
                value += weights["complete"] / need
            for number in range(min(mine, need)):
                loss = 0.0 if number < room else min(reading.worth(other, card) for card in theirs)
                worth = value - weights["over"] * loss
                yield TurnTask(worth, where, action=self._give(SEAT_IDS[other], treasure))

    def _moves_of(self, reading: IslandReading, other: int) -> Iterator[TurnTask]:
        """Yield the Navigator's best move of another pawn, if that pawn can move."""
        state, progress = reading.state, reading.progress(other)
        for then, to in nlargest(1, ((progress[reading.space[tile]], tile) for tile in navigate_targets(state, other))):
            value = (then - progress[reading.pawns[other]]) * self._weights["navigate"]
            yield TurnTask(value, EVERYWHERE, action=Navigate(SEAT_IDS[other], to))


def _choose(jobs: Sequence[TurnTask], spaces: int, room: int) -> tuple[float, int, list[TurnTask]]:
    """Return three things: the value of the first `jobs` that fit, the tiles that they shore up, and these jobs.

    Args:
        spaces: a bit mask of the spaces where the pawn can be.
        room: the number of shares left in the turn.
    """
    total, shored = 0.0, 0
    chosen: list[TurnTask] = []
    for job in jobs:
        if not room:
            break
        value, where, bit, share, _ = job
        if where & spaces and share <= room:
            total += value
            shored |= bit
            room -= share
            chosen.append(job)
    return total, shored, chosen
