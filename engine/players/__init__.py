"""Players: programs that play a game to its end, so that its positions can be valued."""

from __future__ import annotations

from engine.games.forbidden_island import ForbiddenIsland
from engine.games.forbidden_island_archaens import ForbiddenIslandArchaens
from engine.players.forbidden_island import IslandPlayer
from engine.players.protocol import AnyPlayer

PLAYERS: tuple[AnyPlayer, ...] = (IslandPlayer(ForbiddenIsland()), IslandPlayer(ForbiddenIslandArchaens()))
"""Driftlog's own players."""
