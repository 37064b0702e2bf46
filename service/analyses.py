"""Analyses: the request, and the latest result."""

from __future__ import annotations

import math
from typing import Any

from engine.core.events import Event
from engine.core.language import spoken
from engine.review import swings
from exports.log import Chances
from store import Store

LATEST = "latest"
"""Member of a game's analyses: the last one that was completed, in each language."""
JOB = "job"
"""Member: the id of the last job."""


def check(store: Store, game_id: str) -> int:
    """Check that a game can be analysed, and return the number of its events.

    Raises:
        NotPlayable: it cannot.
    """
    game = store.games.get(game_id)
    swings.check(game.header, game.version, game.state)
    return game.version


def latest(store: Store, game_id: str) -> dict[str, Any] | None:
    """Return the latest analysis of a game in the current language; None if there is none."""
    told: dict[str, dict[str, Any]] | None = store.analyses.get(game_id, LATEST)
    if told is None:
        return None
    found = told[spoken()]
    later = store.events.read(game_id, found["version"])
    return {**found, "stale_from": min(map(_first_changed, later), default=None)}


def _first_changed(event: Event) -> int:
    """Return the first event whose analysis a later event makes stale."""
    params = event.params
    match event.type:
        case "undo":
            return int(params["to"]) + 1
        case "amend" | "reveal":
            return int(params["seq"])
        case _:
            return event.seq


def chances(store: Store, game_id: str) -> dict[int, Chances]:
    """Return the latest analysis of each valued event that has not changed since."""
    analysis = latest(store, game_id)
    if analysis is None:
        return {}
    found: dict[int, Chances] = {point["seq"]: (*_interval(point["value"]), None, None) for point in analysis["points"]}
    found |= {one["seq"]: (*_interval(one["after"]), one["luck"], one["skill"]) for one in analysis["events"]}
    end = analysis["stale_from"] or math.inf
    return {seq: columns for seq, columns in found.items() if seq < end}


def _interval(value: dict[str, float]) -> tuple[float, float, float]:
    return value["p"], value["low"], value["high"]
