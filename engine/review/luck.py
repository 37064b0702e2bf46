"""Luck: a statistical test of the results of a game.

The test computes for each possible value the count, the expected count, and p: the probability that chance alone gives
a count at least as far from the expected count as the actual one. Three rules keep the test honest:

- The probabilities are exact. Draws from a pile depend on each other, because a drawn card leaves the pile. So the
  count in a run of draws between two shuffles has a hypergeometric distribution. A roll of a die is a run of one draw.
  The distribution of the total count over all runs is computed without approximation. For up to `MOST_EXACT` draws, the
  computation uses integers, so that each p is also given as a fraction. Beyond that, it uses floats.
- Among many values, one is always rare. So every p is corrected for the number of tested values (Holm).
- If there are few draws, there is no test.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from engine.core.language import say
from engine.core.values import Value, fraction
from engine.kit.words import counted, thousands
from engine.review.words import times

ENOUGH = 30
"""Minimum number of draws for a test."""
RARE = 0.05
"""A corrected p below this is reported as rare."""

MOST_EXACT = 1000
"""Maximum number of draws for which p is given as a fraction. With more draws, it would have thousands of digits."""

Method = Literal["binomial", "poisson_binomial", "hypergeometric"]
"""`binomial`: the value has the same probability at every draw. `poisson_binomial`: its probability differs between
draws. `hypergeometric`: draws from piles, without replacement between two shuffles.
"""


class RecordedDraw(msgspec.Struct, frozen=True):
    """A random result: the possible results, and the actual one."""

    name: str
    options: tuple[Value, ...]
    """The possible results; equal cards are separate entries."""
    value: Value


class Run(msgspec.Struct, frozen=True):
    """A run of `drawn` draws without replacement from `size` cards, of which `marked` have the value in question."""

    size: int
    marked: int
    drawn: int


class ValueLuck(msgspec.Struct, frozen=True):
    """Statistics of one value."""

    value: Value
    label: str
    count: int
    expected: float
    p: float | None
    """Probability that chance alone leads to a count at least as far from `expected`, in either direction; None for too
    few draws.
    """
    p_exact: str | None
    """`p` as a fraction in lowest terms; None if `p` is None, and for very many draws."""
    adjusted: float | None
    """`p`, corrected for the number of tested values of the game."""
    message: str
    """The result as a sentence for people."""


class KindLuck(msgspec.Struct, frozen=True):
    """Statistics of one kind of draw or roll."""

    name: str
    draws: int
    """The number of draws that could have had another result."""
    method: Method
    message: str
    """The result as a sentence for people."""
    values: tuple[ValueLuck, ...]

    @property
    def is_unusual(self) -> bool:
        """True if the count of one of the values is rare."""
        return any(value.adjusted is not None and value.adjusted < RARE for value in self.values)


class Luck(msgspec.Struct, frozen=True):
    """A comparison of a game's results with chance."""

    message: str
    """A summary in a sentence or two, for people."""
    tested: int
    """The number of values tested, for which each p is corrected."""
    kinds: tuple[KindLuck, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences with the summary, and with each kind of draw that has a rare value."""
        return (self.message, *(kind.message for kind in self.kinds if kind.is_unusual))


def luck(draws: Iterable[RecordedDraw], label: Callable[[Value], str]) -> Luck:
    """Test the draws of a game, in their order.

    Draws with a single possible result are ignored: the last card of a pile says nothing about luck.

    Args:
        label: returns the players' word for a value.
    """
    by_name: dict[str, list[RecordedDraw]] = {}
    for draw in draws:
        by_name.setdefault(draw.name, []).append(draw)
    counted = [counts for kind in by_name.values() if (counts := _count_values(kind))]
    judged = [one for counts in counted if counts[0].draws >= ENOUGH for one in counts]
    worked_out = functools.cache(distribution)
    ps = [two_sided(one.count, worked_out(one.runs)) for one in judged]
    tested = dict(zip(judged, zip(ps, holm(ps), strict=True), strict=True))
    kinds = tuple(_kind_luck(counts, tested, label) for counts in counted)
    return Luck(_summary(kinds), len(judged), kinds)


def distribution(runs: Sequence[Run]) -> list[Fraction] | list[float]:
    """Return the probability of each total of marked cards in independent `runs`, from 0 up.

    For more than `MOST_EXACT` draws, the probabilities are floats.
    """
    return _distribution(runs) if sum(run.drawn for run in runs) <= MOST_EXACT else _sum_distributions(runs)


def _distribution(runs: Iterable[Run]) -> list[Fraction]:
    """Compute the distribution in integers: multiply the runs' polynomials as numbers (Kronecker substitution)."""
    kinds = Counter(runs)
    total = math.prod(math.comb(run.size, run.drawn) ** often for run, often in kinds.items())
    width = total.bit_length() // 8 + 1
    product = math.prod(
        sum(ways << 8 * width * found for found, ways in enumerate(_ways(run))) ** often for run, often in kinds.items()
    )
    most = sum(min(run.marked, run.drawn) * often for run, often in kinds.items())
    digits = product.to_bytes(width * (most + 1), "little")
    ways = (int.from_bytes(digits[at : at + width], "little") for at in range(0, len(digits), width))
    return [Fraction(one, total) for one in ways]


def _sum_distributions(runs: Iterable[Run]) -> list[float]:
    total = [1.0]
    for run in runs:
        ways = math.comb(run.size, run.drawn)
        one = [found / ways for found in _ways(run)]
        longer = [0.0] * (len(total) + len(one) - 1)
        for before, p in enumerate(total):
            for found, q in enumerate(one):
                longer[before + found] += p * q
        total = longer
    return total


def two_sided(count: int, probabilities: Sequence[Fraction] | Sequence[float]) -> Fraction | float:
    """Return the probability of a total that is at least as extreme as `count`: twice the smaller tail, at most 1."""
    low, high = sum(probabilities[: count + 1]), sum(probabilities[count:])
    p = 2 * min(low, high)
    return p if p < 1 else type(p)(1)


def _ways(run: Run) -> list[int]:
    """Return the number of ways to draw each number of marked cards, from 0 up."""
    return [
        math.comb(run.marked, found) * math.comb(run.size - run.marked, run.drawn - found)
        for found in range(min(run.marked, run.drawn) + 1)
    ]


def holm(ps: Sequence[Fraction | float]) -> list[float]:
    """Return each p corrected for the number of tests (Holm's step-down method), in the same order.

    The probability that any corrected p falls below a level by chance is then at most that level.
    """
    corrected = [0.0] * len(ps)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, float((len(ps) - rank) * ps[index])))
        corrected[index] = highest
    return corrected


