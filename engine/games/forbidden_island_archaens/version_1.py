"""Version 1 of the rules, for stored games that name this version."""

from __future__ import annotations

from engine.games.forbidden_island_archaens.actions import CommonLiftOff, LiftOff
from engine.games.forbidden_island_archaens.ruleset import ForbiddenIslandArchaens


class LiftOff1(CommonLiftOff, frozen=True):
    """Lift the team off Fools' Landing with a Helicopter Lift: won if enough of the island has sunk."""


class ForbiddenIslandArchaens1(ForbiddenIslandArchaens):
    """Version 1 of the rules of the Archaen variant."""

    version = "1"
    reads_versions = ()
    actions = tuple(LiftOff1 if kind is LiftOff else kind for kind in ForbiddenIslandArchaens.actions)
