"""Setup in pictures: the tiles, the flooded tiles, the roles and the opening cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from engine.core.language import marked, say
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.board import SYMBOLS, TINTS, empty_tile
from engine.games.forbidden_island.components import FIRST_FLOODS, OPENING_HAND, SPACES, Edition, Power
from engine.games.forbidden_island.state import IslandOptions
from engine.kit.options import ordinal
from engine.kit.scene.looks import FORMS, Colour, Symbol
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import Family, SetupChoice, SetupPage, SetupPart, SetupStep

PALETTE: tuple[tuple[str, tuple[box.Tile, ...], box.Treasure | None], ...] = (
    (marked("Caves"), ("cave_of_embers", "cave_of_shadows"), "crystal_of_fire"),
    (marked("Temples"), ("temple_of_the_sun", "temple_of_the_moon"), "earth_stone"),
    (marked("Palaces"), ("coral_palace", "tidal_palace"), "oceans_chalice"),
    (marked("Gardens"), ("howling_garden", "whispering_garden"), "statue_of_the_wind"),
    (marked("Rocks and landing"), ("fools_landing", "watchtower", "phantom_rock", "cliffs_of_abandon"), None),
    (
        marked("Gates and bridge"),
        ("bronze_gate", "copper_gate", "gold_gate", "iron_gate", "silver_gate", "breakers_bridge"),
        None,
    ),
    (
        marked("Wild"),
        ("dunes_of_deception", "observatory", "misty_marsh", "lost_lagoon", "twilight_hollow", "crimson_forest"),
        None,
    ),
)
"""The families of tiles in the palette, in a fixed order, each with its treasure, if any. A row has six tiles."""
SHORT: dict[box.Tile, str] = {
    "cave_of_embers": marked("Embers"),
    "cave_of_shadows": marked("Shadows"),
    "temple_of_the_sun": marked("Sun"),
    "temple_of_the_moon": marked("Moon"),
    "coral_palace": marked("Coral"),
    "tidal_palace": marked("Tidal"),
    "howling_garden": marked("Howling"),
    "whispering_garden": marked("Whispering"),
    "fools_landing": marked("Landing"),
    "watchtower": marked("Watchtower"),
    "phantom_rock": marked("Rock"),
    "cliffs_of_abandon": marked("Cliffs"),
    "bronze_gate": marked("Bronze"),
    "copper_gate": marked("Copper"),
    "gold_gate": marked("Gold"),
    "iron_gate": marked("Iron"),
    "silver_gate": marked("Silver"),
    "breakers_bridge": marked("Bridge"),
    "dunes_of_deception": marked("Dunes"),
    "observatory": marked("Observatory"),
    "misty_marsh": marked("Marsh"),
    "lost_lagoon": marked("Lagoon"),
    "twilight_hollow": marked("Hollow"),
    "crimson_forest": marked("Forest"),
}
"""A one-word name for each tile."""
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
    return SetupPage(
        steps=(
            SetupStep(title=say("Place the tiles"), parts=(_tiles(edition),)),
            SetupStep(title=say("Mark the flooded tiles"), parts=(_floods(),)),
            SetupStep(title=say("Deal roles and hands"), parts=(_roles(edition, names), _hands(edition, names))),
        ),
        ready=say("Ready. {name} begins.", name=names[int(options.first_player[1:]) - 1]),
        backdrop="water",
        pictures=dict(_pictures()),
    )


def _pictures() -> Iterator[tuple[str, Tile]]:
    for tile in box.TILES:
        dry = empty_tile(tile)
        yield tile, dry
        yield f"{tile}.marked", msgspec.structs.replace(dry, is_flooded=True)


def _tiles(edition: Edition) -> SetupPart:
    pawns = {role.start: cast("Colour", role.pawn) for role in edition.roles.values()}
    return SetupPart(
        group=say("The island"),
        kind="lay",
        ask=say("Tap the tile that is on {what}."),
        names=tuple(say("space {number}", number=number + 1) for number in range(len(SPACES))),
        families=tuple(
            Family(
                title=say(title),
                symbol=SYMBOLS[treasure] if treasure else None,
                tint=TINTS[treasure] if treasure else None,
                choices=tuple(
                    SetupChoice(value=tile, label=box.printed(tile), short=say(SHORT[tile]), colour=pawns.get(tile))
                    for tile in tiles
                ),
            )
            for title, tiles, treasure in PALETTE
        ),
    )


def _floods() -> SetupPart:
    return SetupPart(
        group=say("Flooded from the start"),
        kind="mark",
        ask=say("Tap {what}. Tap again to clear it."),
        names=tuple(say("flooded tile {number}", number=number + 1) for number in range(FIRST_FLOODS)),
    )


def _roles(edition: Edition, names: Sequence[str]) -> SetupPart:
    return SetupPart(
        group=say(edition.words.roles),
        kind="deal",
        ask=say("Tap {what}."),
        names=tuple(say("{name}'s role", name=name) for name in names),
        title=say("Role"),
        note=say("Its pawn goes to its start"),
        choices=tuple(
            SetupChoice(
                value=id_,
                label=say(role.name),
                symbol=POWER_SYMBOLS[role.power],
                form=FORMS[cast("Colour", role.pawn)],
                colour=cast("Colour", role.pawn),
                start=role.start,
            )
            for id_, role in sorted(edition.roles.items())
        ),
    )


def _hands(edition: Edition, names: Sequence[str]) -> SetupPart:
    kinds = (*box.TREASURES, box.HELICOPTER_LIFT, box.SANDBAGS)
    return SetupPart(
        group=say("Opening hands"),
        kind="deal",
        ask=say("Tap {what}."),
        names=tuple(
            say("{name}'s {ordinal} card", name=name, ordinal=ordinal(card + 1))
            for name in names
            for card in range(OPENING_HAND)
        ),
        title=say("Card"),
        note=say("Redraw {card}", card=say(edition.rising_name)),
        choices=tuple(
            SetupChoice(value=card, label=box.printed(card), symbol=SYMBOLS[card], tint=TINTS[card]) for card in kinds
        ),
        each=OPENING_HAND,
    )