def runs_of(draws: Iterable[RecordedDraw]) -> list[list[RecordedDraw]]:
    """Divide draws into runs. In a run, the options of a draw are those of the draw before it, without its result."""
    runs: list[list[RecordedDraw]] = []
    left: Counter[Value] | None = None
    for draw in draws:
        options = Counter(draw.options)
        if options == left:
            runs[-1].append(draw)
        else:
            runs.append([draw])
        left = options - Counter([draw.value])
    return runs


class _Count(msgspec.Struct, frozen=True):
    """The count of `value` in the draws named `name`. `draws` is the number of draws with several possible results."""

    name: str
    draws: int
    value: Value
    count: int
    runs: tuple[Run, ...]
    """The runs of draws (between two shuffles) in which the value was possible."""

    @property
    def expected_count(self) -> float:
        """The expected count."""
        return math.fsum(run.drawn * run.marked / run.size for run in self.runs)


def _count_values(draws: Sequence[RecordedDraw]) -> list[_Count]:
    """Return the counts for one kind of draw. Omit values that could not have occurred more or less often."""
    runs = [(run, Counter(run[0].options)) for run in runs_of(draws)]
    undecided = [(run, options) for run, options in runs if len(options) > 1 and len(run) < options.total()]
    came_up = Counter(draw.value for run, _ in undecided for draw in run)
    return [
        _Count(
            name=draws[0].name,
            draws=sum(len(run) for run, _ in undecided),
            value=value,
            count=came_up[value],
            runs=tuple(
                Run(options.total(), options[value], len(run)) for run, options in undecided if value in options
            ),
        )
        for value in dict.fromkeys(value for _, options in undecided for value in options)
    ]


