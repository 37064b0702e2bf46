"""Browser sessions, whose token is in a cookie."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, described
from schemas.named import ROLE, SEAT_ID, Choice


class BeginSession(Schema):
    """The token with which the browser signs in."""

    token = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata=described(
            "The secret text of a token.",
            "driftlog_01kaj5x9f3q8w7e2r4t6y8u0pz_q2v8h0o5Qm1xT7bW3nJkRzYc9dEaLfUsGiPpVtXy4A8",
        ),
    )


class Session(Schema):
    """The current user."""

    role = Choice(ROLE, required=True, metadata=described("The role of the user.", "recorder"))
    token = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The id of the user's token; null on an open service.", EXAMPLE_GAME),
    )
    name = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The name under which the user records; null if there is none.", "Ann's phone"),
    )
    game = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The id of the only game that the user can access; null for all games.", EXAMPLE_GAME),
    )
    seat = Choice(
        SEAT_ID,
        required=True,
        allow_none=True,
        metadata=described("The only seat that the user can act for; null if there is no such limit.", "p2"),
    )
    expires_at = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The time at which the session ends; null if it has no end.", EXAMPLE_TIME),
    )
    leads_to = fields.String(
        required=True, metadata=described("The page to open next.", f"/games/{EXAMPLE_GAME}/record")
    )
