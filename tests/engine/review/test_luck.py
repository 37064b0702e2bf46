"""Odds: exact by enumeration, and in plain words."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.values import Value
from engine.review.luck import (
    ENOUGH,
    MOST_EXACT,
    Luck,
    RecordedDraw,
    Run,
    distribution,
    holm,
    in_a_line,
    luck,
    runs_of,
    two_sided,
)

DIE = (1, 2, 3, 4, 5, 6)


def throw_dice(*values: int, name: str = "die", die: tuple[Value, ...] = DIE) -> list[RecordedDraw]:
    return [RecordedDraw(name, die, value) for value in values]


def draw_cards(pile: list[Value], count: int, rng: random.Random, name: str = "card") -> list[RecordedDraw]:
    """`count` draws from a shuffled pile, without replacement."""
    left, draws = sorted(pile, key=str), []
    for _ in range(count):
        draws.append(RecordedDraw(name, tuple(left), left[rng.randrange(len(left))]))
        left.remove(draws[-1].value)
    return draws


def luck_of(draws: list[RecordedDraw]) -> Luck:
    return luck(draws, str)


# The distribution


runs = st.integers(1, 5).flatmap(
    lambda size: st.builds(Run, st.just(size), st.integers(0, size), st.integers(1, min(size, 3)))
)


def enumerate_distribution(runs: list[Run]) -> list[Fraction]:
    """Compute the distribution by counting every order in which the things of each run can be drawn."""
    totals: Counter[int] = Counter()
    each = [
        [sum(order) for order in itertools.permutations([1] * run.marked + [0] * (run.size - run.marked), run.drawn)]
        for run in runs
    ]
    for found in itertools.product(*each):
        totals[sum(found)] += 1
    ways = math.prod(map(len, each))
    most = sum(min(run.marked, run.drawn) for run in runs)
    return [Fraction(totals[total], ways) for total in range(most + 1)]


@given(st.lists(runs, max_size=3))
def test_distribution__is_what_counting_gives(runs: list[Run]) -> None:
    exact = enumerate_distribution(runs)
    assert distribution(runs) == exact
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.review.luck.MOST_EXACT", -1)
        assert distribution(runs) == pytest.approx([float(p) for p in exact], rel=1e-12, abs=0)


@given(st.lists(runs, max_size=3), st.data())
def test_two_sided__is_what_counting_gives(runs: list[Run], data: st.DataObject) -> None:
    exact = enumerate_distribution(runs)
    count = data.draw(st.integers(0, len(exact) - 1))
    p = min(1, 2 * min(sum(exact[: count + 1]), sum(exact[count:])))
    assert two_sided(count, exact) == p
    assert two_sided(count, [float(one) for one in exact]) == pytest.approx(float(p), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "count", "p"),
    [
        # R: 2 * pbinom(9, 20, 1/6, lower.tail = FALSE)
        (20, 10, Fraction(2 * sum(math.comb(20, k) * 5 ** (20 - k) for k in range(10, 21)), 6**20)),
        (120, 20, Fraction(1)),
        (600, 130, Fraction(2 * sum(math.comb(600, k) * 5 ** (600 - k) for k in range(130, 601)), 6**600)),
        (600, 0, Fraction(2 * 5**600, 6**600)),
    ],
)
def test_two_sided__known_binomials(n: int, count: int, p: Fraction) -> None:
    assert two_sided(count, distribution([Run(6, 1, 1)] * n)) == p


def test_two_sided__a_published_binomial() -> None:
    """R's binom.test(10, 10, 1/2): p-value = 0.001953125."""
    assert two_sided(10, distribution([Run(2, 1, 1)] * 10)) == 0.001953125


def test_two_sided__a_published_hypergeometric() -> None:
    """Fisher's lady tasting tea: all 4 of the 4 cups out of 8, 1/70 in one tail."""
    assert two_sided(4, distribution([Run(8, 4, 4)])) == Fraction(2, 70)


# Many looks


def test_holm__published_example() -> None:
    """Holm's own steps: 0.01, 0.02, 0.03, 0.04 of four become 0.04, 0.06, 0.06, 0.06."""
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_holm__never_above_one() -> None:
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm__keeps_the_order_and_makes_none_smaller(ps: list[float]) -> None:
    corrected = holm(ps)
    assert all(q >= p for p, q in zip(ps, corrected, strict=True))
    assert [q for _, q in sorted(zip(ps, corrected, strict=True))] == sorted(corrected)


# Runs


def test_runs__a_throw_is_a_run_of_one() -> None:
    assert [len(run) for run in runs_of(throw_dice(1, 1, 2))] == [1, 1, 1]


def test_runs__of_a_pile_last_until_it_is_shuffled() -> None:
    draws = draw_cards(["a", "a", "b", "c"], 3, random.Random(1))
    assert [len(run) for run in runs_of([*draws, *draws[:2]])] == [3, 2]


# The text


def test_luck__of_twenty_throws_nothing_is_said() -> None:
    said = luck_of(throw_dice(*[6] * 20))
    assert said.message == "This game has too few draws and rolls to judge its luck."
    assert said.tested == 0
    assert said.kinds[0].message == "Die, 20 results: too few to judge."
    assert [(value.p, value.p_exact, value.adjusted) for value in said.kinds[0].values] == [(None, None, None)] * 6
    assert said.kinds[0].values[5].message == "6: 20 times, 3.3 expected."


