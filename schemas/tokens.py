"""Tokens: credentials of callers."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, Time, limit, next_cursor
from schemas.members import describe, optional, required
from schemas.named import ROLE, SEAT_ID, Choice

EXAMPLE_TOKEN = "01kaj5x9f3q8w7e2r4t6y8u0pz"  # noqa: S105  # the id of one
_GAME = describe(
    "The id of the only game that the token gives access to. Without it, the token is for all games.", EXAMPLE_GAME
)
_SEAT = describe(
    "The only seat of that game that the token acts for, and whose secrets it shows. Without it, "
    "there is no such limit.",
    "p2",
)
_ENDS = describe(
    "The time at which the token expires (RFC 3339). Without it, the token ends only with the token that created it.",
    "2026-12-24T00:00:00Z",
)
_NOTE = describe("The name of the token's owner, under which its events are recorded.", "Ann's phone")


class NewToken(Schema):
    """Parameters of a new token."""

    role = required.choice(ROLE, "The role of the token.", "recorder")
    game = fields.String(validate=validate.Length(1, 64), metadata=_GAME)
    seat = Choice(SEAT_ID, metadata=_SEAT)
    expires_at = Time(format="iso", metadata=_ENDS)
    note = fields.String(validate=NAME, metadata=_NOTE)


class Token(Schema):
    """A token, without its secret text."""

    id = required.text("The id of the token, with which you can revoke it.", EXAMPLE_TOKEN)
    role = required.choice(ROLE, "The role of the token.", "recorder")
    game = fields.String(required=True, allow_none=True, metadata=_GAME)
    seat = Choice(SEAT_ID, required=True, allow_none=True, metadata=_SEAT)
    note = fields.String(required=True, allow_none=True, metadata=_NOTE)
    created_at = required.text("The time of creation.", EXAMPLE_TIME)
    expires_at = fields.String(required=True, allow_none=True, metadata=_ENDS)
    given_by = required.text(
        "The id of the token that created this one, which ends with it; null if the operator created it.",
        EXAMPLE_TOKEN,
        allow_none=True,
    )
    is_link = required.flag("True if the token is a share link of a game.")


class CreatedToken(Token):
    """A token with its secret text, which only this response contains."""

    token = required.text(
        "The secret text of the token. Send it as `Authorization: Bearer <token>`, or open "
        "`/enter#<token>` in a browser.",
        f"driftlog_{EXAMPLE_TOKEN}_q2v8h0o5Qm1xT7bW3nJkRzYc9dEaLfUsGiPpVtXy4A8",
    )


class TokenList(Schema):
    """A page of the tokens that the caller may revoke, newest first."""

    tokens = required.each(Token, "The tokens of this page. They include tokens that have ended.")
    next_cursor = next_cursor()


class TokenQuery(Schema):
    """Parameters of a page of tokens."""

    limit = limit(50, most=200)
    cursor = optional.text(
        "The `next_cursor` of the previous page.",
        validate=validate.Regexp(
            r"^[0-9a-hjkmnp-tv-z]{26}$(?!\n)",
            error="This cursor does not belong to this list. Use the `next_cursor` of the previous page.",
        ),
    )
