"""Oversight by an admin: hidden names, and the log of uses of special permissions."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, cursor, limit, next_cursor
from schemas.members import describe, required


class HiddenName(Schema):
    """A player's name that is hidden from lists. Case is ignored."""

    name = required.text("The hidden name.", "Ann", validate=NAME)
    hidden_at = required.text("The time since which the name is hidden.", EXAMPLE_TIME)
    hidden_by = required.text("The user who hid the name; null on an open service.", "Eve's laptop", allow_none=True)


class HiddenNameList(Schema):
    """All hidden names, in alphabetical order."""

    hidden_names = required.each(HiddenName, "The hidden names, sorted by name.")
    next_cursor = next_cursor()


class Use(Schema):
    """One use of a special permission, by an admin or another user."""

    id = required.text("The id of the log entry.", "1763841851512-0")
    at = required.text("The time of the use.", EXAMPLE_TIME)
    by = required.text("The name of the user; null on an open service.", "Eve's laptop", allow_none=True)
    token = required.text(
        "The id of the user's token, not its secret text; null if the user has no token.",
        "01kaj5x9f3q8w7e2r4t6y8u0pz",
        allow_none=True,
    )
    action = required.text("The route or command that was used.", "DELETE /v1/games/{game_id}")
    game = required.text("The id of the game; null if no game is concerned.", EXAMPLE_GAME, allow_none=True)
    about = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=describe("Further arguments of the request or command.", {"name": "Ann"}),
    )


class UseList(Schema):
    """Uses, newest first."""

    access_log = required.each(Use, "The log entries of this page.")
    next_cursor = next_cursor()


class UseQuery(Schema):
    """A page of uses."""

    limit = limit(50, most=200)
    cursor = cursor()
