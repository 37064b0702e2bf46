"""The list of actions says which results may be unknown. This agrees with the documents of all resulting tables."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from driftlog.testing.play import Legal, playout
from driftlog.testing.tables import TableSetup, each_choice
from engine.core.canonical import canonical
from engine.core.errors import OutcomeRequired
from engine.core.values import State
from engine.kit.chance import Observed
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import worlds
from engine.play.beliefs.possible import MOST_WORLDS
from engine.play.beliefs.worlds import MOST_RUNS, step
from engine.play.offers import may_be_unseen, offers, point

TABLES = each_choice()

MOST_STATES = 50
"""Maximum number of states per game that are checked."""


def test_what_may_go_unseen(table: TableSetup) -> None:
    rules, rng = table.rules, random.Random(f"unseen {table}")
    steps = list(playout(table, 0))[:-1]
    for state, _ in rng.sample(steps, min(MOST_STATES, len(steps))):
        silent = [one for one in asking(rules, state) if agrees(rules, state, one)]
        if silent:
            one = rng.choice(silent)
            believed, _ = step(rules, state, one.action, one.seat, (None,), most=MOST_RUNS)
            for another in asking(rules, believed):
                agrees(rules, believed, another)


def asking(rules: AnyRuleset, state: State) -> list[Legal]:
    """Return the actions that may be legal and need a result, except those that lead to too many tables to list."""
    asked = [(one.legal, point(rules, state, one.legal)) for one in offers(rules, state)]
    most = MOST_WORLDS // len(worlds(state))
    return [legal for legal, question in asked if question is not None and len(question.options) <= most]


def agrees(rules: AnyRuleset, state: State, one: Legal) -> bool:
    """Return True if the first outcome may be unknown. Check that `may_be_unseen` and `is_silent` agree on this."""
    found = may_be_unseen(rules, state, one)
    assert found == (bool(rules.unseen) and is_silent(rules, state, one)), one
    return found


def is_silent(rules: AnyRuleset, state: State, one: Legal) -> bool:
    """Return True if a single board hides the result, by the documents of all resulting tables."""
    boards: dict[bytes, set[Any]] = {}
    stays_covered: dict[bytes, bool] = {}
    for world in worlds(state):
        asked = None
        if one.action.refusal(world.state, one.seat) is None:
            asked = rules.chance_point(world.state, one)
        for value in asked.probabilities() if asked else ():
            after = following(world.state, one, value)
            if after is not None:
                board = public_part(rules, after)
                boards.setdefault(board, set()).add(value)
                stays_covered.setdefault(board, hidden(rules, after) == hidden(rules, world.state))
    if len(boards) < 2:
        return True
    several = [board for board, values in boards.items() if len(values) > 1]
    return len(several or [board for board in boards if stays_covered[board]]) == 1


def following(state: Any, one: Legal, value: Any) -> Any:
    """Return the state after the action with the result `value`; None if it needs another result."""
    chance = Observed()
    chance.begin(0, (value,))
    try:
        return one.action.apply(state, one.seat, chance)
    except OutcomeRequired:
        return None


def paths(rules: AnyRuleset, state: Any) -> list[list[str]]:
    """Return the paths of hidden parts in a state's document."""
    return [path.split("/") for path in (*rules.unseen, *rules.face_down(state))]


def public_part(rules: AnyRuleset, state: Any) -> bytes:
    """Return the public part of a table."""
    document = {**rules.to_document(state), "awaiting": rules.awaiting(state)}
    for path in paths(rules, state):
        document = count_items(document, path)
    return canonical(document)


def count_items(part: Any, path: list[str]) -> Any:
    """Return `part` with the value at `path` replaced by its number of items."""
    if not path:
        return len(leaves(part))
    key, *rest = path
    if isinstance(part, dict):
        return {name: count_items(one, rest) if name == key else one for name, one in part.items()}
    return [count_items(one, rest) if key in {"*", str(at)} else one for at, one in enumerate(part)]


def hidden(rules: AnyRuleset, state: Any) -> Counter[Any]:
    """Return all hidden items of a table, regardless of their places."""
    found: Counter[Any] = Counter()
    for path in paths(rules, state):
        parts = [rules.to_document(state)]
        for key in path:
            parts = [
                one
                for part in parts
                for one in (part if key == "*" else [part[key if isinstance(part, dict) else int(key)]])
            ]
        found.update(leaf for part in parts for leaf in leaves(part))
    return found


def leaves(part: Any) -> list[Any]:
    """Return all leaves of a document."""
    if isinstance(part, dict | list | tuple):
        return [leaf for one in (part.values() if isinstance(part, dict) else part) for leaf in leaves(one)]
    return [part]
