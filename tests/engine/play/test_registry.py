"""The registry: rulesets by id and version."""

from __future__ import annotations

import re

import pytest

from engine.core.errors import UnknownRuleset
from engine.kit.columns import Column, SeatColumn
from engine.play.fold import fold
from engine.play.registry import ruleset, rulesets, versions
from tests.engine.toy import Dice, OldDice, RuledDice
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


class Impostor(Dice):
    """Another game that takes the id and the version of one."""


class Namesake(Dice):
    """Another game that takes the id of one."""

    version = "7"
    name = "Darts"


class Counting(Dice):
    id = "counting"
    columns = (Column("level", int, lambda state: state.turn, "A number."),)
    seat_columns = (SeatColumn("luck", int, lambda _state, _seat: 0, "A number."),)


class Claiming(Counting):
    id = "claiming"
    columns = (Column("level", bool, lambda _: False, "A claim."),)


class ClaimingOfSeats(Counting):
    id = "claiming-of-seats"
    seat_columns = (SeatColumn("luck", str, lambda _state, _seat: "", "A claim."),)


class Twice(Dice):
    id = "twice"
    columns = Counting.columns * 2


class Reserved(Dice):
    id = "reserved"
    seat_columns = (SeatColumn("seat", str, lambda _state, _seat: "", "It is there."),)


HERE = __name__


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (Impostor(), f"{HERE}.Impostor and tests.engine.toy.Dice are both 'dice', version '2'"),
        (
            Namesake(),
            f"{HERE}.Namesake and tests.engine.toy.OldDice are both 'dice', and are called 'Darts' and 'Dice'",
        ),
        (Claiming(), f"the column 'level' is bool in {HERE}.Claiming, and int in {HERE}.Counting"),
        (ClaimingOfSeats(), f"the column 'luck' is str in {HERE}.ClaimingOfSeats, and int in {HERE}.Counting"),
        (Twice(), f"{HERE}.Twice declares the column 'level', and there is one of that name"),
        (Reserved(), f"{HERE}.Reserved declares the column 'seat', and there is one of that name"),
    ],
)
def test_install__a_clash_is_refused_and_nothing_is_added(dice: Dice, added: Dice, message: str) -> None:
    with installed(Counting()):
        before = [(rules.id, versions(rules.id)) for rules in rulesets()]
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"), installed(RuledDice(), added):
            pass
        assert [(rules.id, versions(rules.id)) for rules in rulesets()] == before
        assert ruleset("dice") is dice


def test_install__the_same_class_again() -> None:
    with installed(Counting()), installed(again := Counting()):
        assert ruleset("counting") is again


def test_installed__the_last_is_the_newest() -> None:
    with installed(Dice(), OldDice()):
        assert ruleset("dice").version == "1"
