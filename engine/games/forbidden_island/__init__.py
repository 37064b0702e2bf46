"""Forbidden Island (Gamewright, Matt Leacock): the ruleset."""

from engine.games.forbidden_island.ruleset import ForbiddenIsland

__all__ = ["ForbiddenIsland"]
