"""The facts of a Forbidden Island table."""

from __future__ import annotations

from engine.games.forbidden_island.components import PHASES
from engine.games.forbidden_island.facts.cards import Captured, CardsDiscarded, DeckIs, HandIs, HasCards
from engine.games.forbidden_island.facts.island import FloodCardIs, FloodPileIs, LiesAt, Plays, StandsOn, TileIs
from engine.games.forbidden_island.facts.turn import HasFlown, Left, TurnOf, WaterLevel
from engine.games.forbidden_island.state import IslandState
from engine.kit.common_facts import TurnIs, phase_is
from engine.kit.facts import Fact

FACTS: tuple[type[Fact[IslandState]], ...] = (
    LiesAt,
    Plays,
    TileIs,
    FloodPileIs,
    FloodCardIs,
    StandsOn,
    HasCards,
    CardsDiscarded,
    Captured,
    WaterLevel,
    TurnIs,
    TurnOf,
    Left,
    HasFlown,
    phase_is(PHASES),
    HandIs,
    DeckIs,
)
"""All kinds of facts, in the order of application."""
