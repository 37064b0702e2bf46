"""The picture of the table: the desert, the storm, the adventurers and what they carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import cast

from engine.core.values import SEAT_IDS
from engine.games.forbidden_desert.components import (
    ACTIONS_PER_TURN,
    BLOCKED,
    CLUE_PAIRS,
    CLUES,
    COLUMNS,
    EQUIPMENT_CARDS,
    METER,
    PARTS,
    ROLES,
    ROWS,
    SAND_MARKERS,
    SPACES,
    STORM_PICKS_UP,
    SUN_BEATS_DOWN,
    WIND,
    CitySide,
    Part,
    Space,
    column_of,
    printed,
    row_of,
)
from engine.games.forbidden_desert.components import (
    WIND_CARDS as WIND_TILES,
)
from engine.games.forbidden_desert.state import DesertState
from engine.games.forbidden_desert.state import Tile as DesertTile
from engine.games.forbidden_desert.vignettes import CITY, CLUE_COLUMN, CLUE_ROW, DUNES, OASIS, STORM, WRECK
from engine.kit.default_scene import initials
from engine.kit.faces import Face, FaceLayout, cards
from engine.kit.piles import Pile as Cards
from engine.kit.scene import (
    FORMS,
    Badge,
    Card,
    CardStack,
    Colour,
    Counters,
    Gauge,
    Ground,
    Legend,
    Level,
    Meter,
    Panel,
    Pattern,
    Piece,
    Plane,
    PlayerMat,
    Scene,
    Shelf,
    Sign,
    Symbol,
    Tile,
)
from engine.kit.vignette import Tint, Vignette

PART_SYMBOLS: dict[Part, Symbol] = {
    "propeller": "propeller",
    "engine": "engine",
    "solar_crystal": "crystal",
    "navigation_deck": "wheel",
}
CITY_SYMBOLS: dict[CitySide, Symbol] = {
    "gear": "gear",
    "launch_pad": "pad",
    "mirage": "fog",
    "tunnel": "tunnel",
    "well": "well",
}
"""Of the city sides that are no clue."""
CARD_SYMBOLS: dict[str, Symbol] = {
    "dune_blaster": "blast",
    "jet_pack": "jet",
    "secret_water_reserve": "drop",
    "solar_shield": "shield",
    "storm_tracker": "storm",
    "terrascope": "eye",
    "time_throttle": "hourglass",
    SUN_BEATS_DOWN: "sun",
    STORM_PICKS_UP: "storm",
    **{card: cast("Symbol", f"arrow_{way}") for card, wind in WIND.items()
       for way in ({"north": "up", "south": "down", "east": "right", "west": "left"}[wind.direction],)},
}  # fmt: skip
CARD_GROUNDS: dict[str, Ground] = {SUN_BEATS_DOWN: "lava", STORM_PICKS_UP: "night"}
COMPASS: dict[str, tuple[int, int]] = {
    **{f"wind_north_{tiles}": (tiles + 2, 1) for tiles in WIND_TILES},
    **{f"wind_west_{tiles}": (4 - tiles, 2) for tiles in WIND_TILES},
    **{f"wind_east_{tiles}": (tiles + 4, 2) for tiles in WIND_TILES},
    **{f"wind_south_{tiles}": (tiles + 2, 3) for tiles in WIND_TILES},
}
"""Where each wind has its place: column and row, the storm in the middle."""
STORM_FACES = FaceLayout(
    7,
    (
        Face(value=SUN_BEATS_DOWN, symbol="sun", tint="fire", column=1, row=1, width=2),
        Face(value=STORM_PICKS_UP, symbol="storm", tint="steel", column=6, row=1, width=2),
        *(
            Face(value=card, symbol=CARD_SYMBOLS[card], tint="blue", text=str(WIND[card].tiles), column=x, row=y)
            for card, (x, y) in COMPASS.items()
        ),
    ),
)
"""The storm cards as a compass: west 3-2-1, east 1-2-3 outwards, north and south above and below it."""
EQUIPMENT_FACES = cards([(card, CARD_SYMBOLS[card], "steel") for card in EQUIPMENT_CARDS])
LITTLE_SAND = 8
"""So few markers left are soon used up."""
MARGIN = 0.1
PART_TINT: Tint = "steel"


def scene(state: DesertState, names: Sequence[str], title: str, subtitle: str, awaited: Sequence[int]) -> Scene:
    """The table.

    Args:
        title: the game's name.
        subtitle: where it stands.
        awaited: the seats for which it waits.
    """
    return Scene(
        title=title,
        subtitle=subtitle,
        description=_description(state, names),
        planes=(_desert(state, names),),
        panels=tuple(_panels(state, names, awaited)),
    )


def _desert(state: DesertState, names: Sequence[str]) -> Plane:
    return Plane(
        id="desert",
        width=COLUMNS + 2 * MARGIN,
        height=ROWS + 2 * MARGIN,
        backdrop="sand",
        tiles=tuple(_tile(state, space) for space in SPACES),
        pieces=(*_parts(state), *_pawns(state, names)),
    )


def _tile(state: DesertState, space: Space) -> Tile:
    x, y = column_of(space) + 0.5 + MARGIN, row_of(space) + 0.5 + MARGIN
    if space == state.hole:
        return Tile(
            id=space, x=x, y=y, label="Storm", vignette=STORM, family="night", ground="night", pattern="dunes",
            state="the storm",
            badges=(Badge(symbol="storm"),), place=space, title=f"The storm, {printed(space)}",
        )  # fmt: skip
    tile = state.tile(space)
    is_blocked = tile.sand >= BLOCKED
    ground: Ground = "stone" if tile.is_excavated else "sand"
    pattern: Pattern = "cross" if is_blocked else "dots" if tile.sand else "" if tile.is_excavated else "dunes"
    said = (
        "excavated" if tile.is_excavated else "not excavated",
        f"{tile.sand} sand{' (blocked)' if is_blocked else ''}" if tile.sand else "",
    )
    told = ", ".join(filter(None, said))
    return Tile(
        id=space,
        x=x,
        y=y,
        label=_label(state, space),
        vignette=_vignette(tile, space),
        family="stone" if tile.is_excavated else "dune",
        metal="steel",
        heap=tile.sand,
        ground=ground,
        pattern=pattern,
        state=told,
        is_strong=tile.is_excavated and tile.city_side == "launch_pad",
        badges=tuple(_badges(state, space)),
        place=space,
        title=f"{state.place_name(space)}: {told}",
    )


def _vignette(tile: DesertTile, space: Space) -> Vignette:
    """What a tile shows: the city's side once it is dug up."""
    if tile.is_excavated and tile.city_side is not None:
        if tile.city_side not in CLUES:
            return CITY[tile.city_side]
        return CLUE_ROW if tile.city_side == CLUE_PAIRS[CLUES[tile.city_side]][0] else CLUE_COLUMN
    if tile.desert_side == "crash":
        return WRECK
    return OASIS if tile.desert_side == "water" else DUNES[(column_of(space) + row_of(space)) % 2]


