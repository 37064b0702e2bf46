"""Mixed seeds, to which several devices contribute."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_TIME, described
from schemas.named import SEED_STATUS, Choice

_DIGITS = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="64 lower-case hexadecimal digits.")
EXAMPLE_MIX = "3f0c8a5be1d2476f9a1b0c4d5e6f7081"


class BeginSeed(Schema):
    """Parameters of a mixed seed."""

    shares = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(1, 8),
        metadata=described("How many devices contribute a share. The service adds one of its own.", 3),
    )


class SeedShare(Schema):
    """A share to reveal; an empty object only commits to it."""

    share = fields.String(
        validate=_DIGITS,
        metadata=described(
            "Reveals the share, once all are committed: 64 hexadecimal digits, 32 random bytes.",
            "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
        ),
    )


class Seed(Schema):
    """A seed that is being mixed."""

    id = fields.String(required=True, metadata=described("Its id. Anyone who has it can contribute.", EXAMPLE_MIX))
    status = Choice(SEED_STATUS, required=True, metadata=described("The next step.", "committing"))
    shares = fields.Integer(required=True, metadata=described("How many devices contribute.", 3))
    revealed = fields.Integer(required=True, metadata=described("How many shares are revealed.", 0))
    commitments = fields.List(
        fields.String(),
        required=True,
        metadata=described(
            "SHA-256 of each share: that of the service, then the others in ascending order. Event 1 of the game has "
            "them as `seed_shares`.",
            [EXAMPLE_HASH],
        ),
    )
    expires_at = fields.String(required=True, metadata=described("When it expires.", EXAMPLE_TIME))
    game = fields.String(
        required=True, allow_none=True, metadata=described("The game that was opened with it.", EXAMPLE_GAME)
    )


COMMITMENT = _DIGITS
