"""What is said of a game on everything that is made of it for people: who played what, when, and how it stands."""

from __future__ import annotations

from datetime import date

import msgspec

from engine.core.language import say
from engine.play.game import Game
from engine.play.rules import Rules
from engine.review import turns
from engine.review.dates import long_date
from engine.review.words import listed
from exports.prose import ended


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A game in words."""

    id: str
    title: str
    """What is played."""
    names: tuple[str, ...]
    """The players, in seat order."""
    day: str
    """The day on which it was played, ISO 8601; before the set-up the day on which it was opened."""
    standing: str
    """How it stands, or how it ended, in a few words."""
    ending: str | None
    """The sentence that says how it ended; None while it goes on."""

    @property
    def date(self) -> str:
        """'20 November 2026'."""
        return long_date(date.fromisoformat(self.day))

    @property
    def players(self) -> str:
        """'Ann, Bob and Cyd'."""
        return listed(self.names)


def words(game_id: str, game: Game, played_at: str) -> Words:
    """`game` in words.

    Args:
        played_at: RFC 3339; see `engine.review.playing_time`.
    """
    outcome = game.outcome
    return Words(
        id=game_id,
        title=say(game.ruleset.name),
        names=game.header.names,
        day=played_at[:10],
        standing=_standing(game),
        ending=turns.ending(Rules(game.header), outcome.reason) if outcome is not None else None,
    )


def _standing(game: Game) -> str:
    if game.state is None:
        return say("being set up")
    if game.outcome is None:
        return say("in turn {turn}", turn=game.turn)
    return say("{ended} in turn {turn}", ended=ended(game.outcome, game.header.names), turn=game.turn)
