"""Replay a partly unknown line on the presumption that players followed the rules wherever that is possible.

A trace (see `engine.play.beliefs.tracing`) contains every possible table after each slot, including tables after slips.
From these, the replay keeps the tables on which the action was legal. If none of them fits the later events, the replay
keeps the tables on which the illegal action took effect. If none of them fits, either, the replay keeps the tables on
which the action had no effect. If the visible parts of the kept tables differ, the replay keeps only the tables with
the likeliest visible part.
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
from engine.play.beliefs.looks import VisibleTable
from engine.play.beliefs.possible import Found, Weight, listed_belief, multiply_weight
from engine.play.beliefs.tracing import AssumedOutcome, Stage, Trace, may_be
from engine.play.beliefs.worlds import Edge

Kind = Literal["legal", "slip", "idle"]
KINDS: tuple[Kind, ...] = ("legal", "slip", "idle")
"""The kinds of entries, in the order in which they are presumed: legal, a slip, without effect."""

Replayed = tuple[State | None, Judgement | None, Effect]
"""The state after a replayed entry, the judgement on the entry, and the effect of the correction on the entry."""

Weights = dict[int, Weight]
"""The weight of each table that the replay keeps, by the `id` of the table in the trace."""


def replay_entry(trace: Trace) -> Replayed:
    """Replay the only entry of `trace`, without knowledge of later events; return the state, judgement and effect."""
    before = {id(table): table.weight for table in trace.first}
    likelihoods = {id(table): 1 for table in trace.tables}
    return step(trace.ruleset, trace.stages[0], before, likelihoods)[1]


def step(
    ruleset: AnyRuleset,
    stage: Stage,
    before: Weights,
    likelihoods: Mapping[int, Weight],
    told: AssumedOutcome | None = None,
) -> tuple[Weights, Replayed]:
    """Replay one entry of a line. Return the weights of the tables to keep, and the replayed entry.

    Args:
        before: the weights of the tables kept before the entry; at least one of these tables fits all later events.
        likelihoods: the likelihood of all later events, for each table after the entry.
        told: as in `engine.play.beliefs.tracing.Trace.likelihoods`.
    """
    ways = (_way(stage, _next_weights(stage, before, kind, told), likelihoods) for kind in KINDS)
    kind, tables = next((kind, tables) for kind, tables in zip(KINDS, ways, strict=True) if tables)
    state = listed_belief([(weight, table) for table, weight in tables])
    return {id(table): weight for table, weight in tables}, (state, *_judge_entry(ruleset, stage, before, kind))


def _way(stage: Stage, weights: Weights, likelihoods: Mapping[int, Weight]) -> list[tuple[Found, Weight]]:
    """Return the weighted tables after an entry that have the likeliest look; empty if none fits the later events."""
    looks: dict[VisibleTable | None, list[tuple[Found, Weight]]] = {}
    chances: defaultdict[VisibleTable | None, Weight] = defaultdict(int)
    for table in stage.tables:
        if id(table) in weights:
            weight = weights[id(table)]
            looks.setdefault(table.board, []).append((table, weight))
            chances[table.board] += weight * likelihoods[id(table)]
    best = max(chances, key=lambda look: (chances[look], look.board if look else b""), default=None)
    return looks[best] if chances[best] else []


def _next_weights(stage: Stage, before: Weights, kind: Kind, told: AssumedOutcome | None) -> Weights:
    """Return the weights of the tables after an entry of `kind`, starting from the tables `before`."""
    after: defaultdict[int, Weight] = defaultdict(int)
    for edge in stage.edges:
        source = id(edge.source)
        is_begun = source in before
        if (is_begun and _kind(stage, edge) != kind) or not may_be(stage, edge, told):
            continue
        weight = before[source] if is_begun else after.get(source)
        if weight is not None:
            after[id(edge.target)] += multiply_weight(weight, edge.chance)
    return after


def _kind(stage: Stage, edge: Edge) -> Kind:
    if id(edge.target) in stage.idle:
        return "idle"
    return "slip" if id(edge.source) in stage.forbidden else "legal"


def _judge_entry(ruleset: AnyRuleset, stage: Stage, before: Weights, kind: Kind) -> tuple[Judgement | None, Effect]:
    """Return the judgement on an entry, and the effect on it: `unchanged` unless a correction newly broke the entry."""
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
