"""Facts in every ruleset that declares some: they can be listed, used as corrections, and rejected. Then the game
continues.

`FACTS=2000` makes 2,000 random corrections per table, instead of a few.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from driftlog.testing.facts import positions, whole
from driftlog.testing.play import everything, policy
from driftlog.testing.tables import TableSetup, each_choice
from engine.core.errors import EngineError, OutcomeRequired, Undetermined, UnsoundTable
from engine.core.events import Event
from engine.kit.chance import Sampled
from engine.kit.facts import AnyFact, Tableau
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import belief
from engine.play.corrections import facts
from engine.play.corrections.reveals import unknowns
from engine.play.fold import fold
from engine.play.registry import rulesets
from engine.play.showing import BEYOND
from engine.review.audit import audit
from tests.conformance.test_corrections import draft, may_hide, record_observed
from tests.playouts import NAMES
from tests.recording import Recording

LONGEST = 250
"""Maximum actions after a correction. Most games end before, but random games of Forever Island seldom do."""
CORRECTIONS = int(os.environ.get("FACTS", "12"))
DECLARING = [rules for rules in rulesets() if rules.facts]
TABLES = [table for table in each_choice() if table.rules.facts]
IDS = [rules.id for rules in DECLARING]


def vary_fact(rules: AnyRuleset, fact: AnyFact, others: Sequence[AnyFact], rng: random.Random) -> AnyFact:
    """Return a fact of the same kind with values from other facts, with other numbers, or without a value."""
    if fact.absent is not None and rng.random() < 0.2:
        return fact.absent
    alike = [other for other in others if type(other) is type(fact)] or [fact]
    values = {field: getattr(rng.choice(alike), field) for field in fact.__struct_fields__}
    for field, value in values.items():
        if type(value) is int:
            values[field] = max(0, value + rng.choice((-2, -1, 0, 0, 1, 2)))
    try:
        return rules.parse_facts([facts.document(msgspec.structs.replace(fact, **values))], "")[0]
    except EngineError:
        return fact


def random_facts(rules: AnyRuleset, here: Any, there: Any, rng: random.Random) -> list[AnyFact]:
    """Return facts of two tables, some of them changed so that they may hold at neither."""
    known, others = whole(rules, here), whole(rules, there)
    found: dict[Any, AnyFact] = {}
    for _ in range(rng.choice((1, 1, 2, 3, 5, 8))):
        fact = rng.choice(others if rng.random() < 0.5 else known)
        if rng.random() < 0.7:
            fact = vary_fact(rules, fact, [*known, *others], rng)
        found[fact.subject] = fact
    return list(found.values())


@pytest.mark.long
@pytest.mark.parametrize("seating", TABLES, ids=str)
def test_what_is_accepted_is_a_table_that_plays_on(seating: TableSetup) -> None:
    table = seating
    rules, rng = table.rules, random.Random(f"facts {table}")
    met = positions(table, 5), positions(table, 6)
    accepted = beyond = 0
    for _ in range(CORRECTIONS):
        here, there = rng.choice(met[0]), rng.choice(met[1])
        told = random_facts(rules, here, there, rng)
        try:
            correction = facts.resolve(rules, NAMES, here, told)
            after = facts.apply_correction(rules, NAMES, here, correction)
        except UnsoundTable as refused:
            beyond += any(one.message == BEYOND for one in refused.violations)
            continue
        accepted += 1
        tableau = Tableau(rules.facts, after)
        assert all(map(tableau.holds, told))
        assert rules.check_invariants(after) == []
        assert list(rules.legal_actions(after)) == everything(rules, after)
        plays_on(rules, after, rng)
    assert accepted >= CORRECTIONS // 10
    assert not beyond, "a table that fails the rules is a defect of the facts"


def plays_on(rules: AnyRuleset, state: Any, rng: random.Random) -> None:
    """Play at random, to the end if it is near, and check that every table on the way is sound."""
    choose, chance = policy(rng), Sampled(rng)
    chance.begin(2, ())
    for _ in range(LONGEST):
        legal = list(rules.legal_actions(state))
        assert bool(legal) == (state.outcome is None)
        if not legal:
            return
        assert rules.awaiting(state)
        one = choose(legal)
        state = one.action.apply(state, one.seat, chance)
        assert rules.check_invariants(state) == []


@pytest.mark.parametrize("rules", [rules for rules in DECLARING if rules.unseen], ids=lambda rules: rules.id)
def test_what_a_table_tells_of_itself_leaves_the_table_that_it_is(rules: AnyRuleset) -> None:
    """A table's own facts do not change its possible unknown results."""
    # Some games have no result that can be unknown.
    assert any(stays_what_it_is(rules, seed) for seed in range(2, 9))


def stays_what_it_is(rules: AnyRuleset, seed: int) -> bool:
    """Check that a table's own facts do not change it; return False if the game has no result that can be unknown."""
    rng = random.Random(f"unseen {rules.id}")
    whole_record = record_observed(TableSetup(rules.id, rules.players[0], {}), seed)
    record, hidden = Recording(rules.id, rules.players[0]), None
    for event in whole_record.events[1:]:
        truth, told = whole_record.states[event.seq], draft(event)
        if hidden is None and len(told.outcomes) == 1:
            told = may_hide(record, told, truth, [])
        try:
            record.append(told)
        except (Undetermined, OutcomeRequired):
            break
        if told.outcomes == (None,):
            hidden = (record.game.version, event.outcomes[0])
        if hidden is None or record.game.outcome is not None or event.seq % 6:
            continue
        probe = Recording.of(record)
        known = rng.sample(whole(rules, truth), 3)
        probe.add("adjust", facts=[facts.document(fact) for fact in known], reason="as it lies")
        tables = [world.state for world in belief.worlds(probe.game.state)]
        assert truth in tables
        assert all(Tableau(rules.facts, table).holds(fact) for table in tables for fact in known)
        (unknown,) = unknowns(probe.history.rules, probe.history.mainline)
        assert unknown.point.probabilities()[hidden[1]] > 0  # type: ignore[index]  # no None: it came up
        assert sum(unknown.point.probabilities().values()) == 1
    return hidden is not None


@pytest.mark.parametrize("rules", DECLARING, ids=IDS)
def test_a_correction_stands_in_the_log_as_it_was_told(rules: AnyRuleset) -> None:
    table, rng = TableSetup(rules.id, rules.players[0], {}), random.Random(f"log {rules.id}")
    record = record_observed(table, 1)
    others = positions(table, 6)
    done = 0
    for _ in range(30):
        state = record.game.state
        if state is None or state.outcome is not None or done == 3:
            break
        told = random_facts(rules, state, rng.choice(others), rng)
        probe = Recording.of(record)
        try:
            probe.add("adjust", facts=[facts.document(fact) for fact in told], reason="as it lies")
        except UnsoundTable:
            continue
        record, done = probe, done + 1
    assert done
    log = msgspec.json.decode(msgspec.json.encode(record.events), type=list[Event])
    assert fold(log) == record.game
    report = audit(log)
    assert (report.findings, report.level.broken) == ((), False)
