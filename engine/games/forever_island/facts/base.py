"""Common part of the facts of Forever Island."""

from __future__ import annotations

from engine.games.forever_island.components import word
from engine.games.forever_island.state import ForeverState
from engine.kit.facts import Fact


class ForeverFact(Fact[ForeverState], frozen=True):
    """A fact whose places have printed names."""

    word = staticmethod(word)
