"""A state written by hand: unordered members may be in any order, and are sorted as the rules do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from driftlog.testing.play import playout
from driftlog.testing.tables import TableSetup
from engine.core.values import State
from engine.play.registry import ruleset
from tests.engine.toy import Dice, DiceState

UNORDERED = {
    "forbidden-island": ["hands/*", "treasure_pile/layers/*", "flood_pile/layers/*", "flooded", "sunk"],
    "forbidden-island-archaens": ["hands/*", "treasure_pile/layers/*", "flood_pile/layers/*", "flooded", "sunk"],
    "forbidden-desert": ["equipment/*", "equipment_pile/layers/*", "storm_pile/layers/*"],
    "forever-island": ["huts/*", "canoes/*", "totems"],
    "forgotten-waters": [
        "locked",
        "cannons",
        "tokens",
        "counts",
        "icons",
        "navigation_pile/layers/*",
        "treasure_pile/layers/*",
    ],
}
"""The unordered members of each ruleset's state."""

PILES = {
    "forbidden-island": ["treasure_pile", "flood_pile"],
    "forbidden-island-archaens": ["treasure_pile", "flood_pile"],
    "forbidden-desert": ["equipment_pile", "storm_pile"],
    "forgotten-waters": ["navigation_pile", "treasure_pile"],
}


@cache
def states(ruleset_id: str) -> list[State]:
    """Return some states of a random game."""
    table = TableSetup(ruleset_id, ruleset(ruleset_id).players[1], {})
    return [state for state, _ in playout(table, 1)][::9]


def lists(document: Any, path: list[str]) -> Iterator[list[Any]]:
    """Yield the lists at a path."""
    if not path:
        yield document
    elif path[0] == "*":
        for part in document:
            yield from lists(part, path[1:])
    else:
        yield from lists(document[path[0]], path[1:])


@pytest.mark.parametrize(("ruleset_id", "path"), [(id_, path) for id_ in UNORDERED for path in UNORDERED[id_]])
def test_what_has_no_order_may_come_in_any(ruleset_id: str, path: str) -> None:
    rules = ruleset(ruleset_id)
    for state in states(ruleset_id):
        document = msgspec.json.decode(msgspec.json.encode(rules.to_document(state)))
        for found in lists(document, path.split("/")):
            found.reverse()
        tidied = rules.tidy(rules.from_document(document))
        assert tidied == state
        assert rules.check_invariants(tidied) == []


@pytest.mark.parametrize(("ruleset_id", "pile"), [(id_, pile) for id_ in PILES for pile in PILES[id_]])
def test_a_layer_without_cards_is_none(ruleset_id: str, pile: str) -> None:
    rules = ruleset(ruleset_id)
    for state in states(ruleset_id):
        document = rules.to_document(state)
        document[pile]["layers"] = [[], *document[pile]["layers"], []]
        assert rules.tidy(rules.from_document(document)) == state


def test_a_number_of_the_log_that_is_0_is_left_out() -> None:
    rules = ruleset("forgotten-waters")
    state = states("forgotten-waters")[0]
    document = rules.to_document(state)
    document["counts"] = [*document["counts"], ["zeal", 0]]
    assert rules.tidy(rules.from_document(document)) == state


def test_rules_without_anything_unordered_leave_a_state_as_it_is() -> None:
    state = DiceState(turn=1, phase="roll", goal=10, totals=(0, 0), active=0)
    assert Dice().tidy(state) is state
