"""Proofs for third parties: signing keys, signed heads, consistency."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_HASH, EXAMPLE_KEY, EXAMPLE_TIME, Envelope
from schemas.events import Event
from schemas.members import optional, required
from schemas.named import EVENT_SOURCE, KEY_STATUS

_HASH = validate.Regexp(r"^[0-9a-f]{64}$(?!\n)", error="Must be 64 lower-case hexadecimal digits.")


class SigningKey(Schema):
    """A public signing key, as a JSON Web Key (RFC 7517, RFC 8037)."""

    kty = required.text("The key type (RFC 8037).", "OKP", validate=validate.Equal("OKP"))
    crv = required.text("The curve of the key.", "Ed25519", validate=validate.Equal("Ed25519"))
    x = required.text("The public key: base64url of 32 bytes.", EXAMPLE_KEY)
    kid = required.text("The id of the key, by which proofs refer to it. It equals `x`.", EXAMPLE_KEY)
    use = required.text("The use of the key: signatures.", "sig", validate=validate.Equal("sig"))
    alg = required.text("The signature algorithm.", "EdDSA", validate=validate.Equal("EdDSA"))
    created_at = required.text("The time from which the service has signed with this key.", EXAMPLE_TIME)
    retired_at = required.text(
        "The time at which another key replaced this one; null for the active key.", EXAMPLE_TIME, allow_none=True
    )
    status = required.choice(KEY_STATUS, "The status of the key.", "active")
    pem = required.text("The key as a PEM file.", "-----BEGIN PUBLIC KEY-----")


class KeySet(Schema):
    """All current and earlier signing keys, as a JWK set."""

    keys = required.each(SigningKey, "The keys, oldest first. The last one is the active key.")


class Range(Schema):
    """A range of events with the same origin."""

    from_ = required.integer("The `seq` of the first event.", 1, data_key="from")
    to = required.integer("The `seq` of the last event.", 41)
    kind = required.choice(EVENT_SOURCE, "The origin of the events.", "recorded")
    head = optional.text("For imported events: the hash of the last event in the file.", EXAMPLE_HASH)
    key = optional.text(
        "The id of the key that signed the imported file; absent if the file was not signed.", EXAMPLE_KEY
    )


class Head(Schema):
    """The signed document about a game as of one of its events: the decoded `payload` of a proof."""

    format = required.text("The name of the format.", "driftlog-head", validate=validate.Equal("driftlog-head"))
    format_version = required.integer("The version of the format.", 2)
    game = required.text("The game's id.", EXAMPLE_GAME)
    version = required.integer("The `seq` of the last event.", 42)
    head = required.text("The hash of the last event.", EXAMPLE_HASH)
    signed_at = required.text("The time of signing.", EXAMPLE_TIME)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    ruleset_version = required.text("The version of the game's rules.", "1")
    hashes = required.texts("The hash of every event, in order from event 1.", [EXAMPLE_HASH])
    provenance = optional.each(Range, "The origin of the events, in order; from version 2 of this format on.")
    by_hand = fields.Boolean(
        metadata={
            "description": "True if adjustments by hand decided the outcome; from version 2 of this format on.",
            "example": False,
        }
    )
    seed_known_to = optional.text(
        "The name of the user who chose the seed and could know every draw; `unknown` if the events "
        "were imported; null if nobody chose it. From version 2 of this format on.",
        "Ann",
        allow_none=True,
    )


class Deletion(Schema):
    """The signed document about a deleted game: the decoded `payload` of `proof` in the problem `gone`."""

    format = required.text("The name of the format.", "driftlog-deletion", validate=validate.Equal("driftlog-deletion"))
    format_version = required.integer("The version of the format.", 1)
    game = required.text("The game's id.", EXAMPLE_GAME)
    version = required.integer("The `seq` of the last event before the deletion.", 42)
    head = required.text("The hash of the last event.", EXAMPLE_HASH)
    deleted_at = required.text("The time of the deletion.", EXAMPLE_TIME)
    signed_at = required.text("The time of signing.", EXAMPLE_TIME)


class ProofQuery(Schema):
    """The event to prove."""

    at = optional.seq("The `seq` of the last event to include in the head (default: the last event).", 42)


class ConsistencyQuery(Schema):
    """The older head to compare with."""

    from_ = required.seq("The version of the older head.", 12, data_key="from")
    head = required.text("The hash of the older head.", EXAMPLE_HASH, validate=_HASH)


class OlderHead(Schema):
    """The version and the head of a record as of one of its events."""

    version = required.integer("The `seq` of the event.", 12)
    head = required.text("The hash of the event.", EXAMPLE_HASH)


class Consistency(Schema):
    """A proof that the current record still begins with the events of an older head."""

    format = required.text(
        "The name of the format.", "driftlog-consistency", validate=validate.Equal("driftlog-consistency")
    )
    format_version = required.integer("The version of the format.", 1)
    game = required.text("The game's id.", EXAMPLE_GAME)
    from_ = required.nested_field(OlderHead, "The older head.", data_key="from")
    events = required.each(Event, "The events after the older head, up to the signed head.")
    proof = required.nested_field(Envelope, "The current head, signed now.")
