"""Version 1 of the rules, for stored games that name this version."""

from __future__ import annotations

from engine.games.forever_island.building import HarvestSeveral
from engine.games.forever_island.ruleset import ForeverIsland
from engine.games.forever_island.tax import TaxSeveral
from engine.games.forever_island.travel import TravelFar


class ForeverIsland1(ForeverIsland):
    """Version 1 of the rules of Forever Island, with a separate event for each harvest, step and tax."""

    version = "1"
    reads_versions = ()
    actions = tuple(kind for kind in ForeverIsland.actions if kind not in {HarvestSeveral, TaxSeveral, TravelFar})
