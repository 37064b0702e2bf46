"""Slips planted into random games of every ruleset, in the words of an audit."""

from __future__ import annotations

import pytest

from engine.play.registry import rulesets
from engine.review.audit import audit
from engine.review.findings import account
from tests import slips


def test_a_late_excavation_makes_up_for_no_storm_card() -> None:
    planted = slips.plant("forbidden-desert", "late_step", 22)
    assert planted is not None
    (late,) = [event for event in planted.events if event.explanation]
    assert (late.type, late.explanation and late.explanation.kind) == ("excavate", "late_step")
    storm, excavation = audit(planted.events).findings
    assert storm.told == "Ada drew none of the 3 storm cards."
    assert not any("excavates" in fact.message for fact in storm.happened)
    assert (excavation.seq, excavation.player, excavation.rule) == (late.seq, "Ada", "1. Take Up to 4 Actions")
    assert excavation.message == "Ada did this late: Excavate."


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
