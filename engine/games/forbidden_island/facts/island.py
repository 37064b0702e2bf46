"""Facts about the island: its tiles, the Flood cards, and the pawns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from msgspec import Meta

from engine.core.language import say
from engine.core.values import SEAT_INDEX, SeatId
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Tile, printed_name
from engine.games.forbidden_island.headings import LOSING, SETUP
from engine.games.forbidden_island.state import IslandState, replace
from engine.kit.common_facts import LayersAre
from engine.kit.entries import exchanged
from engine.kit.facts import Fact, Texts, Told
from engine.kit.piles import Pile

Role = Literal["diver", "engineer", "explorer", "messenger", "navigator", "pilot"]


class IslandFact(Fact[IslandState], frozen=True):
    """A fact whose values have printed names, or words."""

    @staticmethod
    def word(value: str, /) -> str:
        return say(box.WORDS[value]) if value in box.WORDS else printed_name(value)


class LiesAt(IslandFact, frozen=True):
    """The position of a tile on the island, or its position before it sank."""

    about = ("tile",)
    texts = Texts("{tile} lies in column {column} of row {row}.")
    tile: Tile
    column: Annotated[int, Meta(ge=1, le=6, description="From the west.")]
    row: Annotated[int, Meta(title="Row of the island", ge=1, le=6, description="From the north.")]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        return (cls(tile, *space) for tile, space in zip(state.layout, box.SPACES, strict=True))

    def put(self, state: IslandState, told: Told) -> IslandState:
        space = (self.column, self.row)
        self.require(space in box.SPACES, "The island has no space in column {column} of row {row}.", SETUP)
        return replace(state, layout=exchanged(state.layout, box.SPACES.index(space), self.tile))


class Plays(IslandFact, frozen=True):
    """The adventurer of a player."""

    member = "roles"
    texts = Texts("{name} is the {role}.")
    seat: SeatId
    role: Role

    def put(self, state: IslandState, told: Told) -> IslandState:
        # A player who had this role gets the other role, unless a different one is reported.
        return replace(state, roles=exchanged(state.roles, SEAT_INDEX[self.seat], self.role))


class TileIs(IslandFact, frozen=True):
    """The condition of a tile: dry, flooded or sunk."""

    texts_of = {
        "sunk": Texts("{tile} has sunk.", "{tile} has not sunk."),
        "flooded": Texts("{tile} is flooded.", "{tile} is no longer flooded."),
        "dry": Texts("{tile} is dry.", "{tile} is no longer dry."),
    }
    tile: Tile
    state: Literal["dry", "flooded", "sunk"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        for tile in box.TILES:
            yield cls(tile, "sunk" if tile in state.sunk else "flooded" if tile in state.flooded else "dry")

    def put(self, state: IslandState, told: Told) -> IslandState:
        tile, was_sunk = self.tile, self.tile in state.sunk
        state = replace(
            state,
            flooded=state.flooded | {tile} if self.state == "flooded" else state.flooded - {tile},
            sunk=state.sunk | {tile} if self.state == "sunk" else state.sunk - {tile},
        )
        if self.state == "sunk":
            return without_flood_card(state, tile)
        return with_flood_card(state, tile, is_discarded=self.state == "flooded") if was_sunk else state


class FloodPileIs(LayersAre[IslandState], frozen=True):
    """The known part of the Flood pile: its layers from the top, or none if it was shuffled as a whole."""

    member = "flood_pile"
    texts = Texts("The Flood pile, each part of it shuffled, from the top: {parts}.")
    texts_of = {(): Texts("The whole Flood pile is shuffled.")}
    word = staticmethod(printed_name)
    layers: tuple[Annotated[tuple[Tile, ...], Meta(min_length=1)], ...]
    """The layers from the top. Cards that were shuffled together are one layer."""

    def put(self, state: IslandState, told: Told) -> IslandState:
        layers = self.layers or ((*state.flood_pile.cards(),),)
        cards = [tile for layer in layers for tile in layer]
        is_possible = len(set(cards)) == len(cards) and state.sunk.isdisjoint(cards)
        self.require(is_possible, "Each Flood card is in the pile at most once, and no card of a sunk tile is.")
        discard = tuple(tile for tile in box.TILES if tile not in state.sunk and tile not in cards)
        return replace(state, flood_pile=Pile(layers).sort_layers(), flood_discard=discard)


class FloodCardIs(IslandFact, frozen=True):
    """The location of the Flood card of a tile that has not sunk."""

    texts = Texts("The Flood card of {tile} is {place}.", "The Flood card of {tile} is no longer {place}.")
    tile: Tile
    place: Literal["pile", "discard_pile"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        discarded = set(state.flood_discard)
        for tile in box.TILES:
            if tile in discarded:
                yield cls(tile, "discard_pile")
            elif tile in state.flood_pile.cards():
                yield cls(tile, "pile")

    def put(self, state: IslandState, told: Told) -> IslandState:
        self.require(self.tile not in state.sunk, "{tile} has sunk: its Flood card is out of the game.", LOSING)
        state = without_flood_card(state, self.tile)
        return with_flood_card(state, self.tile, is_discarded=self.place == "discard_pile")


class StandsOn(IslandFact, frozen=True):
    """The tile on which a pawn stands, or from which it must swim."""

    member = "pawns"
    texts = Texts("{name} stands on {tile}.", "{name} no longer stands on {tile}.")
    seat: SeatId
    tile: Tile


def without_flood_card(state: IslandState, tile: Tile) -> IslandState:
    """Return `state` with the Flood card of `tile` in neither pile."""
    discard = tuple(one for one in state.flood_discard if one != tile)
    return replace(state, flood_pile=state.flood_pile.without(tile), flood_discard=discard)


def with_flood_card(state: IslandState, tile: Tile, *, is_discarded: bool) -> IslandState:
    """Return `state` with the Flood card of `tile` in the discard pile or in the draw pile."""
    if is_discarded:
        return replace(state, flood_discard=(*state.flood_discard, tile))
    return replace(state, flood_pile=state.flood_pile.with_card(tile))
