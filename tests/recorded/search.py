"""Find a game with a given ending, and store it.

python -m tests.recorded.search RULESET REASON [--seats N] [--seed TEXT] [--options JSON] [--name NAME]

The players know the seed here, so they see the result of each action. The search keeps the most promising positions of
each length, rated by `tests.recorded.measures`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import msgspec

from engine.core.events import Draft
from engine.kit.chance import Seeded
from engine.kit.kernel import LegalAction
from engine.play.registry import ruleset
from tests.recorded.games import FOLDER, keep
from tests.recorded.measures import MEASURES
from tests.recording import Recording

WIDTH = 250
"""Number of positions of each length that are kept."""


class Line(NamedTuple):
    """A position and the actions that lead to it."""

    worth: float
    state: Any
    last: LegalAction[Any] | None
    before: Line | None

    def actions(self) -> Iterator[LegalAction[Any]]:
        if self.before is not None and self.last is not None:
            yield from self.before.actions()
            yield self.last


def search(
    ruleset_id: str, reason: str, seats: int, options: dict[str, Any], seed: str
) -> list[LegalAction[Any]] | None:
    """Return the actions of a game from its setup to that ending; None if no position leads there."""
    rules = ruleset(ruleset_id)
    measure = MEASURES.get((ruleset_id, reason), lambda _: 0.0)
    rng = random.Random(seed)
    chance = Seeded(seed)
    chance.begin(2, ())
    beam = [Line(0, rules.setup(rules.parse_options(options, seats), seats, chance), None, None)]
    for seq in range(3, rules.max_events):
        found: dict[Any, Line] = {}
        for line in beam:
            for legal in rules.legal_actions(line.state):
                chance.begin(seq, ())
                state = legal.action.apply(line.state, legal.seat, chance)
                if state.outcome is None:
                    found.setdefault(state, Line(measure(state) + rng.random(), state, legal, line))
                elif state.outcome.reason == reason:
                    return list(Line(0, state, legal, line).actions())
        beam = sorted(found.values(), key=lambda line: -line.worth)[:WIDTH]
    return None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.recorded.search", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("reason")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="tides")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--name")
    given = parser.parse_args()
    seeds = (f"{given.seed}-{number}" for number in count(1))
    found = ((search(given.ruleset, given.reason, given.seats, given.options, seed), seed) for seed in seeds)
    actions, seed = next((actions, seed) for actions, seed in found if actions is not None)
    recording = Recording(given.ruleset, given.seats, seed, **given.options)
    recording.add("set_up")
    for legal in actions:
        recording.append(Draft(type=legal.action.type, actor=legal.actor, params=msgspec.to_builtins(legal.action)))
    keep(FOLDER / given.ruleset / f"{given.name or given.reason}.jsonl", recording, seed)


if __name__ == "__main__":
    main()
