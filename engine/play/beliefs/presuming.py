"""Presumptions about a partly unknown line: players followed the rules wherever that is possible.

A trace contains every possible table, including those after a slip; a line continues with tables that look alike. For
each slot it keeps the tables on which the action was legal. If none of these fits the later events, it keeps those on
which the action took effect anyway, and otherwise those on which it had no effect. If they look different, it keeps the
likeliest.
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
"""Kinds of an entry, in the order of presumption: legal, a slip, without effect."""

Replayed = tuple[State | None, Judgement | None, Effect]
"""The state after a replayed entry, its judgement, and its break if any."""

Weights = dict[int, Weight]
"""The tables that a line has, by their `id` in a trace."""


def replayed(trace: Trace) -> Replayed:
    """Replay a line from the only slot of a trace, without knowledge of later events."""
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
    """Return the tables of a line after a slot, and the replayed slot.

    Args:
        before: the tables before it; at least one fits all later events.
        likelihoods: the likelihood of the later events on each table after it.
        told: as in `engine.play.beliefs.tracing.Trace.likelihoods`.
    """
    ways = (_way(stage, _led_to(stage, before, kind, told), likelihoods) for kind in KINDS)
    kind, tables = next((kind, tables) for kind, tables in zip(KINDS, ways, strict=True) if tables)
    state = believed([(weight, table) for table, weight in tables])
    return {id(table): weight for table, weight in tables}, (state, *_judged(ruleset, stage, before, kind))


def _way(stage: Stage, weights: Weights, likelihoods: Mapping[int, Weight]) -> list[tuple[Found, Weight]]:
    """Return the weighted tables after a slot that look like the likeliest one; empty if none fits the later events."""
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
    """Return the tables to which `before` leads by this kind of entry."""
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
    """Return the kind of an entry on the table before it."""
    if id(edge.target) in stage.idle:
        return "idle"
    return "slip" if id(edge.source) in stage.forbidden else "legal"


def _judged(ruleset: AnyRuleset, stage: Stage, before: Weights, kind: Kind) -> tuple[Judgement | None, Effect]:
    """Return the judgement on an entry, and its effect if it is newly broken."""
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
