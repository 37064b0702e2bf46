"""What the tests of the kernel share."""

from __future__ import annotations

import pytest

from engine import registry
from tests.engine.toy import Dice, OldDice


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    """A game that is only a test's, in the registry for the length of that test."""
    newest = Dice()
    for rules in (OldDice(), newest):
        monkeypatch.setitem(registry._BY_VERSION, (rules.id, rules.version), rules)
    monkeypatch.setitem(registry._NEWEST, newest.id, newest)
    return newest
