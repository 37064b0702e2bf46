"""Forgotten Waters (Plaid Hat Games): the ruleset and its scenarios."""

from engine.games.forgotten_waters.ruleset import ForgottenWaters

__all__ = ["ForgottenWaters"]
