"""Setup in pictures: the tiles one beside the other, their faces, the totems, and the first player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.games.forever_island import components as box
from engine.games.forever_island.board import COLOURS, TINTS
from engine.games.forever_island.components import VOLCANO, printed_name
from engine.games.forever_island.state import ForeverOptions
from engine.games.forever_island.vignettes import FACES
from engine.games.forever_island.vignettes import VOLCANO as VOLCANO_VIGNETTE
from engine.kit.scene.looks import FORMS
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import Family, SetupChoice, SetupPage, SetupPart, SetupStep


def setup_page(options: ForeverOptions, names: Sequence[str]) -> SetupPage:
    """Return the page with three screens: the tiles face down, their faces, then the totems and the first player."""
    return SetupPage(
        steps=(
            SetupStep(title=say("Place the tiles"), parts=(_walk(options),)),
            SetupStep(title=say("Turn the tiles over"), parts=(_faces(),)),
            SetupStep(title=say("Totems, first player"), parts=(_totems(), _first(names))),
        ),
        ready=say("Ready. Place huts and canoes."),
        backdrop="water",
        pictures=dict(_pictures()),
    )


def _pictures() -> Iterator[tuple[str, Tile]]:
    for resource in box.RESOURCES:
        yield resource, Tile(id=resource, x=0.5, y=0.5, vignette=FACES[resource], family=resource)
    yield VOLCANO, Tile(id=VOLCANO, x=0.5, y=0.5, vignette=VOLCANO_VIGNETTE, family="volcano")


def _walk(options: ForeverOptions) -> SetupPart:
    return SetupPart(
        group=say("Laying the tiles"),
        kind="walk",
        ask=say("Tap where {what} is. Leave out repeated rolls."),
        names=tuple(say("tile {number}", number=tile) for tile in range(2, len(box.TILES) + 1)),
        connect=options.connect_side,
    )


def _faces() -> SetupPart:
    faces = {kind: say(box.ISLAND_NAMES[kind]) for kind in box.RESOURCES} | {VOLCANO: say("Volcano")}
    choices = tuple(SetupChoice(value=face, label=name, short=name) for face, name in faces.items())
    return SetupPart(
        group=say("Turning the tiles"),
        kind="lay",
        ask=say("Tap the face of {what}."),
        names=tuple(say("tile {number}", number=tile) for tile in range(1, len(box.TILES) + 1)),
        families=(Family(title=say("Tile faces"), choices=choices),),
    )


def _totems() -> SetupPart:
    return SetupPart(
        group=say("Tokens on the shores"),
        kind="find",
        ask=say("Tap the shore of {what}. Other shores have spears."),
        names=tuple(say("totem {number}", number=totem) for totem in range(1, box.TOTEMS + 1)),
        title=say("Shores with a totem"),
        value="totem",
        families=tuple(
            Family(title=say(name), choices=tuple(_shore(shore) for shore in box.SHORES if shore.startswith(kind)))
            for kind, name in box.ISLAND_NAMES.items()
        ),
    )


def _shore(shore: box.Shore) -> SetupChoice:
    kind = box.RESOURCE_OF[box.ISLAND_INDEX[shore]]
    short = shore.removeprefix(f"{kind}_").replace("_", " ").upper()
    return SetupChoice(value=shore, label=printed_name(shore), short=short, symbol=kind, tint=TINTS[kind])


def _first(names: Sequence[str]) -> SetupPart:
    return SetupPart(
        group=say("Initial placement"),
        kind="rank",
        ask=say("Tap {what}."),
        names=(say("the player who places first"),),
        title=say("First player"),
        choices=tuple(
            SetupChoice(value=SEAT_IDS[seat], label=name, form=FORMS[COLOURS[seat]], colour=COLOURS[seat])
            for seat, name in enumerate(names)
        ),
    )
