"""Forever Island: the ruleset."""

from engine.games.forever_island.ruleset import ForeverIsland

__all__ = ["ForeverIsland"]
