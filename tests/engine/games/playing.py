"""Helpers for a position of any game: take actions, expect refusals, list legal actions and possible results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from engine.core.errors import IllegalAction
from engine.core.values import SEAT_INDEX, ChancePoint, State, Value
from engine.kit.chance import Observed
from engine.kit.ruleset import AnyRuleset, Refusal
from engine.play import registry
from engine.play.registry import versions
from tests.playouts import NAMES


def do(state: State, actor: str, type_: str, *outcomes: Value, **params: Any) -> Any:
    """Return the state after an action with these `outcomes`; a valid position must stay valid."""
    rules = rules_of(state)
    action = rules.parse(type_, params)
    chance = Observed()
    chance.begin(1, outcomes)
    after = action.apply(state, rules.judge(state, action, actor), chance)
    chance.finish()
    assert rules.check_invariants(after) == [] or rules.check_invariants(state)
    return after


def refused(state: State, actor: str, type_: str, **params: Any) -> Refusal:
    """Return the refusal of an action, which must be illegal."""
    rules = rules_of(state)
    with pytest.raises(IllegalAction) as error:
        rules.judge(state, rules.parse(type_, params), actor)
    assert error.value.rule in rules.sections
    return Refusal(error.value.rule, error.value.message)


def offered(state: State, actor: str, type_: str) -> list[Any]:
    """Return the params of each listed action of a type: the value of its param, or a list of its values.

    Values that are None or an empty text are omitted.
    """
    found = (legal.action for legal in rules_of(state).legal_actions(state) if legal.actor == actor)
    actions = [msgspec.structs.asdict(action) for action in found if action.type == type_]
    values = [tuple(value for value in action.values() if value not in (None, "")) for action in actions]
    return [value[0] if len(value) == 1 else value for value in values]


def kinds(state: State, actor: str) -> list[str]:
    """Return the types of action that `actor` can take now, in the rulebook's order."""
    return list(
        dict.fromkeys(legal.action.type for legal in rules_of(state).legal_actions(state) if legal.actor == actor)
    )


def chance_point_of(state: State, actor: str, type_: str, **params: Any) -> ChancePoint:
    """Return the first chance point of an action; if there are several such actions, of the one with `params`."""
    rules = rules_of(state)
    action = rules.parse(type_, params) if params else None
    found = (one for one in rules.legal_actions(state) if (one.action.type, one.actor) == (type_, actor))
    legal = next(one for one in found if action in {None, one.action})
    point = rules.chance_point(state, legal)
    assert point is not None
    return point


def may_come_up(state: State, actor: str, type_: str) -> dict[Value, Fraction]:
    """Return the possible results of an action, with their probabilities."""
    return chance_point_of(state, actor, type_).probabilities()


def said(state: State, actor: str, type_: str, *outcomes: Value, **params: Any) -> tuple[str, str]:
    """Return the label of an action, and the sentence about it afterwards, with the names in `NAMES`."""
    names = NAMES[: rules_of(state).seats(state)]
    action = rules_of(state).parse(type_, params)
    return action.label(state, names), action.describe(state, SEAT_INDEX[actor], outcomes, names)


def rules_of(state: State) -> AnyRuleset:
    """Return the newest ruleset with states of this type."""
    every = (
        registry.ruleset(rules.id, version) for rules in registry.rulesets() for version in reversed(versions(rules.id))
    )
    return next(rules for rules in every if rules.state is type(state))