def _label(state: DesertState, space: Space) -> str:
    """What is known of a tile, in short."""
    tile = state.tile(space)
    if tile.desert_side == "crash" and not tile.is_excavated:
        return "Wreck"
    if tile.city_side is None:
        return "Water?" if tile.desert_side == "water" else ""
    part = CLUES.get(tile.city_side)
    return printed(tile.city_side) if part is None else printed(part)


def _badges(state: DesertState, space: Space) -> Iterator[Badge]:
    tile = state.tile(space)
    if tile.desert_side == "crash" and not tile.is_excavated:
        yield Badge(symbol="helicopter", title="Where the helicopter crashed")
    elif tile.city_side is None:
        if tile.desert_side == "water":
            yield Badge(symbol="drop", title="A well or the mirage")
    else:
        if not tile.is_excavated:
            yield Badge(symbol="eye", title="Seen, not excavated", tint="sand")
        part = CLUES.get(tile.city_side)
        if part is None:
            tint: Tint | None = None if tile.is_excavated else "sand"
            yield Badge(symbol=CITY_SYMBOLS[tile.city_side], title=printed(tile.city_side), tint=tint)
        else:
            way: Symbol = "row" if tile.city_side == CLUE_PAIRS[part][0] else "column"
            yield Badge(symbol=PART_SYMBOLS[part], title=printed(tile.city_side), tint=PART_TINT)
            told = f"It is in this {way}, as the tiles lie when both clues are found"
            yield Badge(symbol=way, title=told, tint=None if tile.is_excavated else "sand")
    if tile.sand:
        yield Badge(symbol="sand", text=str(tile.sand), title=f"{tile.sand} sand")


def _parts(state: DesertState) -> Iterator[Piece]:
    lying = [(part, space) for space, tile in zip(SPACES, state.board, strict=True) if tile for part in tile.parts]
    for part, space in (*lying, *((part, state.hole) for part in state.hole_parts)):
        yield Piece(
            id=f"lying.{part}",
            on=space,
            form="circle",
            symbol=PART_SYMBOLS[part],
            colour="orange",
            place=part,
            title=f"The {printed(part)} lies at {printed(space)}",
        )


