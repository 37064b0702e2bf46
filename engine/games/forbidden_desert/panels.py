"""Panels beside the desert in the picture: meters, the adventurers' mats, and the decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import cast

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forbidden_desert.components import (
    ACTIONS_PER_TURN,
    CLUES,
    METER,
    PARTS,
    ROLES,
    SAND_MARKERS,
    SUN_BEATS_DOWN,
    WIND,
    printed,
)
from engine.games.forbidden_desert.state import DesertState
from engine.games.forbidden_desert.symbols import CARD_GROUNDS, CARD_SYMBOLS, CITY_SYMBOLS, PART_SYMBOLS
from engine.kit.part_panels import Around
from engine.kit.piles import Pile as Cards
from engine.kit.scene.looks import Colour
from engine.kit.scene.panels import (
    Card,
    CardStack,
    Counters,
    Gauge,
    Legend,
    Level,
    Meter,
    Panel,
    PlayerMat,
    Shelf,
    Sign,
)
from engine.kit.words import counted

LITTLE_SAND = 8
"""Number of sand markers left at which the supply counts as low."""


def panels(state: DesertState, around: Around) -> Iterator[Panel]:
    """Yield the panels beside the desert: the storm meter, the players' mats, the flying machine, and the decks."""
    yield _meter(state)
    yield from (_player(state, seat, around) for seat in range(state.seats))
    yield _machine(state)
    if state.seen:
        seen = (
            Card(id=f"seen.{at}", label=printed(card), symbol=CARD_SYMBOLS[card]) for at, card in enumerate(state.seen)
        )
        yield Shelf(id="seen", title=say("Looked at, from the top"), cards=tuple(seen))
    yield _storm_pile(state)
    yield _equipment_pile(state)
    yield _box(state)
    yield _legend()


def _meter(state: DesertState) -> Meter:
    level = state.storm_level
    return Meter(
        id="storm_meter",
        title=say("Storm"),
        levels=(*(Level(label=str(cards)) for cards in METER[state.seats]), Level(symbol="skull")),
        at=state.storm_tick - 1,
        reading=say("{level} storm cards a turn", level=level) if level else say("the skull"),
        symbol="storm",
    )


def _player(state: DesertState, seat: int, around: Around) -> PlayerMat:
    role = ROLES[state.roles[seat]]
    water, is_turn = state.water[seat], seat == around.active
    notes = (say("Buried: must be dug out.") if state.is_buried(seat) else "", _turn(state) if is_turn else "")
    return around.mat(
        seat,
        cast("Colour", role.pawn),
        role=say(role.name),
        is_out=water < 0,
        gauges=(
            Gauge(
                id=f"{SEAT_IDS[seat]}.water",
                label=say("Water") if water >= 0 else say("Died of thirst"),
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
        empty=say("No equipment"),
    )


def _turn(state: DesertState) -> str:
    """Return the rest of the active player's turn, in words."""
    left = (
        counted(state.actions_left, "action") if state.actions_left else "",
        counted(state.storm_due, "storm card") if state.storm_due else "",
    )
    said = ", ".join(filter(None, left))
    return say("Left this turn: {left}.", left=said) if said else ""


def _equipment(state: DesertState, seat: int) -> Iterator[Card]:
    seat_id = SEAT_IDS[seat]
    if state.shielded[seat]:
        yield Card(
            id=f"{seat_id}.shield", label=say("Solar Shield is up"), symbol="shield", ground="meadow", tint="leaf"
        )
    yield from _cards(Counter(state.equipment[seat]), f"{seat_id}.")


def _cards(cards: Counter[str], prefix: str, *, is_faint: bool = False) -> Iterator[Card]:
    for card, count in sorted(cards.items()):
        wind = WIND.get(card)
        yield Card(
            id=f"{prefix}{card}",
            label=printed(card) if wind is None else f"{wind.tiles} {say(wind.direction)}",
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
        title=say("Flying machine"),
        cards=tuple(
            Card(
                id=part,
                label=printed(part),
                symbol=PART_SYMBOLS[part],
                ground="sand",
                is_faint=part not in state.collected,
                title=f"{printed(part)}: {say('picked up') if part in state.collected else say('not yet')}",
            )
            for part in PARTS
        ),
    )


def _storm_pile(state: DesertState) -> CardStack:
    gone = (*state.storm_discard, *state.storm_drawn)
    pile = state.storm_pile
    return CardStack(
        id="storm_pile",
        title=say("Storm deck"),
        count=len(pile),
        left=tuple(_cards(Counter(pile.cards()), "left.")),
        discarded=len(gone),
        discard=tuple(_cards(Counter(gone), "discarded.", is_faint=True)),
        top=printed(gone[-1]) if gone else "",
        notes=tuple(_known(pile)),
    )


def _known(pile: Cards[str]) -> Iterator[str]:
    """Describe the known cards at the top and bottom of the deck."""
    top, bottom = marked("On top: {cards}"), marked("At the bottom: {cards}")
    for text, layers in ((top, pile.layers), (bottom, pile.layers[::-1])):
        known = [printed(layer[0]) for layer in takewhile(lambda layer: len(layer) == 1, layers)]
        if known and len(known) < len(pile.layers):
            yield say(text, cards=", ".join(known))


def _equipment_pile(state: DesertState) -> CardStack:
    used = state.equipment_used
    return CardStack(
        id="equipment_pile",
        title=say("Equipment deck"),
        count=len(state.equipment_pile),
        left=tuple(_cards(Counter(state.equipment_pile.cards()), "deck.")),
        discarded=len(used),
        discard=tuple(_cards(Counter(used), "used.", is_faint=True)),
    )


def _box(state: DesertState) -> Counters:
    """Return the panel with the sand left in the supply, and the city sides of unknown tiles."""
    supply = Gauge(
        id="sand_supply",
        label=say("Sand left"),
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
        Gauge(id="unseen.clues", label=say("Clues"), value=clues, symbol="question"),
    )
    return Counters(id="box", title=say("Sand and hidden tiles"), gauges=(supply, *hidden))


def _legend() -> Legend:
    return Legend(
        id="legend",
        title=say("Tiles"),
        signs=(
            Sign(text=say("desert"), ground="sand", pattern="dunes"),
            Sign(text=say("excavated"), ground="stone"),
            Sign(text=say("one sand"), ground="sand", pattern="dots"),
            Sign(text=say("blocked: two or more"), ground="sand", pattern="cross"),
            Sign(text=say("storm"), ground="night", symbol="storm"),
        ),
    )
