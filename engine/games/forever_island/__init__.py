"""Forever Island: the ruleset."""

from engine.games.forever_island.ruleset import ForeverIsland
from engine.games.forever_island.version_1 import ForeverIsland1

__all__ = ["ForeverIsland", "ForeverIsland1"]
