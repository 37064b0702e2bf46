"""The ground: tiles and what is known of them, the storm between them, sand, and the parts of the flying machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

import msgspec
from msgspec import Meta

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

_UNDUG = {"plain": "a desert tile", "water": "a tile with a water drop", "crash": "the wreck"}


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
            raise CannotBe(f"{printed(self.city_side)} is not under {_UNDUG[self.side]}.", SET_UP)
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
            return f"The storm is at {at}."
        if self.city_side is None:
            return f"At {at} lies {_UNDUG[self.side]}, under which nobody has looked."
        seen = "excavated" if self.is_excavated else "not excavated"
        return f"At {at} lies {printed(self.city_side)} ({_UNDUG[self.side]}), {seen}."

    def no_longer(self, names: Sequence[str]) -> str:
        if self.side == "storm":
            return f"The storm is no longer at {printed(self.space)}."
        return f"Another tile lies at {printed(self.space)}, or more or less is known of it."


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
        return f"{_markers(self.markers)} at {printed(self.space)}."

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.markers:
            return f"There is sand at {printed(self.space)} now."
        verb, plural = ("is", "") if self.markers == 1 else ("are", "s")
        return f"There {verb} no longer {self.markers} sand marker{plural} at {printed(self.space)}."


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
            return f"The {name} is not in the game yet."
        if self.where == "with_the_team":
            return f"The team has the {name}."
        return (
            f"The {name} {'waits in the storm' if self.where == 'in_the_storm' else f'lies at {printed(self.where)}'}."
        )

    def no_longer(self, names: Sequence[str]) -> str:
        if self.where == "not_in_the_game":
            return f"The {printed(self.part)} is in the game now."
        if self.where == "with_the_team":
            return f"The team no longer has the {printed(self.part)}."
        if self.where == "in_the_storm":
            return f"The {printed(self.part)} no longer waits in the storm."
        return f"The {printed(self.part)} no longer lies at {printed(self.where)}."


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
        return f"{_markers(self.count)} beside the board."

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return "Beside the board there are sand markers now."
        verb, plural = ("is", "") if self.count == 1 else ("are", "s")
        return f"Beside the board there {verb} no longer {self.count} sand marker{plural}."


def _markers(count: int) -> str:
    return f"{count or 'No'} sand marker{' lies' if count == 1 else 's lie'}"
