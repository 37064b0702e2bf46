"""Limits on stored data."""

from __future__ import annotations

import msgspec


class Quotas(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on stored data; 0 means unlimited."""

    games: int = 0
    """Games in total."""
    games_per_token: int = 0
    """Maximum number of existing games that one token has opened."""
    events: int = 0
    """Events in one game."""
    bytes: int = 0
    """Bytes of one game's events, as stored."""


UNLIMITED = Quotas()
