"""Setup in pictures: the tiles, the flooded tiles, the roles and the opening cards."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.language import marked, say
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.board import HAND_LOOKS, TREASURE_LOOKS, empty_tile
from engine.games.forbidden_island.components import FIRST_FLOODS, OPENING_HAND, SPACES, Edition, Power
from engine.games.forbidden_island.state import IslandOptions
from engine.kit.card_looks import CardLooks
from engine.kit.scene.looks import Symbol
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import (
    Family,
    SetupChoice,
    SetupPage,
    SetupPart,
    SetupStep,
    deal_hands,
    deal_roles,
    role_choice,
)

PALETTE: tuple[tuple[str, dict[box.Tile, str], box.Treasure | None], ...] = (
    (marked("Caves"), {"cave_of_embers": marked("Embers"), "cave_of_shadows": marked("Shadows")}, "crystal_of_fire"),
    (marked("Temples"), {"temple_of_the_sun": marked("Sun"), "temple_of_the_moon": marked("Moon")}, "earth_stone"),
    (marked("Palaces"), {"coral_palace": marked("Coral"), "tidal_palace": marked("Tidal")}, "oceans_chalice"),
    (
        marked("Gardens"),
        {"howling_garden": marked("Howling"), "whispering_garden": marked("Whispering")},
        "statue_of_the_wind",
    ),
    (
        marked("Rocks and landing"),
        {
            "fools_landing": marked("Landing"),
            "watchtower": marked("Watchtower"),
            "phantom_rock": marked("Rock"),
            "cliffs_of_abandon": marked("Cliffs"),
        },
        None,
    ),
    (
        marked("Gates and bridge"),
        {
            "bronze_gate": marked("Bronze"),
            "copper_gate": marked("Copper"),
            "gold_gate": marked("Gold"),
            "iron_gate": marked("Iron"),
            "silver_gate": marked("Silver"),
            "breakers_bridge": marked("Bridge"),
        },
        None,
    ),
    (
        marked("Wild"),
        {
            "dunes_of_deception": marked("Dunes"),
            "observatory": marked("Observatory"),
            "misty_marsh": marked("Marsh"),
            "lost_lagoon": marked("Lagoon"),
            "twilight_hollow": marked("Hollow"),
            "crimson_forest": marked("Forest"),
        },
        None,
    ),
)
"""The families of tiles in the palette, in a fixed order: the tiles with a short name each, and the treasure, if any. A
row has six tiles.
"""
POWER_SYMBOLS: dict[Power, Symbol] = {
    Power.SWIM: "swim",
    Power.SHORE_UP_TWO: "shore",
    Power.DIAGONAL: "walk",
    Power.GIVE_ANYWHERE: "give",
    Power.MOVE_OTHERS: "wheel",
    Power.FLY: "helicopter",
}


def setup_page(edition: Edition, options: IslandOptions, names: Sequence[str]) -> SetupPage:
    """Return the page with three screens: tiles, flooded tiles, then roles and opening cards."""
    floods = SetupPart(
        group=say("Flooded from the start"),
        kind="mark",
        ask=say("Tap {what}. Tap again to clear it."),
        names=tuple(say("flooded tile {number}", number=number + 1) for number in range(FIRST_FLOODS)),
    )
    adventurers = (
        role_choice(id_, say(role.name), POWER_SYMBOLS[role.power], role.pawn, role.start)
        for id_, role in sorted(edition.roles.items())
    )
    roles = deal_roles(say(edition.role_titles), names, adventurers, say("Its pawn goes to its start"))
    cards = CardLooks(HAND_LOOKS, box.printed_name).choices()
    redraw = say("Redraw {card}", card=say(edition.rising_name))
    hands = deal_hands(say("Opening hands"), names, OPENING_HAND, cards, redraw)
    return SetupPage(
        steps=(
            SetupStep(title=say("Place the tiles"), parts=(_lay_tiles(edition),)),
            SetupStep(title=say("Mark the flooded tiles"), parts=(floods,)),
            SetupStep(title=say("Deal roles and hands"), parts=(roles, hands)),
        ),
        ready=say("Ready. {name} begins.", name=names[int(options.first_player[1:]) - 1]),
        backdrop="water",
        pictures=pictures("marked"),
    )


def pictures(*states: str) -> dict[str, Tile]:
    """Return the pictures of all tiles, dry and in each of `states`."""
    dry = {tile: empty_tile(tile) for tile in box.TILES}
    return dry | {
        f"{tile}.{state}": msgspec.structs.replace(dry[tile], is_flooded=state != "sunk", is_gone=state == "sunk")
        for tile in dry
        for state in states
    }


def _lay_tiles(edition: Edition) -> SetupPart:
    """Return the part in which the tiles are laid."""
    pawns = {role.start: role.pawn for role in edition.roles.values()}
    return SetupPart(
        group=say("The island"),
        kind="lay",
        ask=say("Tap the tile that is on {what}."),
        names=tuple(say("space {number}", number=number + 1) for number in range(len(SPACES))),
        families=tuple(
            Family(
                title=say(title),
                symbol=TREASURE_LOOKS[treasure].symbol if treasure else None,
                tint=TREASURE_LOOKS[treasure].tint if treasure else None,
                choices=tuple(
                    SetupChoice(value=tile, label=box.printed_name(tile), short=say(short), colour=pawns.get(tile))
                    for tile, short in tiles.items()
                ),
            )
            for title, tiles, treasure in PALETTE
        ),
    )
