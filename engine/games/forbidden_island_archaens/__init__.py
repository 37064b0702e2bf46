"""The Archaen variant of Forbidden Island: the ruleset."""

from engine.games.forbidden_island_archaens.ruleset import ForbiddenIslandArchaens

__all__ = ["ForbiddenIslandArchaens"]
