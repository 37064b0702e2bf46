"""Common part of the facts of Forever Island."""

from __future__ import annotations

from engine.games.forever_island.components import OWNER, WORDS, printed
from engine.games.forever_island.state import ForeverState
from engine.kit.facts import Fact


class ForeverFact(Fact[ForeverState], frozen=True):
    """A fact whose places have printed names."""

    @staticmethod
    def word(value: str, /) -> str:
        return value if value in WORDS or value in OWNER else printed(value)
