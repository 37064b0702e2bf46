"""A defect in a ruleset shows as a defect, not as an action with an unclear effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest

from engine.core.errors import Malformed, Unclear, UnclearEffect
from engine.core.values import Value
from engine.kit.chance import Chance
from engine.review.turns import narrate
from tests.engine.toy import Dice, DiceState, Roll
from tests.installing import installed
from tests.recording import Recording


class BrokenRoll(Roll, frozen=True):
    """Roll, and fail in the way that `fault` names."""

    fault: ClassVar[Exception | None] = None
    wordless: ClassVar[Exception | None] = None

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        after = super().apply(state, seat, chance)
        if self.fault is not None:
            raise self.fault
        return after

    def describe(self, state: DiceState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        if self.wordless is not None:
            raise self.wordless
        return super().describe(state, seat, outcomes, names)


class BrokenDice(Dice):
    """Dice with a defect in the rules."""

    id = "broken-dice"
    actions = (BrokenRoll,)
    fault: ClassVar[Exception | None] = None

    def check_invariants(self, state: DiceState) -> list[str]:
        if self.fault is not None:
            raise self.fault
        return []


@pytest.fixture
def table() -> Iterator[Recording]:
    with installed(BrokenDice()):
        recording = Recording("broken-dice", mode="as_played", goal=100)
        recording.add("set_up")
        yield recording


@pytest.mark.parametrize("actor", ["p1", "p2"], ids=["legal", "illegal"])
def test_a_defect_in_an_action(table: Recording, monkeypatch: pytest.MonkeyPatch, actor: str) -> None:
    monkeypatch.setattr(BrokenRoll, "fault", ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        table.add("roll", actor, [3])


def test_the_declared_error_is_a_defect_of_a_legal_action_alone(
    table: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BrokenRoll, "fault", Unclear())
    with pytest.raises(UnclearEffect):
        table.add("roll", "p2", [3])
    with pytest.raises(Unclear):
        table.add("roll", "p1", [3])


def test_a_defect_in_the_sentence_of_an_illegal_action(table: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    table.add("roll", "p2", [3])
    monkeypatch.setattr(BrokenRoll, "wordless", ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        narrate(table.game.header, table.events)
    monkeypatch.setattr(BrokenRoll, "wordless", Unclear())
    assert narrate(table.game.header, table.events)[-1].sentence == "Bo does this: roll."


def test_the_declared_error_in_the_sentence_of_a_legal_action(
    table: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.add("roll", "p1", [3])
    monkeypatch.setattr(BrokenRoll, "wordless", Unclear())
    with pytest.raises(Unclear):
        narrate(table.game.header, table.events)


@pytest.mark.parametrize(("fault", "raised"), [(ZeroDivisionError(), Malformed), (MemoryError(), MemoryError)])
def test_what_fails_while_a_written_table_is_looked_at(
    fault: Exception, raised: type[Exception], table: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A table that the rules did not make may itself be the cause.
    monkeypatch.setattr(BrokenDice, "fault", fault)
    patch = [{"op": "replace", "path": "/totals/0", "value": 4}]
    with pytest.raises(raised):
        table.add("adjust", reason="A die lay under the table.", patch=patch)
