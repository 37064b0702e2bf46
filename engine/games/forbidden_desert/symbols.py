"""Symbols in the picture and on buttons, and the layout of result buttons for storm cards and excavated tiles."""

from __future__ import annotations

from engine.core.language import say
from engine.games.forbidden_desert.components import (
    CLUE_PAIRS,
    STORM_PICKS_UP,
    STORM_TRACKER,
    SUN_BEATS_DOWN,
    WIND,
    CitySide,
    Direction,
    printed_name,
)
from engine.games.forbidden_desert.components import WIND_CARDS as WIND_TILES
from engine.kit.card_looks import CardLooks, Look
from engine.kit.faces import Face, FaceLayout
from engine.kit.scene.looks import Symbol

_ARROWS: dict[Direction, Symbol] = {
    "north": "arrow_up",
    "south": "arrow_down",
    "east": "arrow_right",
    "west": "arrow_left",
}
PART_LOOKS: dict[str, Look] = {
    "propeller": Look("propeller", ground="sand"),
    "engine": Look("engine", ground="sand"),
    "solar_crystal": Look("crystal", ground="sand"),
    "navigation_deck": Look("wheel", ground="sand"),
}
CITY_SYMBOLS: dict[CitySide, Symbol] = {
    "gear": "gear",
    "launch_pad": "pad",
    "mirage": "fog",
    "tunnel": "tunnel",
    "well": "well",
}
"""Symbols of the city sides that are not clues."""
EQUIPMENT_LOOKS: dict[str, Look] = {
    "dune_blaster": Look("blast", is_any_time=True),
    "jet_pack": Look("jet", is_any_time=True),
    "secret_water_reserve": Look("drop", is_any_time=True),
    "solar_shield": Look("shield", is_any_time=True),
    "terrascope": Look("eye", is_any_time=True),
    "time_throttle": Look("hourglass", is_any_time=True),
}
STORM_LOOKS = {SUN_BEATS_DOWN: Look("sun", "fire", "lava"), STORM_PICKS_UP: Look("storm", "steel", "night")} | {
    card: Look(_ARROWS[wind.direction]) for card, wind in WIND.items()
}
CARDS = CardLooks(
    EQUIPMENT_LOOKS | STORM_LOOKS | {STORM_TRACKER: Look("storm", is_any_time=True)},
    printed_name,
    lambda card: f"{WIND[card].tiles} {say(WIND[card].direction)}" if card in WIND else printed_name(card),
)
"""The cards of both decks."""
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
            Face(value=card, symbol=STORM_LOOKS[card].symbol, tint="blue", text=str(WIND[card].tiles), column=x, row=y)
            for card, (x, y) in COMPASS.items()
        ),
    ),
)
"""Storm cards laid out as a compass: west 3-2-1 and east 1-2-3 from left to right, north above, south below."""
EQUIPMENT_FACES = CardLooks(EQUIPMENT_LOOKS, printed_name).faces()
TILE_FACES = FaceLayout(
    7,
    (
        *(
            Face(value=side, symbol=symbol, column=at % 3 + 1, row=at // 3 + 1)
            for at, (side, symbol) in enumerate(CITY_SYMBOLS.items())
        ),
        *(
            Face(value=clue, symbol=PART_LOOKS[part].symbol, tint="fire", text=arrow, column=column, row=row)
            for column, (part, pair) in enumerate(CLUE_PAIRS.items(), 4)
            for row, (clue, arrow) in enumerate(zip(pair, "↔↕", strict=True), 1)
        ),
    ),
    is_beside=True,
)
"""The excavated sides of tiles: above the clues to a row, below those to a column."""
