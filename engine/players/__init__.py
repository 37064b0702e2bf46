"""Computer players: programs that play a game to its end, so that its positions can be valued."""

from __future__ import annotations

from engine.games.forbidden_island import ForbiddenIsland
from engine.games.forbidden_island_archaens import ForbiddenIslandArchaens
from engine.games.forever_island import ForeverIsland
from engine.games.forgotten_waters import ForgottenWaters
from engine.players.forbidden_island import IslandPlayer
from engine.players.forever_island import ForeverPlayer
from engine.players.forgotten_waters import WatersPlayer
from engine.players.protocol import AnyPlayer

PLAYERS: tuple[AnyPlayer, ...] = (
    IslandPlayer(ForbiddenIsland()),
    IslandPlayer(ForbiddenIslandArchaens()),
    ForeverPlayer(ForeverIsland()),
    WatersPlayer(ForgottenWaters()),
)
"""Driftlog's own computer players."""
