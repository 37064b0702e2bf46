"""Setup in pictures: the wreck, the water, and the players' roles, on one screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import say
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import Role, column_of, printed_name, row_of
from engine.games.forbidden_desert.state import DesertOptions, replace
from engine.games.forbidden_desert.vignettes import DUNES, OASIS, STORM, WRECK
from engine.kit.scene.looks import Symbol
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import Cell, SetupPage, SetupPart, SetupStep, deal_roles, role_choice

ROLE_SYMBOLS: dict[Role, Symbol] = {
    Role.ARCHEOLOGIST: "sand",
    Role.CLIMBER: "mountain",
    Role.EXPLORER: "walk",
    Role.METEOROLOGIST: "storm",
    Role.NAVIGATOR: "wheel",
    Role.WATER_CARRIER: "drop",
}


def setup_page(options: DesertOptions, names: Sequence[str]) -> SetupPage:
    """Return the page: one screen, on which players tap the desert and the roles in any order."""
    return SetupPage(
        steps=(SetupStep(title=say("Set up the desert"), parts=(_tiles(), _roles(names))),),
        ready=say("Ready. {name} begins.", name=names[int(options.first_player[1:]) - 1]),
        backdrop="sand",
        pictures=dict(_pictures()),
        cells=tuple(
            Cell(
                at=(column_of(space) + 1, row_of(space) + 1),
                picture=space,
                label=say("Storm") if space == box.HOLE else printed_name(space),
                value=None if space == box.HOLE else space,
            )
            for space in box.SPACES
        ),
    )


def _pictures() -> Iterator[tuple[str, Tile]]:
    for space in box.SPACES:
        dunes = DUNES[(column_of(space) + row_of(space)) % 2]
        tile = Tile(id=space, x=0.5, y=0.5, vignette=dunes, family="dune", heap=int(space in box.FIRST_SAND))
        yield space, replace(tile, vignette=STORM, family="night") if space == box.HOLE else tile
    for name, vignette in (("crash", WRECK), ("water", OASIS)):
        yield name, Tile(id=name, x=0.5, y=0.5, vignette=vignette, family="dune", metal="steel")


def _tiles() -> SetupPart:
    water = range(1, box.WATER_TILES + 1)
    return SetupPart(
        group=say("The desert"),
        kind="mark",
        ask=say("Tap {what}. The sand is placed for you."),
        names=(say("the crash tile"), *(say("water tile {number}", number=number) for number in water)),
        slots=(say("Crash"), *(say("Water {number}", number=number) for number in water)),
        pictures=("crash", *("water" for _ in water)),
    )


def _roles(names: Sequence[str]) -> SetupPart:
    choices = (role_choice(id_.value, say(role.name), ROLE_SYMBOLS[id_], role.pawn) for id_, role in box.ROLES.items())
    return deal_roles(say("Adventurers"), names, choices)
