"""Revealed draws of counted hands, compared with a trace of every table."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.events import Draft
from engine.play.beliefs.belief import MixedPoint, Pooled
from engine.play.beliefs.hands import Hand
from engine.play.beliefs.smoothing import RowDeal, TableKnowledge, step
from engine.play.corrections import counting as hands_of_line
from engine.play.corrections.reveals import UnknownOutcome, unknowns
from tests.engine.play.beliefs.test_pooling import Twins, counting
from tests.engine.recording import dealt
from tests.recorded.games import games, read, replay
from tests.recording import Recording


def list_unknowns(recording: Recording) -> list[UnknownOutcome]:
    return unknowns(recording.history.rules, recording.history.mainline)


def expect_the_same(twins: Twins) -> list[UnknownOutcome]:
    """Counted hands give each draw exactly the odds of traced tables."""
    with counting(10**6, 0):
        expected = list_unknowns(twins.listed)
    with counting(*twins.limits):
        found = list_unknowns(twins.counted)
    assert [(one.seq, one.position, one.point.name) for one in found] == [
        (one.seq, one.position, one.point.name) for one in expected
    ]
    for one, other in zip(found, expected, strict=True):
        assert one.point.probabilities() == other.point.probabilities()
        assert getattr(one.point, "is_exact", True)
    return found


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
@settings(max_examples=5, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_counted_hands_tell_of_a_draw_what_traced_tables_do(ruleset: str, seats: int, seed: int) -> None:
    twins = Twins(ruleset, seats, seed)
    while not twins.is_over and len(twins.listed.events) < 25:
        twins.play()
    expect_the_same(twins)


@settings(max_examples=5, deadline=None)
@given(seats=st.integers(2, 4), size=st.integers(3, 6), seed=st.integers(0, 2**32), reshuffle=st.booleans())
def test_odds_of_draws_before_the_pile_was_renewed_are_exact(seats: int, size: int, seed: int, reshuffle: bool) -> None:
    options = {"treasure_reshuffle": "eager"} if reshuffle else {}
    twins = Twins("forbidden-island", seats, seed, **options)
    twins.shorten(size)
    while not twins.is_over and len(twins.listed.events) < 40:
        twins.play()
    expect_the_same(twins)


def test_unseen_cards_of_the_set_up_have_odds_where_hands_are_counted() -> None:
    known, listed, hands = dealt(), Recording(), Recording()
    outcomes = known.events[1].outcomes
    for recording, limits in ((listed, (10**6, 0)), (hands, (1, 1))):
        with counting(*limits):
            recording.add("set_up", outcomes=(*outcomes[:-3], None, outcomes[-2], None))
            recording.add("draw_treasure_card", "p1", [None])
    assert isinstance(hands.game.state, Pooled)
    with counting(10**6, 0):
        expected = list_unknowns(listed)
    assert len(expected) == 3
    with counting():
        found = list_unknowns(hands)
    assert [(one.seq, one.position, one.point.name, one.point.probabilities()) for one in found] == [
        (one.seq, one.position, one.point.name, one.point.probabilities()) for one in expected
    ]


def test_a_set_up_of_which_all_hands_went_unseen_is_counted() -> None:
    real, recording = Recording(seats=4, seed="c"), Recording(seats=4)
    outcomes = real.add("set_up")[0].outcomes
    assert "waters_rise" not in outcomes
    recording.add("set_up", outcomes=(*outcomes[:-8], *[None] * 8))
    assert isinstance(recording.game.state, Pooled)
    assert recording.game.state.is_exact
    odds = [one.point.probabilities() for one in list_unknowns(recording)]
    # Of the 25 cards other than Waters Rise!, each treasure has 5.
    assert len(odds) == 8
    assert all(chances["oceans_chalice"] == Fraction(1, 5) for chances in odds)


def evening(path: Path, share: float = 1, *, is_dealt_unseen: bool = False) -> tuple[Recording, Recording]:
    """Return a recorded game, and the same game with some drawn cards unknown.

    Args:
        is_dealt_unseen: True if the opening cards of Forbidden Island are unknown, too.
    """
    header, lines = read(path)
    real, rng = replay(header, lines), random.Random(0)
    recording = Recording(header.ruleset, header.seats, **header.options)
    for event in real.events[1:]:
        if event.type == "game_closed":
            break
        outcomes = event.outcomes
        is_hidden = event.type in DRAWS and not RISING.intersection(outcomes) and rng.random() < share
        if event.type == "set_up" and is_dealt_unseen:
            dealt = len(outcomes) - 2 * header.seats
            outcomes = tuple(None if at >= dealt else outcome for at, outcome in enumerate(outcomes))
        outcomes = (None,) if is_hidden else outcomes
        draft = Draft(type=event.type, actor=event.actor, params=event.params, outcomes=outcomes)
        recording.append(draft, accept_left_out=None)
    return real, recording


DRAWS = {"draw_treasure_card", "draw_artifact_card", "draw_equipment"}
RISING = {"waters_rise", "island_defense"}
EVENINGS = games("forbidden-island") + games("forbidden-island-archaens") + games("forbidden-desert")
COVERED = {"drowned", "thirst"}
"""The recorded games that reach every branch. Coverage makes such an evening several times slower."""


@pytest.mark.long
@pytest.mark.parametrize("share", [1, 1 / 3])
@pytest.mark.parametrize(
    "path", [pytest.param(one, marks=() if one.stem in COVERED else pytest.mark.no_cover) for one in EVENINGS], ids=str
)
def test_a_whole_evening_of_unseen_draws_stays_exact(path: Path, share: float) -> None:
    real, recording = evening(path, share)
    hidden = {event.seq: real.events[event.seq - 1].outcomes[0] for event in recording.events if None in event.outcomes}
    found = list_unknowns(recording)
    assert {one.seq for one in found} == set(hidden)
    for one in found:
        assert getattr(one.point, "is_exact", True)
        assert one.point.probabilities()[hidden[one.seq]]
    # A later event that reads four hands excludes none of the drawn cards.
    for seq in random.Random(1).sample(sorted(hidden), min(2, len(hidden))):
        Recording.of(recording).add("reveal", seq=seq, position=0, value=hidden[seq])


def test_an_evening_without_any_known_hand_is_recorded_to_its_end() -> None:
    """At its end, a rule reads all four hands for a Helicopter Lift."""
    (path,) = (path for path in games("forbidden-island") if path.stem == "drowned")
    real, recording = evening(path, is_dealt_unseen=True)
    assert recording.game.outcome == real.game.outcome
    hands: Any = [dict(row) for row in recording.game.state.rows]  # type: ignore[union-attr]  # they are counted
    assert not any("helicopter_lift" in hand for row in hands for hand in row)


def at(*hands: set[Hand], stock: str = "aabbcc", pile: str = "") -> TableKnowledge:
    """Return the knowledge of a table: the possible hands of each player, the stock and the pile."""
    return TableKnowledge(list(hands), Hand(stock), Hand(pile))


def test_what_is_not_clear_is_no_step() -> None:
    one, other = {("a",), ("b",)}, {("c",), ("d",)}
    assert step(at(one), at(other), {}, 0, ()) is None
    assert step(at(one), at({("a", "b")}), {0: RowDeal(2)}, 0, ()) is None
    # A discard names the only unknown card.
    unclear = step(at(one), at({()}), {}, 0, ())
    assert unclear is None
    clear = step(at(one), at({()}), {}, 0, ["a"])
    assert clear is not None
    assert clear.moves[0].lost == ("a",)
    # A smaller stock shows which card was lost, unless cards can go back on the pile below known cards.
    lost, left = at({("a",), ("b",)}, stock="ab"), at({()}, stock="a")
    clear = step(lost, left, {}, 0, ())
    assert clear is not None
    assert clear.moves[0].lost == ("b",)
    assert step(lost, left, {}, 0, (), is_ordered=True) is None
    # Cards were added to the pile before it was used up.
    assert step(at(one, pile="cc"), at(one, pile="ccc"), {}, 0, ()) is None


def test_an_impossible_value_leaves_the_others_without_odds() -> None:
    left = hands_of_line.without(MixedPoint("card", 0, ("a", "b")), "a")
    assert (left.options, left.is_exact) == (("b",), False)
    assert hands_of_line.without(left, "b").options == ()
