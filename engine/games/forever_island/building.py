"""Harvesting and building: harvest, carve, settle, erect, mobilize."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine.core.errors import Unclear
from engine.core.language import marked, say
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Area, HutId, Island, Mooring, Shore, join_words, printed_name
from engine.games.forever_island.disasters import reap
from engine.games.forever_island.ending import resolve
from engine.games.forever_island.gameplay import OwnHutAction, SeveralActions, TotemAction, TurnAction, whose_hut
from engine.games.forever_island.headings import BUILD, HARVEST
from engine.games.forever_island.state import ForeverState, Hut, Totem, replace
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ranges import items, members
from engine.kit.ruleset import Refusal


class Harvest(OwnHutAction, frozen=True):
    """Collect one resource with one of your huts from the island on which it stands."""

    verb = "harvest"
    button_text = marked("Harvest with {hut}")
    report_text = marked("{name} harvests a {resource} from {island}.")
    symbol = "check"
    rule = HARVEST

    def fault_of(self, hut: Hut, state: ForeverState) -> Refusal | None:
        if hut.built == state.turn:
            return Refusal(HARVEST, "That hut was built this turn.")
        if hut.harvested == state.turn and state.options.harvest_per_hut_per_turn == 1:
            return Refusal(HARVEST, "That hut has already harvested this turn.")
        if not state.fertility[box.ISLAND_INDEX[hut.shore]]:
            return Refusal(HARVEST, "There is nothing on that island.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        hut = needed(state.hut(self.hut))
        after = reap(state.with_hut(replace(hut, harvested=state.turn)), seat, box.ISLAND_OF[hut.shore])
        return resolve(after) if state.fertility[box.ISLAND_INDEX[hut.shore]] == 1 else after

    def reaped_islands(self, state: ForeverState) -> tuple[Island]:
        return (box.ISLAND_OF[needed(state.hut(self.hut)).shore],)


class HarvestSeveral(SeveralActions, frozen=True):
    """Harvest with several of your huts."""

    button_text = marked("Harvest with huts {numbers}")
    report_text = marked("{name} harvests {reaped}.")
    rule = HARVEST
    huts: Annotated[tuple[HutId, ...], Meta(min_length=2, max_length=box.HUTS)]

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "huts", tuple(sorted(self.huts)))

    def steps(self) -> list[Harvest]:
        return [Harvest(hut) for hut in self.huts]

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        """Yield a harvest with as many huts as possible; `ranges` describes all combinations."""
        return islice(cls._ways(state, seat), 1)

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        able = _able(state, seat)
        if len(able) > 1 and not _is_last(state, able):
            return members(huts=items(able, 2, len(able)))
        ways = [items(way.huts, len(way.huts)) for way in cls._ways(state, seat)]
        return members(huts={"oneOf": ways}) if ways else None

    @classmethod
    def _ways(cls, state: ForeverState, seat: int) -> Iterator[Self]:
        """Yield the sets of huts that can harvest together, largest first."""
        able = _able(state, seat)
        ways = (cls(way) for size in range(len(able), 1, -1) for way in combinations(able, size))
        return (way for way in ways if way.refusal(state, seat) is None)

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if len(set(self.huts)) < len(self.huts):
            return Refusal(HARVEST, "Choose each hut only once.")
        return super().refusal(state, seat)

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"numbers": join_words([hut[-1] for hut in self.huts])}


def _able(state: ForeverState, seat: int) -> list[HutId]:
    """Return the huts of `seat` that can harvest, sorted."""
    return sorted(hut.id for hut in state.huts[seat] if Harvest(hut.id).refusal(state, seat) is None)


def _is_last(state: ForeverState, huts: Sequence[HutId]) -> bool:
    """Return True if harvests with all of these huts would take the last resource of an island."""
    counts = Counter(box.ISLAND_INDEX[needed(state.hut(hut)).shore] for hut in huts)
    return any(state.fertility[at] <= count for at, count in counts.items())


class Carve(TurnAction, frozen=True):
    """Build a canoe for one log, on a shore where you have a hut."""

    verb = "carve a canoe"
    button_text = marked("Carve a canoe on {shore}")
    report_text = marked("{name} carves a canoe on {shore}.")
    symbol = "canoe"
    rule = BUILD
    shore: Shore

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return map(cls, dict.fromkeys(hut.shore for hut in state.huts[seat]))

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        if not state.has_hut_on(seat, self.shore):
            return Refusal(BUILD, "You can only build a canoe where you have a hut.")
        if not state.hands[seat] >= box.CARVE_COST:
            return Refusal(BUILD, "A canoe costs 1 log.")
        return _no_canoe(state, seat)

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return state.pay(seat, box.CARVE_COST).launch(seat, self.shore)


def _no_canoe(state: ForeverState, seat: int) -> Refusal | None:
    """Return the reason why `seat` cannot have another canoe, or None."""
    if state.canoe_count(seat) == box.CANOES:
        return Refusal(BUILD, say("All {count} canoes of that colour are on the board.", count=box.CANOES))
    return None


def canoe_name(state: ForeverState, canoe: Mooring, names: Sequence[str]) -> str:
    """Return 'the canoe on Hog Island 1, shore A' or 'the canoe docked in Ann's hut 3 on Hog Island 1, shore A'."""
    for hut in state.every_hut():
        if hut.id == canoe:
            return say("the canoe docked in {hut}", hut=whose_hut(state, hut.id, names))
    return say("a canoe on {place}", place=printed_name(canoe))


