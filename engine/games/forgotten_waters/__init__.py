"""Forgotten Waters (Plaid Hat Games): the ruleset and its scenarios."""

from engine.games.forgotten_waters.ruleset import ForgottenWaters
from engine.games.forgotten_waters.version_1 import ForgottenWaters1
from engine.games.forgotten_waters.version_2 import ForgottenWaters2

__all__ = ["ForgottenWaters", "ForgottenWaters1", "ForgottenWaters2"]
