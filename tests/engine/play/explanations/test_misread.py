"""Wrong entries: which of them are read anew, and where the reading ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Self

import msgspec
import pytest

from engine.core.events import Draft
from engine.core.values import SEAT_IDS, Value
from engine.kit.chance import Chance
from engine.kit.ruleset import Action, Refusal
from tests.engine.play.explaining import CARDS, dealt, explained, flood, kinds, report
from tests.engine.recording import dealt as seeded
from tests.engine.toy import Dice, DiceState
from tests.installing import installed
from tests.recording import Recording


class _Move(Action[DiceState], frozen=True):
    rule = "Rolling"

    @classmethod
    def candidates(cls, state: DiceState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: DiceState, seat: int) -> Refusal | None:
        return None if seat == state.active else Refusal(self.rule, "It is another player's turn.")

    def label(self, state: DiceState, names: Sequence[str]) -> str:
        return self.called()

    def describe(self, state: DiceState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"{names[seat]}: {self.called()}."


class Spin(_Move, frozen=True):
    """Spin the wheel. The highest number spins again."""

    type = "spin"
    asks_chance = True
    numbers: ClassVar[int] = 6

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        again = chance.draw("wheel", range(self.numbers)) == self.numbers - 1
        return msgspec.structs.replace(state, turn=state.turn + 1, active=seat if again else 1 - seat)


class LongSpin(Spin, frozen=True):
    """The same with a wheel of 500 numbers."""

    numbers = 500


class Pass(_Move, frozen=True):
    """Pass the wheel on."""

    type = "pass"

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        return msgspec.structs.replace(state, turn=state.turn + 1, active=1 - seat)


class Call(_Move, frozen=True):
    """Call a number, in any player's turn."""

    type = "call"

    def refusal(self, state: DiceState, seat: int) -> Refusal | None:
        return None

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        return state


class Wheel(Dice):
    id = "wheel"
    actions = (Spin, Pass, Call)


class LongWheel(Dice):
    id = "long-wheel"
    actions = (LongSpin, Pass)


@pytest.fixture(autouse=True)
def wheels() -> Iterator[None]:
    with installed(Wheel(), LongWheel()):
        yield


def begun(ruleset: str) -> Recording:
    recording = Recording(ruleset)
    recording.add("set_up")
    return recording


def spin(seat: int, number: int) -> Draft:
    return Draft(type="spin", actor=SEAT_IDS[seat], outcomes=(number,))


def wrong(recording: Recording, draft: Draft) -> list[str]:
    """The wrong entries that explain `draft`."""
    return [one.message for one in explained(recording, draft) if one.kind == "wrong_result"]


def test_a_number_is_read_anew() -> None:
    recording = begun("wheel")
    report(recording, spin(0, 2))
    assert wrong(recording, spin(0, 4)) == ["Entered wrong in turn 1: Ada, 5."]


def test_no_more_than_a_hundred_and_twenty_readings_are_tried() -> None:
    """The number with which Ada spins again is the last of 500."""
    recording = begun("long-wheel")
    report(recording, spin(0, 2))
    assert wrong(recording, spin(0, 4)) == []


def test_an_action_without_a_choice_was_not_entered_wrong() -> None:
    recording = begun("wheel")
    report(recording, Draft(type="pass", actor="p1"))
    assert wrong(recording, spin(0, 4)) == []


@pytest.mark.parametrize(("calls", "is_found"), [(5, True), (6, False)])
def test_no_more_than_the_last_six_entries_are_read_anew(calls: int, *, is_found: bool) -> None:
    """Numbers are called between Ada's two spins, which changes nothing."""
    recording = begun("wheel")
    report(recording, spin(0, 2), *[Draft(type="call", actor="p2")] * calls)
    assert bool(wrong(recording, spin(0, 4))) is is_found


def test_what_the_service_drew_was_not_entered_wrong() -> None:
    """A third Flood card: with cards of their own a table may have entered one before it wrong."""
    ours, theirs = dealt(), seeded("1")
    report(ours, *CARDS, *flood("bronze_gate"), *flood("copper_gate"))
    assert ours.game.awaiting == ("p2",)
    draws = [Draft(type=kind, actor="p1") for kind in ("draw_treasure_card", "draw_flood_card") for _ in range(2)]
    report(theirs, *draws)
    assert "wrong_result" not in kinds(explained(theirs, Draft(type="draw_flood_card", actor="p1")))
