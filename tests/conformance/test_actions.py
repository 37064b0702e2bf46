"""Legal actions are exact: what is listed can be done, what is not is refused and changes nothing; chance adds up."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.core.canonical import canonical, digest
from engine.core.documents import params_schema
from engine.core.errors import EngineError, GameOver, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.values import SEAT_IDS, SEAT_INDEX
from engine.kit.chance import Observed, Sampled
from engine.kit.ruleset import AnyRuleset
from engine.play.registry import rulesets
from tests.conformance.play import Legal, Step, everything, playouts_of, tried
from tests.conformance.tables import Table
from tests.recorded.games import games, read, replay

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal")


def sampled(table: Table, playouts: int) -> list[Step]:
    """Some states of some of the random games and of the kept ones."""
    rng, found = random.Random(f"samples {table}"), []
    for _, steps in playouts_of(table, -(-playouts // 4)):
        for number, step in enumerate(steps, 1):
            if number & (number - 1) == 0 or rng.random() < 0.08:
                found.append(step)
    # Random players seldom get to the end that they play for: the games that are kept do.
    for path in games(table.ruleset) if not table.options else ():
        some = (state for state in replay(*read(path)).states[2:-1] if state is not None and rng.random() < 0.15)
        found.extend((state, list(table.rules.legal_actions(state))) for state in some)
    return found


@pytest.fixture(scope="module")
def samples(table: Table, playouts: int) -> list[Step]:
    """Those of a table, for every test at it."""
    return sampled(table, playouts)


@pytest.fixture
def rng(table: Table) -> random.Random:
    """A source of chance."""
    return random.Random(f"chance {table}")


def spelled(one: Legal) -> tuple[str, int, bytes]:
    """One spelling for each action, seat and params."""
    return one.action.type, one.seat, canonical(one.action)


def test_what_is_listed(table: Table, samples: list[Step]) -> None:
    kinds = [kind.type for kind in table.rules.actions]
    for state, legal in samples:
        keys = [(kinds.index(type_), seat, params) for type_, seat, params in map(spelled, legal)]
        assert keys == sorted(set(keys))
        assert legal == everything(table.rules, state)
        for seat in range(table.seats):
            assert list(table.rules.legal_actions(state, seat)) == [one for one in legal if one.seat == seat]
        labels = Counter((one.actor, one.action.label(state, NAMES)) for one in legal)
        assert [label for label, count in labels.items() if count > 1] == []


def test_what_is_listed_can_be_done(table: Table, samples: list[Step], rng: random.Random) -> None:
    rules = table.rules
    for state, legal in samples:
        for one in legal:
            stored = msgspec.to_builtins(one.action)
            action = rules.parse(one.action.type, stored)
            assert msgspec.to_builtins(action) == stored
            assert rules.judge(state, action, one.actor) == one.seat
            chance = Sampled(rng)
            chance.begin(3, ())
            after = action.apply(state, one.seat, chance)
            outcomes = chance.finish()
            assert bool(outcomes) <= action.asks_chance
            assert rules.check_invariants(after) == []
            assert action.describe(state, one.seat, outcomes, NAMES)


def test_what_is_not_listed_is_refused_and_changes_nothing(
    table: Table, samples: list[Step], rng: random.Random
) -> None:
    rules = table.rules
    schemas = {kind.type: params_schema(kind) for kind in rules.actions}
    for state, legal in samples:
        listed = set(map(spelled, legal))
        ranges = {(one.kind.type, one.actor): Draft202012Validator(one.params) for one in rules.legal_ranges(state)}
        before = digest(rules.to_document(state))
        for type_, params in chain(tried(rules, state, rng, schemas), mutated(legal, rng)):
            action, unfit = parsed(rules, type_, params)
            for actor in (*SEAT_IDS[: rules.seats(state) + 1], "p9", None):
                error = unfit if action is None else refused(rules, state, action, actor)
                is_listed = action is not None and (
                    (type_, SEAT_INDEX.get(actor), canonical(action)) in listed
                    or fits(ranges.get((type_, actor)), action)
                )
                assert (error is None) is is_listed, (type_, params, actor)
                assert error is None or is_readable(rules, error), error
        assert digest(rules.to_document(state)) == before


def fits(within: Draft202012Validator | None, action: Any) -> bool:
    """Whether an action is within a range of legal ones."""
    return within is not None and within.is_valid(msgspec.json.decode(canonical(action)))


def mutated(legal: list[Legal], rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Actions that are listed, each with one of its params taken from another, or spoilt."""
    by_type: dict[str, list[dict[str, Any]]] = {}
    for one in legal:
        by_type.setdefault(one.action.type, []).append(msgspec.to_builtins(one.action))
    for type_, many in by_type.items():
        for params in rng.sample(many, min(3, len(many))):
            for name in params:
                yield type_, {**params, name: rng.choice(many)[name]}
                yield type_, {**params, name: None}
            yield type_, {**params, "": 1}


