"""Mixed seeds, to which several devices contribute."""

from __future__ import annotations

from marshmallow import Schema, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_TIME
from schemas.members import optional, required
from schemas.named import SEED_STATUS

_DIGITS = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="Must be 64 lower-case hexadecimal digits.")
EXAMPLE_MIX = "3f0c8a5be1d2476f9a1b0c4d5e6f7081"


class BeginSeed(Schema):
    """Parameters of a mixed seed."""

    shares = required.integer(
        "Number of devices that contribute a share. The service adds a share of its own.",
        3,
        strict=True,
        validate=validate.Range(1, 8),
    )


class SeedShare(Schema):
    """A share to reveal; an empty object only commits to it."""

    share = optional.text(
        "The share to reveal, once all devices have committed to a share: 32 random bytes in 64 hexadecimal digits.",
        "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
        validate=_DIGITS,
    )


class Seed(Schema):
    """A seed that is being mixed."""

    id = required.text("The id of the mixed seed. Anyone who has the id can contribute.", EXAMPLE_MIX)
    status = required.choice(SEED_STATUS, "The status, which determines the next step.", "committing")
    shares = required.integer("Number of devices that contribute a share.", 3)
    revealed = required.integer("Number of devices that have revealed their share.", 0)
    commitments = required.texts(
        "The SHA-256 of each share: first the service's, then the others in ascending order. "
        "Event 1 of the game contains them as `seed_shares`.",
        [EXAMPLE_HASH],
    )
    expires_at = required.text("The time at which the mixed seed expires.", EXAMPLE_TIME)
    game = required.text(
        "The id of the game that was opened with the seed; null if there is none yet.", EXAMPLE_GAME, allow_none=True
    )


COMMITMENT = _DIGITS
