"""The contents of the box (rulebook: Contents; Setup), as lists that you can compare with the box."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Literal, get_args

import msgspec

from engine.core.language import marked, say
from engine.kit.scene.looks import Colour
from engine.kit.words import counted

Tile = Literal[
    "breakers_bridge",
    "bronze_gate",
    "cave_of_embers",
    "cave_of_shadows",
    "cliffs_of_abandon",
    "copper_gate",
    "coral_palace",
    "crimson_forest",
    "dunes_of_deception",
    "fools_landing",
    "gold_gate",
    "howling_garden",
    "iron_gate",
    "lost_lagoon",
    "misty_marsh",
    "observatory",
    "phantom_rock",
    "silver_gate",
    "temple_of_the_moon",
    "temple_of_the_sun",
    "tidal_palace",
    "twilight_hollow",
    "watchtower",
    "whispering_garden",
]
Treasure = Literal["crystal_of_fire", "earth_stone", "oceans_chalice", "statue_of_the_wind"]

TILES: tuple[Tile, ...] = get_args(Tile)
"""The 24 island tiles; each has a Flood card."""
TREASURES: tuple[Treasure, ...] = get_args(Treasure)
FOOLS_LANDING: Tile = "fools_landing"

SITES: dict[Treasure, tuple[Tile, Tile]] = {
    "crystal_of_fire": ("cave_of_embers", "cave_of_shadows"),
    "earth_stone": ("temple_of_the_moon", "temple_of_the_sun"),
    "oceans_chalice": ("coral_palace", "tidal_palace"),
    "statue_of_the_wind": ("howling_garden", "whispering_garden"),
}
"""The two tiles on which each treasure can be captured."""

SPACES: tuple[tuple[int, int], ...] = tuple(
    (x, y)
    for y, columns in ((1, (3, 4)), (2, (2, 5)), (3, (1, 6)), (4, (1, 6)), (5, (2, 5)), (6, (3, 4)))
    for x in range(columns[0], columns[1] + 1)
)
"""The 24 spaces as (x from the west, y from the north), in reading order."""

ORTHOGONAL: tuple[frozenset[int], ...] = tuple(
    frozenset(i for i, (u, v) in enumerate(SPACES) if abs(u - x) + abs(v - y) == 1) for x, y in SPACES
)
"""The orthogonal neighbours of each space; spaces are indexes in `SPACES`."""
AROUND: tuple[frozenset[int], ...] = tuple(
    frozenset(i for i, (u, v) in enumerate(SPACES) if max(abs(u - x), abs(v - y)) == 1) for x, y in SPACES
)
"""The orthogonal and diagonal neighbours of each space; spaces are indexes in `SPACES`."""


def distance(a: int, b: int) -> int:
    """Return the number of orthogonal steps between two spaces. The island's shape never makes a detour necessary."""
    (x, y), (u, v) = SPACES[a], SPACES[b]
    return abs(x - u) + abs(y - v)


HELICOPTER_LIFT = "helicopter_lift"
SANDBAGS = "sandbags"
CARDS_PER_TREASURE = 5
CARDS_TO_CAPTURE = 4
HELICOPTER_LIFTS = 3
SANDBAGS_CARDS = 2
RISING_CARDS = 3
HAND_LIMIT = 5
OPENING_HAND = 2
FIRST_FLOODS = 6
ACTIONS_PER_TURN = 3
TREASURE_DRAWS = 2

METER = (2, 2, 3, 3, 3, 4, 4, 5, 5)
"""Number of Flood cards drawn at each tick of the water meter, from the lowest. The next tick is the skull."""
SKULL = len(METER) + 1

Difficulty = Literal["novice", "normal", "elite", "legendary"]
START_LEVEL: dict[Difficulty, int] = {"novice": 1, "normal": 2, "elite": 3, "legendary": 4}


class Power(StrEnum):
    """The special power of an adventurer."""

    SWIM = "swim"
    SHORE_UP_TWO = "shore_up_two"
    DIAGONAL = "diagonal"
    GIVE_ANYWHERE = "give_anywhere"
    MOVE_OTHERS = "move_others"
    FLY = "fly"


class Role(msgspec.Struct, frozen=True):
    """An adventurer card and its pawn."""

    name: str
    pawn: Colour
    start: Tile
    power: Power


ROLES: dict[str, Role] = {
    "diver": Role("Diver", "black", "iron_gate", Power.SWIM),
    "engineer": Role("Engineer", "red", "bronze_gate", Power.SHORE_UP_TWO),
    "explorer": Role("Explorer", "green", "copper_gate", Power.DIAGONAL),
    "messenger": Role("Messenger", "white", "silver_gate", Power.GIVE_ANYWHERE),
    "navigator": Role("Navigator", "yellow", "gold_gate", Power.MOVE_OTHERS),
    "pilot": Role("Pilot", "blue", "fools_landing", Power.FLY),
}

NAMES: dict[str, str] = {"fools_landing": "Fools' Landing", "oceans_chalice": "Ocean's Chalice"}
"""Printed names that differ from the capitalized id."""

WORDS: dict[str, str] = {
    "discard_pile": "in the discard pile",
    "pile": "in the draw pile",
    "cards": "cards to be drawn",
    "flood_cards": "Flood cards to be drawn",
    **{state: state for state in ("dry", "flooded", "sunk")},
}
"""The players' words for things without a printed name."""

PHASES = {
    "actions": "taking actions",
    "draw_treasure": "drawing cards",
    "discard": "discarding down to the limit",
    "draw_flood": "drawing Flood cards",
    "swim": "swimming to another tile",
}
"""The text for each phase."""


def name_of(id_: str) -> str:
    """Return the English printed name of a tile, card or role."""
    return NAMES.get(id_) or id_.replace("_", " ").title().replace(" Of ", " of ").replace(" The ", " the ")


def printed_name(id_: str) -> str:
    """Return the translated name of a tile, card or role."""
    return say(name_of(id_))


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """Roles, cards and English texts of a game. The defaults are those of Forbidden Island."""

    roles: dict[str, Role]
    rising_card: str = "waters_rise"
    """The id of the card that raises the water."""
    rising_name: str = "Waters Rise!"
    treasure: str = "treasure"
    """The name of a treasure in JSON."""
    role: str = "adventurer"
    """The name of a player's role in JSON."""
    role_title: str = marked("Adventurer")
    role_titles: str = marked("Adventurers")
    treasures: str = marked("Treasures")
    deck: str = marked("Treasure deck")
    is_taken: str = marked("{treasure} is captured")
    taken: str = marked("{treasure}: captured")
    how_many: str = marked("treasures: {count} of {all}")
    to_draw: str = marked("cards to draw: {cards} Treasure deck, {floods} Flood")
    cards: Callable[[int], str] = lambda count: counted(count, "Treasure card")
    """Function that returns a number of treasure cards in words, translated."""

    def card_name(self, card: str) -> str:
        """Return the translated name of a card of the treasure deck."""
        return say(self.rising_name) if card == self.rising_card else printed_name(card)


FORBIDDEN_ISLAND = Edition(roles=ROLES)


def treasure_deck(edition: Edition) -> tuple[str, ...]:
    """Return the 28 treasure cards, sorted."""
    treasures = [treasure for treasure in TREASURES for _ in range(CARDS_PER_TREASURE)]
    specials = [HELICOPTER_LIFT] * HELICOPTER_LIFTS + [SANDBAGS] * SANDBAGS_CARDS
    return tuple(sorted([*treasures, *specials, *[edition.rising_card] * RISING_CARDS]))
