"""Settings of a game that its recorder may change."""

from __future__ import annotations

from engine.core.events import IfIllegal
from engine.play.game import Game


def if_illegal(game: Game) -> IfIllegal:
    """Return what becomes of an action that the rules forbid, where a request does not say."""
    return "accept" if game.header.mode == "as_played" else "ask"
