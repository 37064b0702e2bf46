"""The games. Within an id, the oldest version first."""

from __future__ import annotations

from typing import Any

from engine.games.forbidden_desert import ForbiddenDesert
from engine.games.forbidden_island import ForbiddenIsland
from engine.games.forbidden_island_archaens import ForbiddenIslandArchaens
from engine.games.forever_island import ForeverIsland
from engine.games.forgotten_waters import ForgottenWaters
from engine.ruleset import Ruleset

RULESETS: tuple[Ruleset[Any, Any], ...] = (
    ForbiddenIsland(),
    ForbiddenIslandArchaens(),
    ForbiddenDesert(),
    ForeverIsland(),
    ForgottenWaters(),
)
