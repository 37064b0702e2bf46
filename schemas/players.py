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

    result = fields.String(required=True, metadata=described("How.", "won"))
    games = fields.Integer(required=True, metadata=described("Number of games.", 3))


def _shares(text: str) -> fields.List[Any]:
    return fields.List(fields.Nested(FigureShare), required=True, metadata={"description": text})


class PlayerFigures(Schema):
    """The statistics of a player over all ended games."""

    name = fields.String(required=True, metadata=described("The name in its latest spelling.", "Ann"))
    games = fields.Integer(required=True, metadata=described("Number of finished games.", 12))
    won = fields.Integer(required=True, metadata=described("Number of games that the player won.", 7))
    lost = fields.Integer(required=True, metadata=described("Number of games that the player lost.", 5))
    by_hand = fields.Integer(
        required=True,
        metadata=described("Number of games decided by adjustments, which count as neither won nor lost.", 0),
    )
    minutes = fields.Integer(required=True, metadata=described("Total playing time, without breaks.", 640))
    longest = fields.Integer(required=True, metadata=described("Playing time of the longest game.", 95))
    streak = fields.Nested(
        Streak,
        required=True,
        allow_none=True,
        metadata={"description": "For the newest 100 games; null if none has ended."},
    )
    rulesets = _shares("By ruleset (its id).")
    months = _shares("By month of opening, UTC, in order.")
    hours = _shares("By hour of opening, 0 to 23, UTC, without empty hours.")
    partners = _shares("By other players, most frequent first; names are normalized.")
