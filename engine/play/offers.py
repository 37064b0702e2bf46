"""Legal actions on a partly unknown table, and the random results that they need."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import IllegalAction, OutcomeRequired
from engine.core.values import ChancePoint, State
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs import running
from engine.play.beliefs.belief import Belief, Pooled, World, likeliest, merge_points
from engine.play.beliefs.possible import multiply_weight
from engine.play.beliefs.worlds import MOST_RUNS, step


class Offer(msgspec.Struct, frozen=True):
    """An action that may be legal now."""

    legal: LegalAction[Any]
    probability: Fraction | None
    """The probability that the action is legal; 1 if it is legal on every possible table, None if unknown."""


def offers(ruleset: AnyRuleset, state: State) -> list[Offer]:
    """Return all actions that are legal on at least one possible table, in the order of the rulebook."""
    return _offers(ruleset, state, has_odds=True)


def possible_actions(ruleset: AnyRuleset, state: State) -> list[LegalAction[Any]]:
    """Return the actions of `offers`. Without their probabilities, this is faster."""
    return [one.legal for one in _offers(ruleset, state, has_odds=False)]


def _offers(ruleset: AnyRuleset, state: State, *, has_odds: bool) -> list[Offer]:
    if state.outcome is not None:
        return []
    found: list[Offer] = []
    for kind in ruleset.actions:
        for seat in range(ruleset.seats(likeliest(state))):
            ask = partial(_offers_of_kind, ruleset, kind, seat)
            found += running.ask_tables(ruleset, state, ask, has_odds=has_odds)
    return found


def _offers_of_kind(
    ruleset: AnyRuleset, kind: type[Action[Any]], seat: int, tables: Sequence[World], known: running.ListedTables
) -> list[Offer]:
    """Return the actions of one kind that are legal for `seat` on at least one of `tables`."""
    total = sum(world.weight for world in tables)
    weights: dict[bytes, tuple[Action[Any], Fraction | int]] = {}
    for world in _alike(kind, tables, seat):
        legal = known.legal(ruleset, kind, world.state, seat)
        effort.spend(1 + len(legal))
        for key, (action, chance) in legal.items():
            weight = multiply_weight(world.weight, chance)
            weights[key] = (action, weight + (weights[key][1] if key in weights else 0))
    return [
        Offer(LegalAction(action, seat), Fraction(weight) / total if known.has_odds or weight == total else None)
        for action, weight in (weights[key] for key in sorted(weights))
    ]


def _alike(kind: type[Action[Any]], tables: Sequence[World], seat: int) -> list[World]:
    """Group `tables` by the legal actions of a kind for `seat`.

    Return one table of each group, with the group's weight.
    """
    alone: list[World] = []
    alike: dict[Hashable, World] = {}
    for world in tables:
        decides = kind.depends_on(world.state, seat)
        if decides is None:
            alone.append(world)
        else:
            weight = world.weight + (alike[decides].weight if decides in alike else 0)
            alike[decides] = World(weight, world.state)
    return [*alone, *alike.values()]


def point(ruleset: AnyRuleset, state: State, legal: LegalAction[Any]) -> ChancePoint | None:
    """Return the first random result that an action needs; None if it needs none.

    The action must be legal on at least one possible table.
    """
    if not isinstance(state, Belief):
        return ruleset.chance_point(state, legal)
    if not legal.action.asks_chance:
        return None
    if isinstance(state, Pooled):
        try:
            step(ruleset, state, legal.action, legal.seat, (), most=MOST_RUNS)
        except OutcomeRequired as required:
            return required.point
        return None
    effort.spend(len(state.worlds))
    asked = [
        (Fraction(world.weight), one)
        for world in state.worlds
        if legal.action.refusal(world.state, legal.seat) is None
        and (one := ruleset.chance_point(world.state, legal)) is not None
    ]
    return merge_points(asked) if asked else None


def may_be_unseen(ruleset: AnyRuleset, state: State, legal: LegalAction[Any]) -> bool:
    """Return True if the first outcome of an action may be reported as None."""
    if not ruleset.unseen:
        return False
    try:
        step(ruleset, state, legal.action, legal.seat, (None,), most=MOST_RUNS, believed=lambda found: found[0].state)
    except OutcomeRequired as error:
        # The rules need another result only later, so the first result can be unknown.
        return error.point.position > 0
    except IllegalAction:
        return False
    return True
