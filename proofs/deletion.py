"""Signed tombstones: that a record is gone because it was deleted, and what its head was.

Whoever kept a signed head, or a log, can still tell that it was this record: the service does not deny what it signed.
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
    """The record of `game` was deleted; it ended with event `version`."""

    format: Literal["driftlog-deletion"] = "driftlog-deletion"
    format_version: Literal[1] = 1
    game: str
    version: Annotated[int, msgspec.Meta(ge=1)]
    """The `seq` of the last event that it had."""
    head: Hash
    """The hash of that event."""
    deleted_at: str
    """RFC 3339 in UTC."""
    signed_at: str
    """RFC 3339 in UTC."""


class Signed(msgspec.Struct, frozen=True):
    """A deletion whose signature has been checked."""

    deletion: Deletion
    key: PublicKey
    """Which signed it."""


class _Problem(msgspec.Struct):
    proof: Envelope


_DELETION = msgspec.json.Decoder(Deletion)
_PROBLEM = msgspec.json.Decoder(_Problem)


def sign(deletion: Deletion, key: PrivateKey) -> Envelope:
    """`deletion` in an envelope that `key` has signed."""
    return dsse.sign(PAYLOAD_TYPE, canonical(deletion), key)


def find(data: bytes) -> Envelope | None:
    """The envelope of a deletion in `data`: the problem document that the service answers, or the envelope alone; None
    where it is neither.
    """
    try:
        envelope = _PROBLEM.decode(data).proof
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            envelope = dsse.read(data)
        except BadProof:
            return None
    return envelope if envelope.payload_type == PAYLOAD_TYPE else None


def check(envelope: Envelope, trusted: Collection[PublicKey] | None = None, older: Head | None = None) -> Signed:
    """The deletion in an envelope, once its signature has been checked.

    Args:
        trusted: as in `proofs.dsse.unsealed`.
        older: a head that the checker kept: it has to be one of the record that was deleted, as far as that can be
            told.

    Raises:
        ProofError: it is not signed so, what was signed is no deletion, or it is one of another record.
    """
    payload, key = dsse.unsealed(envelope, PAYLOAD_TYPE, trusted)
    try:
        deletion = _DELETION.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadProof(f"what is signed does not say that a record was deleted: {error}") from None
    if older is not None:
        check_beginning(older.game, older.version, older.head, deletion)
    return Signed(deletion, key)


def check_beginning(game: str | None, version: int, head: str, deletion: Deletion) -> None:
    """Refuse a record that cannot be the one that was deleted, or a beginning of it.

    Args:
        game, version, head: of the record: its id where it tells one, the `seq` of its last event and its hash.

    Raises:
        BadProof: why.
    """
    if game not in (None, deletion.game):
        raise BadProof(f"it is of game {game}, and the one that was deleted is {deletion.game}")
    if version > deletion.version:
        raise BadProof(f"event {deletion.version + 1} was added: the record ended before it when it was deleted")
    if version == deletion.version and head != deletion.head:
        raise BadProof(f"event {version} is not the one that the record had when it was deleted")
