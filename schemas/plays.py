"""Past plays: games that were played, and of which there is no log."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_TIME, described, limit
from schemas.named import GAME_RESULT, TAKEN_IN, Choice

EXAMPLE_PLAY = "0b9f3a4f-6b1d-5d0d-8c8a-6e2f7b1c1f0b"


class PlayPart(Schema):
    """Who played, and how it ended for them."""

    name = fields.String(required=True, metadata=described("The player's name.", "Ann"))
    role = fields.String(required=True, metadata=described("What they played; empty: nobody said it.", "Pilot"))
    has_won = fields.Boolean(required=True, metadata=described("Whether they won.", example=True))
    has_begun = fields.Boolean(required=True, metadata=described("Whether they went first.", example=False))


class PastPlay(Schema):
    """A game that is known to have been played, and of which there is no log."""

    id = fields.String(
        required=True, metadata=described("The UUID that it has where it comes from, in lower case.", EXAMPLE_PLAY)
    )
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    result = Choice(GAME_RESULT, required=True, metadata=described("`won`: somebody won; `lost`: nobody did.", "won"))
    parts = fields.List(fields.Nested(PlayPart), required=True, metadata={"description": "Who played, in seat order."})
    played_at = fields.String(required=True, metadata=described("When it began.", EXAMPLE_TIME))
    minutes = fields.Integer(
        required=True, allow_none=True, metadata=described("How long it was played; null: nobody said it.", 36)
    )
    place = fields.String(required=True, metadata=described("Where; empty: nobody said it.", "At Ann's"))
    variant = fields.String(required=True, metadata=described("What was chosen for it, in words.", "Legendary"))
    comments = fields.String(required=True, metadata=described("What was said of it.", "The pilot was late."))


class PastPlayList(Schema):
    """Past plays, newest first."""

    plays = fields.List(fields.Nested(PastPlay), required=True, metadata={"description": "One page of them."})
    next_cursor = fields.String(
        required=True, allow_none=True, metadata=described("Where the next page begins; null on the last.")
    )


class PlayFilter(Schema):
    """Which past plays."""

    ruleset = fields.String(metadata=described("The id of a ruleset.", "forbidden-island"))
    player = fields.String(
        validate=validate.Length(min=1), metadata=described("A player's whole name, in any case.", "ann")
    )


class PlayQuery(PlayFilter):
    """Which of them, and which page."""

    limit = limit(50, most=200)
    cursor = fields.String(metadata=described("From the page before."))


class TakeInQuery(Schema):
    """What to take in."""

    again = fields.Boolean(
        load_default=False,
        metadata=described("Whether to take in also those that were taken out here.", example=False),
    )


class TakenIn(Schema):
    """What became of one play of a file."""

    number = fields.Integer(required=True, metadata=described("Its place among the plays of the file, from 1.", 1))
    title = fields.String(required=True, metadata=described("What was played, as the file says.", "Forbidden Island"))
    status = Choice(TAKEN_IN, required=True, metadata=described("What became of it.", "imported"))
    why = fields.String(required=True, metadata=described("Of a broken one: what is wrong with it; else empty.", ""))
    id = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The past play; where its game is recorded here, that game; else null.", EXAMPLE_PLAY),
    )


class PlaysTakenIn(Schema):
    """What became of the plays of a file."""

    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata=described("How many there are of each status.", {"imported": 1}),
    )
    plays = fields.List(fields.Nested(TakenIn), required=True, metadata={"description": "All of them, in order."})
