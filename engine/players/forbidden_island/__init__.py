"""A computer player for Forbidden Island and its variants."""

from __future__ import annotations

from engine.players.forbidden_island.player import IslandPlayer

__all__ = ["IslandPlayer"]
