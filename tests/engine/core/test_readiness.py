"""Readiness: it finds every struct, and ignores types without fields."""

from __future__ import annotations

import msgspec

from engine.core.readiness import make_ready, structs
from engine.core.values import State
from engine.kit.ruleset import Action
from engine.kit.scene import Scene
from tests.engine.toy import Dice


class Late(msgspec.Struct):
    """A struct of a module that is imported late."""

    inner: Early | None = None


class Early(msgspec.Struct):
    number: int = 0


def test_structs__all_that_are_defined__also_those_of_a_game() -> None:
    found = set(structs())
    assert {Late, Early, Scene, State, Action, *Dice.actions, Dice.state} <= found


def test_make_ready__twice__and_past_what_is_only_written() -> None:
    make_ready()
    make_ready()
    assert msgspec.convert({"inner": {"number": 2}}, Late) == Late(Early(2))
