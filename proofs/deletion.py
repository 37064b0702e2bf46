"""Signed tombstones: the service confirms that it has deleted a record, and states the head of the record.

Anyone who kept a log or a signed head can still prove that this belongs to the deleted record.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec

from engine.core.canonical import canonical
from proofs import dsse
from proofs.dsse import Envelope
from proofs.errors import BadProof
from proofs.heads import Hash, Head
from proofs.keys import PrivateKey, PublicKey

PAYLOAD_TYPE = "application/vnd.driftlog.deletion+json"


class Deletion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of `game` was deleted. Its last event was `version`."""

    format: Literal["driftlog-deletion"] = "driftlog-deletion"
    format_version: Literal[1] = 1
    game: str
    version: Annotated[int, msgspec.Meta(ge=1)]
    """The `seq` of the last event of the record."""
    head: Hash
    """The hash of the last event of the record."""
    deleted_at: str
    """Time of the deletion, RFC 3339 in UTC."""
    signed_at: str
    """Time of the signature, RFC 3339 in UTC."""


class SignedDeletion(msgspec.Struct, frozen=True):
    """A deletion with a verified signature."""

    deletion: Deletion
    key: PublicKey
    """The key that signed the deletion."""


class _Problem(msgspec.Struct):
    proof: Envelope


_DELETION = msgspec.json.Decoder(Deletion)
_PROBLEM = msgspec.json.Decoder(_Problem)


def sign(deletion: Deletion, key: PrivateKey) -> Envelope:
    """Return an envelope with `deletion`, signed by `key`."""
    return dsse.sign(PAYLOAD_TYPE, canonical(deletion), key)


def find(data: bytes) -> Envelope | None:
    """Return the envelope in `data`: an envelope, or a problem document that contains one; None for other data."""
    try:
        envelope = _PROBLEM.decode(data).proof
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            envelope = dsse.read(data)
        except BadProof:
            return None
    return envelope if envelope.payload_type == PAYLOAD_TYPE else None


def check(
    envelope: Envelope, trusted: Collection[PublicKey] | None = None, older: Head | None = None
) -> SignedDeletion:
    """Verify the signature of a deletion, and return it.

    Args:
        trusted: as in `proofs.dsse.unseal`.
        older: a head that the verifier kept. It must belong to the deleted record, as far as that can be verified.

    Raises:
        ProofError: the signature is wrong, the payload is not a deletion, or the deletion is of another record.
    """
    payload, key = dsse.unseal(envelope, PAYLOAD_TYPE, trusted)
    try:
        deletion = _DELETION.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadProof(f"the signed content is not the deletion of a record: {error}") from None
    if older is not None:
        check_beginning(older.game, older.version, older.head, deletion)
    return SignedDeletion(deletion, key)


def check_beginning(game: str | None, version: int, head: str, deletion: Deletion) -> None:
    """Check that a record can be the deleted record, or a beginning of it.

    Args:
        game, version, head: the record's id, if known; the `seq` of the record's last event; the hash of that event.

    Raises:
        BadProof: the record cannot be the deleted one or its beginning; the message gives the reason.
    """
    if game not in (None, deletion.game):
        raise BadProof(f"it belongs to game {game}, but the deleted game is {deletion.game}")
    if version > deletion.version:
        raise BadProof(f"event {deletion.version + 1} was added: the record ended before it when it was deleted")
    if version == deletion.version and head != deletion.head:
        raise BadProof(f"event {version} differs from the record that was deleted")
