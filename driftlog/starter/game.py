"""Collectors: draw a card each turn, and keep at most four. The first with three of a kind wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Self

from msgspec.structs import replace

from driftlog.kit import (
    SEAT_IDS,
    Action,
    Chance,
    Deck,
    GameOutcome,
    Hand,
    Options,
    Pile,
    Refusal,
    Row,
    Ruleset,
    Stack,
    State,
    Told,
    Value,
    place_of,
    say,
    with_entry,
)

Card = Literal["coral", "pearl", "sea_star", "shell"]
DECK = Deck({"coral": 5, "pearl": 5, "sea_star": 5, "shell": 5}, titles={"sea_star": "Sea star"})
LIMIT = 4
"""Cards that a player may keep."""


class CollectorsState(State, frozen=True, kw_only=True):
    """The state of the table."""

    hands: tuple[tuple[str, ...], ...]
    """The cards of each seat, sorted."""
    deck: Pile[str]
    discarded: tuple[str, ...] = ()
    active: int = 0


class DrawCard(Action[CollectorsState], frozen=True):
    """Draw the top card of the deck."""

    type = "draw_card"
    verb = "draw a card"
    rule = "Drawing"
    symbol = "draw"
    asks_chance = True

    def refusal(self, state: CollectorsState, seat: int) -> Refusal | None:
        return not_now(self.rule, state, seat, "drawing")

    def apply(self, state: CollectorsState, seat: int, chance: Chance) -> CollectorsState:
        card, deck = state.deck.draw(chance, "card")
        hand = tuple(sorted((*state.hands[seat], card)))
        drawn = replace(state, deck=deck, hands=with_entry(state.hands, seat, hand))
        if hand.count(card) == 3:
            return replace(drawn, outcome=GameOutcome("won", (SEAT_IDS[seat],), "three", "Three of a kind"))
        return replace(drawn, phase="discarding") if len(hand) > LIMIT else next_turn(drawn)

    def describe(self, state: CollectorsState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{player} draws {card}.", player=names[seat], card=card_name(outcomes[0]))


class Discard(Action[CollectorsState], frozen=True):
    """Discard a card, if you have too many."""

    type = "discard"
    rule = "Discarding"
    symbol = "card"
    card: Card

    @classmethod
    def candidates(cls, state: CollectorsState, seat: int) -> Iterable[Self]:
        return map(cls, dict.fromkeys(state.hands[seat]))

    def refusal(self, state: CollectorsState, seat: int) -> Refusal | None:
        if self.card not in state.hands[seat]:
            return Refusal(self.rule, "You do not have that card.")
        return not_now(self.rule, state, seat, "discarding")

    def apply(self, state: CollectorsState, seat: int, chance: Chance) -> CollectorsState:
        at = place_of(self.card, state.hands[seat])
        hand = (*state.hands[seat][:at], *state.hands[seat][at + 1 :])
        hands = with_entry(state.hands, seat, hand)
        return next_turn(replace(state, hands=hands, discarded=(*state.discarded, self.card)))

    def label(self, state: CollectorsState, names: Sequence[str]) -> str:
        return say("Discard {card}", card=card_name(self.card))

    def describe(self, state: CollectorsState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{player} discards {card}.", player=names[seat], card=card_name(self.card))


def card_name(card: Value) -> str:
    """Return the name of a card."""
    return RULESET.value_label(card)


def not_now(rule: str, state: CollectorsState, seat: int, phase: str) -> Refusal | None:
    """Return the reason why a seat may not act now; None if it may."""
    if seat != state.active:
        return Refusal(rule, "It is another player's turn.")
    return None if state.phase == phase else Refusal(rule, "Draw a card, then discard if you have too many.")


def next_turn(state: CollectorsState) -> CollectorsState:
    """Return the state at the start of the next turn. If the deck is empty, the game ends instead."""
    if not len(state.deck):
        return replace(state, outcome=GameOutcome("draw", (), "empty", "Drawing"))
    active = (state.active + 1) % len(state.hands)
    return replace(state, turn=state.turn + 1, phase="drawing", active=active)


class Collectors(Ruleset[CollectorsState, Options]):
    """The card game."""

    kit = 1
    id = "collectors"
    version = "1"
    name = "Collectors"
    players = (2, 4)
    is_cooperative = False
    state = CollectorsState
    parts = (Hand("hands", "Hand", DECK), Stack("deck", "Deck", DECK), Row("discarded", "Discard pile", DECK))
    actions = (DrawCard, Discard)
    sections = ("Drawing", "Discarding", "Three of a kind")
    phases = {"drawing": "draw a card", "discarding": "discard a card"}
    endings = {"three": "A player has three of a kind.", "empty": "The deck is empty."}
    chance_points = ("card",)
    max_events = 100

    def setup(self, options: Options, seats: int, chance: Chance) -> CollectorsState:
        return CollectorsState(turn=1, phase="drawing", hands=((),) * seats, deck=Pile.shuffled(DECK.cards()))

    def settled(self, state: CollectorsState, told: Told) -> CollectorsState:
        """Fit the phase to the hand after a correction, such as "Ann has 2 pearls"."""
        return replace(state, phase="discarding" if len(state.hands[state.active]) > LIMIT else "drawing")


RULESET = Collectors()