def _method(counts: Sequence[_Count]) -> Method:
    if any(run.drawn > 1 for one in counts for run in one.runs):
        return "hypergeometric"
    is_always_the_same = all(len(set(one.runs)) == 1 and len(one.runs) == one.draws for one in counts)
    return "binomial" if is_always_the_same else "poisson_binomial"


def _kind_luck(
    counts: Sequence[_Count], tested: Mapping[_Count, tuple[Fraction | float, float]], label: Callable[[Value], str]
) -> KindLuck:
    values = []
    for one in counts:
        name, (p, adjusted) = label(one.value), tested.get(one, (None, None))
        often, expected = times(one.count), _one_decimal(one.expected_count)
        message = say("{value}: {times}, {expected} expected.", value=name, times=often, expected=expected)
        if adjusted is not None and adjusted < RARE:
            message = say(
                "{value} occurred {times}; {expected} times is average. By chance alone, a difference this large "
                "happens in {games}.",
                value=name,
                times=often,
                expected=expected,
                games=_one_of(adjusted),
            )
        exact = fraction(p) if isinstance(p, Fraction) else None
        nearest = None if p is None else float(p)
        values.append(ValueLuck(one.value, name, one.count, one.expected_count, nearest, exact, adjusted, message))
    name, draws = say(counts[0].name.replace("_", " ")), counts[0].draws
    if draws < ENOUGH:
        said = say("too few to judge.")
    else:
        rare = [value.message for value in values if value.adjusted is not None and value.adjusted < RARE]
        said = " ".join(rare) or say("nothing unusual.")
    message = say(
        "{name}, {results}: {said}", name=name[:1].upper() + name[1:], results=counted(draws, "result"), said=said
    )
    return KindLuck(counts[0].name, draws, _method(counts), message, tuple(values))


def _one_of(p: float) -> str:
    if p < 1e-9:
        return say("fewer than one game in a billion")
    return say("about one game in {games}", games=thousands(round(1 / p)))


def _one_decimal(expected: float) -> str:
    whole, tenths = f"{expected:.1f}".split(".")
    return say("{whole}.{tenths}", whole=whole, tenths=tenths)


def _summary(kinds: Sequence[KindLuck]) -> str:
    judged = [value.adjusted for kind in kinds for value in kind.values if value.adjusted is not None]
    if not judged:
        return say("This game has too few draws and rolls to judge its luck.")
    if min(judged) < RARE:
        return say(
            "At least one of the {values} cards and numbers occurred unusually often or rarely. That can happen by "
            "chance: a single game proves nothing about the dice, the cards or the players.",
            values=len(judged),
        )
    return say(
        "Nothing unusual: none of the {values} cards and numbers occurred much more or less often than expected.",
        values=len(judged),
    )


def in_a_line(found: Luck) -> str:
    """Return a one-line summary of a game's luck: the value whose count is farthest from the expected one."""
    told = [(value.p, value) for kind in found.kinds for value in kind.values if value.p is not None]
    if not told:
        return say("Too few draws and rolls to judge the luck")
    _, farthest = min(told, key=lambda one: one[0])
    is_rare = farthest.adjusted is not None and farthest.adjusted < RARE
    often = say(
        "{value} occurred {times}, {expected} expected",
        value=farthest.label,
        times=times(farthest.count),
        expected=_one_decimal(farthest.expected),
    )
    if is_rare:
        return say("Unusual luck: {often}", often=often)
    return say("Ordinary luck; largest difference: {often}", often=often)
