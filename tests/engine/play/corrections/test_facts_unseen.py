"""Facts on a partly unknown table: the remaining tables, and their probabilities."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.core.errors import (
    ImpossibleOutcome,
    Undetermined,
)
from engine.play.beliefs.belief import Belief, worlds
from engine.review.audit import audit
from tests.engine.play.telling import (
    chances,
    has,
    refusal,
    round_trip,
    state,
    tell,
    unseen_card,
    water,
)
from tests.engine.recording import dealt


def test_what_holds_in_some_tables_was_seen() -> None:
    recording = unseen_card()
    params = tell(recording, has("p1", "helicopter_lift"))
    assert params["facts"] == params["was"] == (has("p1", "helicopter_lift"),)
    assert not isinstance(state(recording), Belief)
    assert chances(recording) == [{"helicopter_lift": Fraction(1)}]
    round_trip(recording)


def test_what_was_seen_is_no_slip_that_a_reveal_may_show() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    tell(recording, has("p1", "helicopter_lift"))
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=3, position=0, value="crystal_of_fire")
    recording.add("reveal", seq=3, position=0, value="helicopter_lift")
    round_trip(recording)


def test_a_slip_that_a_reveal_shows_is_marked() -> None:
    recording = dealt(mode="as_played")
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    recording.add("reveal", seq=3, position=0, value="crystal_of_fire")
    assert [one.kind for one in audit(recording.events).findings] == ["illegal_action"]


def test_the_other_tables_keep_their_weights() -> None:
    """Of the 24 cards in the pile, three would visibly raise the water; 4 Earth Stones, 1 Sandbags and 16 others
    remain.
    """
    recording = unseen_card()
    tell(recording, has("p1", "earth_stone"))
    assert chances(recording) == [
        {
            "crystal_of_fire": Fraction(4, 17),
            "helicopter_lift": Fraction(2, 17),
            "oceans_chalice": Fraction(5, 17),
            "sandbags": Fraction(1, 17),
            "statue_of_the_wind": Fraction(5, 17),
        }
    ]
    round_trip(recording)


def test_bayes_is_exact_after_tables_are_ruled_out() -> None:
    """Ada has two Earth Stones and was dealt one, so each unknown card is the other one with probability 1/2."""
    recording = dealt()
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    two = worlds(state(recording))
    kept = [world for world in two if world.state.hands[0].count("earth_stone") == 2]
    tell(recording, has("p1", "earth_stone", 2))
    (first, second) = chances(recording)
    assert first["earth_stone"] == second["earth_stone"] == Fraction(1, 2)
    assert len(worlds(state(recording))) == len(kept)
    round_trip(recording)


def test_what_changes_in_every_table_keeps_them_all() -> None:
    recording = unseen_card()
    before = worlds(state(recording))
    tell(recording, water(3))
    assert [(world.weight, world.state.hands) for world in worlds(state(recording))] == [
        (world.weight, world.state.hands) for world in before
    ]
    round_trip(recording)


def test_the_tables_in_which_it_cannot_be_are_none() -> None:
    """Bo has all three Lifts, so Ada cannot have drawn one."""
    recording = unseen_card()
    params = tell(recording, has("p2", "helicopter_lift", 3), has("p1", "helicopter_lift", 0))
    assert len(params["facts"]) == 2
    assert "helicopter_lift" not in chances(recording)[0]
    round_trip(recording)


def test_what_was_may_depend_on_what_nobody_saw() -> None:
    """Ada's drawn card leaves her hand: an Earth Stone or a Chalice. With any other card she would have five."""
    recording = unseen_card()
    none = {"fact": "cards_discarded", "card": "earth_stone", "count": 0}
    told = [has("p1", "oceans_chalice", 3), has("p1", "earth_stone", 0), none]
    with pytest.raises(Undetermined, match="hands"):
        tell(recording, *told)
    params = tell(recording, *told, {"fact": "hand_is", "seat": "p1", "count": 4})
    assert params["facts"] == (*told, {"fact": "hand_is", "seat": "p1", "count": 4})
    assert params["was"] == (None, None, none, {"fact": "hand_is", "seat": "p1", "count": 3})
    assert state(recording).hands[0] == ("oceans_chalice", "oceans_chalice", "oceans_chalice", "sandbags")
    assert chances(recording) == [{"earth_stone": Fraction(4, 9), "oceans_chalice": Fraction(5, 9)}]
    round_trip(recording)


def test_in_no_table_at_all() -> None:
    assert refusal(unseen_card(), has("p1", "sandbags", 3)).violations[0].message.startswith("There are only 2")
