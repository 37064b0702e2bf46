"""Travelling: travel, and docking, undocking and ejecting canoes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from engine.core.language import marked, say
from engine.games.forever_island import components as box
from engine.games.forever_island.building import CanoeAction
from engine.games.forever_island.components import Area, Goods, HutId, printed_name
from engine.games.forever_island.gameplay import HutAction, OwnHutAction
from engine.games.forever_island.headings import TRAVEL
from engine.games.forever_island.state import ForeverState, Hut, replace
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.paths import distances
from engine.kit.ruleset import Refusal


class Travel(CanoeAction, frozen=True):
    """Move a canoe one step: to the island's other shore for free, or to an adjacent tile for one frog."""

    verb = "travel"
    button_text = marked("Send {canoe} to {to}")
    report_text = marked("{name} sends {canoe} to {to}.")
    symbol = "walk"
    rule = TRAVEL
    to: Area

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        if seat == state.active:
            for canoe in state.moorings(seat):
                for to in box.AREAS:
                    yield cls(canoe, to)

    def fault_of(self, area: Area, state: ForeverState, seat: int) -> Refusal | None:
        if area == self.to:
            return Refusal(TRAVEL, "The canoe is already there.")
        tile = box.TILE_OF[self.to]
        if tile == box.TILE_OF[area]:
            return None
        if tile not in state.borders(area):
            too_far = marked("Too far: {tile} does not border on {here}.")
            return Refusal(TRAVEL, lambda: say(too_far, tile=printed_name(tile), here=printed_name(box.TILE_OF[area])))
        if not state.hands[seat] >= box.TRAVEL_COST:
            return Refusal(TRAVEL, "It costs 1 frog to travel to another tile.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        area: Area = needed(state.area_of(seat, self.canoe))
        if box.TILE_OF[area] != box.TILE_OF[self.to]:
            state = state.pay(seat, box.TRAVEL_COST)
        return state.remove_canoe(seat, self.canoe).launch(seat, self.to)


class TravelFar(CanoeAction, frozen=True):
    """Move a canoe several steps to a tile farther away by the shortest way, for one frog per step."""

    button_text = marked("Send {canoe} all the way to {to}")
    report_text = marked("{name} sends {canoe} all the way to {to} for {price}.")
    rule = TRAVEL
    to: Area

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(step.canoe, step.to) for step in Travel.candidates(state, seat))

    def fault_of(self, area: Area, state: ForeverState, seat: int) -> Refusal | None:
        steps = _distance(state, area, self.to)
        if steps < 2:
            return Refusal(TRAVEL, "That tile is only one step away. Travel there in a single step.")
        if not state.hands[seat] >= Goods(frog=steps):
            return Refusal(TRAVEL, lambda: say("It costs {steps} frogs to travel that far.", steps=steps))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        steps = _distance(state, needed(state.area_of(seat, self.canoe)), self.to)
        return state.pay(seat, Goods(frog=steps)).remove_canoe(seat, self.canoe).launch(seat, self.to)

    def report_words(self, state: ForeverState, seat: int, names: Sequence[str]) -> dict[str, Any]:
        return {"price": Goods(frog=_distance(state, needed(state.area_of(seat, self.canoe)), self.to))}


def _distance(state: ForeverState, area: Area, to: Area) -> int:
    """Return the number of steps between tiles from one area to another. All tiles are connected."""
    return distances(box.TILE_OF[area], state.borders)[box.TILE_OF[to]]


class Dock(HutAction, frozen=True):
    """Dock one of your canoes in an unoccupied hut on its shore, your own or another player's."""

    button_text = marked("Dock in {hut}")
    report_text = marked("{name} docks in {hut}.")
    symbol = "canoe"
    rule = TRAVEL

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(hut.id) for hut in state.every_hut() if hut.shore in state.canoes[seat])

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        hut = state.hut(self.hut)
        if hut is None:
            return Refusal(TRAVEL, "There is no such hut on the board.")
        if hut.docked is not None:
            return Refusal(TRAVEL, "A canoe is docked in that hut.")
        if hut.shore not in state.canoes[seat]:
            return Refusal(TRAVEL, "You have no undocked canoe on that hut's shore.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        hut = needed(state.hut(self.hut))
        return state.remove_canoe(seat, hut.shore).with_hut(replace(hut, docked=seat))


class Undock(HutAction, frozen=True):
    """Undock one of your canoes."""

    button_text = marked("Undock from {hut}")
    report_text = marked("{name} undocks from {hut}.")
    rule = TRAVEL

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(hut.id) for hut in state.docked_huts(seat))

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        hut = state.hut(self.hut)
        if hut is None or hut.docked != seat:
            return Refusal(TRAVEL, "No canoe of yours is docked there.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return cast_off(state, self.hut)


class Eject(OwnHutAction, frozen=True):
    """Eject another player's canoe that is docked in one of your huts."""

    button_text = marked("Eject {guest} from {hut}")
    report_text = marked("{name} ejects {guest} from {hut}.")
    rule = TRAVEL

    def fault_of(self, hut: Hut, state: ForeverState) -> Refusal | None:
        if hut.docked is None or hut.docked == state.active:
            return Refusal(TRAVEL, "No other player's canoe is docked there.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return cast_off(state, self.hut)

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        guest = needed(needed(state.hut(self.hut)).docked)
        return {**super().words(state, names), "guest": say("{name}'s canoe", name=names[guest])}


def cast_off(state: ForeverState, id_: HutId) -> ForeverState:
    """Undock the canoe in the hut with that id. The canoe stays on the shore."""
    hut = needed(state.hut(id_))
    return state.with_hut(replace(hut, docked=None)).launch(needed(hut.docked), hut.shore)
