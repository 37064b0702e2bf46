"""Forgotten Waters (Plaid Hat Games): the ruleset and its scenarios."""

from engine.games.forgotten_waters.ruleset import ForgottenWaters
from engine.games.forgotten_waters.version_1 import ForgottenWaters1

__all__ = ["ForgottenWaters", "ForgottenWaters1"]
