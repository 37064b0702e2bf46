"""Random players for any ruleset."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from driftlog.testing.tables import TableSetup
from engine.core.values import State
from engine.kit.chance import Sampled
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import AnyRuleset

LONGEST = 600
"""Maximum number of states in a game, after which it stops."""

TYPICAL = 60
"""Number of states in a typical game; a longer game counts as several."""

Legal = LegalAction[Any]
Policy = Callable[[Sequence[Legal]], Legal]
Players = Callable[[random.Random], Policy]
"""A function that returns the players of a game."""
Step = tuple[State, list[Legal]]
"""A state and its legal actions."""


SELDOM = ("end_game",)
"""Kinds of action that can end a game at any time, in rulesets without rules. Random players seldom take them."""


def policy(rng: random.Random) -> Policy:
    """Return a player that prefers some random kinds of action, and avoids others.

    Players without preferences rarely get far in a game.
    """
    leanings: dict[str, float] = dict.fromkeys(SELDOM, 0.01)

    def choose(legal: Sequence[Legal]) -> Legal:
        kinds = list(dict.fromkeys(one.action.type for one in legal))
        weights = [leanings.setdefault(kind, rng.choice((0.01, 0.2, 1, 1, 5))) for kind in kinds]
        (kind,) = rng.choices(kinds, weights)
        return rng.choice([one for one in legal if one.action.type == kind])

    return choose


def playout(table: TableSetup, seed: int, players: Players = policy, longest: int = LONGEST) -> Iterator[Step]:
    """Play a random game of at most `longest` states and yield them; the state at the end has no legal actions."""
    rng = random.Random(f"{table} {seed}")  # noqa: S311  # it plays
    rules, choose = table.rules, players(rng)
    chance = Sampled(rng)
    chance.begin(2, ())
    state = rules.setup(rules.parse_options(table.options, table.seats), table.seats, chance)
    for _ in range(longest):
        legal = list(rules.legal_actions(state))
        yield state, legal
        if not legal:
            return
        one = choose(legal)
        state = one.action.apply(state, one.seat, chance)


def everything(rules: AnyRuleset, state: State) -> list[Legal]:
    """Return all legal actions, by trying every kind for every seat. A ruleset's own list must be the same."""
    if state.outcome is not None:
        return []
    return [
        LegalAction(action, seat)
        for kind in rules.actions
        for seat in range(rules.seats(state))
        for _, action in sorted(rules.legal(kind, state, seat).items())
    ]


def playouts_of(
    table: TableSetup, count: int, players: Players = policy, longest: int = LONGEST, most: int | None = None
) -> Iterator[tuple[int, list[Step]]]:
    """Play `count` random games and yield each with its seed. Stop early after `most` states in total."""
    states = 0
    for seed in range(count):
        steps = list(playout(table, seed, players, longest))
        yield seed, steps
        states += len(steps)
        if states >= (count * TYPICAL if most is None else most):
            return


def action_attempts(
    rules: AnyRuleset, state: State, rng: random.Random, schemas: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the type and params of two actions of each kind, legal or not, that a player could try in `state`."""
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
    """Return a random document that fits a JSON Schema; supports the keywords that rulesets use."""
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
