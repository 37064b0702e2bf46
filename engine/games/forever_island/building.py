"""Harvesting and building: harvest, carve, settle, erect, mobilize."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

from engine.core.errors import Unclear
from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forever_island.components import (
    CANOES,
    CARVE_COST,
    ERECT_COST,
    HUTS,
    ISLAND_INDEX,
    ISLANDS,
    RESOURCE_OF,
    SETTLE_COST,
    VOLCANO,
    Area,
    Mooring,
    Shore,
    called,
    printed,
)
from engine.games.forever_island.disasters import reap, wither, withers
from engine.games.forever_island.ending import resolve
from engine.games.forever_island.gameplay import OwnHutAction, TotemAction, TurnAction, whose_hut
from engine.games.forever_island.headings import BUILD, HARVEST
from engine.games.forever_island.state import (
    ForeverState,
    Hut,
    Totem,
    build_hut,
    launch,
    pay,
    remove_canoe,
    remove_hut,
    replace,
    with_hut,
    with_totem,
)
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ruleset import Refusal


class Harvest(OwnHutAction, frozen=True):
    """Collect one resource with one of your huts from the island on which it stands."""

    type = "harvest"
    verb = "harvest"
    button_text = marked("Harvest with {hut}")
    symbol = "check"
    rule = HARVEST

    def fault_of(self, hut: Hut, state: ForeverState) -> Refusal | None:
        if hut.built == state.turn:
            return Refusal(HARVEST, "That hut was built this turn.")
        if hut.harvested == state.turn and state.options.harvest_per_hut_per_turn == 1:
            return Refusal(HARVEST, "That hut has already harvested this turn.")
        if not state.fertility[ISLAND_INDEX[hut.shore]]:
            return Refusal(HARVEST, "There is nothing on that island.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        hut = needed(state.hut(self.hut))
        island = ISLANDS[ISLAND_INDEX[hut.shore]]
        state = reap(with_hut(state, replace(hut, harvested=state.turn)), seat, island)
        return resolve(wither(state, island)) if not state.fertility[ISLAND_INDEX[island]] else state

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        hut = state.hut(self.hut)
        assert hut is not None
        at = ISLAND_INDEX[hut.shore]
        return say(
            "{name} harvests a {resource} from {island}.",
            name=names[seat],
            resource=called(RESOURCE_OF[at]),
            island=printed(ISLANDS[at]),
        ) + withers(state, ISLANDS[at])


class Carve(TurnAction, frozen=True):
    """Build a canoe for one log, on a shore where you have a hut."""

    type = "carve"
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
        if not state.hands[seat] >= CARVE_COST:
            return Refusal(BUILD, "A canoe costs 1 log.")
        return _no_canoe(state, seat)

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return launch(pay(state, seat, CARVE_COST), seat, self.shore)


def _no_canoe(state: ForeverState, seat: int) -> Refusal | None:
    """Return the reason why `seat` cannot have another canoe, or None."""
    if state.canoe_count(seat) == CANOES:
        return Refusal(BUILD, say("All {count} canoes of that colour are on the board.", count=CANOES))
    return None


def canoe_name(state: ForeverState, canoe: Mooring, names: Sequence[str]) -> str:
    """Return 'the canoe on Hog Island 1, shore A' or 'the canoe docked in Ann's hut 3 on Hog Island 1, shore A'."""
    for hut in state.every_hut():
        if hut.id == canoe:
            return say("the canoe docked in {hut}", hut=whose_hut(state, hut.id, names))
    return say("a canoe on {place}", place=printed(canoe))


class CanoeAction(TurnAction, frozen=True):
    """Common part of the actions with one of the player's canoes."""

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

    type = "settle"
    verb = "build a hut"
    button_text = marked("Settle {canoe}")
    report_text = marked("{name} settles {canoe}.")
    symbol = "hut"
    rule = BUILD

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return map(cls, state.moorings(seat))

    def fault_of(self, area: Area, state: ForeverState, seat: int) -> Refusal | None:
        if area == VOLCANO:
            return Refusal(BUILD, "No hut can stand on the Volcano.")
        if not state.hands[seat] >= SETTLE_COST:
            return Refusal(BUILD, "A hut costs 1 hog and 1 frog.")
        if len(state.huts[seat]) == HUTS:
            return Refusal(BUILD, say("All {count} huts of that colour are on the board.", count=HUTS))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        shore = state.area_of(seat, self.canoe)
        if shore is None or shore == VOLCANO:
            raise Unclear
        state = remove_canoe(pay(state, seat, SETTLE_COST), seat, self.canoe)
        return resolve(build_hut(state, seat, shore))


class Erect(TotemAction, frozen=True):
    """Turn a fallen totem into a standing one, for five hogs."""

    type = "erect"
    verb = "erect a totem"
    button_text = marked("Erect the totem on {totem}")
    report_text = marked("{name} erects the totem on {totem}.")
    symbol = "totem"
    rule = BUILD

    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        if totem.is_standing:
            return Refusal(BUILD, "That totem is already standing.")
        if state.options.erect_requires_hut and not state.has_hut_on(state.active, self.totem):
            return Refusal(BUILD, "At this table, you can only erect a totem where you have a hut.")
        if not state.hands[state.active] >= ERECT_COST:
            return Refusal(BUILD, "It takes 5 hogs to erect a totem.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        totem = state.totem(self.totem)
        paid = replace(pay(state, seat, ERECT_COST), has_erected=True)
        return resolve(paid if totem is None else with_totem(paid, replace(totem, is_standing=True)))


class Mobilize(OwnHutAction, frozen=True):
    """Transform one of your huts into a canoe on the same shore."""

    type = "mobilize"
    button_text = marked("Mobilize {hut}")
    report_text = marked("{name} mobilizes {hut}.")
    rule = BUILD

    def fault_of(self, hut: Hut, state: ForeverState) -> Refusal | None:
        return _no_canoe(state, state.active)

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        hut = needed(state.hut(self.hut))
        return resolve(launch(remove_hut(state, hut), seat, hut.shore))
