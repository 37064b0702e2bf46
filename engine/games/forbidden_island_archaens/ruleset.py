"""The ruleset: the rules of Forbidden Island, with the variant's names, quota and clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from engine.core.language import marked, say
from engine.games.forbidden_island import actions as base
from engine.games.forbidden_island import draws, specials
from engine.games.forbidden_island.board import card_looks
from engine.games.forbidden_island.headings import DRAW_FLOOD
from engine.games.forbidden_island.leaving_out import DISCARD, FLOOD_CARDS, SWIM, rise_steps
from engine.games.forbidden_island.ruleset import ForbiddenIsland, components
from engine.games.forbidden_island.state import IslandState
from engine.games.forbidden_island_archaens import actions as own
from engine.games.forbidden_island_archaens import board
from engine.games.forbidden_island_archaens.facts import FACTS
from engine.games.forbidden_island_archaens.headings import DEFENSE, DRAW_ARTIFACTS, RULE_TEXTS, SECTIONS
from engine.games.forbidden_island_archaens.state import ARCHAENS, PHASES, ArchaenOptions, ArchaenState
from engine.kit.columns import Column
from engine.kit.ruleset import Action
from engine.kit.steps import DueStep, Skip, due_cards
from engine.kit.words import counted

SINKING = DueStep(
    "sink_tile",
    "tile that was about to sink",
    DRAW_FLOOD,
    missed=marked("{player} left a tile on the table that had to sink"),
    duty=marked("{player} had to sink the tile"),
)


class ForbiddenIslandArchaens(ForbiddenIsland):
    """The Archaen variant: the citizens save their artifacts, and at least half of their island must sink."""

    id = "forbidden-island-archaens"
    version = "2"
    reads_versions: ClassVar[tuple[str, ...]] = ("1",)
    name = "Forbidden Island: Archaens"
    bgg_id = None
    edition = ARCHAENS
    options = ArchaenOptions
    state = ArchaenState
    actions: ClassVar[tuple[type[Action[Any]], ...]] = (
        own.Move,
        base.Fly,
        base.Navigate,
        base.ShoreUp,
        own.GiveCard,
        own.SaveArtifact,
        own.DrawArtifactCard,
        specials.PlayHelicopterLift,
        own.PlaySandbags,
        draws.Discard,
        own.DrawFloodCard,
        own.SinkTile,
        draws.Swim,
        draws.Drown,
        own.LiftOff,
    )
    chance_points = ("tile", "citizen", "opening_card", "artifact_card", "flood_card")
    rise_steps = rise_steps(DEFENSE)
    steps = (
        due_cards("artifact_cards", "Artifact deck card", DRAW_ARTIFACTS),
        DISCARD,
        FLOOD_CARDS,
        SWIM,
        *rise_steps,
        SINKING,
    )
    facts = FACTS
    columns = (
        *ForbiddenIsland.columns,
        Column[ArchaenState](
            "deadline",
            int,
            lambda state: state.deadline,
            "The last turn in which the quota can sink; empty until the clock starts.",
        ),
        Column[ArchaenState](
            "is_quota_sunk", bool, lambda state: state.is_quota_sunk, "True if enough tiles have sunk."
        ),
    )
    faces = MappingProxyType({"artifact_card": card_looks(ARCHAENS).faces()})
    sections = SECTIONS
    rule_texts = RULE_TEXTS
    phases = PHASES
    endings = ForbiddenIsland.endings | {
        "lifted_off": "The team lifts off Fools' Landing with all four artifacts, and nobody can follow: the "
        "game is won!",
        "treasure_lost": "Both tiles of an artifact sank before it was saved: the game is lost.",
        "invaders_followed": "Too few tiles have sunk, and the invaders follow: the game is lost.",
    }
    components = components(ARCHAENS)

    planes = staticmethod(board.planes)
    panels = staticmethod(board.panels)

    def awaiting(self, state: IslandState) -> tuple[int, ...]:
        return (state.active,) if state.phase == "sink" else super().awaiting(state)

    def skips(self, state: IslandState) -> Iterable[Skip[IslandState]]:
        if state.phase != "sink":
            return super().skips(state)
        return (Skip(SINKING, state.active, own.spare_tile(state)),)

    def overview(self, state: IslandState, names: Sequence[str]) -> dict[str, str]:
        assert isinstance(state, ArchaenState)
        told = {"sunk": len(state.sunk), "quota": state.options.quota_sunk, "turn": state.deadline}
        has_clock = marked("{sunk} of {quota} tiles, by the end of turn {turn}")
        so_far = say(marked("{sunk} of {quota} tiles") if state.deadline is None else has_clock, **told)
        return {**super().overview(state, names), say("Sunk so far"): so_far}

    def aftermath(self, before: IslandState, after: IslandState, names: Sequence[str]) -> str:
        assert isinstance(before, ArchaenState)
        assert isinstance(after, ArchaenState)
        quota = after.options.quota_sunk
        if before.deadline is None and after.deadline is not None:
            if after.is_quota_sunk:
                return say("Everyone is on Fools' Landing, and enough tiles have sunk.")
            left = counted(quota - len(after.sunk), "more tile")
            return say("The clock starts: {left} by the end of turn {turn}.", left=left, turn=after.deadline)
        if after.is_quota_sunk and not before.is_quota_sunk:
            if after.deadline is None:
                return say("{quota} tiles have sunk, as many as needed.", quota=quota)
            return say("{quota} tiles have sunk, as many as needed, in time.", quota=quota)
        return ""

    def headline(self, state: IslandState, names: Sequence[str]) -> str:
        assert isinstance(state, ArchaenState)
        has_clock = marked("to sink: {quota} tiles by the end of turn {turn}")
        text = marked("to sink: {quota} tiles") if state.deadline is None else has_clock
        to_sink = say(text, quota=state.options.quota_sunk, turn=state.deadline)
        return f"{super().headline(state, names)} · {to_sink}"
