"""The Archaen variant of Forbidden Island: the ruleset."""

from engine.games.forbidden_island_archaens.ruleset import ForbiddenIslandArchaens
from engine.games.forbidden_island_archaens.version_1 import ForbiddenIslandArchaens1

__all__ = ["ForbiddenIslandArchaens", "ForbiddenIslandArchaens1"]
