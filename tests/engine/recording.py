"""Records of Forbidden Island for tests of the kernel."""

from __future__ import annotations

from typing import Any

from engine.games.forbidden_island.components import TILES
from tests.recording import Recording

DEAL = (
    *TILES,
    *("observatory", "watchtower", "iron_gate", "gold_gate", "misty_marsh", "lost_lagoon"),
    *("messenger", "pilot"),
    *("earth_stone", "sandbags", "crystal_of_fire", "helicopter_lift"),
)
"""A setup of Forbidden Island for two players, as a table would report it."""


def dealt(seed: str | None = None, **options: Any) -> Recording:
    """Return a game of Forbidden Island for two players, set up."""
    recording = Recording(seed=seed, **options)
    recording.add("set_up", outcomes=() if seed else DEAL)
    return recording


def played() -> Recording:
    """Return a game of Forbidden Island for two players with events 3, 4 and 5 in the first turn."""
    recording = dealt()
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="gold_gate")
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    return recording


def ended() -> Recording:
    """Return the same game, abandoned: event 6 ends it, event 7 closes it."""
    recording = played()
    recording.add("abandon", reason="dinner")
    return recording
