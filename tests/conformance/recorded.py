"""Records of random games."""

from __future__ import annotations

import random

import msgspec

from driftlog.testing.play import LONGEST, policy
from driftlog.testing.tables import TableSetup
from engine.kit.chance import Sampled
from tests.recording import Recording


def record_random_game(table: TableSetup, seed: int, text: str | None = None) -> Recording:
    """Record a random game from opening to closing: observed, or drawn from the seed `text`.

    A game that becomes too long is abandoned.
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
