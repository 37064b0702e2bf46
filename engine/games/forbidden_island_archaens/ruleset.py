"""The ruleset: Forbidden Island's, with the variant's names, quota and clock."""

from __future__ import annotations

from collections.abc import Sequence

from engine.board import Scene
from engine.chance import Chance
from engine.games.forbidden_island import actions as base
from engine.games.forbidden_island import invariants, setup
from engine.games.forbidden_island.draws import DRAW_FLOOD, HAND_LIMIT_RULE, PAWNS, Discard, Drown, Swim
from engine.games.forbidden_island.ruleset import IslandRules, components
from engine.games.forbidden_island.specials import SPECIAL, PlayHelicopterLift
from engine.games.forbidden_island.state import WINNING, IslandOptions, IslandState
from engine.games.forbidden_island_archaens.actions import (
    DrawArtifactCard,
    DrawFloodCard,
    GiveCard,
    LiftOff,
    PlaySandbags,
    SaveArtifact,
    SinkTile,
)
from engine.games.forbidden_island_archaens.board import scene
from engine.games.forbidden_island_archaens.state import ARCHAENS, LOSING, ArchaenOptions, ArchaenState


class ForbiddenIslandArchaens(IslandRules):
    """The Archaen variant: the citizens save their artifacts and sink at least half of their island."""

    id = "forbidden-island-archaens"
    version = "1"
    name = "Forbidden Island: Archaens"
    edition = ARCHAENS
    options = ArchaenOptions
    state = ArchaenState
    actions = (
        base.Move,
        base.Fly,
        base.Navigate,
        base.ShoreUp,
        GiveCard,
        SaveArtifact,
        DrawArtifactCard,
        PlayHelicopterLift,
        PlaySandbags,
        Discard,
        DrawFloodCard,
        SinkTile,
        Swim,
        Drown,
        LiftOff,
    )
    sections = (
        "Setup",
        base.TAKE_ACTIONS,
        base.MOVE,
        base.SHORE_UP,
        GiveCard.rule,
        SaveArtifact.rule,
        DrawArtifactCard.rule,
        SPECIAL,
        "Island Defense Cards",
        "When the Artifact Deck Runs Out",
        HAND_LIMIT_RULE,
        DRAW_FLOOD,
        PAWNS,
        "When the Flood Draw Pile Runs Out",
        WINNING,
        LOSING,
    )
    endings = {
        "lifted_off": "The team lifts off Fools' Landing with all four artifacts, and nobody can follow: won!",
        "skull": "The water has reached the skull and crossbones: lost.",
        "fools_landing_sank": "Fools' Landing has sunk: lost.",
        "treasure_lost": "Both tiles of an artifact have sunk before it was saved: lost.",
        "drowned": "A player has gone down with a tile: lost.",
        "invaders_followed": "Too little of the island has sunk, and the invaders follow: lost.",
    }
    components = components(ARCHAENS)

    def setup(self, options: IslandOptions, seats: int, chance: Chance) -> ArchaenState:
        return ArchaenState(**setup.set_up(ARCHAENS, options, seats, chance))

    def awaiting(self, state: IslandState) -> tuple[int, ...]:
        return (state.active,) if state.phase == "sink" else super().awaiting(state)

    def check_invariants(self, state: IslandState) -> list[str]:
        assert isinstance(state, ArchaenState)
        return invariants.violations(state, face_up=() if state.revealed is None else (state.revealed,))

    def tableau(self, state: IslandState, names: Sequence[str]) -> dict[str, str]:
        assert isinstance(state, ArchaenState)
        quota = f"{len(state.sunk)} of {state.options.quota_sunk} tiles"
        if state.deadline is not None:
            quota += f", by the end of turn {state.deadline}"
        return {**super().tableau(state, names), "Sunk so far": quota}

    def board(self, state: IslandState, names: Sequence[str], viewer: int | None = None) -> Scene:
        assert isinstance(state, ArchaenState)
        return scene(state, names, self.name, self.standing(state, names), self.awaiting(state))

    def glance(self, state: IslandState, names: Sequence[str]) -> str:
        assert isinstance(state, ArchaenState)
        deadline = "" if state.deadline is None else f" by the end of turn {state.deadline}"
        return f"{super().glance(state, names)} · to sink: {state.options.quota_sunk} tiles{deadline}"
