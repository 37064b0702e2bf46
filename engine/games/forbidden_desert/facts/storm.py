"""Facts of the storm: its meter and deck, a look at the deck, and the cards drawn and discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_desert.components import METER, MOST_STORM_CARDS, STORM_DECK, printed_name
from engine.games.forbidden_desert.facts.ground import DesertFact
from engine.games.forbidden_desert.headings import SET_UP
from engine.games.forbidden_desert.state import DesertState, replace
from engine.kit.card_facts import CardsAt
from engine.kit.common_facts import LayersAre, SizeIs
from engine.kit.entries import with_entry, without
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.piles import Pile
from engine.kit.words import counted

StormCard = Literal[
    "wind_north_1", "wind_north_2", "wind_north_3",
    "wind_south_1", "wind_south_2", "wind_south_3",
    "wind_east_1", "wind_east_2", "wind_east_3",
    "wind_west_1", "wind_west_2", "wind_west_3",
    "sun_beats_down", "storm_picks_up",
]  # fmt: skip
Count = Annotated[int, Meta(ge=0, le=4)]

SKULL_TICK = max(map(len, METER.values())) + 1


class StormTick(DesertFact, frozen=True):
    """The tick of the storm meter."""

    title = marked("Storm meter")
    ask = marked("Tap the tick of the storm meter, counted from the bottom.")
    member = "storm_tick"
    texts = Texts("The storm is at tick {tick} of its meter.", "The storm is no longer at tick {tick} of its meter.")
    tick: Annotated[int, Meta(ge=1, le=SKULL_TICK, description="From the lowest; the one after the last is the skull.")]

    def put(self, state: DesertState, told: Told) -> DesertState:
        skull = len(METER[state.seats]) + 1
        too_high = marked("The skull is at tick {skull} for {players} players.")
        self.require(self.tick <= skull, too_high, SET_UP, skull=skull, players=state.seats)
        return super().put(state, told)


class StormPileIs(LayersAre[DesertState], frozen=True):
    """The known part of the storm deck: cards that were seen or shuffled separately, from the top."""

    member = "storm_pile"
    texts = Texts(
        "The storm deck, each part of it shuffled, from the top: {parts}.",
        "The known order of the storm deck no longer holds.",
    )
    texts_of = {(): Texts("The storm deck is one shuffled pile.", "The storm deck is no longer one shuffled pile.")}
    word = staticmethod(printed_name)
    layers: tuple[tuple[StormCard, ...], ...]

    def put(self, state: DesertState, told: Told) -> DesertState:
        if not self.layers:
            return replace(state, storm_pile=Pile.shuffled(state.storm_pile.cards()))
        left = Counter(STORM_DECK)
        left.subtract([*state.storm_drawn, *state.seen, *(card for layer in self.layers for card in layer)])
        is_possible = min(left.values()) >= 0
        self.require(is_possible, "The storm deck cannot have more copies of a card than the box.", SET_UP)
        pile = Pile[str](self.layers).sort_layers()
        return replace(state, storm_pile=pile, storm_discard=tuple(sorted(left.elements())))


_LOOK_DIFFERS = marked("{name}'s look at the storm deck has changed.")
_PLACING = Texts(
    "{name} is looking at the storm deck: {seen}, {left} more to see; one of them must go to the bottom.",
    _LOOK_DIFFERS,
)


class LookIs(DesertFact, frozen=True):
    """The player who looks at the storm deck, the number of cards left to see, and the seen cards."""

    none = {"seat": None, "left": 0, "seen": (), "has_to_place": False}
    texts = Texts("{name} is looking at the storm deck: {seen}, {left} more to see.", _LOOK_DIFFERS)
    texts_of = {None: Texts("Nobody is looking at the storm deck.", "A player is looking at the storm deck.")}
    seat: SeatId | None
    left: Annotated[int, Meta(ge=0, le=MOST_STORM_CARDS)] = 0
    seen: Annotated[tuple[StormCard, ...], Meta(max_length=MOST_STORM_CARDS)] = ()
    has_to_place: bool = False

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        if state.watcher is not None:
            yield cls(SEAT_IDS[state.watcher], state.looks_left, state.seen, state.must_place)  # type: ignore[arg-type]  # cards

    def put(self, state: DesertState, told: Told) -> DesertState:
        is_possible = self.seat is not None or self == self.absent
        self.require(is_possible, "Nobody is looking at the storm deck, so its cards are hidden.")
        state = _with_nothing_seen(state, instead=self.seen)
        for card in self.seen:
            state = _StormCards.taken(state, card, told)
        return replace(
            state,
            watcher=None if self.seat is None else SEAT_INDEX[self.seat],
            looks_left=self.left,
            seen=self.seen,
            must_place=self.has_to_place,
        )

    @property
    def wording(self) -> Texts:
        return _PLACING if self.seat is not None and self.has_to_place else super().wording

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "seen": ", ".join(map(printed_name, self.seen)) or say("nothing yet")}


def _with_nothing_seen(state: DesertState, *, instead: Sequence[str]) -> DesertState:
    """Put the seen cards back on top, and return the state. If the pile has the cards `instead`, put those on top."""
    pile, back = state.storm_pile, list(state.seen)
    wrong, right = Counter(state.seen) - Counter(instead), Counter(instead) - Counter(state.seen)
    for mistaken, card in zip(wrong.elements(), right.elements(), strict=False):
        if card in pile.cards():
            pile = _exchange_card(pile, card, mistaken)
            back[back.index(mistaken)] = card
    for card in reversed(back):
        pile = pile.put_on_top(card)
    return replace(state, storm_pile=pile, seen=())


def _exchange_card(pile: Pile[str], card: str, other: str) -> Pile[str]:
    """Return `pile` with the topmost copy of `card` replaced by `other`."""
    at = next(at for at, layer in enumerate(pile.layers) if card in layer)
    layer = (*without(pile.layers[at], card), other)
    return Pile(with_entry(pile.layers, at, layer)).sort_layers()


class _StormCards(CardsAt[DesertState], frozen=True):
    """The number of copies of a storm card in a place."""

    pile = "storm_pile"
    word = staticmethod(printed_name)
    card: StormCard
    count: Count = 1

    @classmethod
    def shortage(cls, state: DesertState, card: str) -> CannotBe:
        cards = counted(STORM_DECK.count(card), "card")
        return CannotBe(say("The box has only {cards} “{card}”.", cards=cards, card=printed_name(card)), SET_UP)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "cards": counted(self.count, "card")}


class StormCardsDiscarded(_StormCards, frozen=True):
    """The number of copies of a storm card in the discard pile."""

    title = marked("Storm discard pile")
    member = "storm_discard"
    texts = Texts(
        "The storm discard pile holds {cards} “{card}”.", "The storm discard pile no longer holds {cards} “{card}”."
    )
    texts_of = {
        0: Texts("The storm discard pile holds no card “{card}”.", "The storm discard pile has a card “{card}” now."),
    }


class StormCardsDrawn(_StormCards, frozen=True):
    """The number of copies of a storm card drawn this turn and placed beside the discard pile."""

    member = "storm_drawn"
    texts = Texts("Drawn this turn: {cards} “{card}”.", "No longer drawn this turn: {cards} “{card}”.")
    texts_of = {0: Texts("Drawn this turn: no card “{card}”.", "A card “{card}” was drawn this turn.")}


class StormCardsLeft(SizeIs[DesertState], frozen=True):
    """The number of cards left in the storm deck."""

    member = "storm_pile"
    texts = Texts("The storm deck has {cards}.", "The storm deck no longer has {cards}.")
    count: Annotated[int, Meta(ge=0, le=len(STORM_DECK))]

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {"cards": counted(self.count, "card") if self.count else say("no cards")}
