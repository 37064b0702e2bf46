"""The picture of the table: the seven hexes and everything on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Resource, printed_name
from engine.games.forever_island.gameplay import hut_of
from engine.games.forever_island.state import ForeverState, Hut, Totem
from engine.games.forever_island.vignettes import SHORES
from engine.games.forever_island.vignettes import VOLCANO as VOLCANO_VIGNETTE
from engine.kit.part_panels import Around
from engine.kit.scene.looks import Colour, Ground, Pattern
from engine.kit.scene.planes import Badge, Caption, Piece, Plane, Tile, hexagon
from engine.kit.vignette import Tint
from engine.kit.words import counted

COLOURS: tuple[Colour, ...] = ("pink", "blue", "orange", "green", "purple", "yellow")
"""Colours of each seat's huts and canoes."""
GROUNDS: dict[Resource, tuple[Ground, Pattern]] = {
    "hog": ("wood", "dots"),
    "log": ("meadow", "hatch"),
    "frog": ("water", "waves"),
}
"""Grounds of the tiles: muddy brown, grassy green, watery blue."""
TINTS: dict[Resource, Tint] = {"hog": "clay", "log": "leaf", "frog": "ocean"}

Centre = tuple[float, float]
"""The position of a tile's centre."""

SIZE = 2.0
"""Width of a hex in units. It is large, because the shores hold many pieces."""
TALLER = 0.95
"""Maximum ratio of height to width of the picture."""
GAP = 0.05
"""Distance between two hexes, and between a shore and the river."""
RIVER = 0.18
"""Half the height of the river: the strip between the shores with the island's name and resources."""
_HALF = SIZE / 2 - GAP
_POINT = SIZE / sqrt(3) - GAP
_SHOULDER = _POINT / 2
_BASE = RIVER + GAP
_MIDDLE = _BASE + 0.25
"""Distance of the middle of a shore's largest free area from the hex's centre."""
_ROOM = (1.56, 0.58)
"""Width and height of the largest free area of a shore."""
_UPPER = (
    (0.0, _MIDDLE - _POINT),
    (_HALF, _MIDDLE - _SHOULDER),
    (_HALF, _MIDDLE - _BASE),
    (-_HALF, _MIDDLE - _BASE),
    (-_HALF, _MIDDLE - _SHOULDER),
)
_LETTER = _POINT - 0.23
"""Distance of a shore's letter from the hex's centre."""
_LOWER = tuple((-x, -y) for x, y in _UPPER)


def planes(state: ForeverState, around: Around) -> Iterator[Plane]:
    """Yield the islands and everything on them, rotated to need little width."""
    centres, width, height = _lay_out(state.coordinates)
    yield Plane(
        id="islands",
        title=say("The islands"),
        width=width,
        height=height,
        tiles=tuple(_tiles(state, centres)),
        captions=tuple(_letters(state, centres)),
        pieces=(*map(_totem, state.totems), *_huts(state, around), *_canoes(state, around)),
    )


def _tiles(state: ForeverState, centres: Iterable[Centre]) -> Iterator[Tile]:
    for tile, (x, y) in zip(state.tiles, centres, strict=True):
        if tile == box.VOLCANO:
            yield _volcano(state, x, y)
        else:
            yield from _island(state, tile, x, y)


def _volcano(state: ForeverState, x: float, y: float) -> Tile:
    left = state.volcano
    return Tile(
        id="tile.volcano",
        x=x,
        y=y,
        shape="hexagon",
        width=SIZE - 2 * GAP,
        label=say("Volcano"),
        vignette=VOLCANO_VIGNETTE,
        family="volcano",
        ground="lava",
        pattern="cross",
        badges=(Badge("volcano", str(left), title=say("Sixes to the eruption: {volcano}", volcano=left)),),
        place=box.VOLCANO,
        title=say("The Volcano, which erupts after {left}", left=counted(left, "more six", "more sixes")),
    )


def _island(state: ForeverState, tile: box.Tile, x: float, y: float) -> Iterator[Tile]:
    """Yield the hex of an island, then its shores."""
    index = box.ISLAND_INDEX[tile]
    resource, fertility = box.RESOURCE_OF[index], state.fertility[index]
    told = {"fertility": fertility, "most": box.REGIONS}
    badge = Badge(
        resource,
        f"{fertility}/{box.REGIONS}",
        title=say("Fertility {fertility} of {most}", **told),
        tint=TINTS[resource],
        pips=(fertility, box.REGIONS),
    )
    yield Tile(
        id=f"island.{tile}",
        x=x,
        y=y,
        shape="hexagon",
        width=SIZE,
        label=printed_name(tile),
        ground="paper",
        badges=(badge,),
        place=tile,
        title=say("{tile}, fertility {fertility} of {most}", tile=printed_name(tile), **told),
    )
    ground, pattern = GROUNDS[resource]
    for shore, side, outline in zip(box.SHORES_OF[index], (-1, 1), (_UPPER, _LOWER), strict=True):
        yield Tile(
            id=f"shore.{shore}",
            x=x,
            y=y + side * _MIDDLE,
            shape="polygon",
            points=outline,
            width=_ROOM[0],
            height=_ROOM[1],
            vignette=SHORES[resource],
            family=resource,
            ground=ground,
            pattern=pattern,
            place=shore,
            title=printed_name(shore),
        )


