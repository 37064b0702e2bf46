"""The actions that house rules currently make legal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import DEFECTS, EngineError, OutcomeRequired, Unclear
from engine.core.events import Draft
from engine.core.values import State, Value
from engine.kit.chance import Observed
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import Action
from engine.play.beliefs.belief import Belief
from engine.play.past import Known
from engine.play.rules import Rules

MOST = 200
"""Maximum number of actions of one kind and seat to try."""


def allowed(rules: Rules, state: State) -> Iterator[LegalAction[Any]]:
    """Yield the actions that only a house rule makes legal now, each once, in the order of kinds, seats and params.

    If the table is partly unknown, this yields no actions, but players can still take them.
    """
    if state.outcome is not None or isinstance(state, Belief):
        return
    types = {one.type for rule in state.details.house_rules for one in rule.allows}
    for kind in rules.ruleset.actions:
        if kind.type in types:
            for seat in range(rules.ruleset.seats(state)):
                for action in _tried(rules, kind, state, seat):
                    legal = LegalAction(action, seat)
                    if _is_allowed(rules, state, legal):
                        yield legal


def _tried(rules: Rules, kind: type[Action[Any]], state: State, seat: int) -> list[Action[Any]]:
    """Return the actions to check: the candidates of a kind, and actions of which a house rule names all params."""
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
    """Return True if only a house rule makes the action legal, and the action's effect is clear."""
    effort.spend()
    action = legal.action
    draft = Draft(type=action.type, actor=legal.actor, params=msgspec.to_builtins(action))
    if state.details.house_rule(draft.type, draft.params) is None or action.refusal(state, legal.seat) is None:
        return False
    outcomes: tuple[Value, ...] = ()
    while True:
        try:
            rules.play(state, msgspec.structs.replace(draft, outcomes=outcomes), 1, Observed(), Known())
        except OutcomeRequired as required:
            # One possible result is enough to see if the effect is clear.
            outcomes += (next(iter(required.point.probabilities())),)
        except EngineError:
            return False
        else:
            return True
