"""The ground: tiles and what is known of them, the storm between them, sand, and the parts of the flying machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

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
from engine.games.forbidden_desert.headings import SET_UP
from engine.games.forbidden_desert.state import DesertState, Tile, replace, with_sand, with_tile
from engine.kit.facts import CannotBe, Fact, Told

Sand = Annotated[int, Meta(ge=0, le=SAND_MARKERS)]
Where = Literal["not_in_the_game", "with_the_team", "in_the_storm", Space]

_UNDUG = {"plain": marked("a desert tile"), "water": marked("a tile with a water drop"), "crash": marked("the wreck")}


class TileIs(Fact[DesertState], frozen=True):
    """Which tile lies on a space, and what is known of its city side; or that the storm is there."""

    about = ("space",)
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

    def sentence(self, names: Sequence[str]) -> str:
        at = printed(self.space)
        if self.side == "storm":
            return say("The storm is at {place}.", place=at)
        if self.city_side is None:
            return say("At {place} lies {what}, under which nobody has looked.", place=at, what=say(_UNDUG[self.side]))
        known = {"place": at, "tile": printed(self.city_side), "what": say(_UNDUG[self.side])}
        if self.is_excavated:
            return say("At {place} lies {tile} ({what}), excavated.", **known)
        return say("At {place} lies {tile} ({what}), not excavated.", **known)

    def no_longer(self, names: Sequence[str]) -> str:
        if self.side == "storm":
            return say("The storm is no longer at {place}.", place=printed(self.space))
        return say("Another tile lies at {place}, or more or less is known of it.", place=printed(self.space))


def _with_storm(state: DesertState, space: Space, *, keeps_sand: bool) -> DesertState:
    """`state` with the storm on `space`, and the tile that was there, with its sand or without, where the storm was."""
    if not keeps_sand:
        state = with_sand(state, space, state.tile(space).sand)
    tile = state.tile(space)
    board = list(state.board)
    board[INDEX[state.hole]], board[INDEX[space]] = replace(tile, parts=tile.parts + state.hole_parts), None
    pawns = tuple(state.hole if pawn == space else pawn for pawn in state.pawns)
    return replace(state, board=tuple(board), hole=space, hole_parts=(), pawns=pawns)


class SandAt(Fact[DesertState], frozen=True):
    """How many sand markers lie on the tile of a space."""

    about = ("space",)
    none = {"markers": 0}
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

    def sentence(self, names: Sequence[str]) -> str:
        place = printed(self.space)
        if not self.markers:
            return say("No sand markers lie at {place}.", place=place)
        if self.markers == 1:
            return say("1 sand marker lies at {place}.", place=place)
        return say("{count} sand markers lie at {place}.", count=self.markers, place=place)

    def no_longer(self, names: Sequence[str]) -> str:
        place = printed(self.space)
        if not self.markers:
            return say("There is sand at {place} now.", place=place)
        if self.markers == 1:
            return say("There is no longer 1 sand marker at {place}.", place=place)
        return say("There are no longer {count} sand markers at {place}.", count=self.markers, place=place)


class PartIs(Fact[DesertState], frozen=True):
    """Where a part of the flying machine is: on a space, in the storm, or with the team that picked it up."""

    about = ("part",)
    none = {"where": "not_in_the_game"}
    moves_things = True
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

    def sentence(self, names: Sequence[str]) -> str:
        name = printed(self.part)
        if self.where == "not_in_the_game":
            return say("The {part} is not in the game yet.", part=name)
        if self.where == "with_the_team":
            return say("The team has the {part}.", part=name)
        if self.where == "in_the_storm":
            return say("The {part} waits in the storm.", part=name)
        return say("The {part} lies at {place}.", part=name, place=printed(self.where))

    def no_longer(self, names: Sequence[str]) -> str:
        if self.where == "not_in_the_game":
            return say("The {part} is in the game now.", part=printed(self.part))
        if self.where == "with_the_team":
            return say("The team no longer has the {part}.", part=printed(self.part))
        if self.where == "in_the_storm":
            return say("The {part} no longer waits in the storm.", part=printed(self.part))
        return say("The {part} no longer lies at {place}.", part=printed(self.part), place=printed(self.where))


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


class SandSupplyIs(Fact[DesertState], frozen=True):
    """How many sand markers are left beside the board."""

    is_derived = True
    count: Sand

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        yield cls(state.sand_supply)

    def sentence(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("No sand markers lie beside the board.")
        if self.count == 1:
            return say("1 sand marker lies beside the board.")
        return say("{count} sand markers lie beside the board.", count=self.count)

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("Beside the board there are sand markers now.")
        if self.count == 1:
            return say("Beside the board there is no longer 1 sand marker.")
        return say("Beside the board there are no longer {count} sand markers.", count=self.count)
