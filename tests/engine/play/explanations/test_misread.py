"""Wrong entries: which entries the explainer reconsiders, and how far it goes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Self

import msgspec
import pytest

from engine.core.events import Draft
from engine.core.values import SEAT_IDS, Value
from engine.kit.chance import Chance
from engine.kit.ruleset import Action, Refusal
from tests.engine.play.explaining import CARDS, deal_game, explanations_of, flood, kinds, report
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
        return self.english_title()

    def describe(self, state: DiceState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"{names[seat]}: {self.english_title()}."


class Spin(_Move, frozen=True):
    """Spin the wheel. The highest number spins again."""

    type = "spin"
    asks_chance = True
    numbers: ClassVar[int] = 6

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        again = chance.draw("wheel", range(self.numbers)) == self.numbers - 1
        return msgspec.structs.replace(state, turn=state.turn + 1, active=seat if again else 1 - seat)


class LongSpin(Spin, frozen=True):
    """Spin a wheel of 500 numbers. The highest number spins again."""

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


class LoadedSpin(_Move, frozen=True):
    """Spin a wheel that has the number 2 twice. After any number but 0 it is spun again."""

    type = "loaded_spin"
    asks_chance = True

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        again = chance.draw("wheel", (0, 1, 2, 2)) > 0
        return msgspec.structs.replace(state, turn=state.turn + 1, active=seat if again else 1 - seat)


class Lay(_Move, frozen=True):
    """Lay a card in a place. After card 1 it is the same player's turn."""

    type = "lay"
    card: int
    place: int

    @classmethod
    def candidates(cls, state: DiceState, seat: int) -> Iterable[Self]:
        return (cls(card, place) for card in (1, 0) for place in (1, 0))

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        return msgspec.structs.replace(state, turn=state.turn + 1, active=seat if self.card else 1 - seat)


class Wheel(Dice):
    id = "wheel"
    actions = (Spin, Pass, Call)


class LongWheel(Dice):
    id = "long-wheel"
    actions = (LongSpin, Pass)


class LoadedWheel(Dice):
    id = "loaded-wheel"
    actions = (LoadedSpin, Lay)


@pytest.fixture(autouse=True)
def wheels() -> Iterator[None]:
    with installed(Wheel(), LongWheel(), LoadedWheel()):
        yield


def begin_game(ruleset: str) -> Recording:
    recording = Recording(ruleset)
    recording.add("set_up")
    return recording


def spin(seat: int, number: int) -> Draft:
    return Draft(type="spin", actor=SEAT_IDS[seat], outcomes=(number,))


def wrong(recording: Recording, draft: Draft) -> list[str]:
    """Return the wrong entries that explain `draft`."""
    return [one.message for one in explanations_of(recording, draft) if one.kind == "wrong_result"]


def test_a_number_is_read_anew() -> None:
    recording = begin_game("wheel")
    report(recording, spin(0, 2))
    assert wrong(recording, spin(0, 4)) == ["Entered incorrectly in turn 1: Ada, 5 (the entry was: 2)."]


def test_no_more_than_240_readings_are_tried() -> None:
    """The number with which Ada spins again is the last of 500."""
    recording = begin_game("long-wheel")
    report(recording, spin(0, 2))
    assert wrong(recording, spin(0, 4)) == []


def test_an_action_without_a_choice_was_not_entered_wrong() -> None:
    recording = begin_game("wheel")
    report(recording, Draft(type="pass", actor="p1"))
    assert wrong(recording, spin(0, 4)) == []


@pytest.mark.parametrize(("calls", "is_found"), [(11, True), (12, False)])
def test_no_more_than_the_last_twelve_entries_are_read_anew(calls: int, *, is_found: bool) -> None:
    """Between Ada's two spins, numbers are called, which changes nothing."""
    recording = begin_game("wheel")
    report(recording, spin(0, 2), *[Draft(type="call", actor="p2")] * calls)
    assert bool(wrong(recording, spin(0, 4))) is is_found


def test_the_very_card_that_comes_up_again_is_suspected_however_old_it_is() -> None:
    """Ada's first Flood card appears again in her next turn, after fourteen other entries."""
    recording = deal_game()
    report(recording, *CARDS, *flood("bronze_gate", "breakers_bridge"))
    for seat, card in ((1, "oceans_chalice"), (0, "crystal_of_fire")):
        for _ in range(3):
            report(recording, _any(recording, seat, "move"))
        draw = Draft(type="draw_treasure_card", actor=SEAT_IDS[seat], outcomes=(card,))
        report(recording, draw, draw)
        if seat:
            report(recording, *flood("copper_gate", "cliffs_of_abandon", actor="p2"))
    report(recording, _any(recording, 0, "discard"))
    found = explanations_of(recording, flood("bronze_gate")[0])
    assert [one.drafts[0].params["seq"] for one in found] == [5] * 3
    assert found[0].message.endswith("(the entry was: Bronze Gate).")


def _any(recording: Recording, seat: int, type_: str) -> Draft:
    """Return a legal action of this type."""
    legal = recording.game.ruleset.legal_actions(recording.game.state, seat)
    action = next(one.action for one in legal if one.action.type == type_)
    return Draft(type=type_, actor=SEAT_IDS[seat], params=msgspec.to_builtins(action))


def test_what_comes_up_more_often_is_shown_first() -> None:
    recording = begin_game("loaded-wheel")
    report(recording, Draft(type="loaded_spin", actor="p1", outcomes=(0,)))
    again = Draft(type="loaded_spin", actor="p1", outcomes=(0,))
    assert wrong(recording, again) == ["Entered incorrectly in turn 1: Ada, 2 (the entry was: 0)."]


def test_for_an_amend_the_wrong_entry_is_amended_first() -> None:
    recording = begin_game("loaded-wheel")
    report(recording, Draft(type="lay", actor="p1", params={"card": 0, "place": 0}))
    recording.add("annotate", text="Here.")
    spun = {"type": "loaded_spin", "actor": "p1", "outcomes": [0]}
    found = explanations_of(recording, Draft(type="amend", params={"seq": 4, "insert": spun}))
    first, then = next(one.drafts for one in found if one.kind == "wrong_result")
    assert (first.params["seq"], then.params["seq"]) == (3, 4)
    report(recording, first, then)
    assert recording.game.version == 6


def test_what_differs_in_one_thing_is_shown_first() -> None:
    recording = begin_game("loaded-wheel")
    report(recording, Draft(type="lay", actor="p1", params={"card": 0, "place": 0}))
    found = explanations_of(recording, Draft(type="loaded_spin", actor="p1", outcomes=(0,)))
    (read,) = [one.drafts[0].params["event"]["params"] for one in found if one.kind == "wrong_result"]
    assert read == {"card": 1, "place": 0}


def test_what_the_service_drew_was_not_entered_wrong() -> None:
    """A third Flood card: a table with real cards may have entered an earlier one wrong."""
    ours, theirs = deal_game(), seeded("1")
    report(ours, *CARDS, *flood("bronze_gate"), *flood("copper_gate"))
    assert ours.game.awaiting == ("p2",)
    draws = [Draft(type=kind, actor="p1") for kind in ("draw_treasure_card", "draw_flood_card") for _ in range(2)]
    report(theirs, *draws)
    assert "wrong_result" not in kinds(explanations_of(theirs, Draft(type="draw_flood_card", actor="p1")))
