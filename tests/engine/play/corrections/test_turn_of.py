"""The fact `turn_of` begins that turn, in every ruleset that declares turns."""

from __future__ import annotations

import pytest

from driftlog.testing.facts import positions
from driftlog.testing.tables import TableSetup
from engine.core.values import SEAT_IDS
from engine.kit.common_facts import TurnOf
from engine.kit.facts import Tableau
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.corrections import facts
from tests.playouts import NAMES

DECLARING = [rules for rules in registry.rulesets() if any(issubclass(kind, TurnOf) for kind in rules.facts)]


@pytest.mark.parametrize("rules", DECLARING, ids=[rules.id for rules in DECLARING])
def test_whose_turn_it_is_alone_puts_the_turn_right(rules: AnyRuleset) -> None:
    kind = next(kind for kind in rules.facts if issubclass(kind, TurnOf))
    begun_turns = 0
    for state in positions(TableSetup(rules.id, rules.players[1], {}), 1)[::5]:
        for seat in range(rules.seats(state)):
            begun = rules.begin_turn(state, seat)
            if seat == rules.active(state) or begun is None:
                continue
            begun_turns += 1
            correction = facts.resolve(rules, NAMES, state, [kind(SEAT_IDS[seat])])
            after = facts.apply_correction(rules, NAMES, state, correction)
            if after.outcome is None:
                held = Tableau(rules.facts, after)
                assert [fact for fact in Tableau(rules.facts, begun) if not (fact.is_derived or held.holds(fact))] == []
    assert begun_turns > 0
