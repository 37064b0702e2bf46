"""Plays: games that are known to have been played. Of a past play there is no log: who played, who won, and when."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from engine.core.values import SEAT_IDS, GameOutcome


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat had in a play."""

    name: str
    role: str
    """What it played, in words; empty where that is the same for all, or nobody said it."""
    has_won: bool
    has_begun: bool
    """Whether the first turn was its own."""


class PastPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played, as another program tells of it: nothing of it can be replayed."""

    id: str
    """The UUID that it has there, in lower case: the same play is the same wherever it is taken in again."""
    ruleset: str
    result: Literal["won", "lost"]
    """`won`: somebody won; `lost`: nobody did."""
    parts: tuple[Part, ...]
    """In seat order."""
    played_at: str
    """When it began, RFC 3339."""
    minutes: int | None
    """How long it was played; None where nobody said it."""
    place: str
    """Where; else empty."""
    variant: str
    """What was chosen for it, in words; else empty."""
    comments: str
    """What was said of it; else empty."""

    @property
    def outcome(self) -> GameOutcome:
        """How it ended; for what reason, nobody knows."""
        winners = tuple(seat for seat, part in zip(SEAT_IDS, self.parts, strict=False) if part.has_won)
        return GameOutcome(result=self.result, winners=winners, reason="", rule="")

    @property
    def began_at(self) -> datetime:
        """The moment that `played_at` names."""
        return datetime.fromisoformat(self.played_at)

    @property
    def ended_at(self) -> datetime:
        """When it ended; when it began, where nobody said how long it was played."""
        return self.began_at + timedelta(minutes=self.minutes or 0)
