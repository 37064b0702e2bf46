"""Common part of the facts of Forbidden Island."""

from __future__ import annotations

from engine.core.language import say
from engine.games.forbidden_island.components import WORDS, printed
from engine.games.forbidden_island.state import IslandState
from engine.kit.facts import Fact


class IslandFact(Fact[IslandState], frozen=True):
    """A fact whose values have printed names, or words."""

    @staticmethod
    def word(value: str, /) -> str:
        return say(WORDS[value]) if value in WORDS else printed(value)