def _pawns(state: DesertState, names: Sequence[str]) -> Iterator[Piece]:
    for seat, (name, sign, space) in enumerate(zip(names, initials(names), state.pawns, strict=True)):
        role = ROLES[state.roles[seat]]
        colour = cast("Colour", role.pawn)
        buried = ", buried" if state.is_buried(seat) else ""
        yield Piece(
            id=f"pawn.{SEAT_IDS[seat]}",
            on=space,
            form=FORMS[colour],
            colour=colour,
            text=sign,
            is_active=seat == state.active and state.outcome is None,
            seat=SEAT_IDS[seat],
            place=SEAT_IDS[seat],
            title=f"{name}, {role.name}, at {printed(space)}{buried}",
        )


def _panels(state: DesertState, names: Sequence[str], awaited: Sequence[int]) -> Iterator[Panel]:
    yield _meter(state)
    for seat, (name, sign) in enumerate(zip(names, initials(names), strict=True)):
        yield _player(state, seat, name, sign, is_awaited=seat in awaited)
    yield _machine(state)
    if state.seen:
        seen = (
            Card(id=f"seen.{at}", label=printed(card), symbol=CARD_SYMBOLS[card]) for at, card in enumerate(state.seen)
        )
        yield Shelf(id="seen", title="Looked at, from the top", cards=tuple(seen))
    yield _storm_pile(state)
    yield _equipment_pile(state)
    yield _box(state)
    yield _legend()


def _meter(state: DesertState) -> Meter:
    level = state.storm_level
    return Meter(
        id="storm_meter",
        title="Storm",
        levels=(*(Level(label=str(cards)) for cards in METER[state.seats]), Level(symbol="skull")),
        at=state.storm_tick - 1,
        reading=f"{level} storm cards a turn" if level else "the skull",
        symbol="storm",
    )


def _player(state: DesertState, seat: int, name: str, sign: str, *, is_awaited: bool) -> PlayerMat:
    role = ROLES[state.roles[seat]]
    colour = cast("Colour", role.pawn)
    seat_id, water = SEAT_IDS[seat], state.water[seat]
    is_turn = seat == state.active and state.outcome is None
    notes = ("Buried: has to be dug out." if state.is_buried(seat) else "", _turn(state) if is_turn else "")
    return PlayerMat(
        id=f"player.{seat_id}",
        seat=seat_id,
        name=name,
        initials=sign,
        colour=colour,
        form=FORMS[colour],
        role=role.name,
        is_active=is_turn,
        is_awaited=is_awaited,
        is_out=water < 0,
        gauges=(
            Gauge(
                id=f"{seat_id}.water",
                label="Water" if water >= 0 else "Died of thirst",
                value=max(water, 0),
                of=role.canteen,
                symbol="drop" if water >= 0 else "skull",
                is_grave=water <= 0,
            ),
        ),
        cards=tuple(_equipment(state, seat)),
        actions=(state.actions_left, max(state.actions_left, ACTIONS_PER_TURN))
        if is_turn and state.actions_left
        else None,
        note=" ".join(filter(None, notes)),
        empty="No equipment",
    )


def _turn(state: DesertState) -> str:
    """What the active player has left of the turn."""
    left = (("action", state.actions_left), ("storm card", state.storm_due))
    said = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for what, count in left if count)
    return f"Left in this turn: {said}." if said else ""


def _equipment(state: DesertState, seat: int) -> Iterator[Card]:
    seat_id = SEAT_IDS[seat]
    if state.shielded[seat]:
        yield Card(id=f"{seat_id}.shield", label="Solar Shield is up", symbol="shield", ground="meadow", tint="leaf")
    yield from _cards(Counter(state.equipment[seat]), f"{seat_id}.")


def _cards(cards: Counter[str], prefix: str, *, is_faint: bool = False) -> Iterator[Card]:
    for card, count in sorted(cards.items()):
        wind = WIND.get(card)
        yield Card(
            id=f"{prefix}{card}",
            label=printed(card) if wind is None else f"{wind.tiles} {wind.direction}",
            count=count,
            symbol=CARD_SYMBOLS[card],
            ground=CARD_GROUNDS.get(card, "paper"),
            tint="fire" if card == SUN_BEATS_DOWN else "steel",
            is_any_time=wind is None and card not in CARD_GROUNDS,
            is_faint=is_faint,
            place=card if prefix in {f"{seat}." for seat in SEAT_IDS} else None,
            title=printed(card),
        )


