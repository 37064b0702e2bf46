"""The picture of the table: as in Forbidden Island, with the quota, the clock, and the tile about to sink."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import say
from engine.games.forbidden_island import board as base
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island_archaens.state import ArchaenState
from engine.kit.part_panels import Around
from engine.kit.scene.looks import Symbol
from engine.kit.scene.panels import Counters, Gauge, Panel
from engine.kit.scene.planes import Plane


def planes(state: IslandState, around: Around) -> Iterator[Plane]:
    """Yield the island, with the tile about to sink."""
    assert isinstance(state, ArchaenState)
    for plane in base.planes(state, around):
        tiles = tuple(
            replace(tile, is_strong=True, state=say("about to sink")) if tile.id == state.revealed else tile
            for tile in plane.tiles
        )
        yield replace(plane, tiles=tiles)


def panels(state: IslandState, around: Around) -> Iterator[Panel]:
    """Yield the panels beside the island; the quota and the clock come after the meter."""
    assert isinstance(state, ArchaenState)
    meter, *others = base.panels(state, around)
    yield from (meter, _quota(state), *others)


def _quota(state: ArchaenState) -> Counters:
    symbol: Symbol = "check" if state.is_quota_sunk else "water"
    quota = state.options.quota_sunk
    gauges = [Gauge(id="quota", label=say("Tiles sunk"), value=len(state.sunk), of=quota, symbol=symbol)]
    if state.deadline is not None:
        is_grave = not state.is_quota_sunk and state.turn >= state.deadline
        label = say("By the end of turn")
        gauges.append(Gauge(id="deadline", label=label, value=state.deadline, symbol="clock", is_grave=is_grave))
    return Counters(id="sinking", title=say("To sink"), gauges=tuple(gauges), is_vital=True)
