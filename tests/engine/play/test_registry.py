"""The registry: rulesets by id and version."""

from __future__ import annotations

import pytest

from engine.core.errors import UnknownRuleset
from engine.play.fold import fold
from engine.play.registry import ruleset, rulesets, versions
from tests.engine.toy import Dice, OldDice
from tests.installing import installed
from tests.recording import Recording, forged


def test_rulesets__each_id_once() -> None:
    ids = [rules.id for rules in rulesets()]
    assert len(ids) == len(set(ids))
    assert {"forbidden-island", "forbidden-island-archaens"} <= set(ids)


def test_ruleset__by_id_is_the_newest(dice: Dice) -> None:
    assert ruleset("dice") is dice
    assert dice in rulesets()


def test_ruleset__by_version(dice: Dice) -> None:
    assert ruleset("dice", "2") is dice
    assert type(ruleset("dice", "1")) is OldDice


def test_ruleset__a_stored_game_is_played_by_the_version_it_names(dice: Dice) -> None:
    first = Recording("dice", seats=1).events[0]
    old = forged(first, params={**first.params, "ruleset_version": "1"})
    assert type(fold([old]).ruleset) is OldDice


@pytest.mark.parametrize(
    ("id_", "version", "message"),
    [("chess", None, "no ruleset 'chess'"), ("forbidden-island", "0", "no ruleset 'forbidden-island' of version '0'")],
)
def test_ruleset__unknown(id_: str, version: str | None, message: str) -> None:
    with pytest.raises(UnknownRuleset) as error:
        ruleset(id_, version)
    assert (error.value.ruleset, error.value.version, str(error.value)) == (id_, version, message)


def test_installed__until_the_block_ends() -> None:
    before = rulesets()
    with installed(OldDice(), Dice()):
        assert versions("dice") == ["1", "2"]
    assert rulesets() == before
    assert versions("dice") == []


def test_installed__the_last_is_the_newest() -> None:
    with installed(Dice(), OldDice()):
        assert ruleset("dice").version == "1"
