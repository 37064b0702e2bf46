"""Facts of the island: its tiles, the Flood cards, and who stands where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import Meta

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_island.components import (
    SPACES,
    TILES,
    WORDS,
    Tile,
    printed,
)
from engine.games.forbidden_island.headings import LOSING, SETUP
from engine.games.forbidden_island.state import IslandState, replace, with_pawn
from engine.kit.facts import CannotBe, Fact, Told
from engine.kit.piles import Pile

Role = Literal["diver", "engineer", "explorer", "messenger", "navigator", "pilot"]


class LiesAt(Fact[IslandState], frozen=True):
    """Where a tile lies on the island, or lay before it sank."""

    about = ("tile",)
    tile: Tile
    column: Annotated[int, Meta(ge=1, le=6, description="From the west.")]
    row: Annotated[int, Meta(title="Row of the island", ge=1, le=6, description="From the north.")]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        return (cls(tile, *space) for tile, space in zip(state.layout, SPACES, strict=True))

    def put(self, state: IslandState, told: Told) -> IslandState:
        space = (self.column, self.row)
        if space not in SPACES:
            raise CannotBe(
                say("The island has no space in column {column} of row {row}.", column=self.column, row=self.row), SETUP
            )
        layout = list(state.layout)
        here, there = layout.index(self.tile), SPACES.index(space)
        layout[here], layout[there] = layout[there], layout[here]
        return replace(state, layout=tuple(layout))

    def sentence(self, names: Sequence[str]) -> str:
        return say(
            "{tile} lies in column {column} of row {row}.", tile=printed(self.tile), column=self.column, row=self.row
        )


class Plays(Fact[IslandState], frozen=True):
    """Which adventurer a player is."""

    about = ("seat",)
    seat: SeatId
    role: Role

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        return (cls(seat, role) for seat, role in zip(SEAT_IDS, state.roles, strict=False))  # type: ignore[arg-type]  # a role of this edition

    def put(self, state: IslandState, told: Told) -> IslandState:
        roles = list(state.roles)
        seat = SEAT_INDEX[self.seat]
        if self.role in roles:
            # Whoever had it has the other's, unless more is told.
            roles[roles.index(self.role)] = roles[seat]
        roles[seat] = self.role
        return replace(state, roles=tuple(roles))

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} is the {role}.", name=names[SEAT_INDEX[self.seat]], role=printed(self.role))


class TileIs(Fact[IslandState], frozen=True):
    """Whether a tile is dry, flooded or sunk."""

    about = ("tile",)
    tile: Tile
    state: Literal["dry", "flooded", "sunk"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        for tile in TILES:
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

    def sentence(self, names: Sequence[str]) -> str:
        if self.state == "sunk":
            return say("{tile} has sunk.", tile=printed(self.tile))
        if self.state == "flooded":
            return say("{tile} is flooded.", tile=printed(self.tile))
        return say("{tile} is dry.", tile=printed(self.tile))

    def no_longer(self, names: Sequence[str]) -> str:
        if self.state == "sunk":
            return say("{tile} has not sunk.", tile=printed(self.tile))
        if self.state == "flooded":
            return say("{tile} is no longer flooded.", tile=printed(self.tile))
        return say("{tile} is no longer dry.", tile=printed(self.tile))


class FloodPileIs(Fact[IslandState], frozen=True):
    """What everyone knows of the Flood pile: its layers from the top, or none where it was shuffled as a whole."""

    none = {"layers": ()}
    layers: tuple[Annotated[tuple[Tile, ...], Meta(min_length=1)], ...]
    """What was shuffled together is a layer: it lies on top of the next."""

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        if len(state.flood_pile.layers) > 1:
            yield cls(state.flood_pile.layers)

    def put(self, state: IslandState, told: Told) -> IslandState:
        layers = self.layers or ((*state.flood_pile.cards(),),)
        cards = [tile for layer in layers for tile in layer]
        if len(set(cards)) < len(cards) or not state.sunk.isdisjoint(cards):
            raise CannotBe("A Flood card lies in the pile once, and none of a tile that has sunk.")
        discard = tuple(tile for tile in TILES if tile not in state.sunk and tile not in cards)
        return replace(state, flood_pile=Pile(layers).tidied(), flood_discard=discard)

    def sentence(self, names: Sequence[str]) -> str:
        if not self.layers:
            return say("The Flood pile is shuffled as one.")
        parts = [", ".join(map(printed, layer)) for layer in self.layers]
        return say("The Flood pile, each part of it shuffled, from the top: {parts}.", parts=say("; then ").join(parts))


class FloodCardIs(Fact[IslandState], frozen=True):
    """Where the Flood card of a tile that is left lies."""

    about = ("tile",)
    tile: Tile
    place: Literal["pile", "discard_pile"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        discarded = set(state.flood_discard)
        for tile in TILES:
            if tile in discarded:
                yield cls(tile, "discard_pile")
            elif tile in state.flood_pile.cards():
                yield cls(tile, "pile")

    def put(self, state: IslandState, told: Told) -> IslandState:
        if self.tile in state.sunk:
            raise CannotBe(say("{tile} has sunk: its Flood card is out of the game.", tile=printed(self.tile)), LOSING)
        return with_flood_card(
            without_flood_card(state, self.tile), self.tile, is_discarded=self.place == "discard_pile"
        )

    def sentence(self, names: Sequence[str]) -> str:
        return say("The Flood card of {tile} lies {where}.", tile=printed(self.tile), where=say(WORDS[self.place]))

    def no_longer(self, names: Sequence[str]) -> str:
        return say(
            "The Flood card of {tile} no longer lies {where}.", tile=printed(self.tile), where=say(WORDS[self.place])
        )


class StandsOn(Fact[IslandState], frozen=True):
    """The tile on which a pawn stands, or from which it has to swim."""

    about = ("seat",)
    seat: SeatId
    tile: Tile

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        return map(cls, SEAT_IDS, state.pawns)

    def put(self, state: IslandState, told: Told) -> IslandState:
        return replace(state, pawns=with_pawn(state, SEAT_INDEX[self.seat], self.tile))

    def sentence(self, names: Sequence[str]) -> str:
        return say("{name} stands on {tile}.", name=names[SEAT_INDEX[self.seat]], tile=printed(self.tile))

    def no_longer(self, names: Sequence[str]) -> str:
        return say("{name} no longer stands on {tile}.", name=names[SEAT_INDEX[self.seat]], tile=printed(self.tile))


def without_flood_card(state: IslandState, tile: Tile) -> IslandState:
    """`state` with the Flood card of `tile` in neither pile."""
    discard = tuple(one for one in state.flood_discard if one != tile)
    return replace(state, flood_pile=state.flood_pile.without(tile), flood_discard=discard)


def with_flood_card(state: IslandState, tile: Tile, *, is_discarded: bool) -> IslandState:
    """`state` with the Flood card of `tile` in the discard pile, or in the pile."""
    if is_discarded:
        return replace(state, flood_discard=(*state.flood_discard, tile))
    return replace(state, flood_pile=state.flood_pile.with_card(tile))
