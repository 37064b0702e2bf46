"""The actions to collect a tax and to extend a totem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forever_island.components import (
    EXTEND_COST,
    EXTENSIONS,
    ISLAND_INDEX,
    ISLANDS,
    RESOURCE_OF,
    Island,
    called,
    printed,
)
from engine.games.forever_island.disasters import reap, wither, withers
from engine.games.forever_island.ending import resolve
from engine.games.forever_island.gameplay import TotemAction
from engine.games.forever_island.headings import TAX
from engine.games.forever_island.state import ForeverState, Totem, pay, replace, with_totem
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ruleset import Refusal

_NOT_CONTROLLED = Refusal(TAX, "You do not control a standing totem there.")


class Tax(TotemAction, frozen=True):
    """Collect one resource from any inhabited island, for a standing totem that you control."""

    type = "tax"
    verb = "tax a totem"
    button_text = marked("Tax {island} with the totem on {totem}")
    symbol = "token"
    rule = TAX
    island: Island

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        if seat == state.active:
            for totem in state.totems:
                if totem.is_standing:
                    for island in ISLANDS:
                        yield cls(totem.shore, island)

    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        if not state.controls(state.active, totem):
            return _NOT_CONTROLLED
        if totem.taxed > totem.extensions:
            return Refusal(TAX, "All taxes of that totem were collected this turn.")
        if not state.is_inhabited(self.island):
            return Refusal(TAX, "There is no hut on that island.")
        if not state.fertility[ISLAND_INDEX[self.island]]:
            return Refusal(TAX, "There is nothing on that island.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        totem = needed(state.totem(self.totem))
        state = reap(with_totem(state, replace(totem, taxed=totem.taxed + 1)), seat, self.island)
        return resolve(wither(state, self.island))

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        resource = RESOURCE_OF[ISLAND_INDEX[self.island]]
        told = say(
            "{name} taxes {island} with the totem on {totem}: a {resource}.",
            name=names[seat],
            island=printed(self.island),
            totem=printed(self.totem),
            resource=called(resource),
        )
        return told + withers(state, self.island)


class Extend(TotemAction, frozen=True):
    """Extend a standing totem that you control by a totem token, for three resources of each kind."""

    type = "extend"
    verb = "extend a totem"
    button_text = marked("Extend the totem on {totem}")
    report_text = marked("{name} extends the totem on {totem}.")
    symbol = "totem"
    rule = TAX

    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        if not state.controls(state.active, totem):
            return _NOT_CONTROLLED
        if not state.hands[state.active] >= EXTEND_COST:
            return Refusal(TAX, "An extension costs 3 hogs, 3 logs and 3 frogs.")
        if sum(other.extensions for other in state.totems) == EXTENSIONS:
            return Refusal(TAX, say("All {count} totem tokens are on the board.", count=EXTENSIONS))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        totem = needed(state.totem(self.totem))
        return with_totem(pay(state, seat, EXTEND_COST), replace(totem, extensions=totem.extensions + 1))
