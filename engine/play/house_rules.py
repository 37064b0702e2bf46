"""The actions that house rules currently make legal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from engine.core.errors import DEFECTS, EngineError, Unclear
from engine.core.events import Draft
from engine.core.values import State
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import Action
from engine.play.beliefs.belief import Belief
from engine.play.explanations.table import can_record
from engine.play.rules import Rules

MOST = 200
"""Maximum number of actions of one kind and seat to try."""


def allowed_actions(rules: Rules, state: State) -> Iterator[LegalAction[Any]]:
    """Yield the actions that only a house rule makes legal now, by kind, seat and params, without duplicates.

    If the table is partly unknown, yield no actions; players can still take such actions.
    """
    if state.outcome is not None or isinstance(state, Belief):
        return
    types = {one.type for rule in state.details.house_rules for one in rule.allows}
    for kind in rules.ruleset.actions:
        if kind.type in types:
            for seat in range(rules.ruleset.seats(state)):
                for action in _actions_to_check(rules, kind, state, seat):
                    legal = LegalAction(action, seat)
                    if _is_allowed(rules, state, legal):
                        yield legal


def _actions_to_check(rules: Rules, kind: type[Action[Any]], state: State, seat: int) -> list[Action[Any]]:
    """Return the actions to check: the candidates of a kind, and actions whose params a house rule names fully."""
    found: dict[bytes, Action[Any]] = {}
    named = (
        one.members for rule in state.details.house_rules for one in rule.allows if one.type == kind.type and one.params
    )
    with suppress(Unclear, *DEFECTS):
        for action in itertools.islice(kind.candidates(state, seat), MOST):
            found[msgspec.json.encode(action, order="sorted")] = action
    for params in named:
        with suppress(EngineError):
            action = rules.ruleset.parse(kind.type, params)
            found[msgspec.json.encode(action, order="sorted")] = action
    return [action for _, action in sorted(found.items())]


def _is_allowed(rules: Rules, state: State, legal: LegalAction[Any]) -> bool:
    """Return True if only a house rule makes the action legal, and its effect is clear."""
    action = legal.action
    draft = Draft(type=action.type, actor=legal.actor, params=msgspec.to_builtins(action))
    is_own = not rules.is_out_of_turn(state, draft)
    if state.details.house_rule(draft.type, draft.params, state.phase, own_turn=is_own) is None:
        return False
    return action.refusal(state, legal.seat) is not None and can_record(rules, state, draft)