class CanoeAction(TurnAction, frozen=True):
    """Base of the actions with one of the player's canoes."""

    canoe: Mooring
    """The area of your undocked canoe, or the hut in which your canoe is docked."""

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        area = state.area_of(seat, self.canoe)
        return Refusal(self.rule, "You have no canoe there.") if area is None else self.fault_of(area, state, seat)

    @abstractmethod
    def fault_of(self, area: Area, state: ForeverState, seat: int) -> Refusal | None:
        """Return the reason why the action is illegal with a canoe in that area, or None."""

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(state, names), "canoe": canoe_name(state, self.canoe, names)}


class Settle(CanoeAction, frozen=True):
    """Transform one of your canoes into a hut on the same shore, for one hog and one frog."""

    verb = "build a hut"
    button_text = marked("Settle {canoe}")
    report_text = marked("{name} settles {canoe}.")
    symbol = "hut"
    rule = BUILD

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return map(cls, state.moorings(seat))

    def fault_of(self, area: Area, state: ForeverState, seat: int) -> Refusal | None:
        if area == box.VOLCANO:
            return Refusal(BUILD, "No hut can stand on the Volcano.")
        if not state.hands[seat] >= box.SETTLE_COST:
            return Refusal(BUILD, "A hut costs 1 hog and 1 frog.")
        if len(state.huts[seat]) == box.HUTS:
            return Refusal(BUILD, say("All {count} huts of that colour are on the board.", count=box.HUTS))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        shore = state.area_of(seat, self.canoe)
        if shore is None or shore == box.VOLCANO:
            raise Unclear
        state = state.pay(seat, box.SETTLE_COST).remove_canoe(seat, self.canoe)
        return resolve(state.build_hut(seat, shore))


class Erect(TotemAction, frozen=True):
    """Turn a fallen totem into a standing one, for five hogs."""

    verb = "erect a totem"
    button_text = marked("Erect the totem on {totem}")
    report_text = marked("{name} erects the totem on {totem}.")
    symbol = "totem"
    rule = BUILD

    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        if totem.is_standing:
            return Refusal(BUILD, "That totem is already standing.")
        if state.options.erect_requires_hut and not state.has_hut_on(state.active, self.totem):
            return Refusal(BUILD, "The options of this game let you erect a totem only where you have a hut.")
        if not state.hands[state.active] >= box.ERECT_COST:
            return Refusal(BUILD, "It takes 5 hogs to erect a totem.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        totem = state.totem(self.totem)
        paid = replace(state.pay(seat, box.ERECT_COST), has_erected=True)
        return resolve(paid if totem is None else paid.with_totem(replace(totem, is_standing=True)))


class Mobilize(OwnHutAction, frozen=True):
    """Transform one of your huts into a canoe on the same shore."""

    button_text = marked("Mobilize {hut}")
    report_text = marked("{name} mobilizes {hut}.")
    rule = BUILD

    def fault_of(self, hut: Hut, state: ForeverState) -> Refusal | None:
        return _no_canoe(state, state.active)

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        hut = needed(state.hut(self.hut))
        return resolve(state.remove_hut(hut).launch(seat, hut.shore))
