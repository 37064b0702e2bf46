"""The plan of a run: what is killed, and when. The same seed makes the same plan."""

from __future__ import annotations

import random
from typing import Literal, get_args

import msgspec

Kind = Literal[
    "web process",
    "web server",
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
"""How the kinds end that are stopped for a while and go on, instead of being killed."""
MEAN_PAUSE = 8.0
"""Seconds between two kills."""
QUIET = 0.15
"""The share of a run, at its end, in which nothing is killed: what was hurt may come back."""


class Kill(msgspec.Struct, frozen=True):
    """One thing done to the service."""

    at: float
    """Seconds since the run began."""
    kind: Kind
    seconds: float = 0.0
    """How long it is stopped; 0: it is killed."""


class Plan(msgspec.Struct, frozen=True):
    """A run."""

    seed: int
    seconds: float
    clients: int
    kills: tuple[Kill, ...]

    def rng(self, name: str) -> random.Random:
        """The chance of one who takes part, by its name."""
        return random.Random(f"{self.seed} {name}")


def make(seed: int, seconds: float, clients: int) -> Plan:
    """The plan of a run of `seconds`: every kind of kill about equally often, at least once each."""
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
