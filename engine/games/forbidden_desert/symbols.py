"""Symbols in the picture and on buttons, and the layout of result buttons for storm cards and excavated tiles."""

from __future__ import annotations

from typing import cast

from engine.games.forbidden_desert.components import (
    CLUE_PAIRS,
    EQUIPMENT_CARDS,
    STORM_PICKS_UP,
    SUN_BEATS_DOWN,
    WIND,
    CitySide,
    Part,
)
from engine.games.forbidden_desert.components import WIND_CARDS as WIND_TILES
from engine.kit.faces import Face, FaceLayout, cards
from engine.kit.scene.looks import Ground, Symbol

PART_SYMBOLS: dict[Part, Symbol] = {
    "propeller": "propeller",
    "engine": "engine",
    "solar_crystal": "crystal",
    "navigation_deck": "wheel",
}
CITY_SYMBOLS: dict[CitySide, Symbol] = {
    "gear": "gear",
    "launch_pad": "pad",
    "mirage": "fog",
    "tunnel": "tunnel",
    "well": "well",
}
"""Symbols of the city sides that are not clues."""
CARD_SYMBOLS: dict[str, Symbol] = {
    "dune_blaster": "blast",
    "jet_pack": "jet",
    "secret_water_reserve": "drop",
    "solar_shield": "shield",
    "storm_tracker": "storm",
    "terrascope": "eye",
    "time_throttle": "hourglass",
    SUN_BEATS_DOWN: "sun",
    STORM_PICKS_UP: "storm",
    **{card: cast("Symbol", f"arrow_{way}") for card, wind in WIND.items()
       for way in ({"north": "up", "south": "down", "east": "right", "west": "left"}[wind.direction],)},
}  # fmt: skip
CARD_GROUNDS: dict[str, Ground] = {SUN_BEATS_DOWN: "lava", STORM_PICKS_UP: "night"}
COMPASS: dict[str, tuple[int, int]] = {
    **{f"wind_north_{tiles}": (tiles + 2, 1) for tiles in WIND_TILES},
    **{f"wind_west_{tiles}": (4 - tiles, 2) for tiles in WIND_TILES},
    **{f"wind_east_{tiles}": (tiles + 4, 2) for tiles in WIND_TILES},
    **{f"wind_south_{tiles}": (tiles + 2, 3) for tiles in WIND_TILES},
}
"""Column and row of each wind card. The cell in the middle stays empty."""
STORM_FACES = FaceLayout(
    7,
    (
        Face(value=SUN_BEATS_DOWN, symbol="sun", tint="fire", column=1, row=1, width=2),
        Face(value=STORM_PICKS_UP, symbol="storm", tint="steel", column=6, row=1, width=2),
        *(
            Face(value=card, symbol=CARD_SYMBOLS[card], tint="blue", text=str(WIND[card].tiles), column=x, row=y)
            for card, (x, y) in COMPASS.items()
        ),
    ),
)
"""Storm cards laid out as a compass: west 3-2-1 and east 1-2-3 from left to right, north above, south below."""
EQUIPMENT_FACES = cards([(card, CARD_SYMBOLS[card], "steel") for card in EQUIPMENT_CARDS])
TILE_FACES = FaceLayout(
    7,
    (
        *(
            Face(value=side, symbol=symbol, column=at % 3 + 1, row=at // 3 + 1)
            for at, (side, symbol) in enumerate(CITY_SYMBOLS.items())
        ),
        *(
            Face(value=clue, symbol=PART_SYMBOLS[part], tint="fire", text=arrow, column=column, row=row)
            for column, (part, pair) in enumerate(CLUE_PAIRS.items(), 4)
            for row, (clue, arrow) in enumerate(zip(pair, "↔↕", strict=True), 1)
        ),
    ),
    is_beside=True,
)
"""The excavated sides of tiles: above the clues to a row, below those to a column."""