def parsed(rules: AnyRuleset, type_: str, params: dict[str, Any]) -> tuple[Any, EngineError | None]:
    """The action, or why there is none with such params."""
    try:
        return rules.parse(type_, params), None
    except EngineError as error:
        return None, error


def refused(rules: AnyRuleset, state: Any, action: Any, actor: str | None) -> EngineError | None:
    """Why that player may not do it."""
    try:
        rules.judge(state, action, actor)
    except EngineError as error:
        return error
    return None


def is_readable(rules: AnyRuleset, error: EngineError) -> bool:
    """Whether an error says what is wrong: the part of the body, or the heading and a whole sentence."""
    if isinstance(error, IllegalAction):
        return error.rule in rules.sections and error.message[0].isupper() and error.message.endswith(".")
    if isinstance(error, Malformed):
        return error.pointer.startswith(("/params", "/actor"))
    return isinstance(error, GameOver)


def test_chance_adds_up(table: Table, samples: list[Step]) -> None:
    rules = table.rules
    for state, legal in samples:
        for one in legal:
            point = rules.chance_point(state, one)
            if point is None:
                continue
            assert one.action.asks_chance
            assert point.position == 0
            assert list(point.options) == sorted(point.options)
            probabilities = point.probabilities()
            assert sum(probabilities.values()) == 1
            assert min(probabilities.values()) > 0
            assert len({rules.value_label(value) for value in probabilities}) == len(probabilities)
            for value in probabilities:
                assert comes_up(state, one, value)


def test_what_cannot_come_up_is_refused(table: Table, samples: list[Step]) -> None:
    rules = table.rules
    known: set[Any] = {"", -1}
    for state, legal in samples:
        for one in legal:
            point = rules.chance_point(state, one)
            if point is not None:
                known.update(point.options)
                for value in known.difference(point.options):
                    assert not comes_up(state, one, value)


def comes_up(state: Any, one: Legal, value: Any) -> bool:
    """Whether `value` may be the first outcome of that action."""
    chance = Observed()
    chance.begin(3, (value,))
    try:
        one.action.apply(state, one.seat, chance)
    except OutcomeRequired as error:
        return error.point.position > 0
    except ImpossibleOutcome:
        return False
    return chance.finish() == (value,)


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.id)
def test_kinds_of_action_say_truly_whether_they_ask_chance(rules: AnyRuleset) -> None:
    met: dict[str, set[bool]] = {}
    for state, legal in sampled(Table(rules.id, rules.players[1], {}), 16):
        for one in legal:
            met.setdefault(one.action.type, set()).add(asks(state, one))
    assert {type_ for type_, asked in met.items() if True in asked} == {
        kind.type for kind in rules.actions if kind.asks_chance and kind.type in met
    }


def asks(state: Any, one: Legal) -> bool:
    try:
        one.action.apply(state, one.seat, Observed())
    except OutcomeRequired:
        return True
    return False
