"""The rules as their version 1 had them: stored games that name it go on by them."""

from __future__ import annotations

from engine.games.forever_island.ruleset import ForeverIsland
from engine.games.forever_island.several import HarvestSeveral, TaxSeveral, TravelFar


class ForeverIsland1(ForeverIsland):
    """Forever Island by version 1 of these rules, which knew an event for each harvest, step and tax."""

    version = "1"
    reads_versions = ()
    actions = tuple(kind for kind in ForeverIsland.actions if kind not in {HarvestSeveral, TaxSeveral, TravelFar})
