"""The picture of the table: the island, the water meter, hands and piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

import msgspec

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import (
    FOOLS_LANDING,
    METER,
    SITES,
    SPACES,
    START_LEVEL,
    TREASURES,
    Treasure,
)
from engine.games.forbidden_island.state import IslandState
from engine.games.forbidden_island.vignettes import FAMILIES, METALS, VIGNETTES
from engine.kit.faces import FaceLayout, cards
from engine.kit.part_panels import Around
from engine.kit.scene.looks import FORMS, Colour, Ground, Symbol
from engine.kit.scene.panels import Card, CardStack, Legend, Level, Meter, Panel, PlayerMat, Shelf, Sign
from engine.kit.scene.planes import Badge, Piece, Plane, Tile
from engine.kit.vignette import Tint
from engine.kit.words import counted

SYMBOLS: dict[str, Symbol] = {
    "crystal_of_fire": "flame",
    "earth_stone": "stone",
    "oceans_chalice": "cup",
    "statue_of_the_wind": "statue",
    box.HELICOPTER_LIFT: "helicopter",
    box.SANDBAGS: "sandbag",
}
"""The symbol of each card, except the card that raises the water, which has the symbol `water`."""
GROUNDS: dict[str, Ground] = {
    "crystal_of_fire": "lava",
    "earth_stone": "forest",
    "oceans_chalice": "water",
    "statue_of_the_wind": "meadow",
}
"""The ground on which each treasure is drawn."""
TINTS: dict[str, Tint] = {
    "crystal_of_fire": "fire",
    "earth_stone": "earth",
    "oceans_chalice": "ocean",
    "statue_of_the_wind": "wind",
    box.HELICOPTER_LIFT: "steel",
    box.SANDBAGS: "sack",
}
"""The colour of each card, except the card that raises the water, which has the colour `rise`."""
ANY_TIME = {box.HELICOPTER_LIFT, box.SANDBAGS}
SIDE = 6
"""Width and height of the island in spaces."""
MARGIN = 0.16
CORNERS: dict[Treasure, tuple[float, float]] = {
    "crystal_of_fire": (0.8, 0.8),
    "earth_stone": (5.2, 0.8),
    "oceans_chalice": (0.8, 5.2),
    "statue_of_the_wind": (5.2, 5.2),
}
"""Position of each treasure's plinth in the sea."""
PLINTH = 2.6
"""Size of a plinth, relative to other pieces."""


def card_faces(edition: box.Edition) -> FaceLayout:
    """Return the result buttons for the seven kinds of treasure cards, always in the same order."""
    kinds = (*TREASURES, box.HELICOPTER_LIFT, box.SANDBAGS)
    return cards([(card, SYMBOLS[card], TINTS[card]) for card in kinds] + [(edition.rising_card, "water", "rise")])


def printed(state: IslandState, card: str) -> str:
    """Return the name of a card."""
    return say(state.edition.rising_name) if card == state.edition.rising_card else box.printed(card)


def planes(state: IslandState, around: Around) -> Iterator[Plane]:
    """Yield the island."""
    yield Plane(
        id="island",
        width=SIDE + 2 * MARGIN,
        height=SIDE + 2 * MARGIN,
        tiles=tuple(_tile(state, tile, x, y) for tile, (x, y) in zip(state.layout, SPACES, strict=True)),
        pieces=(*_waiting(state), *_pawns(state, around)),
    )


def _waiting(state: IslandState) -> Iterator[Piece]:
    """Yield a plinth for each treasure, which shows if the team has it, or how many of its cards one hand has."""
    for treasure, (x, y) in CORNERS.items():
        most = min(max(hand.count(treasure) for hand in state.hands), box.CARDS_TO_CAPTURE)
        is_done = treasure in state.captured
        name = box.printed(treasure)
        held = say(
            "{treasure}: {count} of {all} cards in one hand", treasure=name, count=most, all=box.CARDS_TO_CAPTURE
        )
        yield Piece(
            id=f"waiting.{treasure}",
            x=x + MARGIN,
            y=y + MARGIN,
            symbol=SYMBOLS[treasure],
            tint=TINTS[treasure],
            pips=(most, box.CARDS_TO_CAPTURE),
            is_done=is_done,
            size=PLINTH,
            title=say(state.edition.words.taken, treasure=name) if is_done else held,
        )


