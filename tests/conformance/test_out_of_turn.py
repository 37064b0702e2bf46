"""An illegal action out of turn changes only the board, never the active player, the phase or the rest of the turn."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from driftlog.testing.play import playout
from driftlog.testing.tables import TableSetup
from engine.core.errors import Unclear
from engine.kit.chance import Recorded, Sampled
from engine.kit.facts import Told
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from engine.play.slips import effect
from tests.conformance.test_illegal_apply import BY_ANOTHER, Slip, slips

FEWER = 10
"""Number of games per table without `--playouts`."""

OPEN = ("exchange", "double_up", "raid", "agenda")
"""Members for open decisions, which a change of the board can settle."""

LOOK = ("watcher", "looks_left", "must_place")
"""Members for an open look at a deck, which is over if all of its cards are put back."""


@pytest.mark.rules
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_an_act_out_of_turn_leaves_the_turn_as_it_is(rules: AnyRuleset, playouts: int) -> None:
    done: Counter[str] = Counter()
    for seed in range(max(1, playouts // FEWER)):
        rng = random.Random(f"out of turn {rules.id} {seed}")
        table = TableSetup(rules.id, rng.randint(*rules.players), {})
        for slip in slips(table, rng):
            done[slip.action.type] += kept_the_turn(rules, slip.state, slip.action, slip.seat, rng)
        for state, legal in list(playout(table, seed))[: -1 : 3 if playouts > FEWER else 9]:
            # Another player takes an action of the active player.
            one = rng.choice(legal)
            seat = rng.randrange(table.seats)
            if one.action.refusal(state, seat) is not None:
                done[one.action.type] += kept_the_turn(rules, state, one.action, seat, rng)
    assert len([type_ for type_, count in done.items() if count]) > 3, done


def kept_the_turn(rules: AnyRuleset, state: Any, action: Any, seat: int, rng: random.Random) -> bool:
    """Check that an action out of turn keeps the turn; return False if it is in turn, or has no clear effect."""
    if not rules.must_wait(state, seat):
        return False
    chance = Sampled(rng)
    chance.begin(3, ())
    try:
        after = effect(rules, action, seat, keeps_turn=True, keeps_step=True, sets_aside=True)(state, chance)
    except Unclear:
        return False
    if after.outcome is not None or not rules.is_sound(after):
        return False
    if rules.active(state) in getattr(after, "eliminated", ()):
        # The turn of a player who has left the game cannot continue.
        return False
    before = {name: getattr(state, name) for name in rules.turn_fields}
    if action.type == "choose_action":
        # In Forgotten Waters, a player who chose too early does not choose again.
        before["choosing"] = tuple(one for one in before["choosing"] if one != seat)
    changed = {name: (value, getattr(after, name)) for name, value in before.items() if getattr(after, name) != value}
    # The new board can require a decision first, such as a discard, or can make an open offer impossible.
    assert changed.keys() <= {"phase", *OPEN}, (changed, action, seat, state)
    if "agenda" in before:
        check_agenda(rules, Slip(BY_ANOTHER, state, action, seat), before, after, chance.finish())
    if getattr(state, "watcher", None) is not None and after.watcher is not None:
        assert all(getattr(after, name) == getattr(state, name) for name in LOOK), (action, seat, state)
        assert after.seen in (state.seen, ())
    assert rules.settled(msgspec.structs.replace(after, phase=state.phase), Told()).phase == after.phase
    return True


def check_agenda(rules: AnyRuleset, slip: Slip, turn: dict[str, Any], after: Any, outcomes: tuple[Any, ...]) -> None:
    """Check that an action carries out no due step, unless its board makes the first step impossible."""

    def same() -> Recorded:
        chance = Recorded()
        chance.begin(3, outcomes)
        return chance

    state, due = slip.state, turn["agenda"]
    board = msgspec.structs.replace(slip.action.apply(rules.set_aside(state), slip.seat, same()), **turn)
    first = rules.settled(msgspec.structs.replace(board, agenda=due[:1]), Told())
    if first.agenda:
        # The steps after the first one do not matter.
        alone = msgspec.structs.replace(state, agenda=due[:1])
        only = effect(rules, slip.action, slip.seat, keeps_turn=True, keeps_step=True, sets_aside=True)(alone, same())
        assert msgspec.structs.replace(only, agenda=due) == after, slip
    else:
        rest = rules.settled(msgspec.structs.replace(board, agenda=due[1:]), Told())
        assert rest == after, slip