def test_luck__one_throw() -> None:
    said = luck_of(throw_dice(6)).kinds[0]
    assert said.message == "Die, 1 result: too few to judge."
    assert said.values[5].message == "6: once, 0.2 expected."


def test_luck__of_nothing() -> None:
    said = luck_of([])
    assert (said.tested, said.kinds) == (0, ())


def test_luck__as_chance_does() -> None:
    said = luck_of(throw_dice(*DIE * 20))
    assert said.message == (
        "Nothing unusual: none of the 6 cards and numbers occurred much more or less often than expected."
    )
    assert said.kinds[0].message == "Die, 120 results: nothing unusual."
    assert (said.tested, said.kinds[0].method, said.kinds[0].draws) == (6, "binomial", 120)
    values = said.kinds[0].values
    assert {(value.count, round(value.expected, 9), value.p) for value in values} == {(20, 20.0, 1.0)}


def test_luck__rare_is_told_as_rare_and_accuses_nobody() -> None:
    said = luck_of(throw_dice(*DIE * 10, *[6] * 20))
    six = said.kinds[0].values[5]
    p = float(Fraction(2 * sum(math.comb(80, k) * 5 ** (80 - k) for k in range(30, 81)), 6**80))
    assert six.p == pytest.approx(p, rel=1e-12)
    assert six.p_exact is not None
    assert float(Fraction(six.p_exact)) == six.p
    assert six.adjusted == pytest.approx(6 * p, rel=1e-12)
    assert said.kinds[0].message == (
        "Die, 80 results: 6 occurred 30 times; 13.3 times is average. By chance alone, a difference this large happens "
        f"in about one game in {1 / (6 * p):,.0f}."
    )
    assert said.message == (
        "At least one of the 6 cards and numbers occurred unusually often or rarely. That can happen by chance: a "
        "single game proves nothing about the dice, the cards or the players."
    )


def test_in_a_line__what_came_up_farthest_off() -> None:
    few = [RecordedDraw("die", (1, 2, 3, 4, 5, 6), 1)] * 5
    assert in_a_line(luck(few, str)) == "Too few draws and rolls to judge the luck"
    fair = [RecordedDraw("die", (1, 2, 3, 4, 5, 6), at % 6 + 1) for at in range(59)]
    assert in_a_line(luck(fair, str)) == "Ordinary luck; largest difference: 6 occurred 9 times, 9.8 expected"
    rare = [RecordedDraw("die", (1, 2, 3, 4, 5, 6), 1)] * 60
    assert in_a_line(luck(rare, str)) == "Unusual luck: 1 occurred 60 times, 10.0 expected"


def test_luck__beyond_all_numbers() -> None:
    for throws, is_exact in ((500, True), (MOST_EXACT + 1, False)):
        said = luck_of(throw_dice(*[6] * throws)).kinds[0]
        assert "in fewer than one game in a billion." in said.message
        assert (said.values[5].p_exact is not None) == is_exact


def test_luck__many_looks_make_the_rare_common() -> None:
    """Twelve sixes of 30 would be rare alone, but not beside eleven other dice of six faces."""
    sixes = [*[6] * 12, *[value for value in DIE[:5] for _ in range(4)][:18]]
    assert "unusually" in luck_of(throw_dice(*sixes)).message
    others = [draw for name in range(11) for draw in throw_dice(*DIE * 5, name=f"die {name}")]
    assert "unusually" not in luck_of([*throw_dice(*sixes), *others]).message


def test_luck__dice_with_different_odds() -> None:
    said = luck_of([*throw_dice(*DIE * 5), *throw_dice(1, 2, 3, 4, die=(1, 2, 3, 4))])
    assert said.kinds[0].method == "poisson_binomial"


def test_luck__dice_that_not_all_have_the_value() -> None:
    said = luck_of([*throw_dice(*DIE * 3, die=DIE), *throw_dice(*(7, 8) * 9, die=(7, 8))])
    assert said.kinds[0].method == "poisson_binomial"


def test_luck__a_pile_drawn_to_its_end_tells_nothing() -> None:
    pile: list[Value] = [f"card {number % 20}" for number in range(40)]
    assert luck_of(draw_cards(pile, 40, random.Random(1))).kinds == ()


def test_luck__a_pile_of_equal_cards_tells_nothing() -> None:
    assert luck_of(draw_cards(["sand"] * 40, 35, random.Random(1))).kinds == ()


def test_luck__piles() -> None:
    rng = random.Random(1)
    piles = [draw_cards(["sand", "sand", "sand", "water"], 3, rng) for _ in range(12)]
    said = luck_of([draw for pile in piles for draw in pile])
    sand, water = said.kinds[0].values
    assert (said.kinds[0].method, said.kinds[0].draws) == ("hypergeometric", 36)
    assert (sand.expected, water.expected) == (pytest.approx(27), pytest.approx(9))
    assert sand.p == pytest.approx(water.p)
    assert sand.count + water.count == 36


def test_luck__of_fair_dice_is_seldom_rare() -> None:
    """Holm's correction works: of 400 games of fair dice, at most about one in twenty is reported as rare."""
    rng = random.Random(7)
    rare = sum("rare" in luck_of(throw_dice(*rng.choices(DIE, k=60))).message for _ in range(400))
    assert rare <= 30


def test_enough__is_more_than_twenty() -> None:
    assert ENOUGH > 20