def _tile(state: IslandState, tile: box.Tile, x: int, y: int) -> Tile:
    has_sunk, is_flooded = tile in state.sunk, tile in state.flooded
    return msgspec.structs.replace(
        empty_tile(tile),
        x=x - 0.5 + MARGIN,
        y=y - 0.5 + MARGIN,
        is_flooded=is_flooded,
        ground="water" if is_flooded else "land",
        pattern="waves" if is_flooded else "",
        state=say("sunk" if has_sunk else "flooded" if is_flooded else "dry"),
        is_gone=has_sunk,
        badges=() if has_sunk else tuple(_badges(state, tile)),
    )


def empty_tile(tile: box.Tile) -> Tile:
    """Return a dry tile without pieces."""
    return Tile(
        id=tile,
        x=0.5,
        y=0.5,
        label=box.printed(tile),
        vignette=VIGNETTES[tile],
        family=FAMILIES[tile],
        metal=METALS.get(tile, "wood"),
        badges=tuple(_treasure_badges(tile)),
        place=tile,
    )


def _treasure_badges(tile: box.Tile) -> Iterator[Badge]:
    for treasure, sites in SITES.items():
        if tile in sites:
            yield Badge(symbol=SYMBOLS[treasure], title=box.printed(treasure), tint=TINTS[treasure])


def _badges(state: IslandState, tile: box.Tile) -> Iterator[Badge]:
    """Yield the badges of a tile: a treasure, a gate, or the helicopter."""
    yield from _treasure_badges(tile)
    for treasure in state.captured:
        if tile in SITES[treasure]:
            yield Badge(symbol="check", title=say(state.edition.words.is_taken, treasure=box.printed(treasure)))
    if tile == FOOLS_LANDING:
        yield Badge(symbol="helicopter", title=say("The helicopter leaves from here"))
    for role in state.edition.roles.values():
        if role.start == tile:
            colour = cast("Colour", role.pawn)
            yield Badge(form=FORMS[colour], colour=colour, title=say("The {role} begins here", role=say(role.name)))


def _pawns(state: IslandState, around: Around) -> Iterator[Piece]:
    for seat, (name, tile) in enumerate(zip(around.names, state.pawns, strict=True)):
        role = state.edition.roles[state.roles[seat]]
        where = _standing(name, say(role.name), box.printed(tile), is_swimming=tile in state.sunk)
        yield around.pawn(seat, cast("Colour", role.pawn), tile, where)


def _standing(name: str, role: str, tile: str, *, is_swimming: bool) -> str:
    if is_swimming:
        return say("{name}, {role}, in the water at {tile}", name=name, role=role, tile=tile)
    return say("{name}, {role}, on {tile}", name=name, role=role, tile=tile)


def panels(state: IslandState, around: Around) -> Iterator[Panel]:
    """Yield the panels beside the island: the meter, the players' mats, the treasures and the decks."""
    yield _meter(state)
    yield from (_player(state, seat, around) for seat in range(len(state.roles)))
    yield _treasures(state)
    yield _treasure_pile(state)
    yield _flood_pile(state)
    yield Legend(
        id="legend",
        title=say("Tiles"),
        signs=(
            Sign(text=say("dry"), ground="land"),
            Sign(text=say("flooded"), ground="water", pattern="waves"),
            Sign(text=say("sunk"), is_gone=True),
        ),
    )


