"""Proofs for third parties: signing keys, signed heads, consistency."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_KEY, EXAMPLE_TIME, Envelope, described
from schemas.events import LARGEST_SEQ, Event
from schemas.named import EVENT_SOURCE, KEY_STATUS, Choice

_HASH = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="64 lower-case hexadecimal digits.")


class SigningKey(Schema):
    """A public signing key, as a JSON Web Key (RFC 7517, RFC 8037)."""

    kty = fields.String(
        required=True, validate=validate.Equal("OKP"), metadata=described("The key type (RFC 8037).", "OKP")
    )
    crv = fields.String(
        required=True, validate=validate.Equal("Ed25519"), metadata=described("The curve of the key.", "Ed25519")
    )
    x = fields.String(required=True, metadata=described("The public key: base64url of 32 bytes.", EXAMPLE_KEY))
    kid = fields.String(
        required=True, metadata=described("The id of the key, by which proofs refer to it. It equals `x`.", EXAMPLE_KEY)
    )
    use = fields.String(
        required=True, validate=validate.Equal("sig"), metadata=described("The use of the key: signatures.", "sig")
    )
    alg = fields.String(
        required=True, validate=validate.Equal("EdDSA"), metadata=described("The signature algorithm.", "EdDSA")
    )
    created_at = fields.String(
        required=True,
        metadata=described("The time from which the service has signed with this key.", EXAMPLE_TIME),
    )
    retired_at = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The time at which another key replaced this one; null for the active key.", EXAMPLE_TIME),
    )
    status = Choice(
        KEY_STATUS,
        required=True,
        metadata=described("The status of the key.", "active"),
    )
    pem = fields.String(required=True, metadata=described("The key as a PEM file.", "-----BEGIN PUBLIC KEY-----"))


class KeySet(Schema):
    """All current and earlier signing keys, as a JWK set."""

    keys = fields.List(
        fields.Nested(SigningKey),
        required=True,
        metadata={"description": "The keys, oldest first. The last one is the active key."},
    )


class Range(Schema):
    """A range of events with the same origin."""

    from_ = fields.Integer(required=True, data_key="from", metadata=described("The `seq` of the first event.", 1))
    to = fields.Integer(required=True, metadata=described("The `seq` of the last event.", 41))
    kind = Choice(EVENT_SOURCE, required=True, metadata=described("The origin of the events.", "recorded"))
    head = fields.String(
        metadata=described("For imported events: the hash of the last event in the file.", EXAMPLE_HASH)
    )
    key = fields.String(
        metadata=described(
            "The id of the key that signed the imported file; absent if the file was not signed.", EXAMPLE_KEY
        )
    )


class Head(Schema):
    """The signed document about a game as of one of its events: the decoded `payload` of a proof."""

    format = fields.String(
        required=True,
        validate=validate.Equal("driftlog-head"),
        metadata=described("The name of the format.", "driftlog-head"),
    )
    format_version = fields.Integer(required=True, metadata=described("The version of the format.", 2))
    game = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    version = fields.Integer(required=True, metadata=described("The `seq` of the last event.", 42))
    head = fields.String(required=True, metadata=described("The hash of that event.", EXAMPLE_HASH))
    signed_at = fields.String(required=True, metadata=described("The time of signing.", EXAMPLE_TIME))
    ruleset = fields.String(required=True, metadata=described("The id of the game's ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("The version of the game's rules.", "1"))
    hashes = fields.List(
        fields.String(),
        required=True,
        metadata=described("The hash of every event, in order from event 1.", [EXAMPLE_HASH]),
    )
    provenance = fields.List(
        fields.Nested(Range),
        metadata={"description": "The origin of the events, in order; from version 2 of this format on."},
    )
    by_hand = fields.Boolean(
        metadata={
            "description": "True if adjustments by hand decided the outcome; from version 2 of this format on.",
            "example": False,
        }
    )
    seed_known_to = fields.String(
        allow_none=True,
        metadata=described(
            "The name of the user who chose the seed and could know every draw; `unknown` if the events "
            "were imported; null if nobody chose it. From version 2 of this format on.",
            "Ann",
        ),
    )


class Deletion(Schema):
    """The signed document about a deleted game: the decoded `payload` of `proof` in the problem `gone`."""

    format = fields.String(
        required=True,
        validate=validate.Equal("driftlog-deletion"),
        metadata=described("The name of the format.", "driftlog-deletion"),
    )
    format_version = fields.Integer(required=True, metadata=described("The version of the format.", 1))
    game = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    version = fields.Integer(required=True, metadata=described("The `seq` of the last event before the deletion.", 42))
    head = fields.String(required=True, metadata=described("The hash of that event.", EXAMPLE_HASH))
    deleted_at = fields.String(required=True, metadata=described("The time of the deletion.", EXAMPLE_TIME))
    signed_at = fields.String(required=True, metadata=described("The time of signing.", EXAMPLE_TIME))


class ProofQuery(Schema):
    """The event to prove."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The `seq` of the last event to include in the head (default: the last event).", 42),
    )


class ConsistencyQuery(Schema):
    """The older head to compare with."""

    from_ = fields.Integer(
        required=True,
        data_key="from",
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The version of the older head.", 12),
    )
    head = fields.String(required=True, validate=_HASH, metadata=described("The hash of the older head.", EXAMPLE_HASH))


class OlderHead(Schema):
    """The version and the head of a record as of one of its events."""

    version = fields.Integer(required=True, metadata=described("The `seq` of the event.", 12))
    head = fields.String(required=True, metadata=described("The hash of the event.", EXAMPLE_HASH))


class Consistency(Schema):
    """A proof that the current record still begins with the events of an older head."""

    format = fields.String(
        required=True,
        validate=validate.Equal("driftlog-consistency"),
        metadata=described("The name of the format.", "driftlog-consistency"),
    )
    format_version = fields.Integer(required=True, metadata=described("The version of the format.", 1))
    game = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    from_ = fields.Nested(OlderHead, required=True, data_key="from", metadata={"description": "The older head."})
    events = fields.List(
        fields.Nested(Event),
        required=True,
        metadata={"description": "The events after the older head, up to the signed head."},
    )
    proof = fields.Nested(Envelope, required=True, metadata={"description": "The current head, signed now."})
