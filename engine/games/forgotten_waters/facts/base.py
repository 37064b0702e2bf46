"""Common part of the facts of Forgotten Waters."""

from __future__ import annotations

from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.words import printed
from engine.kit.facts import Fact


class WatersFact(Fact[WatersState], frozen=True):
    """A fact whose values are ids."""

    word = staticmethod(printed)