def _meter(state: IslandState) -> Meter:
    starts = {level: say(name.title()) for name, level in START_LEVEL.items()}
    at = state.water_level - 1
    return Meter(
        id="water_meter",
        title=say("Water level"),
        levels=(
            *(Level(label=str(cards), note=starts.get(tick, "")) for tick, cards in enumerate(METER, 1)),
            Level(symbol="skull"),
        ),
        at=at,
        reading=say("{cards} Flood cards a turn", cards=METER[at]) if at < len(METER) else say("the skull"),
        symbol="drop",
    )


def _player(state: IslandState, seat: int, around: Around) -> PlayerMat:
    role = state.edition.roles[state.roles[seat]]
    is_turn = seat == around.active
    return around.mat(
        seat,
        cast("Colour", role.pawn),
        role=say(role.name),
        cards=tuple(_cards(state, Counter(state.hands[seat]), f"{SEAT_IDS[seat]}.")),
        actions=_actions(state) if is_turn else None,
        note=_turn(state) if is_turn else "",
    )


def _actions(state: IslandState) -> tuple[int, int] | None:
    """Return the number of actions left and the total; None if none are left."""
    return (state.actions_left, max(state.actions_left, box.ACTIONS_PER_TURN)) if state.actions_left else None


def _turn(state: IslandState) -> str:
    """Return the rest of the active player's turn, in words."""
    left = (
        counted(state.actions_left, "action") if state.actions_left else "",
        state.edition.words.cards(state.treasure_draws_left) if state.treasure_draws_left else "",
        counted(state.flood_draws_left, "Flood card") if state.flood_draws_left else "",
    )
    said = ", ".join(filter(None, left))
    return say("Left this turn: {left}", left=said) if said else ""


def _cards(state: IslandState, cards: Counter[str], prefix: str, *, is_faint: bool = False) -> Iterator[Card]:
    for card, count in sorted(cards.items()):
        yield Card(
            id=f"{prefix}{card}",
            label=printed(state, card),
            count=count,
            symbol=SYMBOLS.get(card, "water"),
            ground=GROUNDS.get(card, "paper"),
            tint=TINTS.get(card, "rise"),
            is_any_time=card in ANY_TIME,
            place=None if is_faint or not prefix.startswith("p") else card,
            is_faint=is_faint,
        )


def _treasures(state: IslandState) -> Shelf:
    return Shelf(
        id="treasures",
        title=say(state.edition.words.treasures),
        cards=tuple(
            Card(
                id=treasure,
                label=box.printed(treasure),
                symbol=SYMBOLS[treasure],
                ground=GROUNDS[treasure],
                is_faint=treasure not in state.captured,
                title=say(
                    state.edition.words.taken if treasure in state.captured else marked("{treasure}: not yet"),
                    treasure=box.printed(treasure),
                ),
            )
            for treasure in TREASURES
        ),
    )


def _treasure_pile(state: IslandState) -> CardStack:
    pile, discard = state.treasure_pile, state.treasure_discard
    return CardStack(
        id="treasure_pile",
        title=say(state.edition.words.deck),
        count=len(pile),
        left=tuple(_cards(state, Counter(pile.cards()), "left.")),
        discarded=len(discard),
        discard=tuple(_cards(state, Counter(discard), "discarded.", is_faint=True)),
        top=printed(state, discard[-1]) if discard else "",
    )


def _flood_pile(state: IslandState) -> CardStack:
    pile, discard = state.flood_pile, state.flood_discard
    layers = [", ".join(map(box.printed, layer)) for layer in pile.layers]
    first = marked("In the pile: {cards}") if len(layers) == 1 else marked("First: {cards}")
    notes = [say(marked("Then: {cards}") if at else first, cards=cards) for at, cards in enumerate(layers)]
    if discard:
        notes.append(say("Discarded: {cards}", cards=", ".join(map(box.printed, discard))))
    return CardStack(
        id="flood_pile",
        title=say("Flood deck"),
        count=len(pile),
        discarded=len(discard),
        top=box.printed(discard[-1]) if discard else "",
        notes=tuple(notes),
    )
