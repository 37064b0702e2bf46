"""The picture of the table: the island's, with the quota, the clock, and the tile that is about to sink."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.forbidden_island import board as base
from engine.games.forbidden_island.state import replace
from engine.games.forbidden_island_archaens.state import ArchaenState
from engine.kit.scene import Scene
from engine.kit.scene.panels import Counters, Gauge


def scene(state: ArchaenState, names: Sequence[str], title: str, subtitle: str, awaited: Sequence[int]) -> Scene:
    """The table (arguments as those of the base game's)."""
    island = base.scene(state, names, title, subtitle, awaited)
    meter, *others = island.panels
    (plane,) = island.planes
    tiles = tuple(
        replace(tile, is_strong=True, state="about to sink") if tile.id == state.revealed else tile
        for tile in plane.tiles
    )
    return replace(
        island,
        description=f"{island.description} {len(state.sunk)} of {state.options.quota_sunk} tiles have sunk.",
        planes=(replace(plane, tiles=tiles),),
        panels=(meter, _quota(state), *others),
    )


def _quota(state: ArchaenState) -> Counters:
    gauges = [
        Gauge(
            id="quota",
            label="Tiles sunk",
            value=len(state.sunk),
            of=state.options.quota_sunk,
            symbol="check" if state.is_quota_sunk else "water",
        )
    ]
    if state.deadline is not None:
        gauges.append(
            Gauge(
                id="deadline",
                label="By the end of turn",
                value=state.deadline,
                symbol="clock",
                is_grave=not state.is_quota_sunk and state.turn >= state.deadline,
            )
        )
    return Counters(id="sinking", title="To sink", gauges=tuple(gauges), is_vital=True)
