"""Driftlog as a library: record, replay, audit and export games without a service."""

from __future__ import annotations

from driftlog.game import Game, LegalAction, Outcome

__all__ = ["Game", "LegalAction", "Outcome"]
