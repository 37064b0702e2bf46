"""Laws: listed actions can be taken, all others are rejected without effect, and the odds of a draw add up to 1."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import msgspec

from driftlog.testing.law import NAMES, Sample, law
from driftlog.testing.play import Legal, action_attempts, everything
from engine.core.canonical import canonical, digest
from engine.core.documents import params_schema
from engine.core.errors import EngineError, GameOver, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.values import SEAT_IDS, SEAT_INDEX
from engine.kit.chance import Observed, Sampled
from engine.kit.ruleset import AnyRuleset


@law("A listed action can be taken, and leads to a sound state.")
def can_be_taken(sample: Sample) -> None:
    rules, rng = sample.rules, sample.rng("chance")
    for state, legal in sample.steps:
        for one in legal:
            said = f"{one.actor} is offered {one.action} in phase {state.phase!r}"
            stored = msgspec.to_builtins(one.action)
            action = rules.parse(one.action.type, stored)
            assert msgspec.to_builtins(action) == stored, (
                f"{said}, but its params change when they are stored and parsed."
            )
            error = refusal_error(rules, state, action, one.actor)
            assert error is None, f"{said}, but it is refused: {error}"
            chance = Sampled(rng)
            chance.begin(3, ())
            after = action.apply(state, one.seat, chance)
            outcomes = [value for value in chance.finish() if value is not None]
            assert bool(outcomes) <= action.asks_chance, f"{said}, and it draws or rolls, but `asks_chance` is False."
            broken = rules.check_invariants(after)
            assert broken == [], f"{said}, and then {'; '.join(broken)}."
            again = action.apply(state, one.seat, observed_chance(outcomes))
            assert again == after, f"{said}, but with the same results, it leads to another state the second time."
            assert action.describe(state, one.seat, outcomes, NAMES), f"{said}, but `describe` returns nothing."


def observed_chance(outcomes: Iterable[Any]) -> Observed:
    chance = Observed()
    chance.begin(3, tuple(outcomes))
    return chance


@law("Legal actions are listed in order, without duplicates, each with its own label.")
def are_listed_in_order(sample: Sample) -> None:
    rules, kinds = sample.rules, [kind.type for kind in sample.rules.actions]
    for state, legal in sample.steps:
        keys = [(kinds.index(type_), seat, params) for type_, seat, params in map(action_key, legal)]
        assert keys == sorted(set(keys)), f"in phase {state.phase!r} the list is {[one.action for one in legal]}."
        assert legal == everything(rules, state), f"in phase {state.phase!r} an action is legal, but it is not listed."
        for seat in range(sample.table.seats):
            own = [one for one in legal if one.seat == seat]
            assert list(rules.legal_actions(state, seat)) == own, (
                f"the actions listed for {SEAT_IDS[seat]} differ from its actions in the list for all seats."
            )
        labels = Counter((one.actor, one.action.label(state, NAMES)) for one in legal)
        twice = [label for label, count in labels.items() if count > 1]
        assert twice == [], f"in phase {state.phase!r} two actions have the label {twice}."


@law("An action that is not listed is refused, and changes nothing.")
def others_are_refused(sample: Sample) -> None:
    rules, rng = sample.rules, sample.rng("chance")
    schemas = {kind.type: params_schema(kind) for kind in rules.actions}
    for state, legal in sample.steps:
        listed = set(map(action_key, legal))
        ranges: dict[tuple[str, str | None], Any] = {
            (one.kind.type, actor): one.params for one in rules.legal_ranges(state) for actor in one.actors
        }
        before = digest(rules.to_document(state))
        for type_, params in chain(action_attempts(rules, state, rng, schemas), mutations(legal, rng)):
            action, unfit = parse_or_error(rules, type_, params)
            for actor in (*SEAT_IDS[: rules.seats(state) + 1], "p9", None):
                error = unfit if action is None else refusal_error(rules, state, action, actor)
                is_listed = action is not None and (
                    (type_, SEAT_INDEX.get(actor), canonical(action)) in listed
                    or fits(ranges.get((type_, actor)), action)
                )
                said = f"{actor} tries {type_} {params} in phase {state.phase!r}"
                assert (error is None) is is_listed, f"{said}: listed {is_listed}, refused {error}."
                assert error is None or is_readable(rules, error), (
                    f"{said}, and the refusal is not a sentence with a rule from `sections`: {error!r}"
                )
        assert digest(rules.to_document(state)) == before, "the state has changed."


@law("The probabilities of each draw and roll add up to 1.")
def chance_adds_up(sample: Sample) -> None:
    rules = sample.rules
    known: set[Any] = {"", -1}
    for state, legal in sample.steps:
        for one in legal:
            point = rules.chance_point(state, one)
            if point is None:
                continue
            probabilities = point.probabilities()
            known.update(point.options)
            assert point.name in rules.chance_points, f"{point.name!r} is not in `chance_points`."
            assert point.position == 0, f"{one.action} does not ask for this result first."
            assert list(point.options) == sorted(point.options), f"the results of {one.action} are not sorted."
            assert sum(probabilities.values()) == 1, f"the probabilities of {one.action} are {probabilities}."
            labels = {rules.value_label(value) for value in probabilities}
            assert len(labels) == len(probabilities), f"two results of {one.action} have the same label."
            for value in known:
                assert comes_up(state, one, value) is (value in probabilities), f"{value!r} in {one.action}."


@law("Each kind of action declares correctly if it draws or rolls.")
def asks_chance(sample: Sample) -> None:
    met: dict[str, set[bool]] = {}
    for state, legal in sample.steps:
        for one in legal:
            met.setdefault(one.action.type, set()).add(asks(state, one))
    for kind in sample.rules.actions:
        has_asked = True in met.get(kind.type, ())
        assert has_asked <= kind.asks_chance, f"{kind.type} draws or rolls, but its `asks_chance` is False."


def action_key(one: Legal) -> tuple[str, int, bytes]:
    """Return a unique key for an action with its seat and params."""
    return one.action.type, one.seat, canonical(one.action)


def fits(schema: dict[str, Any] | None, action: Any) -> bool:
    """Return True if an action matches the schema of a range of legal actions."""
    if schema is None:
        return False
    from jsonschema import Draft202012Validator

    return bool(Draft202012Validator(schema).is_valid(msgspec.json.decode(canonical(action))))


def mutations(legal: list[Legal], rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Yield listed actions, each with one param made invalid or taken from another action."""
    by_type: dict[str, list[dict[str, Any]]] = {}
    for one in legal:
        by_type.setdefault(one.action.type, []).append(msgspec.to_builtins(one.action))
    for type_, many in by_type.items():
        for params in rng.sample(many, min(3, len(many))):
            for name in params:
                yield type_, {**params, name: rng.choice(many)[name]}
                yield type_, {**params, name: None}
            yield type_, {**params, "": 1}


