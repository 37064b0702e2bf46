"""The picture of the table: the desert, the storm, and the adventurers in it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import marked, say
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import Space, column_of, printed_name, row_of
from engine.games.forbidden_desert.state import DesertState, replace
from engine.games.forbidden_desert.state import Tile as DesertTile
from engine.games.forbidden_desert.symbols import CITY_SYMBOLS, PART_LOOKS
from engine.games.forbidden_desert.vignettes import CITY, CLUE_COLUMN, CLUE_ROW, DUNES, OASIS, STORM, WRECK
from engine.kit.part_panels import Around
from engine.kit.scene.looks import Ground, Pattern
from engine.kit.scene.planes import Badge, Piece, Plane, Tile
from engine.kit.vignette import Tint, Vignette

MARGIN = 0.1


def planes(state: DesertState, around: Around) -> Iterator[Plane]:
    """Yield the desert."""
    yield Plane(
        id="desert",
        width=box.COLUMNS + 2 * MARGIN,
        height=box.ROWS + 2 * MARGIN,
        backdrop="sand",
        tiles=tuple(_tile(state, space) for space in box.SPACES),
        pieces=(*_parts(state), *_pawns(state, around)),
    )


def _tile(state: DesertState, space: Space) -> Tile:
    x, y = column_of(space) + 0.5 + MARGIN, row_of(space) + 0.5 + MARGIN
    if space == state.hole:
        return Tile(
            id=space, x=x, y=y, label=say("Storm"), vignette=STORM, family="night", ground="night", pattern="dunes",
            state=say("the storm"),
            badges=(Badge(symbol="storm"),), place=space, title=say("The storm, {place}", place=printed_name(space)),
        )  # fmt: skip
    tile = state.tile(space)
    is_blocked = tile.sand >= box.BLOCKED
    face = empty_tile(tile, space)
    ground: Ground = "stone" if tile.is_excavated else "sand"
    pattern: Pattern = "cross" if is_blocked else "dots" if tile.sand else "" if tile.is_excavated else "dunes"
    told = say("excavated") if tile.is_excavated else say("not excavated")
    if tile.sand:
        told += ", " + say(marked("{sand} sand (blocked)") if is_blocked else marked("{sand} sand"), sand=tile.sand)
    return replace(
        face,
        x=x,
        y=y,
        heap=tile.sand,
        ground=ground,
        pattern=pattern,
        state=told,
        is_strong=tile.is_excavated and tile.city_side == "launch_pad",
        badges=(*face.badges, *_sand(tile)),
        place=space,
        title=f"{state.place_name(space)}: {told}",
    )


def empty_tile(tile: DesertTile, space: Space) -> Tile:
    """Return a tile without sand; `space` decides which dunes are drawn."""
    return Tile(
        id=space,
        x=0.5,
        y=0.5,
        label=_label(tile),
        vignette=_vignette(tile, space),
        family="stone" if tile.is_excavated else "dune",
        metal="steel",
        badges=tuple(_badges(tile)),
    )


def _vignette(tile: DesertTile, space: Space) -> Vignette:
    """Return the drawing of a tile: the city side if it is excavated, otherwise the desert side."""
    if tile.is_excavated and tile.city_side is not None:
        if tile.city_side not in box.CLUES:
            return CITY[tile.city_side]
        return CLUE_ROW if tile.city_side == box.CLUE_PAIRS[box.CLUES[tile.city_side]][0] else CLUE_COLUMN
    if tile.desert_side == "crash":
        return WRECK
    return OASIS if tile.desert_side == "water" else DUNES[(column_of(space) + row_of(space)) % 2]


def _label(tile: DesertTile) -> str:
    """Return a short label with the known facts about a tile."""
    if tile.desert_side == "crash" and not tile.is_excavated:
        return say("Wreck")
    if tile.city_side is None:
        return say("Water?") if tile.desert_side == "water" else ""
    part = box.CLUES.get(tile.city_side)
    return printed_name(tile.city_side) if part is None else printed_name(part)


def _badges(tile: DesertTile) -> Iterator[Badge]:
    if tile.desert_side == "crash" and not tile.is_excavated:
        yield Badge(symbol="helicopter", title=say("Where the helicopter crashed"))
    elif tile.city_side is None:
        if tile.desert_side == "water":
            yield Badge(symbol="drop", title=say("A well or the mirage"))
    else:
        if not tile.is_excavated:
            yield Badge(symbol="eye", title=say("Seen, not excavated"), tint="sand")
        part = box.CLUES.get(tile.city_side)
        tint: Tint | None = None if tile.is_excavated else "sand"
        if part is None:
            yield Badge(symbol=CITY_SYMBOLS[tile.city_side], title=printed_name(tile.city_side), tint=tint)
        else:
            yield Badge(symbol=PART_LOOKS[part].symbol, title=printed_name(tile.city_side), tint=PART_LOOKS[part].tint)
            if tile.city_side == box.CLUE_PAIRS[part][0]:
                yield Badge(symbol="row", title=say("It is in this row, once both clues are found"), tint=tint)
            else:
                yield Badge(symbol="column", title=say("It is in this column, once both clues are found"), tint=tint)


def _sand(tile: DesertTile) -> Iterator[Badge]:
    if tile.sand:
        yield Badge(symbol="sand", text=str(tile.sand), title=say("{sand} sand", sand=tile.sand))


def _parts(state: DesertState) -> Iterator[Piece]:
    lying = [(part, space) for space, tile in state.tiles().items() for part in tile.parts]
    for part, space in (*lying, *((part, state.hole) for part in state.hole_parts)):
        yield Piece(
            id=f"lying.{part}",
            on=space,
            form="circle",
            symbol=PART_LOOKS[part].symbol,
            colour="orange",
            place=part,
            title=say("The {part} is at {place}", part=printed_name(part), place=printed_name(space)),
        )


def _pawns(state: DesertState, around: Around) -> Iterator[Piece]:
    for seat, (name, space) in enumerate(zip(around.names, state.pawns, strict=True)):
        role = box.ROLES[state.roles[seat]]
        is_buried = state.is_buried(seat)
        text = marked("{name}, {role}, at {place}, buried") if is_buried else marked("{name}, {role}, at {place}")
        told = say(text, name=name, role=say(role.name), place=printed_name(space))
        yield around.pawn(seat, role.pawn, space, told)