def _machine(state: DesertState) -> Shelf:
    return Shelf(
        id="parts",
        title="Flying machine",
        cards=tuple(
            Card(
                id=part,
                label=printed(part),
                symbol=PART_SYMBOLS[part],
                ground="sand",
                is_faint=part not in state.collected,
                title=f"{printed(part)}: {'picked up' if part in state.collected else 'not yet'}",
            )
            for part in PARTS
        ),
    )


def _storm_pile(state: DesertState) -> CardStack:
    gone = (*state.storm_discard, *state.storm_drawn)
    pile = state.storm_pile
    return CardStack(
        id="storm_pile",
        title="Storm deck",
        count=len(pile),
        left=tuple(_cards(Counter(pile.cards()), "left.")),
        discarded=len(gone),
        discard=tuple(_cards(Counter(gone), "discarded.", is_faint=True)),
        top=printed(gone[-1]) if gone else "",
        notes=tuple(_known(pile)),
    )


def _known(pile: Cards[str]) -> Iterator[str]:
    """The cards on top and at the bottom whose order somebody has seen."""
    for head, layers in (("On top", pile.layers), ("At the bottom", pile.layers[::-1])):
        known = [printed(layer[0]) for layer in takewhile(lambda layer: len(layer) == 1, layers)]
        if known and len(known) < len(pile.layers):
            yield f"{head}: {', '.join(known)}"


def _equipment_pile(state: DesertState) -> CardStack:
    used = state.equipment_used
    return CardStack(
        id="equipment_pile",
        title="Equipment deck",
        count=len(state.equipment_pile),
        left=tuple(_cards(Counter(state.equipment_pile.cards()), "deck.")),
        discarded=len(used),
        discard=tuple(_cards(Counter(used), "used.", is_faint=True)),
    )


def _box(state: DesertState) -> Counters:
    """The sand that is left, and what is under the tiles that nobody has seen."""
    supply = Gauge(
        id="sand_supply",
        label="Sand left",
        value=state.sand_supply,
        of=SAND_MARKERS,
        symbol="sand",
        is_grave=state.sand_supply <= LITTLE_SAND,
    )
    unseen = Counter(state.unseen("plain")) + Counter(state.unseen("water"))
    clues = sum(count for side, count in unseen.items() if side in CLUES)
    hidden = (
        *(
            Gauge(id=f"unseen.{side}", label=printed(side), value=unseen[side], symbol=symbol)
            for side, symbol in CITY_SYMBOLS.items()
        ),
        Gauge(id="unseen.clues", label="Clues", value=clues, symbol="question"),
    )
    return Counters(id="box", title="Sand, and what is hidden", gauges=(supply, *hidden))


def _legend() -> Legend:
    return Legend(
        id="legend",
        title="Tiles",
        signs=(
            Sign(text="desert", ground="sand", pattern="dunes"),
            Sign(text="excavated", ground="stone"),
            Sign(text="one sand", ground="sand", pattern="dots"),
            Sign(text="blocked: two or more", ground="sand", pattern="cross"),
            Sign(text="storm", ground="night", symbol="storm"),
        ),
    )


def _description(state: DesertState, names: Sequence[str]) -> str:
    """The table in words."""
    level = state.storm_level
    city = [state.place_name(space) for space in SPACES if space != state.hole and state.tile(space).is_excavated]
    sandy = [
        f"{printed(space)} {tile.sand}" for space, tile in zip(SPACES, state.board, strict=True) if tile and tile.sand
    ]
    players = (
        f"{name} ({ROLES[role].name}) at {printed(space)}, "
        + ("dead of thirst" if water < 0 else f"water {water} of {ROLES[role].canteen}")
        + f", {', '.join(map(printed, cards)) or 'no equipment'}"
        for name, role, space, water, cards in zip(
            names, state.roles, state.pawns, state.water, state.equipment, strict=True
        )
    )
    lying = [f"{printed(str(piece.id.partition('.')[2]))} at {printed(str(piece.on))}" for piece in _parts(state)]
    said = (
        f"The storm is at {printed(state.hole)}, " + (f"{level} cards a turn" if level else "at the skull"),
        f"sand left: {state.sand_supply} of {SAND_MARKERS}",
        f"sand on {'; '.join(sandy) or 'no tile'}",
        f"excavated: {'; '.join(city) or 'nothing'}",
        f"parts picked up: {', '.join(map(printed, state.collected)) or 'none'}; lying: {', '.join(lying) or 'none'}",
        *players,
    )
    return ". ".join(said) + "."
