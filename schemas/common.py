"""What several resources share: seats, versions, outcomes, times."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from engine.events import SEAT_IDS

EXAMPLE_GAME = "01kaj5x9f3q8w7e2r4t6y8u0pz"
EXAMPLE_HASH = "6f1c1f0b9f3a4f6b1d3d0d4c8a6e2f7b5c9e8d7a6b5c4d3e2f1a0b9c8d7e6f5a"
EXAMPLE_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
EXAMPLE_TIME = "2026-11-20T19:04:11.512Z"

NAME = validate.Regexp(
    r"^\S(?:[^\n]{0,78}\S)?$(?!\n)", error="1 to 80 characters in one line, with no space at its ends."
)
"""A player's name or a tag."""


JOB_STATUS = validate.OneOf(["queued", "running", "done", "failed"])


def described(description: str, example: Any = None, **more: Any) -> dict[str, Any]:
    """The metadata of a field in openapi.yaml."""
    metadata: dict[str, Any] = {"description": description, **more}
    if example is not None:
        metadata["examples"] = [example]
    return metadata


def seat_id(description: str, **arguments: Any) -> fields.String:
    """A field that names a seat."""
    return fields.String(validate=validate.OneOf(SEAT_IDS), metadata=described(description, "p2"), **arguments)


def viewer() -> fields.String:
    """A field that says who looks."""
    return fields.String(
        load_default=None,
        validate=validate.OneOf([*SEAT_IDS, "public"]),
        metadata=described("Who looks: a seat sees what it hides itself, `public` (the default) none of it.", "p2"),
    )


def version() -> fields.Integer:
    """A field with the `seq` of the last event."""
    return fields.Integer(required=True, metadata=described("The `seq` of the last event.", 42))


class Signature(Schema):
    """A signature over an envelope's payload."""

    keyid = fields.String(required=True, metadata=described("The key that made it: see `/v1/keys`.", EXAMPLE_KEY))
    sig = fields.String(
        required=True, metadata=described("Base64 of the Ed25519 signature.", "lq5Zx0n1p0Ew1g3yA0d3Rr0M8oDjW1a2Xf9c==")
    )


class Envelope(Schema):
    """A DSSE envelope, version 1: a signed head."""

    payload = fields.String(required=True, metadata=described("Base64 of the `Head` as JSON.", "eyJmb3JtYXQiOiI="))
    payload_type = fields.String(
        required=True,
        data_key="payloadType",
        metadata=described("What the payload is.", "application/vnd.driftlog.head+json"),
    )
    signatures = fields.List(
        fields.Nested(Signature), required=True, metadata={"description": "Over type and payload (PAE)."}
    )


class GameOutcome(Schema):
    """How a game ended."""

    result = fields.String(
        required=True,
        validate=validate.OneOf(["won", "lost", "draw", "abandoned"]),
        metadata=described("How it ended for those who played.", "lost"),
    )
    winners = fields.List(seat_id("A seat that won."), required=True, metadata=described("The seats that won.", []))
    reason = fields.String(required=True, metadata=described("The ruleset's id of the ending.", "skull"))
    rule = fields.String(
        required=True, metadata=described("The rulebook's heading under which it stands.", "Losing the Game")
    )


class Seat(Schema):
    """A place at the table and who sits there."""

    name = fields.String(required=True, validate=NAME, metadata=described("The player's name.", "Ann"))


def outcome() -> fields.Nested:
    """A field with how the game ended."""
    return fields.Nested(
        GameOutcome, required=True, allow_none=True, metadata={"description": "How it ended; null while it goes on."}
    )


class Moment(Schema):
    """Where a game stands."""

    version = version()
    turn = fields.Integer(required=True, metadata=described("The turn that is being played; 0 before the first.", 7))
    phase = fields.String(
        required=True,
        metadata=described("The part of the turn in the ruleset's words; `setup` before, `over` after.", "actions"),
    )
    awaiting = fields.List(
        seat_id("A seat that may or must act."),
        required=True,
        metadata=described("The seats that the game waits for.", ["p2"]),
    )


class Position(Moment):
    """Where a game stands, and how it ended."""

    outcome = outcome()
