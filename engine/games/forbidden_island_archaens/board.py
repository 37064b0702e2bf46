"""The picture of the table: as in Forbidden Island, with the quota, the clock, and the tile about to sink."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.language import say
from engine.games.forbidden_island import board as base
from engine.games.forbidden_island.state import replace
from engine.games.forbidden_island_archaens.state import ArchaenState
from engine.kit.scene import Scene
from engine.kit.scene.panels import Counters, Gauge


def scene(state: ArchaenState, names: Sequence[str], title: str, subtitle: str, awaited: Sequence[int]) -> Scene:
    """Return the picture of the table (arguments as in the base game)."""
    island = base.scene(state, names, title, subtitle, awaited)
    meter, *others = island.panels
    (plane,) = island.planes
    tiles = tuple(
        replace(tile, is_strong=True, state=say("about to sink")) if tile.id == state.revealed else tile
        for tile in plane.tiles
    )
    sunk = say("{sunk} of {quota} tiles have sunk.", sunk=len(state.sunk), quota=state.options.quota_sunk)
    return replace(
        island,
        description=f"{island.description} {sunk}",
        planes=(replace(plane, tiles=tiles),),
        panels=(meter, _quota(state), *others),
    )


def _quota(state: ArchaenState) -> Counters:
    gauges = [
        Gauge(
            id="quota",
            label=say("Tiles sunk"),
            value=len(state.sunk),
            of=state.options.quota_sunk,
            symbol="check" if state.is_quota_sunk else "water",
        )
    ]
    if state.deadline is not None:
        gauges.append(
            Gauge(
                id="deadline",
                label=say("By the end of turn"),
                value=state.deadline,
                symbol="clock",
                is_grave=not state.is_quota_sunk and state.turn >= state.deadline,
            )
        )
    return Counters(id="sinking", title=say("To sink"), gauges=tuple(gauges), is_vital=True)
