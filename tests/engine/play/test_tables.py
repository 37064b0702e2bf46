"""Two tables side by side, in sentences."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.play.beliefs import telling
from engine.play.tables import differing_facts, in_short
from tests.engine.play.telling import has, state, tell, tile, unseen_card, water
from tests.engine.recording import played
from tests.recording import Recording

NAMES = ("Ada", "Bo")


def differing(one: Recording, other: Recording) -> tuple[str, ...]:
    return differing_facts(one.game.ruleset, state(one), state(other), NAMES)


def test_what_is_so_and_was_not() -> None:
    one, other = played(), played()
    tell(other, water(4), has("p1", "sandbags", 0), tile("coral_palace", "flooded"))
    assert differing(one, one) == ()
    told = differing(one, other)
    assert "The water is at 4." in told
    assert "Ada no longer has 1 Sandbags card." in told
    assert "The water is at 1." in differing(other, one)
    assert in_short(told).startswith(" ".join(told[:3]))
    assert in_short(told).endswith(f"And {len(told) - 3} more facts.")
    assert in_short(told[:2]) == " ".join(told[:2])


def test_what_only_follows_is_told_if_nothing_else_differs() -> None:
    one = played()
    before = state(one)
    after = msgspec.structs.replace(before, phase="discard")
    assert differing_facts(one.game.ruleset, before, after, NAMES) == ("The phase is: discarding down to the limit.",)


def test_an_unknown_card_is_no_fact() -> None:
    one = unseen_card()
    assert differing(one, one) == ()


def test_a_ruleset_without_facts_tells_its_overview() -> None:
    rules = played().game.ruleset
    before = state(played())

    class Bare(type(rules)):  # type: ignore[misc]  # any ruleset
        facts = ()

    after = msgspec.structs.replace(before, water_level=3)
    told = differing_facts(Bare(), before, after, NAMES)
    assert len(told) == 1
    assert "3" in told[0]


def test_a_table_that_nothing_can_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> None:
        raise LookupError

    monkeypatch.setattr(telling, "known_facts", failing)
    assert differing(played(), played()) == ()
