"""The ground: tiles and what is known of them, the storm between them, sand, and the parts of the flying machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.games.forbidden_desert.actions import placed_part
from engine.games.forbidden_desert.components import (
    CITY_SIDES,
    CLUE_PAIRS,
    INDEX,
    PARTS,
    SAND_MARKERS,
    SPACES,
    CitySide,
    DesertSide,
    Part,
    Space,
    printed,
)
from engine.games.forbidden_desert.facts.base import DesertFact
from engine.games.forbidden_desert.headings import SET_UP
from engine.games.forbidden_desert.state import DesertState, Tile, replace, with_sand, with_tile
from engine.kit.facts import CannotBe, Texts, Told

Sand = Annotated[int, Meta(ge=0, le=SAND_MARKERS)]
Where = Literal["not_in_the_game", "with_the_team", "in_the_storm", Space]

_UNDUG = {"plain": marked("a desert tile"), "water": marked("a tile with a water drop"), "crash": marked("the wreck")}


_DIFFERS = marked("Another tile lies at {space}, or more or less is known of it.")
_EXCAVATED = Texts("At {space} lies {tile} ({what}), excavated.", _DIFFERS)
_NOT_EXCAVATED = Texts("At {space} lies {tile} ({what}), not excavated.", _DIFFERS)


class TileIs(DesertFact, frozen=True):
    """Which tile lies on a space, and what is known of its city side; or that the storm is there."""

    about = ("space",)
    texts = Texts("At {space} lies {what}, under which nobody has looked.", _DIFFERS)
    texts_of = {"storm": Texts("The storm is at {space}.", "The storm is no longer at {space}.")}
    space: Space
    side: Literal["storm", "plain", "water", "crash"]
    """What its desert side shows."""
    city_side: CitySide | None = None
    is_excavated: bool = False

    def __post_init__(self) -> None:
        if self.side == "crash" and self.city_side is None:
            # Everybody knows what is under the wreck.
            msgspec.structs.force_setattr(self, "city_side", "gear")

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        for space, tile in zip(SPACES, state.board, strict=True):
            yield (
                cls(space, "storm") if tile is None else cls(space, tile.desert_side, tile.city_side, tile.is_excavated)
            )

    def put(self, state: DesertState, told: Told) -> DesertState:
        if self.side == "storm":
            if self.city_side is not None or self.is_excavated:
                raise CannotBe("Where the storm is there is no tile.")
            return _with_storm(state, self.space, keeps_sand=not told.is_whole)
        if self.city_side is None and self.is_excavated:
            raise CannotBe("What has been excavated has been seen.")
        if self.city_side is not None and self.city_side not in CITY_SIDES[self.side]:
            raise CannotBe(
                say("{tile} is not under {what}.", tile=printed(self.city_side), what=say(_UNDUG[self.side])), SET_UP
            )
        mine = state.board[INDEX[self.space]]
        if mine is None:
            raise CannotBe("The storm is there: say where it is instead.")
        other = self._other(state, self.side, mine, told)
        if other is not None:
            there = state.tile(other)
            same = replace(
                there, desert_side=mine.desert_side, city_side=mine.city_side, is_excavated=mine.is_excavated
            )
            state = replace(state, board=with_tile(state, other, same))
        tile = replace(mine, desert_side=self.side, city_side=self.city_side, is_excavated=self.is_excavated)
        return replace(state, board=with_tile(state, self.space, tile))

    def _other(self, state: DesertState, side: DesertSide, mine: Tile, told: Told) -> Space | None:
        """The space whose tile this one was mistaken for: of its kind, and not told to stay as it is."""
        others = {fact.space: fact for fact in told if isinstance(fact, TileIs)}
        alike = [
            (space, tile)
            for space, tile in zip(SPACES, state.board, strict=True)
            if tile is not None and tile.desert_side == side and space != self.space
        ]
        # First what is told to be another tile.
        free = [(space, tile) for space, tile in alike if space in others and not others[space].is_about(tile)]
        free += [(space, tile) for space, tile in alike if not told.speaks_of(TileIs, space)]
        if self.city_side is not None:
            of_side = [tile for _, tile in alike if tile.city_side == self.city_side]
            if len(of_side) == CITY_SIDES[side][self.city_side]:
                return next((space for space, tile in free if tile.city_side == self.city_side), None)
        if mine.desert_side == side:
            return None
        return next((space for space, tile in free if tile.city_side is None), None)

    def is_about(self, tile: Tile) -> bool:
        """Whether this is what is known of `tile`."""
        return (tile.desert_side, tile.city_side, tile.is_excavated) == (self.side, self.city_side, self.is_excavated)

    @property
    def wording(self) -> Texts:
        if self.side == "storm" or self.city_side is None:
            return super().wording
        return _EXCAVATED if self.is_excavated else _NOT_EXCAVATED

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        tile = self.city_side and printed(self.city_side)
        return {"space": printed(self.space), "tile": tile, "what": say(_UNDUG.get(self.side, self.side))}


def _with_storm(state: DesertState, space: Space, *, keeps_sand: bool) -> DesertState:
    """`state` with the storm on `space`, and the tile that was there, with its sand or without, where the storm was."""
    if not keeps_sand:
        state = with_sand(state, space, state.tile(space).sand)
    tile = state.tile(space)
    board = list(state.board)
    board[INDEX[state.hole]], board[INDEX[space]] = replace(tile, parts=tile.parts + state.hole_parts), None
    pawns = tuple(state.hole if pawn == space else pawn for pawn in state.pawns)
    return replace(state, board=tuple(board), hole=space, hole_parts=(), pawns=pawns)


class SandAt(DesertFact, frozen=True):
    """How many sand markers lie on the tile of a space."""

    about = ("space",)
    none = {"markers": 0}
    texts = Texts("{markers} sand markers lie at {space}.", "There are no longer {markers} sand markers at {space}.")
    texts_of = {
        0: Texts("No sand markers lie at {space}.", "There is sand at {space} now."),
        1: Texts("1 sand marker lies at {space}.", "There is no longer 1 sand marker at {space}."),
    }
    space: Space
    markers: Sand = 1

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        for space, tile in zip(SPACES, state.board, strict=True):
            if tile is not None and tile.sand:
                yield cls(space, tile.sand)

    def put(self, state: DesertState, told: Told) -> DesertState:
        tile = state.board[INDEX[self.space]]
        if tile is None:
            raise CannotBe("The storm is there, and no sand lies in it.")
        supply = state.sand_supply + tile.sand - self.markers
        return replace(state, board=with_tile(state, self.space, replace(tile, sand=self.markers)), sand_supply=supply)


class PartIs(DesertFact, frozen=True):
    """Where a part of the flying machine is: on a space, in the storm, or with the team that picked it up."""

    about = ("part",)
    none = {"where": "not_in_the_game"}
    moves_things = True
    texts = Texts("The {part} lies at {where}.", "The {part} no longer lies at {where}.")
    texts_of = {
        "not_in_the_game": Texts("The {part} is not in the game yet.", "The {part} is in the game now."),
        "with_the_team": Texts("The team has the {part}.", "The team no longer has the {part}."),
        "in_the_storm": Texts("The {part} waits in the storm.", "The {part} no longer waits in the storm."),
    }
    part: Part
    where: Where

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        yield from (cls(part, "with_the_team") for part in state.collected)
        yield from (cls(part, "in_the_storm") for part in state.hole_parts)
        for space, tile in zip(SPACES, state.board, strict=True):
            yield from (cls(part, space) for part in (() if tile is None else tile.parts))

    def put(self, state: DesertState, told: Told) -> DesertState:
        if self.where in INDEX and state.board[INDEX[self.where]] is None:
            raise CannotBe("The storm is there: a part waits in it for a tile.")
        state = _without_part(state, self.part)
        if self.where == "with_the_team":
            return replace(state, collected=(*state.collected, self.part))
        if self.where == "in_the_storm":
            return replace(state, hole_parts=(*state.hole_parts, self.part))
        if self.where == "not_in_the_game":
            return state
        tile = state.tile(self.where)
        return replace(state, board=with_tile(state, self.where, replace(tile, parts=(*tile.parts, self.part))))


def _without_part(state: DesertState, part: Part) -> DesertState:
    def left(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(one for one in parts if one != part)

    board = tuple(
        replace(tile, parts=left(tile.parts)) if tile is not None and part in tile.parts else tile
        for tile in state.board
    )
    return replace(state, board=board, hole_parts=left(state.hole_parts), collected=left(state.collected))


def with_parts_found(state: DesertState, told: Told) -> DesertState:
    """`state` with each part in the game whose clues have both been found, and no other (FD-R5, FD-R6)."""
    found = {tile.city_side for tile in state.board if tile is not None and tile.is_excavated}
    here = {fact.part for fact in PartIs.all(state)}
    for part in PARTS:
        if told.speaks_of(PartIs, part):
            continue
        if part in here and not found.issuperset(CLUE_PAIRS[part]):
            state = _without_part(state, part)
        elif part not in here and found.issuperset(CLUE_PAIRS[part]):
            state = placed_part(state, part)
    return state


class SandSupplyIs(DesertFact, frozen=True):
    """How many sand markers are left beside the board."""

    is_derived = True
    member = "sand_supply"
    texts = Texts(
        "{count} sand markers lie beside the board.", "Beside the board there are no longer {count} sand markers."
    )
    texts_of = {
        0: Texts("No sand markers lie beside the board.", "Beside the board there are sand markers now."),
        1: Texts("1 sand marker lies beside the board.", "Beside the board there is no longer 1 sand marker."),
    }
    count: Sand
