"""The facts of a Forbidden Desert table."""

from __future__ import annotations

from engine.games.forbidden_desert.components import PHASES
from engine.games.forbidden_desert.facts import adventurers, ground, storm, turn
from engine.games.forbidden_desert.state import DesertState, replace
from engine.games.forbidden_desert.turn import apply_ending, settle
from engine.kit.common_facts import TurnIs, phase_is
from engine.kit.facts import Fact, Told
from engine.kit.piles import renewed

FACTS: tuple[type[Fact[DesertState]], ...] = (
    ground.TileIs,
    adventurers.Plays,
    ground.SandAt,
    ground.PartIs,
    adventurers.StandsOn,
    adventurers.WaterIs,
    adventurers.Shielded,
    adventurers.HasCards,
    adventurers.CardsUsed,
    storm.StormTick,
    storm.StormPileIs,
    storm.LookIs,
    storm.StormCardsDrawn,
    storm.StormCardsDiscarded,
    TurnIs,
    turn.TurnOf,
    turn.MustDrawEquipment,
    turn.Left,
    turn.Weakened,
    phase_is(PHASES),
    ground.SandSupplyIs,
    adventurers.HandIs,
    adventurers.EquipmentPileIs,
    storm.StormCardsLeft,
)


def complete_table(state: DesertState, told: Told) -> DesertState:
    """Complete a table by the rules.

    Place parts at their clues, limit canteens, renew an empty storm pile, and apply endings.
    """
    state = ground.with_parts_found(state, told)
    water = tuple(min(water, state.canteen(seat)) for seat, water in enumerate(state.water))
    state = replace(state, water=water)
    if state.storm_left is None:
        state = replace(state, storm_discard=state.storm_discard + state.storm_drawn, storm_drawn=())
    elif state.storm_level:
        # At most one less than the level, because the first card has been drawn.
        state = replace(state, storm_left=min(state.storm_left, state.storm_level - 1))
    if not (state.storm_pile.layers or state.seen):
        state = renewed(state, "storm_pile", "storm_discard")
    state = apply_ending(replace(state, looks_left=min(state.looks_left, len(state.storm_pile))))
    return state if state.outcome is not None else settle(state)
