"""Whatever a ruleset says is looked up: in another language nothing of it is English."""

from __future__ import annotations

import pytest

from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.language.unsaid import unsaid


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_nothing_stays_english(rules: AnyRuleset) -> None:
    assert list(dict.fromkeys(unsaid(rules))) == []
