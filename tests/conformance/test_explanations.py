"""Slips in every ruleset: each is explained correctly, and no honest event after it is marked."""

from __future__ import annotations

import pytest

from benchmarks.slips import KINDS, plant
from engine.play.registry import rulesets

GAMES = 6


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "wrong_result"])
@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets()])
def test_a_slip_is_among_the_explanations_and_the_only_mark(ruleset: str, kind: str) -> None:
    for seed in range(GAMES):
        slip = plant(ruleset, kind, seed)
        if slip is not None and slip.is_noticed:
            assert slip.rank is not None, slip.told
            assert slip.marks == 0, slip.told


@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets()])
def test_a_wrong_entry_is_searched_for(ruleset: str) -> None:
    """Nobody can know which explanation is right, but each must be recordable."""
    for seed in range(GAMES):
        slip = plant(ruleset, "wrong_result", seed)
        assert slip is None or "->" not in slip.told
