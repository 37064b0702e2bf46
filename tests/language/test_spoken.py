"""Every text of a ruleset is translated: in another language nothing of it is English."""

from __future__ import annotations

import pytest

from engine.core.language import say, speaking
from engine.kit.ruleset import AnyRuleset
from engine.kit.words import counted
from engine.play.registry import rulesets
from service.languages import catalogue
from tests.language.unsaid import unsaid


@pytest.mark.parametrize("tables", [2, pytest.param(None, marks=pytest.mark.long)], ids=["two tables", "all"])
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_nothing_stays_english(rules: AnyRuleset, tables: int | None) -> None:
    assert list(dict.fromkeys(unsaid(rules, tables=tables))) == []


def test_what_is_counted_is_said_without_a_number_too() -> None:
    """A skipped step is an equipment card, and so is the card that a hand has twice."""
    with speaking(catalogue("de")):
        assert (say("equipment card"), counted(2, "equipment card")) == ("Ausrüstungskarte", "2 Ausrüstungskarten")
