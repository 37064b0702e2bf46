"""Probabilities on a voyage, as computed by someone who sees the table and knows the box."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from engine.core.errors import OutcomeRequired
from engine.core.values import Value
from engine.games.forgotten_waters.state import WatersState
from engine.kit.actions import Action
from engine.kit.chance import Observed, Sampled, Stream
from engine.play.registry import ruleset
from engine.players.registry import player_of


def reported_odds(state: WatersState, action: Action[WatersState], seat: int) -> dict[Value, Fraction] | None:
    """Return the probabilities of the possible results; None if no chance is asked."""
    chance = Observed()
    chance.begin(3, ())
    try:
        action.apply(state, seat, chance)
    except OutcomeRequired as required:
        return dict(required.point.probabilities())
    return None


def counted_odds(state: WatersState, kind: str) -> dict[Value, Fraction]:
    """Return these probabilities by counting everything in the box that is not on the table."""
    left: Counter[Value]
    if kind == "draw_treasure":
        held = [card for pirate in state.pirates for card in pirate.treasures]
        left = Counter(card.id for card in state.pack.treasures)
        left.subtract((*held, *state.treasure_discard))
    elif kind in ("move_ship", "flip_token"):
        left = Counter({token.id: token.count for token in state.pack.navigation})
        left.subtract(token for _, token in state.tokens if token in left)
    else:
        left = Counter(range(1, 13))
    total = left.total()
    return {value: Fraction(count, total) for value, count in left.items() if count}


@pytest.mark.parametrize("seats", [3, 6])
def test_odds_are_those_that_a_table_would_count(seats: int) -> None:
    rules = ruleset("forgotten-waters")
    chance = Sampled(random.Random(f"odds {seats} 1"))
    chance.begin(2, ())
    state: Any = rules.setup(rules.parse_options({}, seats), seats, chance)
    met = set()
    while state.outcome is None:
        action, seat = player_of(rules).propose(state, Stream(0))[0]
        odds = reported_odds(state, action, seat)
        if odds is not None:
            met.add(action.type)
            assert odds == counted_odds(state, action.type), action
        state = action.apply(state, seat, chance)
    assert {"roll_die", "draw_treasure", "move_ship", "flip_token"} <= met
