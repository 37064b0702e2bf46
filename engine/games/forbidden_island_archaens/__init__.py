"""The ruleset of the Archaen variant of Forbidden Island."""

from engine.games.forbidden_island_archaens.ruleset import ForbiddenIslandArchaens
from engine.games.forbidden_island_archaens.version_1 import ForbiddenIslandArchaens1

__all__ = ["ForbiddenIslandArchaens", "ForbiddenIslandArchaens1"]
