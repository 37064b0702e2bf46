"""Logged plays: games that were played but have no log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_TIME, cursor, described, limit, next_cursor
from schemas.named import GAME_RESULT, TAKEN_IN, Choice

EXAMPLE_PLAY = "0b9f3a4f-6b1d-5d0d-8c8a-6e2f7b1c1f0b"


class PlayPart(Schema):
    """A player and their result."""

    name = fields.String(required=True, metadata=described("The player's name.", "Ann"))
    role = fields.String(required=True, metadata=described("The role; empty if unknown.", "Pilot"))
    has_won = fields.Boolean(required=True, metadata=described("True if they won.", example=True))
    has_begun = fields.Boolean(required=True, metadata=described("True if they went first.", example=False))


class PastPlay(Schema):
    """A logged play: the result of a game without a log."""

    id = fields.String(required=True, metadata=described("Its UUID in the source, in lower case.", EXAMPLE_PLAY))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    result = Choice(GAME_RESULT, required=True, metadata=described("`won`: somebody won; `lost`: nobody did.", "won"))
    parts = fields.List(fields.Nested(PlayPart), required=True, metadata={"description": "The players, in seat order."})
    played_at = fields.String(required=True, metadata=described("The start time.", EXAMPLE_TIME))
    minutes = fields.Integer(
        required=True, allow_none=True, metadata=described("The playing time; null if unknown.", 36)
    )
    place = fields.String(required=True, metadata=described("The location; empty if unknown.", "At Ann's"))
    variant = fields.String(required=True, metadata=described("The chosen options, in words.", "Legendary"))
    comments = fields.String(required=True, metadata=described("The comment.", "The pilot was late."))


class PastPlayList(Schema):
    """Logged plays, newest first."""

    plays = fields.List(fields.Nested(PastPlay), required=True, metadata={"description": "One page."})
    next_cursor = next_cursor()


class PlayFilter(Schema):
    """A filter for logged plays."""

    ruleset = fields.String(metadata=described("The id of a ruleset.", "forbidden-island"))
    player = fields.String(
        validate=validate.Length(min=1), metadata=described("A player's full name, in any case.", "ann")
    )


class PlayQuery(PlayFilter):
    """Filter and page of a search."""

    limit = limit(50, most=200)
    cursor = cursor()


class TakeInQuery(Schema):
    """Options of an import."""

    again = fields.Boolean(
        load_default=False,
        metadata=described("True to import plays that were deleted here as well.", example=False),
    )


class TakenIn(Schema):
    """Result of importing one play of a file."""

    number = fields.Integer(required=True, metadata=described("Its index in the file, from 1.", 1))
    title = fields.String(required=True, metadata=described("The game, as named in the file.", "Forbidden Island"))
    status = Choice(TAKEN_IN, required=True, metadata=described("The result of its import.", "imported"))
    why = fields.String(required=True, metadata=described("For an invalid one: the error; otherwise empty.", ""))
    id = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The logged play, or the recorded game; otherwise null.", EXAMPLE_PLAY),
    )


class PlaysTakenIn(Schema):
    """Result of importing a file of plays."""

    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=described("Number of plays with each status.", {"imported": 1}),
    )
    plays = fields.List(fields.Nested(TakenIn), required=True, metadata={"description": "All plays, in order."})
