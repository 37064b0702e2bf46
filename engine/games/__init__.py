"""The installed games. The versions of a ruleset are in order, oldest first."""

from __future__ import annotations

from engine.games.forbidden_desert import ForbiddenDesert
from engine.games.forbidden_island import ForbiddenIsland
from engine.games.forbidden_island_archaens import ForbiddenIslandArchaens, ForbiddenIslandArchaens1
from engine.games.forever_island import ForeverIsland, ForeverIsland1
from engine.games.forgotten_waters import ForgottenWaters, ForgottenWaters1, ForgottenWaters2
from engine.kit.ruleset import AnyRuleset

RULESETS: tuple[AnyRuleset, ...] = (
    ForbiddenIsland(),
    ForbiddenIslandArchaens1(),
    ForbiddenIslandArchaens(),
    ForbiddenDesert(),
    ForeverIsland1(),
    ForeverIsland(),
    ForgottenWaters1(),
    ForgottenWaters2(),
    ForgottenWaters(),
)
