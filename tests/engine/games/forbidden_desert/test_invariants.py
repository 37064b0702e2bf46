"""The turn of a sound table, and each way in which it is not one."""

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
        ({"phase": "banana"}, "the phase is the one that the table is in"),
        ({"storm_left": 1, "phase": "storm"}, "actions are left only before the first storm card"),
        ({"storm_left": 0, "actions_left": 0, "phase": "storm"}, "a storm step is over with its last card"),
        ({"storm_left": 2, "actions_left": 0, "phase": "storm"}, "fewer storm cards are left than the meter asks for"),
        ({"weakened": 7}, "0 to 6 actions spent on a weaker storm"),
        (
            {"storm_pile": Pile(), "storm_discard": STORM_DECK},
            "a storm card can be drawn, or somebody sees the last of them",
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
            "a card is there for the gear that has been found",
        ),
        ({"looks_left": 1}, "cards are seen only by somebody who looks"),
        ({"watcher": 0, "looks_left": 7}, "no more storm cards are looked at than the meter asks for at most"),
        ({"watcher": 3}, "who looks is at the table"),
        ({"watcher": 0, "looks_left": 32}, "no more cards to look at than there are"),
        ({"watcher": 0, "must_place": True}, "who has to put a card to the bottom has seen one, or will"),
        ({"storm_tick": 14}, "the skull, thirst and a take-off end the game"),
    ],
)
def test_invariants__of_the_turn(changes: dict[str, Any], broken: str) -> None:
    state = msgspec.structs.replace(desert(), **changes)
    assert broken in RULES.check_invariants(state)
    assert RULES.check_components(state) == []
    assert RULES.check_invariants(desert()) == []
