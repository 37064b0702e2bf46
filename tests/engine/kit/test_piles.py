"""Piles, compared with a real shuffled deck: the pile knows exactly what the table knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.core.errors import Unclear
from engine.kit.chance import Observed, V
from engine.kit.piles import Pile

CARDS = st.lists(st.sampled_from("abcd"), max_size=6)


class Dealer(Observed):
    """A source of chance that turns up the cards of a real deck."""

    def __init__(self, deck: Sequence[str]) -> None:
        super().__init__()
        self.begin(1, tuple(deck))
        self.asked: list[tuple[str, ...]] = []

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        self.asked.append(tuple(map(str, options)))
        return super().draw(name, options)


class RealDeck(RuleBasedStateMachine):
    """Applies each operation to a pile and to a real deck; the cards drawn from the pile are those of the deck."""

    @initialize(cards=CARDS, data=st.data())
    def shuffle(self, cards: list[str], data: st.DataObject) -> None:
        self.pile = Pile.shuffled(cards)
        self.deck = data.draw(st.permutations(cards))

    @precondition(lambda self: self.deck)
    @rule()
    def draw(self) -> None:
        top = self.deck[0]
        assert self.pile.probability(top) > 0
        card, self.pile = self.pile.draw(Dealer(self.deck), "card")
        assert card == self.deck.pop(0)

    @rule(cards=CARDS, data=st.data())
    def shuffle_on_top(self, cards: list[str], data: st.DataObject) -> None:
        self.pile = self.pile.shuffle_on_top(cards)
        self.deck = data.draw(st.permutations(cards)) + self.deck

    @rule(cards=CARDS, data=st.data())
    def shuffle_in(self, cards: list[str], data: st.DataObject) -> None:
        self.pile = self.pile.shuffle_in(cards)
        self.deck = data.draw(st.permutations(cards + self.deck))

    @rule(card=st.sampled_from("abcd"))
    def put_on_top(self, card: str) -> None:
        self.pile = self.pile.put_on_top(card)
        self.deck.insert(0, card)

    @rule(card=st.sampled_from("abcd"))
    def put_at_bottom(self, card: str) -> None:
        self.pile = self.pile.put_at_bottom(card)
        self.deck.append(card)

    @rule(count=st.integers(0, 4))
    def look(self, count: int) -> None:
        seen, self.pile = self.pile.look(Dealer(self.deck), "card", count)
        assert list(seen) == self.deck[:count]
        assert self.pile.layers[: len(seen)] == tuple((card,) for card in seen)

    @invariant()
    def each_layer_holds_the_deck_cards_that_lie_there(self) -> None:
        cards = iter(self.deck)
        for layer in self.pile.layers:
            assert list(layer) == sorted(islice(cards, len(layer)))
            assert layer
        assert not list(cards)

    @invariant()
    def it_is_as_thick_as_the_deck(self) -> None:
        assert len(self.pile) == len(self.deck)
        assert self.pile.cards() == tuple(sorted(self.deck))


TestRealDeck: Any = RealDeck.TestCase
TestRealDeck.settings = settings(max_examples=150, stateful_step_count=25, deadline=None)


def orders(pile: Pile[str]) -> Iterable[tuple[str, ...]]:
    """Yield every possible order of the cards of `pile`, all equally likely."""
    for layers in product(*(permutations(layer) for layer in pile.layers)):
        yield tuple(card for layer in layers for card in layer)


@pytest.mark.parametrize(
    "pile",
    [
        Pile.shuffled("aab"),
        Pile.shuffled("aab").shuffle_on_top("bc"),
        Pile.shuffled("aab").shuffle_in("bc"),
        Pile.shuffled("ab").put_on_top("c"),
        Pile.shuffled("ab").put_at_bottom("c"),
    ],
)
def test_probability__is_the_share_of_the_orders(pile: Pile[str]) -> None:
    tops = Counter(order[0] for order in orders(pile))
    assert {card: pile.probability(card) for card in "abcd"} == {
        card: Fraction(tops[card], tops.total()) for card in "abcd"
    }


def test_probability__of_an_empty_pile() -> None:
    assert Pile[str]().probability("a") == 0


def test_draw__asks_among_the_top_layer_alone() -> None:
    dealer = Dealer("c")
    _, pile = Pile.shuffled("ab").shuffle_on_top("cd").draw(dealer, "card")
    assert dealer.asked == [("c", "d")]
    assert pile == Pile((("d",), ("a", "b")))


def test_draw__takes_one_of_equal_cards() -> None:
    _, pile = Pile.shuffled("aab").draw(Dealer("a"), "card")
    assert pile == Pile((("a", "b"),))


def test_draw__the_last_card_of_a_layer() -> None:
    _, pile = Pile.shuffled("ab").put_on_top("c").draw(Dealer("c"), "card")
    assert pile == Pile.shuffled("ab")


def test_look__asks_for_each_card_once() -> None:
    dealer = Dealer("ba")
    seen, pile = Pile.shuffled("abc").look(dealer, "card", 2)
    assert dealer.asked == [("a", "b", "c"), ("a", "c")]
    assert seen == ("b", "a")
    assert pile.layers == (("b",), ("a",), ("c",))


def test_shuffled__no_cards_are_no_layer() -> None:
    assert Pile.shuffled("").layers == Pile[str]().shuffle_on_top("").layers == ()


def test_a_pile_never_changes() -> None:
    pile = Pile.shuffled("ab")
    pile.draw(Dealer("a"), "card")
    assert pile == Pile.shuffled("ab")


def test_draw__of_an_empty_pile_is_unclear() -> None:
    with pytest.raises(Unclear):
        Pile[str]().draw(Observed(), "card")
