"""Counted hands before and after the pile is renewed, compared with listed tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine.core.canonical import canonical
from engine.games.forbidden_island.state import replace
from engine.kit.piles import Pile
from engine.play import registry
from engine.play.beliefs import belief, hands, pooling, worlds
from engine.play.beliefs.belief import Pooled, World
from engine.play.corrections.reveals import UnknownOutcome, unknowns
from tests.engine.play.beliefs.test_pooling import counting, draw_treasure, drawing, small
from tests.engine.play.telling import tell
from tests.engine.recording import dealt
from tests.recording import Recording

ISLAND = registry.ruleset("forbidden-island")


@pytest.fixture
def _counting() -> Iterator[None]:
    with counting():
        yield


def use_up_deck(renewal: str) -> Any:
    """A table whose Treasure deck was used up by unseen draws: Ada drew two cards, Bo one."""
    state = small("oceans_chalice", "sandbags", "earth_stone")
    state = replace(state, options=replace(state.options, treasure_reshuffle=renewal))
    for seat in (0, 1):
        state = worlds.spread(ISLAND, state, drawing(seat), (None,), 1000)
    state = worlds.spread(ISLAND, state, draw_treasure, (None,), 1000)
    assert isinstance(state, Pooled)
    return state


@pytest.mark.usefixtures("_counting")
def test_an_action_leaves_a_used_up_pile_as_it_is() -> None:
    before = use_up_deck("lazy")
    after = worlds.spread(ISLAND, before, lambda state, _: replace(state, water_level=4), (), 1000)
    assert isinstance(after, Pooled)
    assert (after.rows, after.stock, after.is_exact) == (before.rows, before.stock, True)
    assert {world.state.treasure_pile for world in after.worlds} == {Pile()}


@pytest.mark.usefixtures("_counting")
@pytest.mark.parametrize("outcome", [None, "helicopter_lift", "waters_rise"])
def test_it_is_the_same_whether_the_pile_is_renewed_at_once_or_when_it_is_needed(outcome: str | None) -> None:
    found: list[Any] = [
        worlds.spread(ISLAND, use_up_deck(one), draw_treasure, (outcome,), 1000) for one in ("eager", "lazy")
    ]
    eager, lazy = (belief.view(ISLAND, one, None) for one in found)
    assert found[1].is_exact
    assert canonical({**eager, "options": None}) == canonical({**lazy, "options": None})


def lazily() -> Recording:
    """A deck of three cards that is used up within the second turn, and renewed by the next draw."""
    recording = dealt(treasure_reshuffle="lazy")
    state: Any = recording.game.state
    gone = Counter(state.treasure_pile.cards()) - Counter(("oceans_chalice", "sandbags", "earth_stone"))
    tell(recording, *({"fact": "cards_discarded", "card": card, "count": count} for card, count in gone.items()))
    for seat, tiles in (("p1", ("breakers_bridge", "bronze_gate")), ("p2", ())):
        for _ in range(2):
            recording.add("draw_treasure_card", seat, [None])
        for tile in tiles:
            recording.add("draw_flood_card", seat, [tile])
    return recording


def list_unknowns(recording: Recording) -> list[UnknownOutcome]:
    return unknowns(recording.history.rules, recording.history.mainline)


def test_draws_before_and_after_a_late_renewal_have_their_odds() -> None:
    with counting(10**6, 0):
        expected = [one.point.probabilities() for one in list_unknowns(lazily())]
    with counting():
        recording = lazily()
        assert isinstance(recording.game.state, Pooled)
        assert [one.point.probabilities() for one in list_unknowns(recording)] == expected
    assert expected[2]["sandbags"] == Fraction(1, 3)


def test_too_many_hands_leave_draws_without_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    with counting():
        recording = lazily()
        monkeypatch.setattr(hands, "MOST_WAYS", 1)
        assert not any(one.point.is_exact for one in list_unknowns(recording))  # type: ignore[attr-defined]  # of several values


def test_tables_that_need_too_many_marks_keep_what_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "MOST_WAYS", 1)
    cards = ("crystal_of_fire", "earth_stone", "oceans_chalice", "sandbags")
    table = small(*cards)
    tables = []
    for weight, pair in enumerate(product(cards[:2], cards[2:]), 1):
        pile = Pile.shuffled(card for card in cards if card not in pair)
        tables.append(World(weight, replace(table, hands=tuple((card,) for card in pair), treasure_pile=pile)))
    known = pooling.pool_tables(ISLAND, tables)
    assert known is not None
    assert not known.is_exact
    assert [[hand for hand, _ in row] for row in known.rows] == [
        [(card,) for card in row] for row in (cards[:2], cards[2:])
    ]


@pytest.mark.usefixtures("_counting")
def test_a_pile_whose_order_matters_keeps_what_is_possible() -> None:
    table = small("oceans_chalice", "sandbags", "earth_stone")
    pairs = [("oceans_chalice", "sandbags"), ("sandbags", "oceans_chalice")]
    states = [
        replace(table, hands=((one,), ()), treasure_pile=Pile((("earth_stone",), (other,)))) for one, other in pairs
    ]
    known = pooling.pool_tables(ISLAND, [World(weight, state) for weight, state in enumerate(states, 1)])
    assert known is not None
    assert not known.is_exact
    assert [dict(row) for row in known.rows] == [{("oceans_chalice",): "1", ("sandbags",): "1"}, {(): "1"}]
    assert known.stock == ("earth_stone", "oceans_chalice", "sandbags")
