"""Forbidden Desert (Gamewright, Matt Leacock): the ruleset."""

from engine.games.forbidden_desert.ruleset import ForbiddenDesert

__all__ = ["ForbiddenDesert"]