def _letters(state: ForeverState, centres: Iterable[Centre]) -> Iterator[Caption]:
    for tile, (x, y) in zip(state.tiles, centres, strict=True):
        if tile != box.VOLCANO:
            yield Caption(id=f"letter.{tile}_a", x=x, y=y - _LETTER, text="A")
            yield Caption(id=f"letter.{tile}_b", x=x, y=y + _LETTER, text="B")


def _totem(totem: Totem) -> Piece:
    return Piece(
        id=f"totem.{totem.shore}",
        on=f"shore.{totem.shore}",
        symbol="totem",
        text=f"+{totem.extensions}" if totem.extensions else "",
        is_faint=not totem.is_standing,
        size=1.3,
        place=totem.shore,
        title=_totem_title(totem, printed_name(totem.shore)),
    )


def _huts(state: ForeverState, around: Around) -> Iterator[Piece]:
    for hut in state.every_hut():
        seat = box.OWNER[hut.id]
        yield Piece(
            id=f"hut.{hut.id}",
            on=f"shore.{hut.shore}",
            symbol="hut",
            colour=COLOURS[seat],
            text=around.initials[seat],
            rider=None if hut.docked is None else COLOURS[hut.docked],
            is_faint=_is_spent(state, hut),
            seat=SEAT_IDS[seat],
            place=hut.id,
            title=_hut_title(state, hut, around.names),
        )


def _is_spent(state: ForeverState, hut: Hut) -> bool:
    is_harvested = hut.harvested == state.turn and state.options.harvest_per_hut_per_turn == 1
    return state.turn > 0 and (hut.built == state.turn or is_harvested)


def _hut_title(state: ForeverState, hut: Hut, names: Sequence[str]) -> str:
    told = [hut_of(hut, names)]
    if _is_spent(state, hut):
        told.append(say("built this turn") if hut.built == state.turn else say("harvested this turn"))
    if hut.docked is not None:
        told.append(say("{name}'s canoe docked in it", name=names[hut.docked]))
    return ", ".join(told)


def _canoes(state: ForeverState, around: Around) -> Iterator[Piece]:
    for seat, canoes in enumerate(state.canoes):
        for area in dict.fromkeys(canoes):
            count = canoes.count(area)
            told = {"count": counted(count, "canoe"), "area": printed_name(area)}
            yield Piece(
                id=f"canoes.{SEAT_IDS[seat]}.{area}",
                on=f"tile.{area}" if area == box.VOLCANO else f"shore.{area}",
                symbol="canoe",
                size=1.1,
                colour=COLOURS[seat],
                text=around.initials[seat],
                count=count,
                seat=SEAT_IDS[seat],
                place=area,
                title=say("{name}: {count} on {area}", name=around.names[seat], **told),
            )


def _totem_title(totem: Totem, where: str) -> str:
    if not totem.is_standing:
        return say("A fallen totem on {shore}", shore=where)
    if not totem.extensions:
        return say("A standing totem on {shore}", shore=where)
    return say("A standing totem on {shore}, extended by {extensions}", shore=where, extensions=totem.extensions)


def _lay_out(coordinates: Sequence[tuple[int, int]]) -> tuple[list[Centre], float, float]:
    """Return the tiles' centres, rotated so that tiles can be drawn large, and the plane's width and height."""
    found = []
    turned = list(coordinates)
    for turn in range(3):
        centres = [(SIZE * x, SIZE * y) for x, y in (hexagon(q, r) for q, r in turned)]
        left, top = min(x for x, _ in centres), min(y for _, y in centres)
        width = max(x for x, _ in centres) - left + SIZE
        height = max(y for _, y in centres) - top + 2 * SIZE / sqrt(3)
        shifted = [(x - left + SIZE / 2, y - top + SIZE / sqrt(3)) for x, y in centres]
        found.append((max(width, height / TALLER), turn, shifted, width, height))
        turned = [(-r, q + r) for q, r in turned]
    _, _, shifted, width, height = min(found)
    return shifted, width, height
