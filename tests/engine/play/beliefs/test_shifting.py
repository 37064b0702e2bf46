"""Corrections that move cards between the unseen pile and an open place keep the odds of all unknown cards."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from engine.play.beliefs import shifting
from engine.play.beliefs.belief import Pooled
from engine.play.beliefs.hands import Hand, cards_of
from engine.play.beliefs.pools import Pools
from engine.play.beliefs.shifting import with_changed_pile
from tests.engine.play.beliefs.test_pooling import Twins
from tests.recording import Recording

ROW: dict[Hand, int] = {("a", "x"): 2, ("b", "x"): 3}
STOCK: Hand = ("a", "a", "b", "b", "x", "x", "x")


def correction(twins: Twins, *, is_from_pile: bool) -> list[dict[str, Any]]:
    """Return a fact that adds a copy of a card to the discards, or removes one."""
    state: Any = twins.real.game.state
    counts = Counter(state.treasure_discard)
    card = twins.rng.choice(sorted({*(state.treasure_pile.cards() if is_from_pile else counts)}))
    return [{"fact": "cards_discarded", "card": card, "count": counts[card] + (1 if is_from_pile else -1)}]


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3, 5, 6, 8, 10, 11, 13])
def test_a_correction_of_the_discards_keeps_the_odds_as_listed_tables_do(seed: int) -> None:
    twins, checked = Twins("forbidden-island", 2 + seed % 3, seed), 0
    while not twins.is_over and len(twins.real.events) < 22:
        twins.play()
        state: Any = twins.real.game.state
        is_counted = isinstance(twins.counted.game.state, Pooled)
        if not (is_counted and state.outcome is None and len(state.treasure_pile) > 3) or twins.rng.random() < 0.5:
            continue
        facts = correction(twins, is_from_pile=not state.treasure_discard or twins.rng.random() < 0.6)
        twins.real.add("adjust", facts=facts, reason="As it lies.")
        if twins.do(partial(Recording.add, type_="adjust", facts=facts, reason="As it lies.")):
            break
        assert getattr(twins.counted.game.state, "is_exact", True)
        checked += twins.check()
    assert checked


def test_a_hand_weighs_less_the_more_copies_of_a_lost_card_the_pile_had() -> None:
    assert with_changed_pile([ROW], STOCK, ("a",), ()) == ([{("a", "x"): 1, ("b", "x"): 1}], STOCK)
    assert with_changed_pile([ROW], STOCK, (), ()) == ([ROW], STOCK)


def test_hands_that_could_not_be_together_before_a_card_came_into_the_pile_are_linked() -> None:
    row: dict[Hand, int] = {("a",): 1, ("x",): 1}
    found = with_changed_pile([row, row], ("a", "a", "x", "x"), (), ("a",))
    assert found is not None
    known = Pools(*found)
    tables = {tuple(cards_of(known.hand(hand)) for hand in hands) for hands in known.tables(known.all_rows)}
    assert tables == {(("a",), ("x",)), (("x",), ("a",)), (("x",), ("x",))}


def test_a_card_that_may_be_in_no_pile_leaves_no_odds() -> None:
    row: dict[Hand, int] = {("a",): 1, ("x",): 1}
    assert with_changed_pile([row], ("x", "x"), ("a",), ()) is None
    assert with_changed_pile([row], ("a", "x"), ("a",), ()) is not None
    assert with_changed_pile([row, row], ("a", "x", "x"), ("a",), ()) is None


def test_too_many_hands_leave_no_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shifting, "MOST_WAYS", 1)
    assert with_changed_pile([ROW], STOCK, ("a",), ()) is None
