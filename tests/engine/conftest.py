"""Common fixtures for tests of the kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.toy import Dice, OldDice, RuledDice
from tests.installing import installed


@pytest.fixture
def dice() -> Iterator[Dice]:
    """A ruleset that is installed for one test."""
    newest = Dice()
    with installed(OldDice(), newest):
        yield newest


@pytest.fixture
def rulings(dice: Dice) -> Iterator[None]:
    """The ruleset of `dice`, with a later version."""
    with installed(RuledDice(), dice):
        yield