def parse_or_error(rules: AnyRuleset, type_: str, params: dict[str, Any]) -> tuple[Any, EngineError | None]:
    """Return the action. If the params do not fit, return the error instead."""
    try:
        return rules.parse(type_, params), None
    except EngineError as error:
        return None, error


def refusal_error(rules: AnyRuleset, state: Any, action: Any, actor: str | None) -> EngineError | None:
    """Return the error that rejects an action; None if it is legal."""
    try:
        rules.judge(state, action, actor)
    except EngineError as error:
        return error
    return None


def is_readable(rules: AnyRuleset, error: EngineError) -> bool:
    """Return True if an error helps the reader.

    It must name the faulty part of the body, or cite a heading and have a full sentence.
    """
    if isinstance(error, IllegalAction):
        return error.rule in rules.sections and error.message[0].isupper() and error.message.endswith(".")
    if isinstance(error, Malformed):
        return error.pointer.startswith(("/params", "/actor"))
    return isinstance(error, GameOver)


def comes_up(state: Any, one: Legal, value: Any) -> bool:
    """Return True if `value` can be the first result of an action."""
    try:
        chance = observed_chance((value,))
        one.action.apply(state, one.seat, chance)
    except OutcomeRequired as error:
        return error.point.position > 0
    except ImpossibleOutcome:
        return False
    return chance.finish() == (value,)


def asks(state: Any, one: Legal) -> bool:
    """Return True if an action needs a random result in a state."""
    try:
        one.action.apply(state, one.seat, Observed())
    except OutcomeRequired:
        return True
    return False
