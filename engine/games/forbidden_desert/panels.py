"""Panels beside the desert in the picture: meters, the adventurers' mats, and the decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import printed_name
from engine.games.forbidden_desert.state import DesertState
from engine.games.forbidden_desert.symbols import CARDS, CITY_SYMBOLS, PART_LOOKS
from engine.kit.card_looks import CardLooks
from engine.kit.part_panels import Around
from engine.kit.piles import Pile as Cards
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
            Card(id=f"seen.{at}", label=printed_name(card), symbol=CARDS.looks[card].symbol)
            for at, card in enumerate(state.seen)
        )
        yield Shelf(id="seen", title=say("Looked at, from the top"), cards=tuple(seen))
    yield _storm_pile(state)
    equipment = say("Equipment deck"), state.equipment_pile, state.equipment_used
    yield CARDS.stack(*equipment, ("deck", "used"), id="equipment_pile")
    yield _box(state)
    yield _legend()


def _meter(state: DesertState) -> Meter:
    level = state.storm_level
    return Meter(
        id="storm_meter",
        title=say("Storm"),
        levels=(*(Level(label=str(cards)) for cards in box.METER[state.seats]), Level(symbol="skull")),
        at=state.storm_tick - 1,
        reading=say("{level} storm cards a turn", level=level) if level else say("the skull"),
        symbol="storm",
    )


def _player(state: DesertState, seat: int, around: Around) -> PlayerMat:
    role, water, id_ = box.ROLES[state.roles[seat]], state.water[seat], SEAT_IDS[seat]
    due = counted(state.storm_due, "storm card") if state.storm_due else ""
    rest = around.rest(seat, state.actions_left, box.ACTIONS_PER_TURN, due)
    left = rest.pop("note", "")
    notes = (say("Buried: must be dug out.") if state.is_buried(seat) else "", f"{left}." if left else "")
    shield = Card(id=f"{id_}.shield", label=say("Solar Shield is up"), symbol="shield", ground="meadow", tint="leaf")
    return around.mat(
        seat,
        role.pawn,
        role=say(role.name),
        is_out=water < 0,
        gauges=(
            Gauge(
                id=f"{id_}.water",
                label=say("Water") if water >= 0 else say("Died of thirst"),
                value=max(water, 0),
                of=role.canteen,
                symbol="drop" if water >= 0 else "skull",
                is_grave=water <= 0,
            ),
        ),
        cards=((shield,) if state.shielded[seat] else ()) + CARDS.hand(seat, state.equipment[seat]),
        note=" ".join(filter(None, notes)),
        empty=say("No equipment"),
        **rest,
    )


def _machine(state: DesertState) -> Shelf:
    return CardLooks(PART_LOOKS, printed_name).shelf(
        "parts",
        say("Flying machine"),
        state.collected,
        lambda name, is_found: f"{name}: {say('picked up') if is_found else say('not yet')}",
    )


def _storm_pile(state: DesertState) -> CardStack:
    gone, pile = (*state.storm_discard, *state.storm_drawn), state.storm_pile
    top = printed_name(gone[-1]) if gone else ""
    return CARDS.stack(say("Storm deck"), pile, gone, id="storm_pile", top=top, notes=tuple(_describe_known(pile)))


def _describe_known(pile: Cards[str]) -> Iterator[str]:
    """Describe the known cards at the top and bottom of the deck."""
    top, bottom = marked("On top: {cards}"), marked("At the bottom: {cards}")
    for text, layers in ((top, pile.layers), (bottom, pile.layers[::-1])):
        known = [printed_name(layer[0]) for layer in takewhile(lambda layer: len(layer) == 1, layers)]
        if known and len(known) < len(pile.layers):
            yield say(text, cards=", ".join(known))


def _box(state: DesertState) -> Counters:
    """Return the panel with the sand left in the supply, and the city sides of unknown tiles."""
    supply = Gauge(
        id="sand_supply",
        label=say("Sand left"),
        value=state.sand_supply,
        of=box.SAND_MARKERS,
        symbol="sand",
        is_grave=state.sand_supply <= LITTLE_SAND,
    )
    unseen = Counter(state.unseen("plain")) + Counter(state.unseen("water"))
    clues = sum(count for side, count in unseen.items() if side in box.CLUES)
    hidden = (
        *(
            Gauge(id=f"unseen.{side}", label=printed_name(side), value=unseen[side], symbol=symbol)
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
