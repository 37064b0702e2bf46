"""The storm: its meter, its deck, who looks at that, and where its cards lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_desert.components import METER, MOST_STORM_CARDS, STORM_DECK, printed
from engine.games.forbidden_desert.headings import SET_UP
from engine.games.forbidden_desert.state import DesertState, replace
from engine.kit.facts import CannotBe, Fact, Told
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


class StormTick(Fact[DesertState], frozen=True):
    """The tick of the storm meter."""

    tick: Annotated[int, Meta(ge=1, le=SKULL_TICK, description="From the lowest; the one after the last is the skull.")]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        yield cls(state.storm_tick)

    def put(self, state: DesertState, told: Told) -> DesertState:
        skull = len(METER[state.seats]) + 1
        if self.tick > skull:
            raise CannotBe(
                say("The skull is tick {skull} for {players} players.", skull=skull, players=state.seats), SET_UP
            )
        return replace(state, storm_tick=self.tick)

    def sentence(self, names: Sequence[str]) -> str:
        return say("The storm is at tick {tick} of its meter.", tick=self.tick)

    def no_longer(self, names: Sequence[str]) -> str:
        return say("The storm is no longer at tick {tick} of its meter.", tick=self.tick)


class StormPileIs(Fact[DesertState], frozen=True):
    """What everyone knows of the storm deck: which cards were looked at or shuffled apart, from the top."""

    none = {"layers": ()}
    layers: tuple[tuple[StormCard, ...], ...]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        if len(state.storm_pile.layers) > 1:
            yield cls(state.storm_pile.layers)  # type: ignore[arg-type]  # cards of the deck

    def put(self, state: DesertState, told: Told) -> DesertState:
        if not self.layers:
            return replace(state, storm_pile=Pile.shuffled(state.storm_pile.cards()))
        left = Counter(STORM_DECK)
        left.subtract([*state.storm_drawn, *state.seen, *(card for layer in self.layers for card in layer)])
        if min(left.values()) < 0:
            raise CannotBe("The storm deck has no more of a card than are in the box.", SET_UP)
        pile = Pile[str](self.layers).tidied()
        return replace(state, storm_pile=pile, storm_discard=tuple(sorted(left.elements())))

    def sentence(self, names: Sequence[str]) -> str:
        if not self.layers:
            return say("The storm deck is shuffled as one.")
        parts = [", ".join(map(printed, layer)) for layer in self.layers]
        return say("The storm deck, each part of it shuffled, from the top: {parts}.", parts=say("; then ").join(parts))

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.layers:
            return say("The storm deck is no longer shuffled as one.")
        return say("The storm deck no longer lies as it was known.")


class LookIs(Fact[DesertState], frozen=True):
    """Who is looking at the storm deck, how many cards are still to be looked at, and what has been seen."""

    none = {"seat": None, "left": 0, "seen": (), "has_to_place": False}
    seat: SeatId | None
    left: Annotated[int, Meta(ge=0, le=MOST_STORM_CARDS)] = 0
    seen: Annotated[tuple[StormCard, ...], Meta(max_length=MOST_STORM_CARDS)] = ()
    has_to_place: bool = False

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        if state.watcher is not None:
            yield cls(SEAT_IDS[state.watcher], state.looks_left, state.seen, state.must_place)  # type: ignore[arg-type]

    def put(self, state: DesertState, told: Told) -> DesertState:
        if self.seat is None and self != self.absent:
            raise CannotBe("Nobody looks at the storm deck: then nothing of it is seen.")
        state = _with_nothing_seen(state, instead=self.seen)
        for card in self.seen:
            state = _taken(state, card, told)
        return replace(
            state,
            watcher=None if self.seat is None else SEAT_INDEX[self.seat],
            looks_left=self.left,
            seen=self.seen,
            must_place=self.has_to_place,
        )

    def sentence(self, names: Sequence[str]) -> str:
        if self.seat is None:
            return say("Nobody is looking at the storm deck.")
        look = {
            "name": names[SEAT_INDEX[self.seat]],
            "seen": ", ".join(map(printed, self.seen)) or say("nothing yet"),
            "left": self.left,
        }
        if self.has_to_place:
            return say(
                "{name} is looking at the storm deck: {seen}, {left} more to see; one of them has to go to the bottom.",
                **look,
            )
        return say("{name} is looking at the storm deck: {seen}, {left} more to see.", **look)

    def no_longer(self, names: Sequence[str]) -> str:
        if self.seat is None:
            return say("Somebody is looking at the storm deck now.")
        return say("The look of {name} at the storm deck is no longer as it was.", name=names[SEAT_INDEX[self.seat]])


def _with_nothing_seen(state: DesertState, *, instead: Sequence[str]) -> DesertState:
    """`state` with the cards that were seen back on top; one that was mistaken for another lies where that one lay."""
    pile, back = state.storm_pile, list(state.seen)
    wrong, right = Counter(state.seen) - Counter(instead), Counter(instead) - Counter(state.seen)
    for mistaken, card in zip(wrong.elements(), right.elements(), strict=False):
        if card in pile.cards():
            pile = _exchanged(pile, card, mistaken)
            back[back.index(mistaken)] = card
    for card in reversed(back):
        pile = pile.put_on_top(card)
    return replace(state, storm_pile=pile, seen=())


def _exchanged(pile: Pile[str], card: str, other: str) -> Pile[str]:
    """`pile` with `other` where the topmost `card` lay."""
    at = next(at for at, layer in enumerate(pile.layers) if card in layer)
    layer = (*_less(pile.layers[at], card), other)
    return Pile((*pile.layers[:at], layer, *pile.layers[at + 1 :])).tidied()


class _StormCards(Fact[DesertState], frozen=True):
    """How many of a storm card lie somewhere."""

    lying: ClassVar[str]
    """The member of the state that they lie in."""
    about = ("card",)
    none = {"count": 0}
    moves_things = True
    card: StormCard
    count: Count = 1

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        return (cls(card, count) for card, count in sorted(Counter(getattr(state, cls.lying)).items()))

    def put(self, state: DesertState, told: Told) -> DesertState:
        card, lying = self.card, self.lying
        while (count := getattr(state, lying).count(card)) > self.count:
            state = _put_away(replace(state, **{lying: _less(getattr(state, lying), card)}), card, told)
        for _ in range(self.count - count):
            state = _taken(state, card, told)
            state = replace(state, **{lying: (*getattr(state, lying), card)})
        return state


class StormCardsDrawn(_StormCards, frozen=True):
    """How many of a storm card have been drawn in this turn, and lie beside the discard pile."""

    lying = "storm_drawn"

    def sentence(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("Drawn in this turn: no {card}.", card=printed(self.card))
        return say("Drawn in this turn: {count} {card}.", count=self.count, card=printed(self.card))

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("{card} has been drawn in this turn now.", card=printed(self.card))
        return say("Drawn in this turn are no longer {count} {card}.", count=self.count, card=printed(self.card))


class StormCardsDiscarded(_StormCards, frozen=True):
    """How many of a storm card lie in the discard pile."""

    lying = "storm_discard"

    def sentence(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("The storm discard pile holds no {card}.", card=printed(self.card))
        return say("The storm discard pile holds {count} {card}.", count=self.count, card=printed(self.card))

    def no_longer(self, names: Sequence[str]) -> str:
        if not self.count:
            return say("The storm discard pile holds {card} now.", card=printed(self.card))
        return say("The storm discard pile no longer holds {count} {card}.", count=self.count, card=printed(self.card))


def _taken(state: DesertState, card: str, told: Told) -> DesertState:
    """`state` without one `card`: from where more of them lie than is told, else from where nothing is told of it.

    Then the deck comes first, in which nobody sees what is missing, then the discard pile, then this turn's cards.
    """
    discarded, drawn = state.storm_discard.count(card), state.storm_drawn.count(card)
    if discarded > _told_of(told, StormCardsDiscarded, card, otherwise=discarded):
        return replace(state, storm_discard=_less(state.storm_discard, card))
    if drawn > _told_of(told, StormCardsDrawn, card, otherwise=drawn):
        return replace(state, storm_drawn=_less(state.storm_drawn, card))
    pile = state.storm_pile.without(card)
    if pile != state.storm_pile:
        return replace(state, storm_pile=pile)
    if discarded and not told.speaks_of(StormCardsDiscarded, card):
        return replace(state, storm_discard=_less(state.storm_discard, card))
    if drawn and not told.speaks_of(StormCardsDrawn, card):
        return replace(state, storm_drawn=_less(state.storm_drawn, card))
    raise CannotBe(say("In the box: {count} {card}.", count=STORM_DECK.count(card), card=printed(card)), SET_UP)


def _put_away(state: DesertState, card: str, told: Told) -> DesertState:
    """`state` with one more `card`: in the discard pile, or in the deck where enough are told to be discarded."""
    is_open = not told.speaks_of(StormCardsDiscarded, card)
    if is_open or state.storm_discard.count(card) < _told_of(told, StormCardsDiscarded, card, otherwise=0):
        return _discarded(state, card)
    return replace(state, storm_pile=state.storm_pile.with_card(card))


def _told_of(told: Told, kind: type[StormCardsDrawn | StormCardsDiscarded], card: str, *, otherwise: int) -> int:
    """How many of a card are told to lie there."""
    fact = told.of(kind, card)
    return otherwise if fact is None else fact.count


def _discarded(state: DesertState, card: str) -> DesertState:
    return replace(state, storm_discard=(*state.storm_discard, card))


def _less(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


class StormCardsLeft(Fact[DesertState], frozen=True):
    """How many cards are left in the storm deck."""

    is_derived = True
    count: Annotated[int, Meta(ge=0, le=len(STORM_DECK))]

    @classmethod
    def all(cls, state: DesertState) -> Iterable[Self]:
        yield cls(len(state.storm_pile))

    def sentence(self, names: Sequence[str]) -> str:
        return say("The storm deck has {cards}.", cards=_cards(self.count))

    def no_longer(self, names: Sequence[str]) -> str:
        return say("The storm deck no longer has {cards}.", cards=_cards(self.count))


def _cards(count: int) -> str:
    return counted(count, "card") if count else say("no cards")
