"""The headings of Forbidden Island and of the variant's text, in order. Every cited rule is one of them."""

from __future__ import annotations

from engine.games.forbidden_island import headings as base

GIVE = "Give an Artifact Card"
SAVE = "Save an Artifact"
DRAW_ARTIFACTS = "2. Draw 2 Artifact Deck Cards"
DEFENSE = "Island Defense Cards"
WHEN_THE_ARTIFACT_DECK_RUNS_OUT = "When the Artifact Deck Runs Out"

_INSTEAD = {
    base.GIVE: GIVE,
    base.CAPTURE: SAVE,
    base.DRAW_TREASURE: DRAW_ARTIFACTS,
    base.WATERS_RISE_CARDS: DEFENSE,
    base.WHEN_THE_TREASURE_DECK_RUNS_OUT: WHEN_THE_ARTIFACT_DECK_RUNS_OUT,
}
SECTIONS = tuple(_INSTEAD.get(heading, heading) for heading in base.SECTIONS)
RULE_TEXTS = base.RULE_TEXTS | {
    DRAW_ARTIFACTS: "After the actions, the player draws 2 Artifact deck cards, one after the other.",
    DEFENSE: "When Island Defense is drawn, the water marker moves up, and the Flood discards are shuffled and put on "
    "top of the Flood pile.",
    base.LOSING: "The game is lost when Fools' Landing or both tiles of an artifact that was not saved sink, when a "
    "player sinks with a tile, or when the water reaches the skull and crossbones.",
}
