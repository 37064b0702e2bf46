"""An illegal act out of turn changes the board: never whose turn it is, the phase, or what is left of the turn."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from engine.core.errors import Unclear
from engine.kit.chance import Sampled
from engine.kit.facts import Told
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from engine.play.slips import effect
from tests.conformance.play import playout
from tests.conformance.tables import Table
from tests.conformance.test_illegal_apply import slips

FEWER = 10
"""Games for each of these; many more are played with `--playouts`."""

OPEN = ("exchange", "double_up", "raid", "agenda")
"""What waits for an answer, and may be settled by what lies on the board."""


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_an_act_out_of_turn_leaves_the_turn_as_it_is(rules: AnyRuleset, playouts: int) -> None:
    done: Counter[str] = Counter()
    for seed in range(max(1, playouts // FEWER)):
        rng = random.Random(f"out of turn {rules.id} {seed}")
        table = Table(rules.id, rng.randint(*rules.players), {})
        for slip in slips(table, rng):
            done[slip.action.type] += kept_the_turn(rules, slip.state, slip.action, slip.seat, rng)
        for state, legal in list(playout(table, seed))[: -1 : 3 if playouts > FEWER else 9]:
            # What the player whose turn it is may do now, done by another one.
            one = rng.choice(legal)
            seat = rng.randrange(table.seats)
            if one.action.refusal(state, seat) is not None:
                done[one.action.type] += kept_the_turn(rules, state, one.action, seat, rng)
    assert len([type_ for type_, count in done.items() if count]) > 3, done


def kept_the_turn(rules: AnyRuleset, state: Any, action: Any, seat: int, rng: random.Random) -> bool:
    """Whether it is an act out of turn that has an effect; that keeps the turn."""
    if not rules.is_out_of_turn(state, seat):
        return False
    chance = Sampled(rng)
    chance.begin(3, ())
    try:
        after = effect(rules, action, seat, keeps_turn=True)(state, chance)
    except Unclear:
        return False
    if after.outcome is not None or not rules.is_sound(after):
        return False
    before = {name: getattr(state, name) for name in rules.turn_fields}
    changed = {name: (value, getattr(after, name)) for name, value in before.items() if getattr(after, name) != value}
    # What lies there may have to be dealt with first, such as a card too many, or an offer that fits no longer.
    assert changed.keys() <= {"phase", *OPEN}, (changed, action, seat, state)
    assert rules.settled(msgspec.structs.replace(after, phase=state.phase), Told()).phase == after.phase
    return True
