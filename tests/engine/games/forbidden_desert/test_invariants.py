"""A sound turn, and every way in which a turn is unsound."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.games.forbidden_desert.components import STORM_DECK, equipment_deck
from engine.kit.piles import Pile
from tests.engine.games.forbidden_desert.positions import RULES
from tests.engine.games.forbidden_desert.telling import (
    desert,
)


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"turn": 0}, "turns are counted from 1"),
        ({"phase": "banana"}, "the phase matches the table"),
        ({"storm_left": 1, "phase": "storm"}, "actions are left only before the first storm card"),
        ({"storm_left": 0, "actions_left": 0, "phase": "storm"}, "a storm step ends with its last card"),
        ({"storm_left": 2, "actions_left": 0, "phase": "storm"}, "fewer storm cards are left than the storm level"),
        ({"weakened": 7}, "0 to 6 actions spent to weaken the storm"),
        (
            {"storm_pile": Pile(), "storm_discard": STORM_DECK},
            "a storm card can be drawn, or a player is looking at the last one",
        ),
        (
            {"storm_pile": Pile(), "storm_drawn": STORM_DECK},
            "storm cards have been drawn only once the storm has begun",
        ),
        (
            {
                "must_draw_equipment": True,
                "equipment_pile": Pile(),
                "equipment_used": equipment_deck(with_tracker=False),
            },
            "an equipment card is left for the gear that was found",
        ),
        ({"looks_left": 1}, "only a player who is looking at the storm deck has seen cards"),
        ({"watcher": 0, "looks_left": 7}, "no more storm cards are seen than the storm level allows"),
        ({"watcher": 3}, "the player who is looking has a seat"),
        ({"watcher": 0, "looks_left": 32}, "no more cards are left to look at than the deck has"),
        (
            {"watcher": 0, "must_place": True},
            "a player who must put a card at the bottom has seen at least one, or has one left to see",
        ),
        ({"storm_tick": 14}, "the skull, thirst or a take-off ends the game"),
    ],
)
def test_invariants__of_the_turn(changes: dict[str, Any], broken: str) -> None:
    state = msgspec.structs.replace(desert(), **changes)
    assert broken in RULES.check_invariants(state)
    assert RULES.check_components(state) == []
    assert RULES.check_invariants(desert()) == []
