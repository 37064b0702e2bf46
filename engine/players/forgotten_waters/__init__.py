"""A player for Forgotten Waters."""

from __future__ import annotations

from engine.players.forgotten_waters.player import WatersPlayer

__all__ = ["WatersPlayer"]
