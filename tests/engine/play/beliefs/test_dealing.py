"""Setups with unseen cards, and unseen cards that an event adds to hands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.core.errors import Malformed
from engine.core.values import Value
from engine.kit.chance import Chance
from engine.play import registry
from engine.play.beliefs import dealing
from engine.play.beliefs.belief import Pooled
from engine.play.corrections.reveals import unknowns
from tests.engine.recording import DEAL, dealt
from tests.recording import Recording

FIELDS = ("hands", "treasure_pile")


def four(*opening: Value | None) -> Recording:
    """A game of Forbidden Island for four players, with `opening` as the last cards of the deal."""
    real, recording = Recording(seats=4, seed="c"), Recording(seats=4)
    outcomes = real.add("set_up")[0].outcomes
    recording.add("set_up", outcomes=(*outcomes[: -len(opening)], *opening))
    return recording


@pytest.mark.parametrize("card", ["crystal_of_fire", "sandbags"])
def test_a_card_that_is_seen_last_may_have_come_unseen_before(card: str) -> None:
    recording = four(*[None] * 7, card)
    table: Any = recording.game.state
    assert isinstance(table, Pooled)
    count = {"crystal_of_fire": 5, "sandbags": 2}[card]
    found = unknowns(recording.history.rules, recording.history.mainline)
    # One of the 25 cards other than Waters Rise! is known.
    assert [one.point.probabilities()[card] for one in found] == [Fraction(count - 1, 24)] * 7


def test_a_game_without_hands_and_a_pile_lists_its_setups() -> None:
    assert dealing.counted_belief(registry.ruleset("forgotten-waters"), lambda _: pytest.fail("ran"), (None,)) is None


def test_a_setup_with_too_many_results_is_refused() -> None:
    with pytest.raises(Malformed, match="too many outcomes"):
        Recording().add("set_up", outcomes=(*DEAL, *[None] * 5))


def test_only_cards_are_dealt() -> None:
    state: Any = dealt().game.state

    def run(chance: Chance) -> Any:
        assert chance.draw("die", (1, 2)) == 1
        return state

    assert dealing.dealt_cards(FIELDS, state, run, (None,), ()).unseen == []


def test_an_event_that_cannot_be_carried_out_deals_nothing() -> None:
    state: Any = dealt().game.state

    def run(chance: Chance) -> Any:
        chance.draw("treasure_card", ("sandbags",))
        chance.draw("treasure_card", ("sandbags",))

    assert dealing.dealt_cards(FIELDS, state, run, (None, "earth_stone"), ("sandbags",)) == ([], [])
