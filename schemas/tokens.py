"""Tokens: credentials of callers."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, NAME, Time, described, limit, next_cursor
from schemas.named import ROLE, SEAT_ID, Choice

EXAMPLE_TOKEN = "01kaj5x9f3q8w7e2r4t6y8u0pz"  # noqa: S105  # the id of one
_GAME = described("The only game that it is for (default: all).", EXAMPLE_GAME)
_SEAT = described("The only seat that it acts and sees as, of that game.", "p2")
_ENDS = described("When it ends by itself, in RFC 3339 (default: as the token that gives it).", "2026-12-24T00:00:00Z")
_NOTE = described("Whose it is: what it records is recorded by that name.", "Ann's phone")


class NewToken(Schema):
    """Parameters of a new token."""

    role = Choice(ROLE, required=True, metadata=described("What it may do.", "recorder"))
    game = fields.String(validate=validate.Length(1, 64), metadata=_GAME)
    seat = Choice(SEAT_ID, metadata=_SEAT)
    expires_at = Time(format="iso", metadata=_ENDS)
    note = fields.String(validate=NAME, metadata=_NOTE)


class Token(Schema):
    """A token, without its secret text."""

    id = fields.String(required=True, metadata=described("By which it is withdrawn.", EXAMPLE_TOKEN))
    role = Choice(ROLE, required=True, metadata=described("What it may do.", "recorder"))
    game = fields.String(required=True, allow_none=True, metadata=_GAME)
    seat = Choice(SEAT_ID, required=True, allow_none=True, metadata=_SEAT)
    note = fields.String(required=True, allow_none=True, metadata=_NOTE)
    created_at = fields.String(required=True, metadata=described("When it was made.", EXAMPLE_TIME))
    expires_at = fields.String(required=True, allow_none=True, metadata=_ENDS)
    given_by = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The token that gave it, with which it ends; null: the operator.", EXAMPLE_TOKEN),
    )
    is_link = fields.Boolean(required=True, metadata={"description": "Whether it is a game's share link."})


class GivenToken(Token):
    """A token with its secret text, which only this response contains."""

    token = fields.String(
        required=True,
        metadata=described(
            "The text: `Authorization: Bearer` and a link to `/enter#` take it.",
            f"driftlog_{EXAMPLE_TOKEN}_q2v8h0o5Qm1xT7bW3nJkRzYc9dEaLfUsGiPpVtXy4A8",
        ),
    )


class TokenList(Schema):
    """A page of the tokens that the caller may revoke, newest first."""

    tokens = fields.List(fields.Nested(Token), required=True, metadata={"description": "Those in force, or ended."})
    next_cursor = next_cursor()


class TokenQuery(Schema):
    """Parameters of a page of tokens."""

    limit = limit(50, most=200)
    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9a-hjkmnp-tv-z]{26}$(?!\n)", error="Not a cursor of this list."),
        metadata=described("The `next_cursor` of the previous page."),
    )
