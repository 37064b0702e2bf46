"""The facts of a Forbidden Desert table."""

from __future__ import annotations

from engine.games.forbidden_desert.facts.adventurers import (
    CardsUsed,
    EquipmentPileIs,
    HandIs,
    HasCards,
    Plays,
    Shielded,
    StandsOn,
    WaterIs,
    deal_unseen,
)
from engine.games.forbidden_desert.facts.ground import PartIs, SandAt, SandSupplyIs, TileIs, with_parts_found
from engine.games.forbidden_desert.facts.storm import (
    LookIs,
    StormCardsDiscarded,
    StormCardsDrawn,
    StormCardsLeft,
    StormPileIs,
    StormTick,
)
from engine.games.forbidden_desert.facts.turn import Left, MustDrawEquipment, PhaseIs, TurnIs, TurnOf, Weakened
from engine.games.forbidden_desert.state import DesertState, replace
from engine.games.forbidden_desert.turn import ended, settle
from engine.kit.facts import Fact, Told
from engine.kit.piles import Pile

__all__ = ["FACTS", "deal_unseen", "settled"]

FACTS: tuple[type[Fact[DesertState]], ...] = (
    TileIs,
    Plays,
    SandAt,
    PartIs,
    StandsOn,
    WaterIs,
    Shielded,
    HasCards,
    CardsUsed,
    StormTick,
    StormPileIs,
    LookIs,
    StormCardsDrawn,
    StormCardsDiscarded,
    TurnIs,
    TurnOf,
    MustDrawEquipment,
    Left,
    Weakened,
    PhaseIs,
    SandSupplyIs,
    HandIs,
    EquipmentPileIs,
    StormCardsLeft,
)


def settled(state: DesertState, told: Told) -> DesertState:
    """Complete a table by the rules.

    Place parts at their clues, limit canteens, renew an empty storm pile, and apply endings.
    """
    state = with_parts_found(state, told)
    water = tuple(min(water, state.canteen(seat)) for seat, water in enumerate(state.water))
    state = replace(state, water=water)
    if state.storm_left is None:
        state = replace(state, storm_discard=state.storm_discard + state.storm_drawn, storm_drawn=())
    elif state.storm_level:
        # At most one card less than the level, because the first has been drawn.
        state = replace(state, storm_left=min(state.storm_left, state.storm_level - 1))
    if not (state.storm_pile.layers or state.seen):
        state = replace(state, storm_pile=Pile.shuffled(state.storm_discard), storm_discard=())
    state = ended(replace(state, looks_left=min(state.looks_left, len(state.storm_pile))))
    return state if state.outcome is not None else settle(state)
