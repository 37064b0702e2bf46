"""Illegal actions: applying one ends quickly, in a sound state or as unclear."""

from __future__ import annotations

import random
import signal
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import pytest

from driftlog.testing.play import Step, action_attempts, playout
from driftlog.testing.tables import TableSetup
from engine.core.documents import params_schema
from engine.core.errors import Malformed, Unclear
from engine.core.values import State
from engine.kit.chance import Sampled
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.registry import rulesets

pytestmark = pytest.mark.long

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal")
HANGS = 10.0
"""Seconds of processor time after which an action counts as endless."""
AT_ANOTHER_TIME, BY_ANOTHER, OUT_OF_REACH, ANYTHING = "at another time", "by another", "out of reach", "anything"
MOSTLY_CLEAR = (AT_ANOTHER_TIME, BY_ANOTHER)
"""Typical slips: actions that are legal at another time, or for another player."""


class Slip(NamedTuple):
    """An action that is illegal in `state`."""

    manner: str
    state: State
    action: Action[Any]
    seat: int


class HangError(BaseException):
    """An action does not end. A `BaseException`, so that no game catches it."""


@pytest.mark.rules
@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_what_is_carried_out_by_force(rules: AnyRuleset) -> None:
    clear: dict[str, list[bool]] = defaultdict(list)
    for seats in rules.players:
        rng = random.Random(f"force {rules.id} {seats}")
        for slip in slips(TableSetup(rules.id, seats, {}), rng):
            before = msgspec.json.encode(rules.to_document(slip.state))
            with limit_time():
                clear[slip.manner].append(carry_out(rules, slip, rng))
            assert msgspec.json.encode(rules.to_document(slip.state)) == before
    assert all(clear[manner] for manner in (*MOSTLY_CLEAR, OUT_OF_REACH, ANYTHING))
    for manner in MOSTLY_CLEAR:
        assert sum(clear[manner]) > len(clear[manner]) / 2, manner


def slips(table: TableSetup, rng: random.Random) -> Iterator[Slip]:
    """Yield illegal actions at random positions of a random game."""
    schemas = {kind.type: params_schema(kind) for kind in table.rules.actions}
    steps = list(playout(table, 1))
    for at in sorted(rng.sample(range(len(steps) - 1), min(40, len(steps) - 1))):
        state = steps[at][0]
        found = chain(
            out_of_time(table, steps, at, rng),
            out_of_reach(table.rules, state, rng),
            anything(table.rules, state, rng, schemas),
        )
        for manner, action, seat in found:
            if action.refusal(state, seat) is not None:
                yield Slip(manner, state, action, seat)


def out_of_time(
    table: TableSetup, steps: list[Step], at: int, rng: random.Random
) -> Iterator[tuple[str, Action[Any], int]]:
    """Yield actions that were legal before, or will be."""
    for _, legal in steps[max(0, at - 4) : at + 5]:
        for one in rng.sample(legal, min(3, len(legal))):
            yield AT_ANOTHER_TIME, one.action, one.seat
            yield BY_ANOTHER, one.action, rng.randrange(table.seats)


def out_of_reach(rules: AnyRuleset, state: State, rng: random.Random) -> Iterator[tuple[str, Action[Any], int]]:
    """Yield candidates that the rules refuse."""
    for kind in rules.actions:
        for seat in range(rules.seats(state)):
            refused = [one for one in kind.candidates(state, seat) if one.refusal(state, seat) is not None]
            for one in rng.sample(refused, min(2, len(refused))):
                yield OUT_OF_REACH, one, seat


def anything(
    rules: AnyRuleset, state: State, rng: random.Random, schemas: dict[str, Any]
) -> Iterator[tuple[str, Action[Any], int]]:
    """Yield actions with random params that fit their schema."""
    for kind, params in action_attempts(rules, state, rng, schemas):
        try:
            yield ANYTHING, rules.parse(kind, params), rng.randrange(rules.seats(state))
        except Malformed:
            continue


@contextmanager
def limit_time() -> Iterator[None]:
    """Fail if the block takes more than `HANGS` seconds."""

    def stop(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def carry_out(rules: AnyRuleset, slip: Slip, rng: random.Random) -> bool:
    """Carry out an illegal action; return True if its effect is clear, after checking the new state and its texts."""
    chance = Sampled(rng)
    chance.begin(3, ())
    try:
        after = slip.action.apply(slip.state, slip.seat, chance)
    except Unclear:
        return False
    if not rules.is_sound(after):
        return False
    assert rules.from_document(rules.to_document(after)) == after
    assert slip.action.describe(slip.state, slip.seat, chance.finish(), NAMES)
    return True
