"""Checks of a ruleset at its installation."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.values import State
from engine.kit.checks import faults
from engine.kit.columns import Column
from engine.kit.options import Options
from engine.kit.rules import KIT
from engine.kit.ruleset import Ruleset
from tests.engine.toy import Dice, Roll


class Pocket(msgspec.Struct):
    coins: int


class Held(State, frozen=True, kw_only=True):
    by_name: dict[str, int]
    in_turn: tuple[list[int], ...]
    either: int | set[str]
    pair: tuple[str, bytearray]
    kept: frozenset[str]
    pocket: Pocket
    again: Pocket
    before: Held | None = None


class Demanding(Options, frozen=True, kw_only=True):
    goal: int


class Undo(Roll, frozen=True):
    type = "undo"


def changed_ruleset(**declared: Any) -> Dice:
    return type("Changed", (Dice,), declared)()


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        (Dice, ["<class 'tests.engine.toy.Dice'> is not an instance of a Ruleset"]),
        (changed_ruleset(kit=KIT + 1), [f"it is built for kit {KIT + 1}, and this is kit {KIT}"]),
        (changed_ruleset(id="Dice!"), ["its id 'Dice!' is not in kebab case"]),
        (changed_ruleset(id="d" * 65), ["its id has 65 characters: at least 1, at most 64"]),
        (changed_ruleset(version=""), ["its version has 0 characters: at least 1, at most 64"]),
        (changed_ruleset(actions=(Roll, Roll)), ["several of its actions have the same type: roll"]),
        (
            changed_ruleset(
                columns=(Column("Total", int, lambda _: 1, "One."), Column("odds", float, lambda _: 1, "One."))
            ),
            ["its column 'Total' is not in snake case", "its column 'odds' is neither int, bool nor str"],
        ),
        (changed_ruleset(players=(0, 2)), ["it is for 0 to 2 players: at least 1, at most 8"]),
        (changed_ruleset(players=(2, 9)), ["it is for 2 to 9 players: at least 1, at most 8"]),
        (changed_ruleset(options=Demanding), ["its options have no default: goal"]),
        (changed_ruleset(actions=(Undo,)), ["every game has events of these types: undo"]),
        (
            changed_ruleset(state=Held),
            [
                f"its state is not hashable: {fault}"
                for fault in (
                    "Held.by_name is a dict",
                    "Held.in_turn is a list",
                    "Held.either is a set",
                    "Held.pair is a bytearray",
                    "Pocket is not frozen",
                )
            ],
        ),
    ],
)
def test_a_broken_promise_is_one_sentence(rules: Any, found: list[str]) -> None:
    assert [*faults(rules)] == found


def test_what_is_not_declared_is_named() -> None:
    kept = {name: value for name, value in vars(Dice).items() if callable(value) or name in {"actions", "options"}}
    assert [*faults(type("Bare", (Ruleset,), kept)())] == [
        "it does not declare id, version, name, players, components, max_events"
    ]
