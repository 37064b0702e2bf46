"""Players in figures."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from schemas.common import described


class FigureShare(Schema):
    """Some of a player's games that have ended, and how."""

    value = fields.String(required=True, metadata=described("Which: a month, an hour, a name, a ruleset.", "2026-11"))
    games = fields.Integer(required=True, metadata=described("How many ended.", 12))
    won = fields.Integer(required=True, metadata=described("How many of them the player won.", 7))
    lost = fields.Integer(required=True, metadata=described("How many of them the player lost.", 5))
    by_hand = fields.Integer(
        required=True, metadata=described("How many of them adjustments decided: neither won nor lost here.", 0)
    )


class Streak(Schema):
    """How the last games ended, one after the other."""

    result = fields.String(required=True, metadata=described("How.", "won"))
    games = fields.Integer(required=True, metadata=described("How many of them.", 3))


def _shares(text: str) -> fields.List[Any]:
    return fields.List(fields.Nested(FigureShare), required=True, metadata={"description": text})


class PlayerFigures(Schema):
    """A player over all games that have ended."""

    name = fields.String(required=True, metadata=described("The name, as it was written last.", "Ann"))
    games = fields.Integer(required=True, metadata=described("How many games ended.", 12))
    won = fields.Integer(required=True, metadata=described("How many of them the player won.", 7))
    lost = fields.Integer(required=True, metadata=described("How many of them the player lost.", 5))
    by_hand = fields.Integer(
        required=True, metadata=described("How many of them adjustments decided: neither won nor lost here.", 0)
    )
    minutes = fields.Integer(required=True, metadata=described("How long all of them took, breaks left out.", 640))
    longest = fields.Integer(required=True, metadata=described("How long the longest of them took.", 95))
    streak = fields.Nested(
        Streak,
        required=True,
        allow_none=True,
        metadata={"description": "Of the newest 100 games; null where none ended."},
    )
    rulesets = _shares("By ruleset (its id).")
    months = _shares("By the month in which they were opened, UTC, in order.")
    hours = _shares(
        "By the hour of the day at which they were opened, 0 to 23, UTC; hours without a game are left out."
    )
    partners = _shares("By who else was at the table, the most frequent first; names are folded as they are compared.")
