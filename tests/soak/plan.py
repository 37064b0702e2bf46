"""The plan of a run: the processes to kill, with their times. The same seed gives the same plan."""

from __future__ import annotations

import random
from typing import Literal, get_args

import msgspec

Kind = Literal[
    "web process",
    "worker",
    "dispatcher",
    "supervisor",
    "events Redis",
    "queue Redis",
    "events Redis stopped",
    "queue Redis stopped",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
STOPPED = " stopped"
"""Suffix of kinds whose processes are paused for a while instead of being killed."""
MEAN_PAUSE = 8.0
"""Mean seconds between two kills."""
QUIET = 0.15
"""The share of a run, at its end, without kills, so that damaged parts can recover."""


class Kill(msgspec.Struct, frozen=True):
    """A process to kill or to pause."""

    at: float
    """Seconds since the start of the run."""
    kind: Kind
    seconds: float = 0.0
    """Duration of the pause in seconds; 0: kill."""


class Plan(msgspec.Struct, frozen=True):
    """The parameters of a run."""

    seed: int
    seconds: float
    clients: int
    kills: tuple[Kill, ...]

    def rng(self, name: str) -> random.Random:
        """Return the random generator of a participant, by name."""
        return random.Random(f"{self.seed} {name}")


def make(seed: int, seconds: float, clients: int) -> Plan:
    """Return the plan of a run of `seconds`, with every kind of kill about equally often, and at least once."""
    rng = random.Random(seed)
    count = max(len(KINDS), int(seconds * (1 - QUIET) / MEAN_PAUSE))
    kinds: list[Kind] = []
    while len(kinds) < count:
        kinds += rng.sample(KINDS, len(KINDS))
    moments = sorted(rng.uniform(0, seconds * (1 - QUIET)) for _ in range(count))
    kills = (
        Kill(moment, kind, rng.uniform(0.5, 4) if kind.endswith(STOPPED) else 0.0)
        for moment, kind in zip(moments, kinds, strict=False)
    )
    return Plan(seed, seconds, clients, tuple(kills))
