"""Proofs for third parties: signing keys, signed heads, consistency."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_KEY, EXAMPLE_TIME, Envelope, described
from schemas.events import LARGEST_SEQ, Event
from schemas.named import EVENT_SOURCE, KEY_STATUS, Choice

_HASH = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="64 lower-case hexadecimal digits.")


class SigningKey(Schema):
    """A public signing key, as a JSON Web Key (RFC 7517, RFC 8037)."""

    kty = fields.String(required=True, validate=validate.Equal("OKP"), metadata=described("The family of keys.", "OKP"))
    crv = fields.String(required=True, validate=validate.Equal("Ed25519"), metadata=described("The curve.", "Ed25519"))
    x = fields.String(required=True, metadata=described("The key: base64url of 32 bytes.", EXAMPLE_KEY))
    kid = fields.String(required=True, metadata=described("What proofs call it: the same as `x`.", EXAMPLE_KEY))
    use = fields.String(required=True, validate=validate.Equal("sig"), metadata=described("What it is for.", "sig"))
    alg = fields.String(required=True, validate=validate.Equal("EdDSA"), metadata=described("How it signs.", "EdDSA"))
    created_at = fields.String(required=True, metadata=described("Since when it signs.", EXAMPLE_TIME))
    retired_at = fields.String(
        required=True, allow_none=True, metadata=described("Since when another one signs.", EXAMPLE_TIME)
    )
    status = Choice(
        KEY_STATUS,
        required=True,
        metadata=described("`retired`: no longer used; its signatures stay valid.", "active"),
    )
    pem = fields.String(required=True, metadata=described("The same key as a PEM file.", "-----BEGIN PUBLIC KEY-----"))


class KeySet(Schema):
    """All current and earlier signing keys, as a JWK set."""

    keys = fields.List(
        fields.Nested(SigningKey), required=True, metadata={"description": "Oldest first; the last one signs."}
    )


class Range(Schema):
    """Events with the same origin."""

    from_ = fields.Integer(required=True, data_key="from", metadata=described("The `seq` of the first.", 1))
    to = fields.Integer(required=True, metadata=described("The `seq` of the last.", 41))
    kind = Choice(EVENT_SOURCE, required=True, metadata=described("The source.", "recorded"))
    head = fields.String(
        metadata=described("Of events that came from a file: the hash of the last event in it.", EXAMPLE_HASH)
    )
    key = fields.String(
        metadata=described("The id of the key that had signed that file; absent if none had.", EXAMPLE_KEY)
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
    signed_at = fields.String(required=True, metadata=described("When it was signed.", EXAMPLE_TIME))
    ruleset = fields.String(required=True, metadata=described("The game's ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("And its version.", "1"))
    hashes = fields.List(
        fields.String(), required=True, metadata=described("The hash of every event, from 1 on.", [EXAMPLE_HASH])
    )
    provenance = fields.List(
        fields.Nested(Range), metadata={"description": "Where the events come from, in order; from version 2 on."}
    )
    by_hand = fields.Boolean(
        metadata={"description": "Whether adjustments decided the outcome; from version 2 on.", "example": False}
    )
    seed_known_to = fields.String(
        allow_none=True,
        metadata=described(
            "Who chose the seed and could know every draw; `unknown` if the events were imported; null if nobody; from "
            "version 2 on.",
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
    version = fields.Integer(required=True, metadata=described("The `seq` of the last event that it had.", 42))
    head = fields.String(required=True, metadata=described("The hash of that event.", EXAMPLE_HASH))
    deleted_at = fields.String(required=True, metadata=described("When it was deleted.", EXAMPLE_TIME))
    signed_at = fields.String(required=True, metadata=described("When this was signed.", EXAMPLE_TIME))


class ProofQuery(Schema):
    """The event to prove."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The head after this event (default: the last).", 42),
    )


class ConsistencyQuery(Schema):
    """The older head to compare with."""

    from_ = fields.Integer(
        required=True,
        data_key="from",
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("Its version.", 12),
    )
    head = fields.String(required=True, validate=_HASH, metadata=described("Its hash.", EXAMPLE_HASH))


class OlderHead(Schema):
    """The version and the head of a record as of one of its events."""

    version = fields.Integer(required=True, metadata=described("The `seq` of that event.", 12))
    head = fields.String(required=True, metadata=described("Its hash.", EXAMPLE_HASH))


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
        fields.Nested(Event), required=True, metadata={"description": "Those after it: they lead to the signed head."}
    )
    proof = fields.Nested(Envelope, required=True, metadata={"description": "The head as it is signed now."})
