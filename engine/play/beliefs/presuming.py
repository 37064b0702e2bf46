"""What is presumed of a line where not all is known: that the rules were kept wherever they may have been.

A trace knows every table that there may be, those that a slip led to as well; a line goes on from tables that look
alike. Slot by slot it keeps those on which what was done is legal; where none of these fits what is told since, those
on which it was carried out all the same; and else those on which it had no effect. Where they look different it keeps
the likeliest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from engine.core.errors import GameOver, IllegalAction
from engine.core.language import say
from engine.core.lifecycle import RULE
from engine.core.values import Effect, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.looks import Look
from engine.play.beliefs.possible import Found, Weight, believed, weighed
from engine.play.beliefs.tracing import Stage, Told, Trace, may_be
from engine.play.beliefs.worlds import Edge

Kind = Literal["legal", "slip", "idle"]
KINDS: tuple[Kind, ...] = ("legal", "slip", "idle")
"""What an entry was on a table, as it is presumed first: by the rules, against them, or without effect."""

Replayed = tuple[State | None, Judgement | None, Effect]
"""The state after an entry that was played again, what the rules say of it, and how it is broken if it is."""

Weights = dict[int, Weight]
"""The tables that a line has, by their `id` in a trace."""


def replayed(trace: Trace) -> Replayed:
    """What becomes of a line by the only slot of a trace, where nothing is told of what followed."""
    before = {id(table): table.weight for table in trace.first}
    likelihoods = {id(table): 1 for table in trace.tables}
    return step(trace.ruleset, trace.stages[0], before, likelihoods)[1]


def step(
    ruleset: AnyRuleset,
    stage: Stage,
    before: Weights,
    likelihoods: Mapping[int, Weight],
    told: Told | None = None,
) -> tuple[Weights, Replayed]:
    """The tables that a line has after a slot, and what became of that.

    Args:
        before: those before it; at least one of them fits all that is told since.
        likelihoods: how likely that is, on each table after it.
        told: as in `engine.play.beliefs.tracing.Trace.likelihoods`.
    """
    ways = (_way(stage, _led_to(stage, before, kind, told), likelihoods) for kind in KINDS)
    kind, tables = next((kind, tables) for kind, tables in zip(KINDS, ways, strict=True) if tables)
    state = believed([(weight, table) for table, weight in tables])
    return {id(table): weight for table, weight in tables}, (state, *_judged(ruleset, stage, before, kind))


def _way(stage: Stage, weights: Weights, likelihoods: Mapping[int, Weight]) -> list[tuple[Found, Weight]]:
    """Of the tables after a slot that have a weight, those that look as the likeliest do; none where none of them fits
    what is told since.
    """
    looks: dict[Look | None, list[tuple[Found, Weight]]] = {}
    chances: defaultdict[Look | None, Weight] = defaultdict(int)
    for table in stage.tables:
        if id(table) in weights:
            weight = weights[id(table)]
            looks.setdefault(table.board, []).append((table, weight))
            chances[table.board] += weight * likelihoods[id(table)]
    best = max(chances, key=lambda look: (chances[look], look.board if look else b""), default=None)
    return looks[best] if chances[best] else []


def _led_to(stage: Stage, before: Weights, kind: Kind, told: Told | None) -> Weights:
    """What the tables `before` lead to in that way."""
    after: defaultdict[int, Weight] = defaultdict(int)
    for edge in stage.edges:
        source = id(edge.source)
        is_begun = source in before
        if (is_begun and _kind(stage, edge) != kind) or not may_be(stage, edge, told):
            continue
        weight = before[source] if is_begun else after.get(source)
        if weight is not None:
            after[id(edge.target)] += weighed(weight, edge.chance)
    return after


def _kind(stage: Stage, edge: Edge) -> Kind:
    """What an entry was on the table before it."""
    if id(edge.target) in stage.idle:
        return "idle"
    return "slip" if id(edge.source) in stage.forbidden else "legal"


def _judged(ruleset: AnyRuleset, stage: Stage, before: Weights, kind: Kind) -> tuple[Judgement | None, Effect]:
    """What the rules say of an entry, and how it is broken if that is new."""
    refusal = next((stage.forbidden[table] for table in before if table in stage.forbidden), None)
    error = stage.error
    if kind == "idle" and error is not None:
        is_forbidden = isinstance(error, IllegalAction)
        rule, reason = (
            (error.rule, error.message) if isinstance(error, IllegalAction) else (RULE, ruleset.account(error))
        )
        if refusal is not None and not is_forbidden and all(table in stage.forbidden for table in before):
            rule, reason = refusal.rule, say(refusal.message)
        effect: Effect = "now_illegal" if is_forbidden or isinstance(error, GameOver) else "outcome_impossible"
        return Judgement("illegal", rule, reason, has_effect=False), effect
    if refusal is None:
        return stage.judgement, "unchanged" if stage.judgement is None else "now_illegal"
    if kind == "legal":
        return Judgement("unknowable", refusal.rule, say(refusal.message)), "now_illegal"
    return Judgement("illegal", refusal.rule, say(refusal.message), has_effect=kind == "slip"), "now_illegal"
