"""Random play that is generic over rulesets: how players choose, and what they might try."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from engine.core.values import State
from engine.kit.chance import Sampled
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import AnyRuleset
from tests.conformance.tables import Table
from tests.recording import Recording

LONGEST = 600
"""Where rules set no limit to a game, it is broken off here."""

TYPICAL = 60
"""States of a game; one that is longer counts for several where games are counted."""

Legal = LegalAction[Any]
Policy = Callable[[Sequence[Legal]], Legal]
Step = tuple[State, list[Legal]]
"""A state, and all that is legal in it."""


def policy(rng: random.Random) -> Policy:
    """A way to play, drawn at random: each kind of action is loved, shunned, or neither.

    Left to chance alone a game seldom comes far; players with leanings reach its corners.
    """
    leanings: dict[str, float] = {}

    def choose(legal: Sequence[Legal]) -> Legal:
        kinds = list(dict.fromkeys(one.action.type for one in legal))
        weights = [leanings.setdefault(kind, rng.choice((0.01, 0.2, 1, 1, 5))) for kind in kinds]
        (kind,) = rng.choices(kinds, weights)
        return rng.choice([one for one in legal if one.action.type == kind])

    return choose


def playout(table: Table, seed: int) -> Iterator[Step]:
    """The states of a random game from set-up to end, the last one with nothing legal in it; or the first `LONGEST`."""
    rng = random.Random(f"{table} {seed}")
    rules, choose = table.rules, policy(rng)
    chance = Sampled(rng)
    chance.begin(2, ())
    state = rules.setup(rules.parse_options(table.options, table.seats), table.seats, chance)
    for _ in range(LONGEST):
        legal = list(rules.legal_actions(state))
        yield state, legal
        if not legal:
            return
        one = choose(legal)
        state = one.action.apply(state, one.seat, chance)


def everything(rules: AnyRuleset, state: State) -> list[Legal]:
    """All that is legal, every kind of action being tried for every seat: what a listing has to come to."""
    if state.outcome is not None:
        return []
    return [
        LegalAction(action, seat)
        for kind in rules.actions
        for seat in range(rules.seats(state))
        for _, action in sorted(rules.legal(kind, state, seat).items())
    ]


def playouts_of(table: Table, count: int) -> Iterator[tuple[int, list[Step]]]:
    """Random games by their seeds: `count`, or fewer where they are long."""
    states = 0
    for seed in range(count):
        steps = list(playout(table, seed))
        yield seed, steps
        states += len(steps)
        if states >= count * TYPICAL:
            return


def recorded(table: Table, seed: int, text: str | None = None) -> Recording:
    """A random game from opening to closing, as it is recorded: observed, or drawn from the seed `text`.

    One that becomes too long is abandoned.
    """
    rng = random.Random(f"{table} {seed}")
    choose = policy(rng)
    recording = Recording(table.ruleset, table.seats, text, **table.options)
    if text is None:
        recording.chance = Sampled(rng)
    recording.add("set_up")
    while recording.game.outcome is None:
        if recording.game.version == LONGEST:
            recording.add("abandon", reason="It has become late.")
            break
        one = choose(list(table.rules.legal_actions(recording.game.state)))
        recording.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))
    return recording


def tried(rules: AnyRuleset, state: State, rng: random.Random, schemas: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Actions that somebody might try in `state`, legal or not, one or two of each kind: type and params."""
    words = sorted(_words(rules.to_document(state)))
    for kind, schema in schemas.items():
        for _ in range(2):
            yield kind, _sample(schema, schema.get("$defs", {}), words, rng)


def _words(document: Any) -> set[str]:
    if isinstance(document, str):
        return {document}
    if isinstance(document, dict):
        return {word for part in document.items() for word in _words(part)}
    if isinstance(document, list | tuple):
        return {word for part in document for word in _words(part)}
    return set()


def _sample(schema: dict[str, Any], definitions: dict[str, Any], words: list[str], rng: random.Random) -> Any:
    """A document that fits a JSON Schema, as far as rulesets use it."""
    if "$ref" in schema:
        return _sample(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions, words, rng)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _sample(rng.choice(schema[key]), definitions, words, rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema["type"]:
        case "object":
            return {
                name: _sample(part, definitions, words, rng)
                for name, part in schema["properties"].items()
                if name in schema.get("required", ()) or rng.random() < 0.5
            }
        case "array":
            size = rng.randint(schema.get("minItems", 0), min(schema.get("maxItems", 4), 4))
            return [_sample(schema["items"], definitions, words, rng) for _ in range(size)]
        case "string":
            return rng.choice(words)
        case "integer":
            return rng.randint(schema.get("minimum", -2), schema.get("maximum", 40))
        case "boolean":
            return rng.random() < 0.5
        case _:
            return None
