"""Slips planted into random games of every ruleset, as an audit tells them."""

from __future__ import annotations

import pytest

from benchmarks import slips
from engine.play.registry import rulesets
from engine.review.audit import audit
from engine.review.findings import account

TOLD = [rules.id for rules in rulesets() if rules.checks_rules]
SEEDS = range(20, 25)


@pytest.mark.parametrize("kind", slips.KINDS)
@pytest.mark.parametrize("ruleset", TOLD)
def test_a_planted_slip_is_told_once(ruleset: str, kind: str) -> None:
    for seed in SEEDS:
        planted = slips.plant(ruleset, kind, seed)
        for finding in audit(planted.events).findings if planted is not None else ():
            lines = list(account(finding))
            assert lines
            assert finding.rule_text, finding.rule
            assert len(set(lines)) == len(lines), seed
