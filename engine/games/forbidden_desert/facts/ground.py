"""The ground: tiles with their known sides, the storm, sand, and the parts of the flying machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.actions import placed_part
from engine.games.forbidden_desert.components import CitySide, DesertSide, Part, Space, printed_name
from engine.games.forbidden_desert.headings import SET_UP
from engine.games.forbidden_desert.state import DesertState, Tile, replace, with_sand, with_tile
from engine.kit.facts import CannotBe, Fact, Texts, Told

Sand = Annotated[int, Meta(ge=0, le=box.SAND_MARKERS)]
Where = Literal["not_in_the_game", "with_the_team", "in_the_storm", Space]

_UNDUG = {"plain": marked("a desert tile"), "water": marked("a tile with a water drop"), "crash": marked("the wreck")}


_DIFFERS = marked("A different tile is at {space}, or something else is known about it.")
_EXCAVATED = Texts("At {space}: {tile} ({what}), excavated.", _DIFFERS)
_NOT_EXCAVATED = Texts("At {space}: {tile} ({what}), not excavated.", _DIFFERS)


class DesertFact(Fact[DesertState], frozen=True):
    """A fact whose values have printed names."""

    word = staticmethod(printed_name)


class TileIs(DesertFact, frozen=True):
    """The tile on a space (with its city side, if known), or the storm."""

    about = ("space",)
    title = marked("Tiles")
    texts = Texts("At {space}: {what}, not looked at yet.", _DIFFERS)
    texts_of = {"storm": Texts("The storm is at {space}.", "The storm is no longer at {space}.")}
    space: Space
    side: Literal["storm", "plain", "water", "crash"]
    """The desert side, or the storm."""
    city_side: CitySide | None = None
    is_excavated: bool = False

    def __post_init__(self) -> None:
        if self.side == "crash" and self.city_side is None:
            # Everyone knows the city side of the wreck's tile.
            msgspec.structs.force_setattr(self, "city_side", "gear")

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        for space, tile in zip(box.SPACES, state.board, strict=True):
            yield (
                cls(space, "storm") if tile is None else cls(space, tile.desert_side, tile.city_side, tile.is_excavated)
            )

    def put(self, state: DesertState, told: Told) -> DesertState:
        if self.side == "storm":
            self.require(self.city_side is None and not self.is_excavated, "There is no tile in the storm.")
            return _with_storm(state, self.space, keeps_sand=not told.is_whole)
        if self.city_side is None:
            self.require(not self.is_excavated, "An excavated tile is face up: report which tile it is.")
        else:
            told_sides = {"tile": printed_name(self.city_side), "what": say(_UNDUG[self.side])}
            is_possible = self.city_side in box.CITY_SIDES[self.side]
            self.require(is_possible, "{tile} is not under {what}.", SET_UP, **told_sides)
        mine = state.board[box.INDEX[self.space]]
        if mine is None:
            raise CannotBe("The storm is on that space, so it has no tile. Report the position of the storm instead.")
        other = self._other(state, self.side, mine, told)
        if other is not None:
            sides = {"desert_side": mine.desert_side, "city_side": mine.city_side, "is_excavated": mine.is_excavated}
            state = with_tile(state, other, **sides)
        sides = {"desert_side": self.side, "city_side": self.city_side, "is_excavated": self.is_excavated}
        return with_tile(state, self.space, **sides)

    def _other(self, state: DesertState, side: DesertSide, mine: Tile, told: Told) -> Space | None:
        """Return a space whose tile can be moved here, or None.

        The facts `told` must not report that tile for the space.
        """
        others = {fact.space: fact for fact in told if isinstance(fact, TileIs)}
        alike = [
            (space, tile) for space, tile in state.tiles().items() if tile.desert_side == side and space != self.space
        ]
        # Prefer spaces for which a different tile is reported.
        free = [(space, tile) for space, tile in alike if space in others and not others[space].is_about(tile)]
        free += [(space, tile) for space, tile in alike if not told.speaks_of(TileIs, space)]
        if self.city_side is not None:
            of_side = [tile for _, tile in alike if tile.city_side == self.city_side]
            if len(of_side) == box.CITY_SIDES[side][self.city_side]:
                return next((space for space, tile in free if tile.city_side == self.city_side), None)
        if mine.desert_side == side:
            return None
        return next((space for space, tile in free if tile.city_side is None), None)

    def is_about(self, tile: Tile) -> bool:
        """Return True if this fact describes the known part of `tile`."""
        return (tile.desert_side, tile.city_side, tile.is_excavated) == (self.side, self.city_side, self.is_excavated)

    @property
    def wording(self) -> Texts:
        if self.side == "storm" or self.city_side is None:
            return super().wording
        return _EXCAVATED if self.is_excavated else _NOT_EXCAVATED

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        tile = self.city_side and printed_name(self.city_side)
        return {"space": printed_name(self.space), "tile": tile, "what": say(_UNDUG.get(self.side, self.side))}


def _with_storm(state: DesertState, space: Space, *, keeps_sand: bool) -> DesertState:
    """Swap the storm with the tile on `space`, and return the state. Without `keeps_sand`, the tile loses its sand."""
    if not keeps_sand:
        state = with_sand(state, space, state.tile(space).sand)
    tile = state.tile(space)
    board = list(state.board)
    board[box.INDEX[state.hole]], board[box.INDEX[space]] = replace(tile, parts=tile.parts + state.hole_parts), None
    pawns = tuple(state.hole if pawn == space else pawn for pawn in state.pawns)
    return replace(state, board=tuple(board), hole=space, hole_parts=(), pawns=pawns)


class SandAt(DesertFact, frozen=True):
    """The number of sand markers on the tile of a space."""

    title = marked("Sand markers")
    ask = marked("Tap a tile once for each sand marker on it.")
    none = {"markers": 0}
    texts = Texts(
        "There are {markers} sand markers at {space}.", "There are no longer {markers} sand markers at {space}."
    )
    texts_of = {
        0: Texts("There are no sand markers at {space}.", "There is sand at {space} now."),
        1: Texts("There is 1 sand marker at {space}.", "There is no longer 1 sand marker at {space}."),
    }
    space: Space
    markers: Sand = 1

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return (cls(space, tile.sand) for space, tile in state.tiles().items() if tile.sand)

    def put(self, state: DesertState, told: Told) -> DesertState:
        self.require(self.space != state.hole, "The storm is on that space, so no sand can be there.")
        supply = state.sand_supply + state.tile(self.space).sand - self.markers
        return replace(with_tile(state, self.space, sand=self.markers), sand_supply=supply)


class PartIs(DesertFact, frozen=True):
    """The location of a part of the flying machine: on a space, in the storm, or with the team."""

    title = marked("Flying machine")
    ask = marked("{what}: tap where it is. Leave out what is not in the game.")
    none = {"where": "not_in_the_game"}
    moves_things = True
    texts = Texts("The {part} is at {where}.", "The {part} is no longer at {where}.")
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
        yield from (cls(part, space) for space, tile in state.tiles().items() for part in tile.parts)

    def put(self, state: DesertState, told: Told) -> DesertState:
        in_storm = marked("The storm is on that space, so a part there stays in the storm.")
        self.require(self.where != state.hole, in_storm)
        state = _without_part(state, self.part)
        if self.where == "with_the_team":
            return replace(state, collected=(*state.collected, self.part))
        if self.where == "in_the_storm":
            return replace(state, hole_parts=(*state.hole_parts, self.part))
        if self.where == "not_in_the_game":
            return state
        return with_tile(state, self.where, parts=(*state.tile(self.where).parts, self.part))


def _without_part(state: DesertState, part: Part) -> DesertState:
    def other_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(one for one in parts if one != part)

    board = tuple(
        replace(tile, parts=other_parts(tile.parts)) if tile is not None and part in tile.parts else tile
        for tile in state.board
    )
    return replace(state, board=board, hole_parts=other_parts(state.hole_parts), collected=other_parts(state.collected))


def with_parts_found(state: DesertState, told: Told) -> DesertState:
    """Return `state` with each part on the board if and only if both of its clues are found (FD-R5, FD-R6)."""
    found = {tile.city_side for tile in state.tiles().values() if tile.is_excavated}
    here = {fact.part for fact in PartIs.all(state)}
    for part in box.PARTS:
        if told.speaks_of(PartIs, part):
            continue
        if part in here and not found.issuperset(box.CLUE_PAIRS[part]):
            state = _without_part(state, part)
        elif part not in here and found.issuperset(box.CLUE_PAIRS[part]):
            state = placed_part(state, part)
    return state


class SandSupplyIs(DesertFact, frozen=True):
    """The number of sand markers left beside the board."""

    is_derived = True
    member = "sand_supply"
    texts = Texts(
        "There are {count} sand markers beside the board.", "There are no longer {count} sand markers beside the board."
    )
    texts_of = {
        0: Texts("There are no sand markers beside the board.", "There are sand markers beside the board now."),
        1: Texts("There is 1 sand marker beside the board.", "There is no longer 1 sand marker beside the board."),
    }
    count: Sand
