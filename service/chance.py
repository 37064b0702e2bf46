"""Chance points as JSON documents for a caller."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.values import ChancePoint, Value, probability
from engine.kit.presentation import AnyPresentation
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import MixedPoint
from engine.play.setting_up import plan


def chance_document(point: ChancePoint, ruleset: AnyPresentation) -> dict[str, Any]:
    """Return a chance point as JSON.

    Each possible result has its label and its probability (null if unknown). If the cards are known, the number of
    cards with that result is included.
    """
    label = ruleset.value_label
    outcomes = [
        {"value": value, "label": label(value), **known, "p": part / whole, "p_exact": f"{part}/{whole}"}
        for value, known, part, whole in _with_probabilities(point)
    ]
    if isinstance(point, MixedPoint) and not point.is_exact:
        outcomes = [{**outcome, **probability(None)} for outcome in outcomes]
    about = {"about": True} if point.odds == "about" else {}
    return {"name": point.name, "position": point.position, "outcomes": outcomes, **about}


def setup_document(
    ruleset: AnyRuleset, options: Any, names: Sequence[str], given: Sequence[Value | None]
) -> dict[str, Any]:
    """Return the part of the setup that is still open after the results `given`, as a JSON document.

    It lists the `places` to fill, and the `piles` from which their cards are drawn.
    """
    found = plan(ruleset, options, names, given)
    piles = [
        {
            "returns": pile.returns,
            "is_open": pile.is_open,
            "outcomes": [
                {**outcome, "at": ruleset.space(outcome["value"]), "more": pile.more.get(outcome["value"], 0)}
                for outcome in chance_document(ChancePoint("", 0, pile.options), ruleset)["outcomes"]
            ],
        }
        for pile in found.piles
    ]
    places = [
        {"group": prompt.group, "label": prompt.label, "at": prompt.at, "pile": pile}
        for prompt, pile in zip(found.prompts, found.pile_of, strict=True)
    ]
    return {"places": places, "piles": piles}


def _with_probabilities(point: ChancePoint) -> Iterator[tuple[Value, dict[str, int], int, int]]:
    """Yield each result, the number of its cards (if known), and its probability as a reduced fraction.

    The last two items are the numerator and the denominator.
    """
    if isinstance(point, MixedPoint):
        for value, p in point.probabilities().items():
            yield value, {}, p.numerator, p.denominator
    else:
        # Use integers: fractions are slow, and this code runs for every listed action.
        total = len(point.options)
        for value, count in Counter(point.options).items():
            common = math.gcd(count, total)
            counted = {"count": count} if point.odds == "counted" else {}
            yield value, counted, count // common, total // common
