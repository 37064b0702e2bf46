"""Player statistics."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from schemas.members import required


class FigureShare(Schema):
    """A group of a player's finished games, with their results."""

    value = required.text("The group: a month, an hour, a name or a ruleset.", "2026-11")
    games = required.integer("Number of finished games.", 12)
    won = required.integer("Number of games that the player won.", 7)
    lost = required.integer("Number of games that the player lost.", 5)
    by_hand = required.integer("Number of games decided by adjustments, which count as neither won nor lost.", 0)


class Streak(Schema):
    """The same result in each of the most recent games."""

    result = required.text("The result that repeats.", "won")
    games = required.integer("Number of most recent games with this result.", 3)


class FigureScores(Schema):
    """The scores of a player in one game."""

    ruleset = required.text("The ruleset's id.", "any-game")
    game = required.text("The game's name; empty if the ruleset has the same name.", "Just scores")
    count = required.integer("Number of scores.", 12)
    lowest = required.integer("The lowest score.", 17)
    mean = required.number("The average score, with one decimal.", 28.5)
    highest = required.integer("The highest score.", 44)


def _shares(text: str) -> fields.List[Any]:
    return required.each(FigureShare, text)


class PlayerFigures(Schema):
    """The statistics of a player over all ended games."""

    name = required.text("The player's name in its latest spelling.", "Ann")
    games = required.integer("Number of finished games.", 12)
    won = required.integer("Number of games that the player won.", 7)
    lost = required.integer("Number of games that the player lost.", 5)
    by_hand = required.integer("Number of games decided by adjustments, which count as neither won nor lost.", 0)
    minutes = required.integer("The playing time of all games, in minutes, without breaks.", 640)
    longest = required.integer("The playing time of the longest game, in minutes.", 95)
    streak = required.nested_field(
        Streak, "The current streak among the newest 100 games; null if no game has ended.", allow_none=True
    )
    rulesets = _shares("The results by ruleset; `value` is its id.")
    months = _shares("The results by the month of opening (UTC), in ascending order.")
    hours = _shares("The results by the hour of opening (0 to 23, UTC), without hours that have no games.")
    partners = _shares("The results by other player, most frequent first; `value` is the normalized name.")
    scores = required.each(FigureScores, "The scores by ruleset and game, without games decided by adjustments.")
