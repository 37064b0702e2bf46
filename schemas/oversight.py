"""What an admin looks after: names that are taken out of the list, and the log of who used an admin's rights."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, described, limit


class HiddenName(Schema):
    """A player's name that is not shown in lists, in any case."""

    name = fields.String(required=True, validate=NAME, metadata=described("The name.", "Ann"))
    hidden_at = fields.String(required=True, metadata=described("Since when.", EXAMPLE_TIME))
    hidden_by = fields.String(
        required=True, allow_none=True, metadata=described("Who hid it; null on an open service.", "Eve's laptop")
    )


class HiddenNameList(Schema):
    """All names that are hidden, by name."""

    hidden_names = fields.List(fields.Nested(HiddenName), required=True, metadata={"description": "All of them."})


class Use(Schema):
    """One use of an admin's rights, or of others that not everybody has."""

    id = fields.String(required=True, metadata=described("Which.", "1763841851512-0"))
    at = fields.String(required=True, metadata=described("When.", EXAMPLE_TIME))
    by = fields.String(
        required=True, allow_none=True, metadata=described("Who; null on an open service.", "Eve's laptop")
    )
    token = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The id of that token, never the token itself.", "01kaj5x9f3q8w7e2r4t6y8u0pz"),
    )
    action = fields.String(
        required=True,
        metadata=described("What was asked for: a route, or a command.", "DELETE /v1/games/{game_id}"),
    )
    game = fields.String(required=True, allow_none=True, metadata=described("On which game.", EXAMPLE_GAME))
    about = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("What else was asked for.", {"name": "Ann"}),
    )


class UseList(Schema):
    """Uses, newest first."""

    access_log = fields.List(fields.Nested(Use), required=True, metadata={"description": "One page of them."})
    next_cursor = fields.String(
        required=True, allow_none=True, metadata=described("Where the next page begins; null on the last.")
    )


class UseQuery(Schema):
    """Which page of them."""

    limit = limit(50, most=200)
    cursor = fields.String(metadata=described("From the page before."))
