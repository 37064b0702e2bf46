"""Logged plays: results without a log, with only players, winners and a date."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from engine.core.values import SEAT_IDS, GameOutcome


class PlayPart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player's part in a play."""

    name: str
    role: str
    """The role, in words; empty if it is unknown or the same for all."""
    has_won: bool
    has_begun: bool
    """True if this seat had the first turn."""
    score: int | None = None
    """The score; None if the game has none, or it is unknown."""


class PastPlay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A play that was imported from another program. It has no log, so it cannot be replayed."""

    id: str
    """UUID in the other program, in lower case; repeated imports recognize the play by it."""
    ruleset: str
    result: Literal["won", "lost"]
    """`won` if anyone won, otherwise `lost`."""
    parts: tuple[PlayPart, ...]
    """The parts, in seat order."""
    played_at: str
    """Start time, RFC 3339."""
    minutes: int | None
    """Duration; None if unknown."""
    place: str
    """Location; empty if unknown."""
    variant: str
    """The chosen variant, in words; empty if there is none."""
    comments: str
    """Comments; empty if there are none."""
    game: str = ""
    """The name of the game; empty if the ruleset has the same name."""
    highest_wins: bool = True
    """False if the lowest score wins."""

    @property
    def outcome(self) -> GameOutcome:
        """The result; its reason is unknown. It has scores only if each player has one."""
        winners = tuple(seat for seat, part in zip(SEAT_IDS, self.parts, strict=False) if part.has_won)
        scores = tuple(part.score for part in self.parts if part.score is not None)
        is_scored = len(scores) == len(self.parts)
        return GameOutcome(self.result, winners, reason="", rule="", scores=scores if is_scored else ())

    @property
    def began_at(self) -> datetime:
        """The time in `played_at`."""
        return datetime.fromisoformat(self.played_at)

    @property
    def ended_at(self) -> datetime:
        """The end time; the start time if the duration is unknown."""
        return self.began_at + timedelta(minutes=self.minutes or 0)
