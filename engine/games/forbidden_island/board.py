"""The picture of the table: the island, the water meter, hands and piles."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engine.core.language import marked, say
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Treasure
from engine.games.forbidden_island.state import IslandState
from engine.games.forbidden_island.vignettes import FAMILIES, METALS, VIGNETTES
from engine.kit.card_looks import CardLooks, Look
from engine.kit.part_panels import Around
from engine.kit.scene.looks import FORMS
from engine.kit.scene.panels import CardStack, Legend, Level, Meter, Panel, PlayerMat, Sign
from engine.kit.scene.planes import Badge, Piece, Plane, Tile
from engine.kit.words import counted

TREASURE_LOOKS: dict[str, Look] = {
    "crystal_of_fire": Look("flame", "fire", "lava"),
    "earth_stone": Look("stone", "earth", "forest"),
    "oceans_chalice": Look("cup", "ocean", "water"),
    "statue_of_the_wind": Look("statue", "wind", "meadow"),
}
HAND_LOOKS = TREASURE_LOOKS | {
    box.HELICOPTER_LIFT: Look("helicopter", "steel", is_any_time=True),
    box.SANDBAGS: Look("sandbag", "sack", is_any_time=True),
}
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


def card_looks(edition: box.Edition) -> CardLooks:
    """Return the appearance of the seven kinds of treasure cards."""
    return CardLooks(HAND_LOOKS | {edition.rising_card: Look("water", "rise")}, edition.card_name)


def planes(state: IslandState, around: Around) -> Iterator[Plane]:
    """Yield the island."""
    yield Plane(
        id="island",
        width=SIDE + 2 * MARGIN,
        height=SIDE + 2 * MARGIN,
        tiles=tuple(_tile(state, tile, x, y) for tile, (x, y) in zip(state.layout, box.SPACES, strict=True)),
        pieces=(*_waiting(state), *_pawns(state, around)),
    )


def _waiting(state: IslandState) -> Iterator[Piece]:
    """Yield a plinth for each treasure, filled if captured. Its dots show the largest number of cards in one hand."""
    for treasure, (x, y) in CORNERS.items():
        most = min(max(hand.count(treasure) for hand in state.hands), box.CARDS_TO_CAPTURE)
        is_done = treasure in state.captured
        name = box.printed_name(treasure)
        held = marked("{treasure}: {count} of {all} cards in one hand")
        yield Piece(
            id=f"waiting.{treasure}",
            x=x + MARGIN,
            y=y + MARGIN,
            symbol=TREASURE_LOOKS[treasure].symbol,
            tint=TREASURE_LOOKS[treasure].tint,
            pips=(most, box.CARDS_TO_CAPTURE),
            is_done=is_done,
            size=PLINTH,
            title=say(state.edition.taken if is_done else held, treasure=name, count=most, all=box.CARDS_TO_CAPTURE),
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
        label=box.printed_name(tile),
        vignette=VIGNETTES[tile],
        family=FAMILIES[tile],
        metal=METALS.get(tile, "wood"),
        badges=tuple(_treasure_badges(tile)),
        place=tile,
    )


def _treasure_badges(tile: box.Tile) -> Iterator[Badge]:
    for treasure, sites in box.SITES.items():
        if tile in sites:
            look = TREASURE_LOOKS[treasure]
            yield Badge(symbol=look.symbol, title=box.printed_name(treasure), tint=look.tint)


def _badges(state: IslandState, tile: box.Tile) -> Iterator[Badge]:
    """Yield the badges of a tile: a treasure, a gate, or the helicopter."""
    yield from _treasure_badges(tile)
    for treasure in state.captured:
        if tile in box.SITES[treasure]:
            yield Badge(symbol="check", title=say(state.edition.is_taken, treasure=box.printed_name(treasure)))
    if tile == box.FOOLS_LANDING:
        yield Badge(symbol="helicopter", title=say("The helicopter leaves from here"))
    for role in state.edition.roles.values():
        if role.start == tile:
            title = say("The {role} begins here", role=say(role.name))
            yield Badge(form=FORMS[role.pawn], colour=role.pawn, title=title)


def _pawns(state: IslandState, around: Around) -> Iterator[Piece]:
    for seat, (name, tile) in enumerate(zip(around.names, state.pawns, strict=True)):
        role = state.edition.roles[state.roles[seat]]
        is_swimming = tile in state.sunk
        text = marked("{name}, {role}, in the water at {tile}") if is_swimming else marked("{name}, {role}, on {tile}")
        title = say(text, name=name, role=say(role.name), tile=box.printed_name(tile))
        yield around.pawn(seat, role.pawn, tile, title)


def panels(state: IslandState, around: Around) -> Iterator[Panel]:
    """Yield the panels beside the island: the meter, the players' mats, the treasures and the decks."""
    edition, discard = state.edition, state.treasure_discard
    yield _meter(state)
    yield from (_player(state, seat, around) for seat in range(len(state.roles)))
    yield CardLooks(TREASURE_LOOKS, box.printed_name).shelf(
        "treasures",
        say(edition.treasures),
        state.captured,
        lambda name, is_taken: say(edition.taken if is_taken else marked("{treasure}: not yet"), treasure=name),
    )
    top = edition.card_name(discard[-1]) if discard else ""
    yield card_looks(edition).stack(say(edition.deck), state.treasure_pile, discard, id="treasure_pile", top=top)
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
    starts = {level: say(name.title()) for name, level in box.START_LEVEL.items()}
    at = state.water_level - 1
    return Meter(
        id="water_meter",
        title=say("Water level"),
        levels=(
            *(Level(label=str(cards), note=starts.get(tick, "")) for tick, cards in enumerate(box.METER, 1)),
            Level(symbol="skull"),
        ),
        at=at,
        reading=say("{cards} Flood cards a turn", cards=box.METER[at]) if at < len(box.METER) else say("the skull"),
        symbol="drop",
    )


def _player(state: IslandState, seat: int, around: Around) -> PlayerMat:
    role = state.edition.roles[state.roles[seat]]
    return around.mat(
        seat,
        role.pawn,
        role=say(role.name),
        cards=card_looks(state.edition).hand(seat, state.hands[seat]),
        **around.rest(
            seat,
            state.actions_left,
            box.ACTIONS_PER_TURN,
            state.edition.cards(state.treasure_draws_left) if state.treasure_draws_left else "",
            counted(state.flood_draws_left, "Flood card") if state.flood_draws_left else "",
        ),
    )


def _flood_pile(state: IslandState) -> CardStack:
    pile, discard = state.flood_pile, state.flood_discard
    layers = [", ".join(map(box.printed_name, layer)) for layer in pile.layers]
    first = marked("In the pile: {cards}") if len(layers) == 1 else marked("First: {cards}")
    notes = [say(marked("Then: {cards}") if at else first, cards=cards) for at, cards in enumerate(layers)]
    if discard:
        notes.append(say("Discarded: {cards}", cards=", ".join(map(box.printed_name, discard))))
    return CardStack(
        id="flood_pile",
        title=say("Flood deck"),
        count=len(pile),
        discarded=len(discard),
        top=box.printed_name(discard[-1]) if discard else "",
        notes=tuple(notes),
    )
