"""Explanations that are not offered: they cannot be recorded, the game does not support them, or they would reveal a
secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from engine.core import effort
from engine.core.errors import ImpossibleOutcome, TooMuchWork
from engine.core.events import Draft
from engine.kit.facts import CannotBe, Told
from engine.kit.steps import DueStep, Skip
from engine.play import registry
from tests.engine.games.forever_island.raiding import declare_raid
from tests.engine.play.explaining import BO_MOVES, CARDS, chosen, deal_game, explanations_of, flood, kinds, report
from tests.engine.toy import Dice, DiceState, Roll
from tests.installing import installed
from tests.recording import Recording

ROLL = DueStep("roll", "roll", "Rolling")


class Mute(Roll, frozen=True):
    """A roll without a button text."""

    def label(self, state: DiceState, names: Sequence[str]) -> str:
        raise LookupError


class MuteDice(Dice):
    actions = (Mute,)


class KeptDice(Dice):
    """A game whose turn can be kept."""

    turn_fields = ("turn", "phase", "active")


class StuckDice(KeptDice):
    """A game whose turn cannot be kept."""

    def settled(self, state: DiceState, told: Told) -> DiceState:
        raise CannotBe("The dice are on the floor.")


class LateDice(Dice):
    """Three players, each of whom may forget to roll."""

    steps = (ROLL,)
    turn_fields = ("turn", "phase", "active")

    def skips(self, state: DiceState) -> Iterator[Skip[DiceState]]:
        after = (state.active + 1) % len(state.totals)
        yield Skip(ROLL, state.active, msgspec.structs.replace(state, turn=state.turn + 1, active=after))


class UnclearRoll(Roll, frozen=True):
    """A roll that is impossible after another player's roll."""

    def has_clear_effect(self, state: DiceState, seat: int) -> bool:
        return not any(state.totals)


class UnclearDice(LateDice):
    actions = (UnclearRoll,)


def roll_draft(actor: str) -> Draft:
    return Draft(type="roll", actor=actor, outcomes=(2,))


def second_roll_explanations(dice: Dice) -> list[str]:
    """Return the explanations of Ada's second roll."""
    with installed(dice):
        recording = Recording("dice")
        recording.add("set_up")
        report(recording, roll_draft("p1"))
        return [f"{one.kind}: {one.message}" for one in explanations_of(recording, roll_draft("p1"))]


def test_an_action_without_a_label_is_called_by_its_title() -> None:
    assert "wrong_player: It was Bo, not Ada: Roll." in second_roll_explanations(MuteDice())


def test_one_too_many_asks_for_a_turn_that_can_be_kept() -> None:
    again = "one_too_many: Ada did this once too often: Roll 1."
    assert again in second_roll_explanations(KeptDice())
    assert again not in second_roll_explanations(StuckDice())


def crashed_game() -> Recording:
    """Forbidden Desert: the players are at the crashed helicopter, and an equipment card lies under it."""
    recording = Recording("forbidden-desert", seed="2")
    recording.add("set_up")
    return recording


STORM = Draft(type="draw_storm_card", actor="p1")
EXCAVATE = Draft(type="excavate", actor="p1")


def test_what_is_not_clear_was_not_one_too_many() -> None:
    """The effect of a storm card is unclear while an equipment card is due."""
    recording = crashed_game()
    report(recording, EXCAVATE)
    found = kinds(explanations_of(recording, STORM))
    assert "skipped_step" in found
    assert "one_too_many" not in found


@pytest.mark.parametrize(("dice", "is_clear"), [(LateDice, True), (UnclearDice, False)])
def test_what_is_not_clear_is_not_made_up_for(dice: type[Dice], *, is_clear: bool) -> None:
    """Ada's roll was skipped, and Bo rolled."""
    with installed(dice()):
        recording = Recording("dice", 3)
        recording.add("set_up")
        chosen(recording, roll_draft("p2"), "skipped_step")
        assert ("late_step" in kinds(explanations_of(recording, roll_draft("p1")))) is is_clear


def test_a_card_that_could_not_be_drawn_back_then_ends_what_is_late() -> None:
    """Observatory was flooded from the start. A Waters Rise! card returns its card to the pile after Ada's turn."""
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    waters_rise = Draft(type="draw_treasure_card", actor="p2", outcomes=("waters_rise",))
    report(recording, waters_rise, msgspec.structs.replace(waters_rise, outcomes=("earth_stone",)))
    first, second = flood("observatory", "watchtower")
    assert chosen(recording, first, "late_step").message == "Ada did this late: Draw a Flood card."
    assert "late_step" not in kinds(explanations_of(recording, second))


@pytest.fixture
def raid() -> Recording:
    """Forever Island: Ada has declared a raid on Bo, and must now hide spears."""
    rules = registry.ruleset("forever-island")
    recording = Recording("forever-island")
    recording.add("set_up", position=rules.to_document(declare_raid()))
    return recording


def throw(actor: str) -> Draft:
    return Draft(type="throw_spears", actor=actor, params={"spears": 1})


def test_what_a_player_hides_is_explained_by_nothing(raid: Recording) -> None:
    """Bo hides spears although it is Ada's throw; the same entry for her would be legal."""
    assert explanations_of(raid, throw("p2")) == []
    report(raid, throw("p1"))


def test_what_a_player_hid_was_not_entered_wrong(raid: Recording) -> None:
    """Ada lost a hut by her throw and Bo's guess. When it harvests, only the guess is reconsidered."""
    report(raid, throw("p1"), Draft(type="guess_spears", actor="p2", params={"spears": 1}))
    found = explanations_of(raid, Draft(type="harvest", actor="p1", params={"hut": "p1_hut_1"}))
    assert [(one.kind, one.drafts[0].params["seq"]) for one in found] == [("wrong_result", 4)] * 3


def test_an_outcome_is_not_explained_while_a_player_hides_something(raid: Recording) -> None:
    report(raid, throw("p1"))
    weather: dict[str, Any] = {"type": "roll_for_weather", "actor": "p1"}
    with pytest.raises(ImpossibleOutcome) as refused:
        report(raid, Draft(**weather, outcomes=(99,)), if_illegal="accept")
    assert refused.value.explanations == ()


def test_a_draft_that_takes_too_long_is_refused() -> None:
    def check() -> None:
        raise effort.Exhausted

    recording = deal_game("as_played")
    report(recording, *CARDS)
    with effort.count_steps(check), pytest.raises(TooMuchWork):
        report(recording, BO_MOVES)
    report(recording, *flood("bronze_gate"))


def test_what_no_turn_counts_is_not_one_too_many() -> None:
    """Bo offers an exchange twice, and passes the die twice; neither is counted in a turn."""
    recording = Recording("forever-island", seed="2")
    recording.add("set_up")
    for seat, shore in (("p2", "hog_1_a"), ("p1", "log_1_a")):
        recording.add("place_hut", seat, shore=shore)
    recording.add("roll_for_weather", "p2")
    offer = Draft(type="offer_exchange", actor="p2", params={"partner": "p1", "give": {"hog": 1}, "take": {}})
    recording.append(offer)
    assert kinds(explanations_of(recording, offer))[0] == "skipped_step"
    recording.append(Draft(type="accept_exchange", actor="p1"), Draft(type="end_turn", actor="p2"))
    for again in (offer, Draft(type="end_turn", actor="p2")):
        assert "one_too_many" not in kinds(explanations_of(recording, again))
