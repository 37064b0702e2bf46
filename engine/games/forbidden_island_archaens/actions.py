"""Actions that the variant adds or changes; all others are those of Forbidden Island."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forbidden_island import actions, draws, specials
from engine.games.forbidden_island.components import SANDBAGS, Tile, Treasure, printed_name
from engine.games.forbidden_island.draws import discard_card
from engine.games.forbidden_island.headings import DRAW_FLOOD, WINNING
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import IslandAction
from engine.games.forbidden_island_archaens.headings import DRAW_ARTIFACTS, GIVE, SAVE
from engine.games.forbidden_island_archaens.state import ArchaenState
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ruleset import Refusal


class Move(actions.Move, frozen=True):
    """Move your pawn to an adjacent tile. The Leader can also move diagonally, and the Diver through water."""


class GiveCard(actions.GiveCard, frozen=True):
    """Give an artifact card to a player on your tile. The Messenger can give it to anyone."""

    rule = GIVE


class SaveArtifact(actions.CaptureAction, frozen=True):
    """Save an artifact on one of its two tiles for 4 matching cards."""

    verb = "save an artifact"
    button_text = marked("Save {artifact}")
    report_text = marked("{name} saves {artifact}!")
    rule = SAVE
    param = "artifact"
    artifact: Treasure


class DrawArtifactCard(draws.DrawTreasureCard, frozen=True):
    """Draw one of the turn's 2 Artifact deck cards; the first draw ends the actions."""

    type = "draw_artifact_card"
    button_text = marked("Draw an Artifact deck card")
    rule = DRAW_ARTIFACTS
    not_now = marked("You cannot draw an Artifact deck card now.")


class DrawFloodCard(draws.DrawFloodCard, frozen=True):
    """Draw a Flood card: its tile floods, or sinks if it was already flooded."""

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
            return say("{tile} is drawn and is about to sink.", tile=printed_name(str(outcomes[0])))
        return super().describe(state, seat, outcomes, names)


class SinkTile(IslandAction, frozen=True):
    """Remove the tile whose Flood card is face up, unless somebody saves it with Sandbags."""

    verb = "remove the tile"
    button_text = marked("{tile} sinks")
    symbol = "water"
    rule = DRAW_FLOOD

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if seat != state.active:
            return Refusal(DRAW_FLOOD, "It is another player's turn.")
        return None if state.phase == "sink" else Refusal(DRAW_FLOOD, "No tile is about to sink.")

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return draws.resolve_flood_card(replace(state, revealed=None), _revealed_tile(state))

    def words(self, state: IslandState, names: Sequence[str]) -> dict[str, Any]:
        return {"tile": printed_name(_revealed_tile(state))}

    def describe(self, state: IslandState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return " ".join(draws.sinking(state, _revealed_tile(state), names))


class PlaySandbags(specials.PlaySandbags, frozen=True):
    """Sandbags: shore up any one tile on the island."""

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        assert isinstance(state, ArchaenState)
        if self.tile != state.revealed:
            return super().apply(state, seat, chance)
        return spare_tile(replace(discard_card(state, seat, SANDBAGS), flooded=state.flooded - {self.tile}))


class CommonLiftOff(specials.LiftOff, frozen=True):
    """Base of the lift-off action in all versions of these rules."""

    not_all = marked("The team does not have all four artifacts yet.")

    def misplay(self, state: IslandState, seat: int) -> Refusal | None:
        if refusal := super().misplay(state, seat):
            return refusal
        assert isinstance(state, ArchaenState)
        if not state.is_quota_sunk and state.options.early_liftoff == "illegal":
            return Refusal(WINNING, _too_little(state))
        return None

    def label(self, state: IslandState, names: Sequence[str]) -> str:
        assert isinstance(state, ArchaenState)
        label = super().label(state, names)
        return label if state.is_quota_sunk else say("{label} (too early: this loses the game)", label=label)

    def warning(self, state: IslandState, seat: int) -> str | None:
        assert isinstance(state, ArchaenState)
        if state.is_quota_sunk:
            return None
        return say("{too_little} This loses the game.", too_little=_too_little(state))


def spare_tile(state: IslandState) -> IslandState:
    """Return `state` with the face-up Flood card discarded and its tile unchanged."""
    tile = _revealed_tile(state)
    return draws.flood_card_done(replace(state, revealed=None, flood_discard=(*state.flood_discard, tile)))


class LiftOff(CommonLiftOff, frozen=True, omit_defaults=True):
    """Lift the team off with a Helicopter Lift: the game is won if enough tiles have sunk, otherwise lost."""

    confirmed: Annotated[bool, Meta(extra_json_schema={"deprecated": True})] = False
    """Ignored; earlier records contain it for a lift-off that was too early."""


def _too_little(state: ArchaenState) -> str:
    return say("Only {sunk} of {quota} tiles have sunk.", sunk=len(state.sunk), quota=state.options.quota_sunk)


def _revealed_tile(state: IslandState) -> Tile:
    assert isinstance(state, ArchaenState)
    return needed(state.revealed)
