"""Player statistics."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from schemas.common import described


class FigureShare(Schema):
    """A group of a player's finished games, with their results."""

    value = fields.String(
        required=True, metadata=described("The group: a month, an hour, a name or a ruleset.", "2026-11")
    )
    games = fields.Integer(required=True, metadata=described("Number of finished games.", 12))
    won = fields.Integer(required=True, metadata=described("Number of games that the player won.", 7))
    lost = fields.Integer(required=True, metadata=described("Number of games that the player lost.", 5))
    by_hand = fields.Integer(
        required=True,
        metadata=described("Number of games decided by adjustments, which count as neither won nor lost.", 0),
    )


class Streak(Schema):
    """The same result in each of the most recent games."""

    result = fields.String(required=True, metadata=described("The result that repeats.", "won"))
    games = fields.Integer(required=True, metadata=described("Number of most recent games with this result.", 3))


class FigureScores(Schema):
    """The scores of a player in one game."""

    ruleset = fields.String(required=True, metadata=described("The ruleset's id.", "any-game"))
    game = fields.String(
        required=True, metadata=described("The game's name; empty if the ruleset has the same name.", "Just scores")
    )
    count = fields.Integer(required=True, metadata=described("Number of scores.", 12))
    lowest = fields.Integer(required=True, metadata=described("The lowest score.", 17))
    mean = fields.Float(required=True, metadata=described("The average score, with one decimal.", 28.5))
    highest = fields.Integer(required=True, metadata=described("The highest score.", 44))


def _shares(text: str) -> fields.List[Any]:
    return fields.List(fields.Nested(FigureShare), required=True, metadata={"description": text})


class PlayerFigures(Schema):
    """The statistics of a player over all ended games."""

    name = fields.String(required=True, metadata=described("The player's name in its latest spelling.", "Ann"))
    games = fields.Integer(required=True, metadata=described("Number of finished games.", 12))
    won = fields.Integer(required=True, metadata=described("Number of games that the player won.", 7))
    lost = fields.Integer(required=True, metadata=described("Number of games that the player lost.", 5))
    by_hand = fields.Integer(
        required=True,
        metadata=described("Number of games decided by adjustments, which count as neither won nor lost.", 0),
    )
    minutes = fields.Integer(
        required=True, metadata=described("The playing time of all games, in minutes, without breaks.", 640)
    )
    longest = fields.Integer(required=True, metadata=described("The playing time of the longest game, in minutes.", 95))
    streak = fields.Nested(
        Streak,
        required=True,
        allow_none=True,
        metadata={"description": "The current streak among the newest 100 games; null if no game has ended."},
    )
    rulesets = _shares("The results by ruleset; `value` is its id.")
    months = _shares("The results by the month of opening (UTC), in ascending order.")
    hours = _shares("The results by the hour of opening (0 to 23, UTC), without hours that have no games.")
    partners = _shares("The results by other player, most frequent first; `value` is the normalized name.")
    scores = fields.List(
        fields.Nested(FigureScores),
        required=True,
        metadata={"description": "The scores by ruleset and game, without games decided by adjustments."},
    )
