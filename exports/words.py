"""Texts about a game, for formats that people read: title, players, date and status."""

from __future__ import annotations

from datetime import date

import msgspec

from engine.core.language import say
from engine.play.game import Game
from engine.review.dates import long_date
from engine.review.words import join_words
from exports.prose import describe_result


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The texts that describe a game."""

    id: str
    title: str
    """The title of the record, if it has one, and the name of the game."""
    names: tuple[str, ...]
    """The players, in seat order."""
    day: str
    """The day of the game (ISO 8601); before the setup, the day of the opening."""
    standing: str
    """The status or the result, in a few words."""
    ending: str | None
    """The sentence about the ending; None while the game continues."""

    @property
    def date(self) -> str:
        """The date in words: '20 November 2026'."""
        return long_date(date.fromisoformat(self.day))

    @property
    def players(self) -> str:
        """The names in a sentence: 'Ann, Bob and Cyd'."""
        return join_words(self.names)


def title_with_game(ruleset: str, title: str | None) -> str:
    """Return the title and the name of the game, as 'The long Friday (Forbidden Island)'.

    Without a title, return only the name.
    """
    return ruleset if title is None else f"{title} ({ruleset})"


def words(game_id: str, game: Game, played_at: str) -> Words:
    """Describe `game` in words.

    Args:
        played_at: the start of play according to the events (RFC 3339; see `engine.review.playing_time`).
    """
    outcome = game.outcome
    return Words(
        id=game_id,
        title=title_with_game(say(game.ruleset.name), game.details.title),
        names=game.names,
        day=(game.details.played_at or played_at)[:10],
        standing=_standing(game),
        ending=game.ruleset.ending(outcome.reason) if outcome is not None else None,
    )


def _standing(game: Game) -> str:
    if game.state is None:
        return say("being set up")
    if game.outcome is None:
        return say("in turn {turn}", turn=game.turn)
    return say("{ended} in turn {turn}", ended=describe_result(game.outcome, game.names), turn=game.turn)
