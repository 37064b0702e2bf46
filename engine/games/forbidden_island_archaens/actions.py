"""The actions that the variant names or plays differently; all others are Forbidden Island's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from engine.chance import Chance
from engine.events import Value
from engine.games.forbidden_island import actions, draws, specials
from engine.games.forbidden_island.components import SANDBAGS, TREASURES, Tile, Treasure, printed
from engine.games.forbidden_island.draws import DRAW_FLOOD, discarded
from engine.games.forbidden_island.state import WINNING, IslandState, replace
from engine.games.forbidden_island_archaens.state import ArchaenState
from engine.ruleset import Action, Refusal


class GiveCard(actions.GiveCard, frozen=True):
    """Give an artifact card to a player on your tile; the Messenger to anyone."""

    rule = "Give an Artifact Card"


class SaveArtifact(Action[IslandState], frozen=True):
    """Save an artifact on one of its two tiles for 4 matching cards."""

    type = "save_artifact"
    rule = "Save an Artifact"
    artifact: Treasure

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, TREASURES)

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        return actions.capture_refusal(state, seat, self.artifact)

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return actions.capture(state, seat, self.artifact)

    def label(self, state: IslandState, names: Sequence[str]) -> str:
        return f"Save {printed(self.artifact)}"

    def describe(self, state: IslandState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"{names[seat]} saves {printed(self.artifact)}!"


class DrawArtifactCard(draws.DrawTreasureCard, frozen=True):
    """Draw one of the turn's 2 Artifact deck cards; the first draw ends the actions."""

    type = "draw_artifact_card"
    rule = "2. Draw 2 Artifact Deck Cards"

    def label(self, state: IslandState, names: Sequence[str]) -> str:
        return "Draw an Artifact deck card"


class DrawFloodCard(draws.DrawFloodCard, frozen=True):
    """Draw a Flood card: its tile floods, or sinks if it was flooded."""

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        assert isinstance(state, ArchaenState)
        if not state.options.sandbags_after_reveal:
            return super().apply(state, seat, chance)
        tile, revealed = draws.reveal_flood_card(state, chance)
        if tile not in state.flooded:
            return draws.resolve_flood_card(revealed, tile)
        return replace(revealed, revealed=tile, phase="sink")

    def describe(self, state: IslandState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        assert isinstance(state, ArchaenState)
        if state.options.sandbags_after_reveal and outcomes[0] in state.flooded:
            return f"{printed(str(outcomes[0]))} comes up, and is about to sink."
        return super().describe(state, seat, outcomes, names)


class SinkTile(Action[IslandState], frozen=True):
    """Lift off the tile whose Flood card lies face up, nobody having saved it with Sandbags."""

    type = "sink_tile"
    rule = DRAW_FLOOD

    @classmethod
    def candidates(cls, state: IslandState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if seat != state.active:
            return Refusal(DRAW_FLOOD, "It is another player's turn.")
        return None if state.phase == "sink" else Refusal(DRAW_FLOOD, "No tile is about to sink.")

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return draws.resolve_flood_card(replace(state, revealed=None), _revealed(state))

    def label(self, state: IslandState, names: Sequence[str]) -> str:
        return f"{printed(_revealed(state))} sinks"

    def describe(self, state: IslandState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"{printed(_revealed(state))} sinks."


class PlaySandbags(specials.PlaySandbags, frozen=True):
    """Sandbags: shore up any one tile on the island."""

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        assert isinstance(state, ArchaenState)
        if self.tile != state.revealed:
            return super().apply(state, seat, chance)
        saved = replace(
            state,
            revealed=None,
            flooded=state.flooded - {self.tile},
            flood_discard=(*state.flood_discard, self.tile),
        )
        return draws.flood_card_done(discarded(saved, seat, SANDBAGS))


class LiftOff(specials.LiftOff, frozen=True):
    """Lift the team off Fools' Landing with a Helicopter Lift: won if enough of the island has sunk."""

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if refusal := super().refusal(state, seat):
            return refusal
        assert isinstance(state, ArchaenState)
        if not state.is_quota_sunk and state.options.early_liftoff == "illegal":
            return Refusal(WINNING, f"Only {len(state.sunk)} of {state.options.quota_sunk} tiles have sunk.")
        return None

    def label(self, state: IslandState, names: Sequence[str]) -> str:
        assert isinstance(state, ArchaenState)
        label = super().label(state, names)
        return label if state.is_quota_sunk else f"{label} (too early: this loses the game)"


def _revealed(state: IslandState) -> Tile:
    assert isinstance(state, ArchaenState)
    assert state.revealed is not None
    return state.revealed
