"""Browser sessions, whose token is in a cookie."""

from __future__ import annotations

from marshmallow import Schema, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME
from schemas.members import required
from schemas.named import ROLE, SEAT_ID


class BeginSession(Schema):
    """The token with which the browser signs in."""

    token = required.text(
        "The secret text of a token.",
        "driftlog_01kaj5x9f3q8w7e2r4t6y8u0pz_q2v8h0o5Qm1xT7bW3nJkRzYc9dEaLfUsGiPpVtXy4A8",
        validate=validate.Length(1, 200),
    )


class Session(Schema):
    """The current user."""

    role = required.choice(ROLE, "The role of the user.", "recorder")
    token = required.text("The id of the user's token; null on an open service.", EXAMPLE_GAME, allow_none=True)
    name = required.text(
        "The name under which the user records; null if there is none.", "Ann's phone", allow_none=True
    )
    game = required.text(
        "The id of the only game that the user can access; null for all games.", EXAMPLE_GAME, allow_none=True
    )
    seat = required.choice(
        SEAT_ID, "The only seat that the user can act for; null if there is no such limit.", "p2", allow_none=True
    )
    expires_at = required.text(
        "The time at which the session ends; null if it has no end.", EXAMPLE_TIME, allow_none=True
    )
    leads_to = required.text("The page to open next.", f"/games/{EXAMPLE_GAME}/record")
