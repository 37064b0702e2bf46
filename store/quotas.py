"""How much may be stored."""

from __future__ import annotations

import msgspec


class Quotas(msgspec.Struct, frozen=True, kw_only=True):
    """How much there may be; 0: any number."""

    games: int = 0
    """In all."""
    games_per_token: int = 0
    """That one token has opened, and that are still there."""
    events: int = 0
    """In one game."""
    bytes: int = 0
    """Of the events of one game, as they are stored."""


UNLIMITED = Quotas()
