"""The contents of the box (rulebook: Contents; Set Up), as lists that you can compare with the box."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, get_args

import msgspec

from engine.core.language import say
from engine.kit.scene.looks import Colour

Space = Literal[
    "r1c1", "r1c2", "r1c3", "r1c4", "r1c5",
    "r2c1", "r2c2", "r2c3", "r2c4", "r2c5",
    "r3c1", "r3c2", "r3c3", "r3c4", "r3c5",
    "r4c1", "r4c2", "r4c3", "r4c4", "r4c5",
    "r5c1", "r5c2", "r5c3", "r5c4", "r5c5",
]  # fmt: skip
"""A square of the 5×5 grid: row from the north, column from the west."""

SPACES: tuple[Space, ...] = get_args(Space)
"""All spaces, in reading order."""
INDEX: dict[Space, int] = {space: index for index, space in enumerate(SPACES)}
ROWS = COLUMNS = 5
HOLE: Space = "r3c3"
"""The space where the storm begins."""


def space_at(row: int, column: int) -> Space | None:
    """Return the space in that row and column, counted from 0; None if it is off the board."""
    return SPACES[row * COLUMNS + column] if 0 <= row < ROWS and 0 <= column < COLUMNS else None


def row_of(space: Space) -> int:
    """Return the row of a space, from 0."""
    return INDEX[space] // COLUMNS


def column_of(space: Space) -> int:
    """Return the column of a space, from 0."""
    return INDEX[space] % COLUMNS


_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def _neighbours_by_space(steps: tuple[tuple[int, int], ...]) -> dict[Space, frozenset[Space]]:
    found = {space: [space_at(row_of(space) + down, column_of(space) + right) for down, right in steps]
             for space in SPACES}  # fmt: skip
    return {space: frozenset(other for other in others if other is not None) for space, others in found.items()}


ORTHOGONAL: dict[Space, frozenset[Space]] = _neighbours_by_space(_SIDES)
"""The orthogonal neighbours of each space."""
AROUND: dict[Space, frozenset[Space]] = _neighbours_by_space(_SIDES + _CORNERS)
"""The orthogonal and diagonal neighbours of each space."""

Part = Literal["propeller", "engine", "solar_crystal", "navigation_deck"]
PARTS: tuple[Part, ...] = get_args(Part)

DesertSide = Literal["plain", "water", "crash"]
"""Face of a tile before it is excavated: plain, with the water drop, or with the helicopter wreck."""
CitySide = Literal[
    "clue_engine_column",
    "clue_engine_row",
    "clue_navigation_deck_column",
    "clue_navigation_deck_row",
    "clue_propeller_column",
    "clue_propeller_row",
    "clue_solar_crystal_column",
    "clue_solar_crystal_row",
    "gear",
    "launch_pad",
    "mirage",
    "tunnel",
    "well",
]
"""The excavated side of a tile. Tiles with the same effect have the same value."""

CLUE_PAIRS: dict[Part, tuple[CitySide, CitySide]] = {
    "engine": ("clue_engine_row", "clue_engine_column"),
    "navigation_deck": ("clue_navigation_deck_row", "clue_navigation_deck_column"),
    "propeller": ("clue_propeller_row", "clue_propeller_column"),
    "solar_crystal": ("clue_solar_crystal_row", "clue_solar_crystal_column"),
}
"""The clue to the row and the clue to the column of each part."""
CLUES: dict[CitySide, Part] = {clue: part for part, pair in CLUE_PAIRS.items() for clue in pair}
"""The part to which each clue belongs."""

CITY_SIDES: dict[DesertSide, dict[CitySide, int]] = {
    "crash": {"gear": 1},
    "plain": {**dict.fromkeys(sorted(CLUES), 1), "gear": 8, "launch_pad": 1, "tunnel": 3},
    "water": {"mirage": 1, "well": 2},
}
"""Number of tiles with each city side, by desert side; 24 in all."""
WATER_TILES = 3
GEAR_SYMBOLS: frozenset[CitySide] = frozenset({"gear", "tunnel"})
"""City sides with the gear symbol. A player who excavates such a side draws an equipment card."""

SAND_MARKERS = 48
FIRST_SAND: frozenset[Space] = frozenset({"r1c3", "r2c2", "r2c4", "r3c1", "r3c5", "r4c2", "r4c4", "r5c3"})
"""Spaces with a sand marker at the start."""
BLOCKED = 2
"""A tile with at least this many sand markers is blocked."""
ACTIONS_PER_TURN = 4
WATER_FROM_WELL = 2
SKULL_MARK = -1
"""The mark below 0 on a canteen, a skull: the adventurer has died of thirst."""

Direction = Literal["north", "south", "east", "west"]
WINDS: dict[Direction, tuple[int, int]] = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}
"""Direction in which each wind moves tiles, as (rows down, columns right)."""
WIND_CARDS: dict[int, int] = {1: 3, 2: 2, 3: 1}
"""The number of wind cards per direction, by the number of tiles that the card moves."""
SUN_BEATS_DOWN = "sun_beats_down"
STORM_PICKS_UP = "storm_picks_up"


class Wind(msgspec.Struct, frozen=True):
    """A wind card: its direction, and the number of tiles that it moves."""

    direction: Direction
    tiles: int


WIND: dict[str, Wind] = {f"wind_{way}_{tiles}": Wind(way, tiles) for way in WINDS for tiles in WIND_CARDS}
STORM_DECK: tuple[str, ...] = tuple(
    sorted(
        [
            *(card for card, wind in WIND.items() for _ in range(WIND_CARDS[wind.tiles])),
            *[SUN_BEATS_DOWN] * 4,
            *[STORM_PICKS_UP] * 3,
        ]
    )
)
"""The 31 storm cards, sorted."""

Equipment = Literal[
    "dune_blaster",
    "jet_pack",
    "secret_water_reserve",
    "solar_shield",
    "storm_tracker",
    "terrascope",
    "time_throttle",
]
EQUIPMENT_CARDS: Mapping[Equipment, int] = {
    "dune_blaster": 3,
    "jet_pack": 3,
    "secret_water_reserve": 1,
    "solar_shield": 2,
    "terrascope": 2,
    "time_throttle": 1,
}
STORM_TRACKER: Equipment = "storm_tracker"
"""A promotional equipment card, not one of the twelve."""


def equipment_deck(*, with_tracker: bool) -> tuple[Equipment, ...]:
    """Return the equipment cards, sorted: 12, or 13 with the Storm Tracker."""
    cards: list[Equipment] = list(itertools.chain(*([card] * count for card, count in EQUIPMENT_CARDS.items())))
    return tuple(sorted([*cards, STORM_TRACKER] if with_tracker else cards))


METER: dict[int, tuple[int, ...]] = {
    2: (2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6),
    3: (2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6),
    4: (2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6),
    5: (2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6),
}
"""For each number of players, the number of storm cards per turn at each tick. The tick after the last is the skull."""

MOST_STORM_CARDS = max(cards for ticks in METER.values() for cards in ticks)
"""Maximum number of storm cards in a turn."""

Difficulty = Literal["novice", "normal", "elite", "legendary"]
START_TICK: dict[Difficulty, int] = {"novice": 1, "normal": 2, "elite": 3, "legendary": 4}


class Role(StrEnum):
    """An adventurer card."""

    ARCHEOLOGIST = "archeologist"
    """Removes up to two markers from a tile for one action."""
    CLIMBER = "climber"
    """Enters blocked tiles, takes a pawn along, and keeps the pawns on his tile from being buried."""
    EXPLORER = "explorer"
    """Moves, removes sand and blasts dunes diagonally."""
    METEOROLOGIST = "meteorologist"
    """Spends actions to weaken the storm, or to look at the next storm cards."""
    NAVIGATOR = "navigator"
    """Moves another player up to three tiles."""
    WATER_CARRIER = "water_carrier"
    """Draws water from wells, and gives it to adjacent tiles."""


class Adventurer(msgspec.Struct, frozen=True):
    """The text of an adventurer card."""

    name: str
    pawn: Colour
    canteen: int
    """Maximum water, which is also the initial water."""


ROLES: dict[Role, Adventurer] = {
    Role.ARCHEOLOGIST: Adventurer("Archeologist", "red", 3),
    Role.CLIMBER: Adventurer("Climber", "black", 3),
    Role.EXPLORER: Adventurer("Explorer", "green", 4),
    Role.METEOROLOGIST: Adventurer("Meteorologist", "white", 4),
    Role.NAVIGATOR: Adventurer("Navigator", "yellow", 4),
    Role.WATER_CARRIER: Adventurer("Water Carrier", "blue", 5),
}

PHASES = {
    "actions": "taking actions",
    "draw_equipment": "drawing an equipment card",
    "look": "looking at storm cards",
    "place": "putting storm cards back",
    "storm": "the storm",
}
"""The text for each phase."""


def name_of(id_: str) -> str:
    """Return the English name of a space, tile, part, card or role."""
    return _NAMES.get(id_) or id_.replace("_", " ").title()


def printed_name(id_: str) -> str:
    """Return the translated name of a space, tile, part, card or role."""
    return say(name_of(id_))


def at_start(text: str) -> str:
    """Return `text` with a capital, to begin a sentence."""
    return text[:1].upper() + text[1:]


_NAMES: dict[str, str] = {
    **{space: f"row {row_of(space) + 1}, column {column_of(space) + 1}" for space in SPACES},
    **{card: f"Wind Blows {wind.tiles} {wind.direction.title()}" for card, wind in WIND.items()},
    **{row: f"{part.replace('_', ' ').title()} clue (row)" for part, (row, _) in CLUE_PAIRS.items()},
    **{column: f"{part.replace('_', ' ').title()} clue (column)" for part, (_, column) in CLUE_PAIRS.items()},
    "in_the_storm": "carried off by the storm",
    "not_in_the_game": "not on the table yet",
    "with_the_team": "picked up by the team",
    "storm_cards": "Storm cards to be drawn",
}
"""The names that differ from the capitalized id."""

VOCABULARY = (
    *WINDS,
    *(part.replace("_", " ") for part in PARTS),
    *_NAMES.values(),
    *map(name_of, (*PARTS, *CITY_SIDES["plain"], *CITY_SIDES["water"], *STORM_DECK, *EQUIPMENT_CARDS, STORM_TRACKER)),
    *(role.name for role in ROLES.values()),
)
"""Every name, in English."""
