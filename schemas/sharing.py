"""Share links, which give anyone read access until they are revoked."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_TIME, next_cursor
from schemas.members import describe, required

_ENDS = describe(
    "The time at which the link expires with the token that created it; null if it does not expire.",
    "2026-12-24T00:00:00Z",
)


class Share(Schema):
    """A link with which anyone can watch a game."""

    token = required.text("The id of the link, which is also the last part of its address.", "hT3kq0b2m9ZxW4yJv8Lr")
    url = required.text("The address of the link on this service.", "/s/hT3kq0b2m9ZxW4yJv8Lr")
    created_at = required.text("The time of creation.", EXAMPLE_TIME)
    expires_at = fields.String(required=True, allow_none=True, metadata=_ENDS)


class ShareList(Schema):
    """The active links of a game, oldest first."""

    shares = required.each(Share, "The links, oldest first.")
    next_cursor = next_cursor()
