"""Legal actions on a partly unknown table."""

from __future__ import annotations

from fractions import Fraction

from engine.core.values import ChancePoint
from engine.play.beliefs.belief import Belief, MixedPoint, merge_points
from engine.play.offers import offers, possible_actions
from tests.api.test_unseen_evenings import whole_evening
from tests.recording import Recording


def test_the_actions_are_the_same_without_their_probabilities() -> None:
    recording, seen = Recording("forbidden-island", 2), 0
    for draft in whole_evening("forbidden-island", 2, 3)[0][:40]:
        recording.add(draft["type"], draft["actor"], draft["outcomes"], **draft["params"])
        state = recording.game.state
        assert state is not None
        seen += isinstance(state, Belief)
        assert possible_actions(recording.game.ruleset, state) == [
            one.legal for one in offers(recording.game.ruleset, state)
        ]
    assert seen > 20


def test_draws_from_piles_of_different_sizes_are_merged() -> None:
    mixed = MixedPoint.of("card", 0, {"a": Fraction(1, 4), "b": Fraction(3, 4)})
    small, large = ChancePoint("card", 0, ("a", "a", "c")), ChancePoint("card", 0, ("b", "c"))
    found = merge_points([(Fraction(1, 2), mixed), (2, small), (Fraction(3, 2), large)])
    assert found.probabilities() == {"a": Fraction(35, 96), "b": Fraction(9, 32), "c": Fraction(17, 48)}
