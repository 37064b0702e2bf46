"""Setup of the board and the first player, in the rulebook's order. Die rolls and turned tokens need results."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress

from engine.core.errors import OutcomeRequired
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Value
from engine.games.forever_island import components as box
from engine.games.forever_island.components import TILES, Goods, Tile, on_islands, printed_name
from engine.games.forever_island.state import ForeverOptions, ForeverState, Totem
from engine.kit.chance import Chance, Observed, dealt
from engine.kit.options import SetupPrompt, ordinal


def set_up(options: ForeverOptions, seats: int, chance: Chance) -> ForeverState:
    """Return the table before the initial placement.

    Chance determines, in this order: each die roll that lays a tile, including re-rolls; the face of each tile, in the
    order of laying; the token on each shore, in the order of `SHORES`; and the seat that places first.
    """
    coordinates = [(0, 0)]
    _lay(coordinates, chance, options.connect_side)
    tiles = _flip(chance)
    totems = _shuffle_totems(chance)
    fertility = tuple(box.START_FERTILITY[sum(totem.shore in shores for totem in totems)] for shores in box.SHORES_OF)
    first = SEAT_INDEX[chance.draw("first_player", SEAT_IDS[:seats])]
    return ForeverState(
        turn=0,
        phase="placement",
        options=options,
        tiles=tiles,
        coordinates=tuple(coordinates),
        fertility=fertility,
        piles=Goods(**{kind: box.TOKENS - on_islands(fertility, kind) for kind in box.RESOURCES}),
        hands=(box.NOTHING,) * seats,
        huts=((),) * seats,
        canoes=((),) * seats,
        totems=totems,
        volcano=box.COUNTDOWN,
        first=first,
        active=first,
    )


def _lay(laid: list[tuple[int, int]], chance: Chance, connect_side: int) -> None:
    """Tile Placement: lay the tiles after the first, and append their positions to `laid`.

    The sides of a tile are numbered clockwise. Side s of a tile with rotation o points to direction (o + s - 1) mod 6.
    The first tile is at (0, 0) with o = 0. The Connect side of each later tile faces the tile before it.
    """
    (q, r), turned = laid[-1], 0
    while len(laid) < len(TILES):
        rolled = chance.draw("tile_side", box.DIE)
        direction = (turned + rolled - 1) % 6
        space = (q + box.DIRECTIONS[direction][0], r + box.DIRECTIONS[direction][1])
        if space in laid:
            continue
        q, r = space
        turned = (direction + 3 - (connect_side - 1)) % 6
        laid.append(space)


def _flip(chance: Chance) -> tuple[Tile, ...]:
    """Return the faces of the tiles. Islands of a kind are numbered in the order of flipping."""
    names: dict[str, list[Tile]] = {
        **{kind: [island for island in box.ISLANDS if island.startswith(kind)] for kind in box.RESOURCES},
        box.VOLCANO: [box.VOLCANO],
    }
    return tuple(names[terrain].pop(0) for terrain in dealt(chance, "tile", sorted(box.TERRAINS)))


def _shuffle_totems(chance: Chance) -> tuple[Totem, ...]:
    """Adding Tokens: put a shuffled token on each shore, and return a totem for each totem token."""
    turned = dealt(chance, "shore_token", ["spear"] * box.SPEARS + ["totem"] * box.TOTEMS)
    return tuple(Totem(shore) for shore, face in zip(box.SHORES, turned, strict=True) if face == "totem")


def setup_prompts(options: ForeverOptions, given: Sequence[Value | None]) -> list[SetupPrompt]:
    """Return the questions of the setup, in the order of `set_up`. A roll for an occupied place adds another question.

    The questions about faces have positions in a grid, in which each hex is two columns wide.
    """
    throws = list(itertools.takewhile(box.DIE.__contains__, given))
    chance = Observed()
    chance.begin(2, tuple(throws))
    laid = [(0, 0)]
    with suppress(OutcomeRequired):
        _lay(laid, chance, options.connect_side)
    missing = len(TILES) - len(laid)
    left, top = min(2 * q + r for q, r in laid), min(r for _, r in laid)
    spaces = [(2 * q + r - left + 1, r - top + 1) for q, r in laid] + [None] * missing
    return [
        *(
            SetupPrompt(say("Laying the tiles"), say("{ordinal} throw", ordinal=ordinal(throw + 1)))
            for throw in range(len(throws) + missing)
        ),
        *(
            SetupPrompt(say("Turning the tiles"), say("{ordinal} tile", ordinal=ordinal(tile + 1)), at)
            for tile, at in enumerate(spaces)
        ),
        *(SetupPrompt(say("Tokens on the shores"), printed_name(shore)) for shore in box.SHORES),
        SetupPrompt(say("Initial placement"), say("first to place")),
    ]


def describe_islands(state: ForeverState) -> str:
    """Return the islands with their fertility: 'Hog Island 1 5, Hog Island 2 4'."""
    return ", ".join(
        f"{printed_name(island)} {count}" for island, count in zip(box.ISLANDS, state.fertility, strict=True)
    )


def describe(state: ForeverState, names: Sequence[str]) -> list[str]:
    """Describe the table after the setup."""
    return [
        say("Placed in this order: {tiles}.", tiles=", ".join(map(printed_name, state.tiles))),
        say("Totems are on {shores}.", shores="; ".join(printed_name(totem.shore) for totem in state.totems)),
        say("Fertility: {islands}.", islands=describe_islands(state)),
        say("{name} places first.", name=names[state.first]),
    ]
