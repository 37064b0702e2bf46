"""Unknown cards of a line with counted hands: draws with known odds, and draws with only their possible values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest

from engine.core.errors import ImpossibleOutcome, Malformed
from engine.play.beliefs import shifting
from engine.play.beliefs.belief import MixedPoint, Pooled
from engine.play.corrections import amends, reveals
from engine.play.corrections.reveals import UnknownOutcome, unknowns
from tests.engine.play.beliefs.test_pooling import counting, pooled_recording
from tests.engine.play.telling import has, tell, water
from tests.engine.recording import DEAL, dealt
from tests.recording import Recording

RISEN = {"fact": "cards_discarded", "card": "waters_rise", "count": 1}
"""A card left the pile without a draw."""
CARDS = ("crystal_of_fire", "earth_stone", "helicopter_lift", "oceans_chalice", "sandbags", "statue_of_the_wind")
UNKNOWN = [
    pytest.param(DEAL, 2, [3, 4], id="draws"),
    pytest.param((*DEAL[:-2], None, None), 1, [2, 2, 3], id="several cards of one event"),
    pytest.param((*DEAL[:-1], None), 2, [2, 3, 4], id="a dealt card beside a known one"),
]
"""Deals, the number of unknown draws after each, and the events with unknown cards."""


@pytest.fixture(autouse=True)
def _counting() -> Iterator[None]:
    with counting():
        yield


def list_unknowns(recording: Recording) -> list[UnknownOutcome]:
    return unknowns(recording.history.rules, recording.history.mainline)


def has_odds(recording: Recording) -> dict[int, bool]:
    """Return for each unknown draw if its odds are known."""
    return {one.seq: one.point.is_exact for one in list_unknowns(recording)}  # type: ignore[attr-defined]  # one of several values


def turn_over(recording: Recording) -> None:
    """Draw the Flood cards of this turn."""
    for _ in range(2):
        state: Any = recording.game.state
        tile = state.worlds[0].state.flood_pile.layers[0][0]
        recording.add("draw_flood_card", f"p{state.worlds[0].state.active + 1}", [tile])


def raise_after_draws(cards: Sequence[str | None], draws: int) -> Recording:
    """Ada draws unknown cards after this deal; then a card is found to have left the pile."""
    recording = Recording()
    recording.add("set_up", outcomes=cards)
    for _ in range(draws):
        recording.add("draw_treasure_card", "p1", [None])
    tell(recording, RISEN)
    return recording


@pytest.mark.parametrize(("cards", "draws", "seqs"), UNKNOWN)
def test_what_was_drawn_before_a_card_left_the_pile_keeps_its_odds(
    cards: Sequence[str | None], draws: int, seqs: list[int]
) -> None:
    counted = raise_after_draws(cards, draws)
    assert isinstance(counted.game.state, Pooled)
    with counting(most=10**6, few=10**6):
        listed = list_unknowns(raise_after_draws(cards, draws))
    assert list_unknowns(counted) == listed
    assert [one.seq for one in listed] == seqs


@pytest.mark.parametrize(("cards", "draws", "seqs"), UNKNOWN)
def test_with_too_many_hands_to_weigh_only_the_possible_cards_are_known(
    cards: Sequence[str | None], draws: int, seqs: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shifting, "MOST_WAYS", 0)
    recording = raise_after_draws(cards, draws)
    assert [one.seq for one in list_unknowns(recording)] == seqs
    assert {one.point.options for one in list_unknowns(recording)} == {CARDS}


def test_a_card_that_would_show_is_refused_before_the_rest_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = pooled_recording()
    point = MixedPoint("treasure_card", 0, ("waters_rise",), (Fraction(1),), is_exact=False)
    monkeypatch.setattr(reveals.counting, "points", lambda *_: {(3, 0): point})
    monkeypatch.setattr(amends, "write_anew", pytest.fail)
    with pytest.raises(ImpossibleOutcome):
        recording.add("reveal", seq=3, position=0, value="waters_rise")


def swap_cards(*more: dict[str, Any]) -> Recording:
    """Bo has a different card than he was dealt. The correction does not say how the cards were exchanged."""
    recording = pooled_recording()
    tell(recording, has("p2", "crystal_of_fire", 0), has("p2", "earth_stone"), *more)
    return recording


def test_what_was_drawn_before_an_event_that_is_not_clear_has_no_odds() -> None:
    assert has_odds(swap_cards()) == {3: False, 4: False}


def test_what_is_drawn_since_has_odds() -> None:
    recording = swap_cards()
    turn_over(recording)
    recording.add("draw_treasure_card", "p2", [None])
    assert has_odds(recording) == {3: False, 4: False, 8: True}


def test_what_is_drawn_since_has_no_odds_with_too_many_hands_to_weigh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shifting, "MOST_WAYS", 0)
    recording = swap_cards()
    turn_over(recording)
    recording.add("draw_treasure_card", "p2", [None])
    assert has_odds(recording) == {3: False, 4: False, 8: False}


def test_a_later_fact_rules_a_revealed_card_out() -> None:
    recording = pooled_recording()
    tell(recording, RISEN)
    tell(recording, has("p1", "helicopter_lift", 0))
    with pytest.raises(ImpossibleOutcome) as refused:
        recording.add("reveal", seq=3, position=0, value="helicopter_lift")
    assert "helicopter_lift" not in refused.value.point.options
    recording.add("reveal", seq=3, position=0, value="oceans_chalice")
    assert [one.seq for one in list_unknowns(recording)] == [4]


def test_a_draw_without_effect_brought_no_card() -> None:
    recording = dealt(mode="as_played")
    tell(recording, water(9))
    for _ in range(3):
        recording.add("draw_treasure_card", "p1", [None])
    assert [one.seq for one in list_unknowns(recording)] == [4, 5, 6]
    lost = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["waters_rise"]}
    recording.add("amend", seq=5, event=lost)
    assert isinstance(recording.game.state, Pooled)
    assert [one.seq for one in list_unknowns(recording)] == [4]
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
