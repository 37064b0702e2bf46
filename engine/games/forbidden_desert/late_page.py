"""The tiles of a desert in the middle of a game, as a palette and as pictures."""

from __future__ import annotations

from typing import Any

from engine.core.language import marked, say
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.board import empty_tile
from engine.games.forbidden_desert.components import column_of, printed_name, row_of
from engine.games.forbidden_desert.facts.ground import TileIs
from engine.games.forbidden_desert.state import Tile as DesertTile
from engine.games.forbidden_desert.vignettes import STORM
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import Family, Report, SetupChoice, SetupPart

FACES: dict[str, DesertTile] = {
    **{desert: DesertTile(desert_side=desert) for desert in box.CITY_SIDES},
    **{
        "dug_wreck" if desert == "crash" else city: DesertTile(desert_side=desert, city_side=city, is_excavated=True)
        for desert, cities in box.CITY_SIDES.items()
        for city in cities
    },
}
"""The tiles by the id of their pictures. The gear under the wreck is not counted with the other gears."""
PART_NAMES: dict[box.Part, str] = {
    "engine": marked("Engine"),
    "navigation_deck": marked("Nav deck"),
    "propeller": marked("Propeller"),
    "solar_crystal": marked("Crystal"),
}
PALETTE: dict[str, dict[str, str]] = {
    marked("Desert"): {
        "storm": marked("Storm"),
        "plain": marked("Desert"),
        "water": marked("Drop"),
        "crash": marked("Wreck"),
    },
    marked("Under drops"): {"mirage": marked("Mirage"), "well": marked("Well")},
    marked("City"): {
        "gear": marked("Gear"),
        "dug_wreck": marked("Wreck"),
        "tunnel": marked("Tunnel"),
        "launch_pad": marked("Pad"),
    },
    marked("Row clues"): {row: PART_NAMES[part] for part, (row, _) in box.CLUE_PAIRS.items()},
    marked("Column clues"): {column: PART_NAMES[part] for part, (_, column) in box.CLUE_PAIRS.items()},
}
"""The short names of the tiles, by family."""


def lay_tiles() -> SetupPart:
    """Return the part of the late page in which the tiles and the storm are laid."""
    stock = {"storm": 1, "crash": 1, "dug_wreck": 1} | {
        id_: count
        for desert in ("plain", "water")
        for cities in [box.CITY_SIDES[desert]]
        for id_, count in [(desert, sum(cities.values())), *cities.items()]
    }
    means: dict[str, tuple[dict[str, Any], ...]] = {
        id_: ({"side": tile.desert_side, "city_side": tile.city_side, "is_excavated": tile.is_excavated},)
        for id_, tile in FACES.items()
    }
    return SetupPart(
        group=say(TileIs.title),
        kind="lay",
        ask=say("Tap the tile that is at {what}."),
        names=tuple(map(printed_name, box.SPACES)),
        families=tuple(
            Family(title=say(title), choices=tuple(_choice(id_, short) for id_, short in tiles.items()))
            for title, tiles in PALETTE.items()
        ),
        report=Report(
            facts=tuple({"fact": TileIs.tag(), "space": space} for space in box.SPACES),
            member="side",
            stock=tuple(id_ for id_, count in stock.items() for _ in range(count)),
            spaces=tuple((column_of(space) + 1, row_of(space) + 1) for space in box.SPACES),
            ids=box.SPACES,
            means=means,
        ),
    )


def _choice(id_: str, short: str) -> SetupChoice:
    names = {
        "plain": say("Desert tile"),
        "water": say("Water drop"),
        "crash": say("Wreck"),
        "dug_wreck": say("Gear under the wreck"),
    }
    label = names.get(id_) or printed_name(id_)
    return SetupChoice(value=id_, label=label, short=say(short))


def pictures() -> dict[str, Tile]:
    """Return the pictures of the storm and of all tiles."""
    storm = Tile(id="storm", x=0.5, y=0.5, vignette=STORM, family="night")
    return {"storm": storm} | {id_: empty_tile(tile, "r1c1") for id_, tile in FACES.items()}
