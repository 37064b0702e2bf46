"""Tables that look alike share one cached answer, whose key is their hidden parts."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest

from engine.core.canonical import canonical
from engine.core.events import Event
from engine.kit.piles import Pile
from engine.play import registry
from engine.play.beliefs.looks import Looks, cached_canonical, count_hidden
from engine.play.fold import history
from tests.playouts import playout

RULESETS = [rules.id for rules in registry.rulesets()]


@cache
def states(ruleset: str) -> list[Any]:
    """Return all events of a game."""
    seats = registry.ruleset(ruleset).players[0]
    events: list[Event] = playout(ruleset, 3, seats, limit=120)
    return [state for state in history(events).states if state is not None]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_look_that_is_known_is_what_it_would_be_found_to_be(ruleset: str) -> None:
    rules = registry.ruleset(ruleset)
    known = Looks(rules)
    for state in [*states(ruleset), *states(ruleset)]:
        look, key = known.of(state)
        fresh, same = Looks(rules).of(rules.from_document(msgspec.json.decode(canonical(state))))
        assert (look.document, key[1]) == (fresh.document, same[1])
        assert (canonical(look.document), key[0]) == (look.board, look)
        assert fresh.board == look.board
        assert known.of(state) == (look, key)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_key_tells_tables_apart(ruleset: str) -> None:
    looks = Looks(registry.ruleset(ruleset))
    forms = {canonical(state): looks.key(state) for state in states(ruleset)}
    assert len(set(forms.values())) == len(forms)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_looks_differ_where_their_documents_do(ruleset: str) -> None:
    looks = Looks(registry.ruleset(ruleset))
    found = {looks.of(state)[0] for state in states(ruleset)}
    assert len({one.board for one in found}) == len(found) > 1


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
def test_tables_that_look_alike_come_in_the_order_of_their_canonical_forms(ruleset: str) -> None:
    rules, rng = registry.ruleset(ruleset), random.Random(ruleset)
    looks = Looks(rules)
    state = next(one for one in states(ruleset) if all(one.hands))
    cards = [*(card for hand in state.hands for card in hand), *state.treasure_pile.cards()]
    dealt = []
    for _ in range(200):
        rng.shuffle(cards)
        left = iter(cards)
        hands = tuple(tuple(sorted(next(left) for _ in hand)) for hand in state.hands)
        dealt.append(msgspec.structs.replace(state, hands=hands, treasure_pile=Pile.shuffled(left)))
    assert {looks.key(one)[0] for one in dealt} == {looks.key(state)[0]}
    assert {frozenset(count_hidden(rules, one).items()) for one in dealt} == {
        frozenset(count_hidden(rules, state).items())
    }
    assert sorted(dealt, key=lambda one: cached_canonical(looks.key(one)[1])) == sorted(dealt, key=canonical)


def test_one_card_more_is_seen() -> None:
    looks = Looks(registry.ruleset("forbidden-island"))
    state = next(one for one in states("forbidden-island") if all(one.hands))
    first, *others = state.hands
    given = msgspec.structs.replace(state, hands=(first[1:], tuple(sorted((*others[0], first[0]))), *others[1:]))
    assert looks.key(given)[0] != looks.key(state)[0]
    assert looks.of(given)[0].document["hands"] == [len(first) - 1, len(others[0]) + 1, *map(len, others[1:])]


def test_what_somebody_saw_under_a_tile_does_not_show() -> None:
    """Forbidden Desert: the look itself is public, and the card is not."""
    looks = Looks(registry.ruleset("forbidden-desert"))
    state = states("forbidden-desert")[0]
    at, other = [index for index, tile in enumerate(state.board) if tile is not None and tile.desert_side == "plain"][
        :2
    ]
    board = list(state.board)
    known = [msgspec.structs.replace(board[at], city_side=side) for side in ("gear", "tunnel")]
    first, second = (msgspec.structs.replace(state, board=(*board[:at], one, *board[at + 1 :])) for one in known)
    elsewhere = msgspec.structs.replace(
        state, board=tuple(known[0] if index == other else tile for index, tile in enumerate(board))
    )
    assert looks.key(first)[0] == looks.key(second)[0]
    assert looks.key(first) != looks.key(second)
    assert looks.key(elsewhere)[0] != looks.key(first)[0]
