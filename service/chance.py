"""What chance may bring, as a caller is told it."""

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
    """A chance point as JSON has it: all that can come up, each with its label and probability, null where that is not
    known; and with its number, where the cards are known.
    """
    label = ruleset.value_label
    outcomes = [
        {"value": value, "label": label(value), **known, "p": part / whole, "p_exact": f"{part}/{whole}"}
        for value, known, part, whole in _weighed(point)
    ]
    if isinstance(point, MixedPoint) and not point.is_exact:
        outcomes = [{**outcome, **probability(None)} for outcome in outcomes]
    return {"name": point.name, "position": point.position, "outcomes": outcomes}


def setup_document(
    ruleset: AnyRuleset, options: Any, names: Sequence[str], given: Sequence[Value | None]
) -> dict[str, Any]:
    """What a set-up asks for after `given`, as JSON has it: the `places`, and the `piles` that they come from."""
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


def _weighed(point: ChancePoint) -> Iterator[tuple[Value, dict[str, int], int, int]]:
    """Each outcome, its number where that is known, and its probability in lowest terms: the part and the whole."""
    if isinstance(point, MixedPoint):
        for value, p in point.probabilities().items():
            yield value, {}, p.numerator, p.denominator
    else:
        # In whole numbers: this is asked of every action that is listed.
        total = len(point.options)
        for value, count in Counter(point.options).items():
            common = math.gcd(count, total)
            yield value, {"count": count}, count // common, total // common
