"""Oversight by an admin: hidden names, and the log of uses of special permissions."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, cursor, described, limit, next_cursor


class HiddenName(Schema):
    """A player's name that is hidden from lists. Case is ignored."""

    name = fields.String(required=True, validate=NAME, metadata=described("The hidden name.", "Ann"))
    hidden_at = fields.String(
        required=True, metadata=described("The time since which the name is hidden.", EXAMPLE_TIME)
    )
    hidden_by = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The user who hid the name; null on an open service.", "Eve's laptop"),
    )


class HiddenNameList(Schema):
    """All hidden names, in alphabetical order."""

    hidden_names = fields.List(
        fields.Nested(HiddenName), required=True, metadata={"description": "The hidden names, sorted by name."}
    )
    next_cursor = next_cursor()


class Use(Schema):
    """One use of a special permission, by an admin or another user."""

    id = fields.String(required=True, metadata=described("The id of the log entry.", "1763841851512-0"))
    at = fields.String(required=True, metadata=described("The time of the use.", EXAMPLE_TIME))
    by = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The name of the user; null on an open service.", "Eve's laptop"),
    )
    token = fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The id of the user's token, not its secret text; null if the user has no token.",
            "01kaj5x9f3q8w7e2r4t6y8u0pz",
        ),
    )
    action = fields.String(
        required=True,
        metadata=described("The route or command that was used.", "DELETE /v1/games/{game_id}"),
    )
    game = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The id of the game; null if no game is concerned.", EXAMPLE_GAME),
    )
    about = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("Further arguments of the request or command.", {"name": "Ann"}),
    )


class UseList(Schema):
    """Uses, newest first."""

    access_log = fields.List(
        fields.Nested(Use), required=True, metadata={"description": "The log entries of this page."}
    )
    next_cursor = next_cursor()


class UseQuery(Schema):
    """A page of uses."""

    limit = limit(50, most=200)
    cursor = cursor()
