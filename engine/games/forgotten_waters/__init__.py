"""Forgotten Waters (Plaid Hat Games): the ruleset and its scenarios."""

from engine.games.forgotten_waters.ruleset import ForgottenWaters
from engine.games.forgotten_waters.versions import ForgottenWaters1, ForgottenWaters2

__all__ = ["ForgottenWaters", "ForgottenWaters1", "ForgottenWaters2"]
