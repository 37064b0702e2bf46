"""Unknown cards of a line with counted hands: draws with known odds, and draws with only their possible values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from engine.core.errors import ImpossibleOutcome, Malformed
from engine.play.beliefs.belief import MixedPoint, Pooled
from engine.play.corrections import amends, reveals
from engine.play.corrections.reveals import UnknownOutcome, unknowns
from tests.engine.play.beliefs.test_pooling import counting, pooled
from tests.engine.play.telling import has, tell, water
from tests.engine.recording import DEAL, dealt
from tests.recording import Recording

RISEN = {"fact": "cards_discarded", "card": "waters_rise", "count": 1}
"""A card left the pile without a draw, so the odds of hands are no longer known."""
CARDS = ("crystal_of_fire", "earth_stone", "helicopter_lift", "oceans_chalice", "sandbags", "statue_of_the_wind")


@pytest.fixture(autouse=True)
def _counting() -> Iterator[None]:
    with counting():
        yield


def told(recording: Recording) -> list[UnknownOutcome]:
    return unknowns(recording.history.rules, recording.history.mainline)


def values(recording: Recording) -> list[tuple[int, tuple[Any, ...]]]:
    """Return each unknown draw with its possible cards, if their odds are not known."""
    found = told(recording)
    assert not any(one.point.is_exact for one in found)  # type: ignore[attr-defined]  # one of several values
    return [(one.seq, one.point.options) for one in found]


def turn_over(recording: Recording) -> None:
    """Draw the Flood cards of this turn."""
    for _ in range(2):
        state: Any = recording.game.state
        tile = state.worlds[0].state.flood_pile.layers[0][0]
        recording.add("draw_flood_card", f"p{state.worlds[0].state.active + 1}", [tile])


def test_what_was_drawn_before_a_card_left_the_pile_has_no_odds() -> None:
    recording = pooled()
    tell(recording, RISEN)
    assert values(recording) == [(3, CARDS), (4, CARDS)]


def test_several_cards_of_one_event_may_be_any_of_those_in_the_hand() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=(*DEAL[:-2], None, None))
    recording.add("draw_treasure_card", "p1", [None])
    assert isinstance(recording.game.state, Pooled)
    tell(recording, RISEN)
    assert values(recording) == [(2, CARDS), (2, CARDS), (3, CARDS)]


def test_an_opening_card_beside_a_known_one_is_told_by_the_hand() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=(*DEAL[:-1], None))
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    tell(recording, RISEN)
    assert values(recording)[0] == (2, CARDS)


def test_a_card_that_would_show_is_refused_before_the_rest_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = pooled()
    point = MixedPoint("treasure_card", 0, ("waters_rise",), (Fraction(1),), is_exact=False)
    monkeypatch.setattr(reveals.counting, "points", lambda *_: {(3, 0): point})
    monkeypatch.setattr(amends, "write_anew", pytest.fail)
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=3, position=0, value="waters_rise")


def swapped(*more: dict[str, Any]) -> Recording:
    """Bo has a different card than he was dealt. An event that both takes and gives leaves open how."""
    recording = pooled()
    tell(recording, has("p2", "crystal_of_fire", 0), has("p2", "earth_stone"), *more)
    return recording


def test_what_was_drawn_before_an_event_that_is_not_clear_has_no_odds() -> None:
    assert [seq for seq, _ in values(swapped())] == [3, 4]


def test_what_was_drawn_since_has_none_where_they_were_lost() -> None:
    recording = swapped()
    turn_over(recording)
    recording.add("draw_treasure_card", "p2", [None])
    assert [seq for seq, _ in values(recording)] == [3, 4, 8]


def test_a_later_fact_rules_a_revealed_card_out() -> None:
    recording = pooled()
    tell(recording, RISEN)
    tell(recording, has("p1", "helicopter_lift", 0))
    with pytest.raises(ImpossibleOutcome) as refused:
        recording.add("reveal", seq=3, position=0, value="helicopter_lift")
    assert "helicopter_lift" not in refused.value.point.options
    recording.add("reveal", seq=3, position=0, value="oceans_chalice")
    assert [one.seq for one in told(recording)] == [4]


def test_a_draw_without_effect_brought_no_card() -> None:
    recording = dealt(mode="as_played")
    tell(recording, water(9))
    for _ in range(3):
        recording.add("draw_treasure_card", "p1", [None])
    assert [one.seq for one in told(recording)] == [4, 5, 6]
    lost = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["waters_rise"]}
    recording.add("amend", seq=5, event=lost)
    assert isinstance(recording.game.state, Pooled)
    assert [one.seq for one in told(recording)] == [4]
    with pytest.raises(Malformed, match="had no effect"):
        recording.add("reveal", seq=6, position=0, value="sandbags")


def test_an_opening_card_is_revealed_although_all_of_them_are_unknown() -> None:
    real, recording = Recording(seats=4, seed="c"), Recording(seats=4)
    outcomes = real.add("set_up")[0].outcomes
    first = len(outcomes) - 8
    recording.add("set_up", outcomes=(*outcomes[:first], *[None] * 8))
    recording.add("reveal", seq=2, position=first, value=outcomes[first])
    known = Recording(seats=4)
    known.add("set_up", outcomes=(*outcomes[: first + 1], *[None] * 7))
    assert recording.game.state == known.game.state
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=2, position=first + 1, value="waters_rise")
