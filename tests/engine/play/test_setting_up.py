"""The plan of a setup, ahead of its results: enough for a phone to lay it out offline."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine.core.errors import OutcomeRequired
from engine.core.values import ChancePoint, Value
from engine.kit.chance import Observed
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from engine.play.setting_up import plan

NAMES = ("Ann", "Bob", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal")


def next_question(rules: AnyRuleset, options: Any, seats: int, given: list[Value]) -> ChancePoint | None:
    """Return the next question of the rules; None if there is none."""
    chance = Observed()
    chance.begin(2, tuple(given))
    try:
        rules.setup(options, seats, chance)
    except OutcomeRequired as required:
        return required.point
    return None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_what_can_come_up_is_what_is_left_of_the_pile(rules: AnyRuleset, seed: int) -> None:
    rng = random.Random(seed)
    seats = rules.players[seed % 2]
    options = rules.parse_options({}, seats)
    given: list[Value] = []
    found = plan(rules, options, NAMES[:seats], given)
    while (point := next_question(rules, options, seats, given)) is not None:
        position = len(given)
        number = found.pile_of[position]
        assert number is not None
        pile = found.piles[number]
        laid = [value for value, one in zip(given, found.pile_of, strict=False) if one == number]
        left = Counter(pile.options) - (Counter() if pile.returns else Counter(laid))
        assert left == Counter(point.options), (position, point.name)
        given.append(rng.choice(point.options))
        if pile.is_open:
            found = plan(rules, options, NAMES[:seats], given)
    assert len(plan(rules, options, NAMES[:seats], given).prompts) == len(given)
    assert plan(rules, options, NAMES[:seats], given) == found


def test_what_cannot_have_come_up_tells_nothing() -> None:
    rules = next(one for one in rulesets() if one.id == "forbidden-island")
    options = rules.parse_options({}, 2)
    assert plan(rules, options, NAMES[:2], ["nowhere", None]) == plan(rules, options, NAMES[:2], [])


def test_a_card_that_is_drawn_again_brings_another_place() -> None:
    """Setup: 'Waters Rise! cards are put aside'."""
    rules = next(one for one in rulesets() if one.id == "forbidden-island")
    found = plan(rules, rules.parse_options({}, 2), NAMES[:2], [])
    assert [pile.more for pile in found.piles] == [{}, {}, {}, {"waters_rise": 1}]


def test_of_a_throw_nobody_knows_before_whether_it_brings_another() -> None:
    """Tile Placement: it depends on where the tiles lie."""
    rules = next(one for one in rulesets() if one.id == "forever-island")
    die = plan(rules, rules.parse_options({}, 2), NAMES[:2], []).piles[0]
    assert (die.more, die.returns, die.is_open) == ({}, True, True)


def test_the_tiles_that_lie_are_where_they_are_turned() -> None:
    rules = next(one for one in rulesets() if one.id == "forever-island")
    options = rules.parse_options({}, 2)
    places = [prompt.at for prompt in plan(rules, options, NAMES[:2], [1, 4, 4]).prompts if "tile" in prompt.label]
    assert places == [(1, 1), (3, 1), (4, 2), (3, 3), None, None, None]


def test_a_throw_to_where_a_tile_lies_is_one_more_at_once() -> None:
    """Tile Placement: 're-roll'."""
    rules = next(one for one in rulesets() if one.id == "forever-island")
    options = rules.parse_options({}, 2)
    throws = [len(rules.setup_prompts(options, NAMES[:2], given)) for given in ([], [1], [1, 1], [1, 1, 1])]
    assert throws == [26, 26, 26, 27]
