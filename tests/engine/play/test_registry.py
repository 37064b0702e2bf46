"""The registry: rulesets by id and version."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Never

import pytest

from engine.core.errors import UnknownRuleset
from engine.kit.columns import Column, SeatColumn
from engine.play import registry
from engine.play.fold import fold
from engine.play.registry import ruleset, rulesets, versions
from tests.engine.toy import Dice, OldDice, RuledDice
from tests.installing import installed
from tests.recording import Recording, forged

ROOT = Path(__file__).parents[3]
HERE = __name__


def test_rulesets__each_id_once() -> None:
    ids = [rules.id for rules in rulesets()]
    assert len(ids) == len(set(ids))
    assert {"forbidden-island", "forbidden-island-archaens"} <= set(ids)


class TestDeclared:
    """The entry points of the group `driftlog.rulesets`."""

    @staticmethod
    def declare(folder: Path, name: str, value: str) -> None:
        """Write a distribution with an entry point into a folder."""
        info = folder / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{name} = {value}\n")

    def test_driftlog_s_own_are_declared_by_its_distribution(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        assert project["entry-points"][registry.GROUP] == {point.name: point.value for point in registry.OWN}

    def test_those_of_other_distributions_are_loaded_by_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.declare(tmp_path, "two-dice", f"{HERE}:COUNTING")
        self.declare(tmp_path, "fair-dice", f"{HERE}:MORE")
        self.declare(tmp_path, "driftlog-again", registry.OWN[0].value)
        monkeypatch.syspath_prepend(str(tmp_path))
        with installed():
            assert not [*registry.load(registry.other_entry_points())]
            assert rulesets()[-2:] == [*MORE, COUNTING]

    def test_of_two_packages_with_one_game_the_same_is_loaded_everywhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        points = [EntryPoint("dice", value, registry.GROUP) for value in (f"{HERE}:MORE", f"{HERE}:COUNTING")]
        for found in (points, points[::-1]):
            monkeypatch.setattr(registry, "entry_points", lambda found=found, **_: found)
            assert [point.attr for point in registry.other_entry_points()] == ["COUNTING", "MORE"]

    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            ("nowhere.at_all:RULESETS", "ModuleNotFoundError: No module named 'nowhere'"),
            (f"{HERE}:MORES", "AttributeError: module 'tests.engine.play.test_registry' has no attribute 'MORES'"),
            (f"{HERE}:PATH", f"TypeError: '{type(Path()).__name__}' object is not iterable"),
            (f"{HERE}:NUMBERS", "builtins.int: 1 is not an instance of a Ruleset"),
            ("tests.engine.play.leaving:RULESETS", "SystemExit: 3"),
            ("tests.engine.play.speechless:RULESETS", "Speechless"),
            (f"{HERE}:CLAIM", "another package already declares 'forbidden-island'"),
            (f"{HERE}:UNREADY", f"{HERE}.Unready: no game can begin: KeyError: 'dice'"),
            (f"{HERE}:CLASH", f"the column 'water_level' is str in {HERE}.Clashing, but int in "),
        ],
    )
    def test_a_package_that_does_not_load_is_left_out_with_its_reason(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, reason: str
    ) -> None:
        self.declare(tmp_path, "bad-dice", value)
        self.declare(tmp_path, "fair-dice", f"{HERE}:MORE")
        monkeypatch.syspath_prepend(str(tmp_path))
        before = [(rules.id, versions(rules.id)) for rules in rulesets()]
        with installed():
            (left_out,) = registry.load(registry.other_entry_points())
            assert left_out.package == "bad-dice"
            assert left_out.reason.startswith(reason)
            assert [(rules.id, versions(rules.id)) for rules in rulesets()] == [*before, ("dice", ["2"])]

    def test_a_reason_is_one_line_of_bounded_length(self) -> None:
        (left_out,) = registry.load([EntryPoint("a-package", "tests.engine.play.loud:RULESETS", registry.GROUP)])
        assert left_out.package == "a-package"
        assert left_out.reason == ("no " * 200)[: registry.LONGEST_REASON]
        assert left_out.line == f"the rulesets of a-package are not loaded: {left_out.reason}"

    def test_every_package_here_is_loaded(self) -> None:
        assert registry.not_loaded() == []

    def test_a_checkout_that_is_not_installed_has_its_own(self) -> None:
        script = f"""
import sys
sys.path[:0] = {[path for path in sys.path if path]}
from importlib import metadata
metadata.entry_points = lambda **_: ()
from engine.play import registry
print(*(rules.id for rules in registry.rulesets()))
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.split() == list(dict.fromkeys(rules.id for point in registry.OWN for rules in point.load()))


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
    [
        ("Forbidden Iland", None, "no ruleset 'Forbidden Iland'. Did you mean 'forbidden-island'?"),
        ("forbidden-island", "0", "no ruleset 'forbidden-island' of version '0'"),
    ],
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


class Claim(Dice):
    """A newer version of another package's game."""

    id = "forbidden-island"
    name = "Forbidden Island"
    version = "99"


class Clashing(Dice):
    id = "clashing"
    columns = (Column("water_level", str, lambda _: "", "A claim."),)


class Unready(Dice):
    id = "unready"

    def setup(self, *_: object) -> Never:
        raise KeyError("dice")


class Impostor(Dice):
    """Another game with the same id and version."""


class Namesake(Dice):
    """Another game with the same id."""

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


MORE = (Dice(),)
COUNTING = Counting()
PATH = Path()
NUMBERS = (1, 2)
CLAIM = Claim()
CLASH = (Clashing(),)
UNREADY = Unready()


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (Impostor(), f"{HERE}.Impostor and tests.engine.toy.Dice are both 'dice', version '2'"),
        (
            Namesake(),
            f"{HERE}.Namesake and tests.engine.toy.OldDice are both 'dice', but have the names 'Darts' and 'Dice'",
        ),
        (Claiming(), f"the column 'level' is bool in {HERE}.Claiming, but int in {HERE}.Counting"),
        (ClaimingOfSeats(), f"the column 'luck' is str in {HERE}.ClaimingOfSeats, but int in {HERE}.Counting"),
        (Twice(), f"{HERE}.Twice: it declares the column 'level', but another column already has this name"),
        (Reserved(), f"{HERE}.Reserved: it declares the column 'seat', but another column already has this name"),
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
