"""Oversight by an admin: hidden names, and the log of uses of special permissions."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, cursor, described, limit, next_cursor


class HiddenName(Schema):
    """A player's name that is hidden from lists. Case is ignored."""

    name = fields.String(required=True, validate=NAME, metadata=described("The name.", "Ann"))
    hidden_at = fields.String(required=True, metadata=described("Since when.", EXAMPLE_TIME))
    hidden_by = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The user who hid it; null on an open service.", "Eve's laptop"),
    )


class HiddenNameList(Schema):
    """All hidden names, by name."""

    hidden_names = fields.List(fields.Nested(HiddenName), required=True, metadata={"description": "The complete list."})
    next_cursor = next_cursor()


class Use(Schema):
    """One use of a special permission, by an admin or another user."""

    id = fields.String(required=True, metadata=described("Which.", "1763841851512-0"))
    at = fields.String(required=True, metadata=described("When.", EXAMPLE_TIME))
    by = fields.String(
        required=True, allow_none=True, metadata=described("The user; null on an open service.", "Eve's laptop")
    )
    token = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The id of that token, never the token itself.", "01kaj5x9f3q8w7e2r4t6y8u0pz"),
    )
    action = fields.String(
        required=True,
        metadata=described("The route or command.", "DELETE /v1/games/{game_id}"),
    )
    game = fields.String(required=True, allow_none=True, metadata=described("The game.", EXAMPLE_GAME))
    about = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=described("Further arguments.", {"name": "Ann"}),
    )


class UseList(Schema):
    """Uses, newest first."""

    access_log = fields.List(fields.Nested(Use), required=True, metadata={"description": "One page."})
    next_cursor = next_cursor()


class UseQuery(Schema):
    """A page of uses."""

    limit = limit(50, most=200)
    cursor = cursor()
