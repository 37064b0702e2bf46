"""The facts of an Archaens table: the facts of Forbidden Island in the variant's words, and additional facts."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from engine.core.language import marked
from engine.games.forbidden_island import facts as base
from engine.games.forbidden_island.components import Tile, Treasure, printed_name
from engine.games.forbidden_island.facts import HandCard, IslandFact, with_flood_card, without_flood_card
from engine.games.forbidden_island.headings import DRAW_FLOOD
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island_archaens.state import PHASES, ArchaenState
from engine.kit.common_facts import IsAmong, phase_is
from engine.kit.facts import Fact, Texts, Told

Role = Literal["diver", "engineer", "leader", "messenger", "navigator", "pilot"]


class Plays(base.Plays, frozen=True):
    """The citizen of a player."""

    title = marked("Citizens")
    role: Role  # type: ignore[assignment]  # the Leader is the Explorer


class CardsDiscarded(base.CardsDiscarded, frozen=True):
    """The number of copies of a card in the discard pile of the players' deck."""

    title = marked("Artifact discard pile")
    deck = marked("Artifact")
    card: Literal[HandCard, "island_defense"]  # type: ignore[assignment]  # it raises the water here


class DeckIs(base.DeckIs, frozen=True):
    """The number of cards left in the players' deck."""

    deck = marked("Artifact")


class Saved(IsAmong[IslandState], frozen=True):
    """True if the citizens have saved an artifact."""

    title = marked("Artifacts")
    member = "captured"
    texts = Texts("The {artifact} is saved.", "The {artifact} is no longer saved.")
    texts_of = {False: Texts("The {artifact} is not saved.", "The {artifact} is saved.")}
    word = staticmethod(printed_name)
    artifact: Treasure
    yes: bool = True


class FaceUp(IslandFact, frozen=True):
    """The flooded tile whose Flood card is face up and which Sandbags can still save (AR-R9)."""

    none = {"tile": None}
    member = "revealed"
    texts = Texts("{tile} is about to sink.")
    texts_of = {None: Texts("No tile is about to sink.")}
    tile: Tile | None

    def put(self, state: IslandState, told: Told) -> IslandState:
        assert isinstance(state, ArchaenState)
        before: IslandState = replace(state, revealed=None)
        if state.revealed is not None:
            before = with_flood_card(before, state.revealed, is_discarded=True)
        if self.tile is None:
            return before
        is_possible = state.options.sandbags_after_reveal and self.tile in state.flooded
        self.require(is_possible, "{tile} cannot be about to sink.", DRAW_FLOOD)
        return replace(without_flood_card(before, self.tile), revealed=self.tile)


class Deadline(Fact[IslandState], frozen=True):
    """The last turn for enough tiles to sink, once the clock has started."""

    none = {"turn": None}
    member = "deadline"
    texts = Texts("Enough tiles must have sunk by the end of turn {turn}.")
    texts_of = {None: Texts("The clock has not started.")}
    turn: Annotated[int, Meta(ge=1, le=1_000_000)] | None


_OWN = {kind.tag(): kind for kind in (Plays, CardsDiscarded, DeckIs, phase_is(PHASES))} | {base.Captured.tag(): Saved}
FACTS: tuple[type[Fact[IslandState]], ...] = (
    *(_OWN.get(kind.tag(), kind) for kind in base.FACTS),
    FaceUp,
    Deadline,
)
