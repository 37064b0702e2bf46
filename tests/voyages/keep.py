"""Store a recorded game for each ending of The Bell Below.

python -m tests.voyages.keep [NAME...]

The players decide by names and guide symbols. Each game has the first seed that leads to its ending; run this again
after a change of the scenario or the rules.
"""

from __future__ import annotations

import argparse
from itertools import count
from random import Random
from typing import Any

import msgspec

from engine.core.events import Draft
from engine.kit.chance import Seeded
from engine.play.registry import ruleset
from tests.recorded.games import FOLDER, keep
from tests.recording import Recording
from tests.voyages.reader import choose

RULESET = "forgotten-waters"
KEPT: dict[str, tuple[int, dict[str, Any]]] = {
    "drowned": (4, {}),
    "goal_reached": (5, {}),
    "goal_reached-frozen": (6, {"infamy_order": "frozen"}),
    "mutiny": (7, {"difficulty": "old_salts"}),
    "superior_victory": (3, {"difficulty": "landlubbers"}),
    "threat": (5, {"check_discards": "before_the_roll"}),
}
"""The number of players and the options of each game; its name begins with the reason of the ending."""


def play_voyage(seats: int, seed: str, options: dict[str, Any]) -> tuple[str, list[Draft]]:
    """Play a voyage whose draws come from `seed`; return its ending, and the recorded events."""
    rules = ruleset(RULESET)
    chance = Seeded(seed)
    chance.begin(2, ())
    state: Any = rules.setup(rules.parse_options(options, seats), seats, chance)
    drafts: list[Draft] = []
    rng = Random(seed)
    while state.outcome is None:
        one = choose(state, list(rules.legal_actions(state)), rng)
        drafts.append(Draft(type=one.action.type, actor=one.actor, params=msgspec.to_builtins(one.action)))
        chance.begin(len(drafts) + 2, ())
        state = one.action.apply(state, one.seat, chance)
    return state.outcome.reason, drafts


def keep_one(name: str) -> None:
    """Find the game with this name, and write its file."""
    seats, options = KEPT[name]
    for number in count(1):
        seed = f"tide-{number}"
        reason, drafts = play_voyage(seats, seed, options)
        if reason == name.partition("-")[0]:
            recording = Recording(RULESET, seats, seed, **options)
            recording.add("set_up")
            for draft in drafts:
                recording.append(draft)
            keep(FOLDER / RULESET / f"{name}.jsonl", recording, seed)
            return


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.voyages.keep", description=__doc__)
    parser.add_argument("name", nargs="*", metavar="NAME", default=list(KEPT))
    for name in parser.parse_args().name:
        keep_one(name)


if __name__ == "__main__":
    main()
