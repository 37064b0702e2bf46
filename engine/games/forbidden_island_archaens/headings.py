"""The headings of Forbidden Island and of the variant's text, in order. Every cited rule is one of them."""

from __future__ import annotations

from engine.games.forbidden_island.headings import (
    DRAW_FLOOD,
    HAND_LIMIT_RULE,
    LOSING,
    MOVE,
    PAWNS,
    SETUP,
    SHORE_UP,
    SPECIAL,
    TAKE_ACTIONS,
    WHEN_THE_FLOOD_DRAW_PILE_RUNS_OUT,
    WINNING,
)

GIVE = "Give an Artifact Card"
SAVE = "Save an Artifact"
DRAW_ARTIFACTS = "2. Draw 2 Artifact Deck Cards"
DEFENSE = "Island Defense Cards"
WHEN_THE_ARTIFACT_DECK_RUNS_OUT = "When the Artifact Deck Runs Out"

SECTIONS = (
    SETUP,
    TAKE_ACTIONS,
    MOVE,
    SHORE_UP,
    GIVE,
    SAVE,
    DRAW_ARTIFACTS,
    SPECIAL,
    DEFENSE,
    WHEN_THE_ARTIFACT_DECK_RUNS_OUT,
    HAND_LIMIT_RULE,
    DRAW_FLOOD,
    PAWNS,
    WHEN_THE_FLOOD_DRAW_PILE_RUNS_OUT,
    WINNING,
    LOSING,
)
