"""Consistency: proof that the record up to an older head is the beginning of the current record, and was not rewritten.

The proof contains the events after the older head. A verifier who kept the older head computes the hash chain from that
head to the head signed now, and so need not trust the service.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

import msgspec

from engine.core.errors import UnknownRuleset
from engine.core.events import Event
from engine.play.registry import ruleset
from engine.play.visibility import withheld_events
from proofs import heads
from proofs.comparison import first_difference
from proofs.dsse import Envelope
from proofs.errors import BadProof
from proofs.heads import Hash, Head, SignedHead
from proofs.keys import PublicKey


class RecordPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point in a record: the event `version`, with the hash `head`."""

    version: Annotated[int, msgspec.Meta(ge=1)]
    head: Hash


class Consistency(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A proof that the record of `game` at `from_` is a beginning of the record that `proof` signs."""

    format: Literal["driftlog-consistency"] = "driftlog-consistency"
    format_version: Literal[1] = 1
    game: str
    from_: RecordPoint
    events: Sequence[Event]
    """The events after `from_`, in order; hidden parts are masked."""
    proof: Envelope


class _AnyFormat(msgspec.Struct):
    format: str


FORMAT = "driftlog-consistency"
_CONSISTENCY = msgspec.json.Decoder(Consistency)
_ANY_FORMAT = msgspec.json.Decoder(_AnyFormat)


def is_one(data: bytes) -> bool:
    """Return True if `data` looks like a consistency proof."""
    try:
        return _ANY_FORMAT.decode(data).format == FORMAT
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def read(data: bytes) -> Consistency:
    """Parse a consistency proof from JSON.

    Raises:
        BadProof: the data is not a consistency proof.
    """
    try:
        return _CONSISTENCY.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadProof(f"not a consistency proof: {error}") from None


def check(proof: Consistency, trusted: Collection[PublicKey] | None = None, older: Head | None = None) -> SignedHead:
    """Verify that the record of the older head is a beginning of the record signed now; return the head signed now.

    Args:
        trusted: as in `proofs.dsse.unseal`.
        older: the verifier's own copy of the older head; by default `proof.from_`.

    Raises:
        ProofError: the older record is not a beginning of the current record, or the proof cannot be verified.
    """
    signed = heads.check(proof.proof, trusted)
    begun, now = proof.from_, signed.head
    if now.game != proof.game:
        raise BadProof(f"the signed head belongs to game {now.game}, but the proof belongs to game {proof.game}")
    if older is not None:
        check_beginning(older, now)
        if (older.version, older.head) != (begun.version, begun.head):
            raise BadProof(f"it begins after event {begun.version}, but the older head ends with event {older.version}")
    if begun.version > now.version:
        raise BadProof(f"the record had {begun.version} events, but the signed record has only {now.version}")
    if now.hashes[begun.version - 1] != begun.head:
        raise BadProof(f"event {begun.version} of the signed record is different")
    hidden = masked_events(now.ruleset, now.ruleset_version, proof.events)
    difference = first_difference(now.hashes, proof.events, hidden, after=begun.version)
    if difference is not None:
        raise BadProof(f"the events do not lead from the older head to the signed one: {difference}")
    return signed


def check_beginning(older: Head, newer: Head) -> None:
    """Check that the record of the older signed head is a beginning of the record of the newer one.

    Raises:
        BadProof: it is not a beginning; the error has the first event that differs.
    """
    if older.game != newer.game:
        raise BadProof(f"the older head belongs to game {older.game}, but the newer belongs to game {newer.game}")
    if older.version > newer.version:
        raise BadProof(f"event {newer.version + 1} was removed: the older head has {older.version} events")
    for seq, (before, after) in enumerate(zip(older.hashes, newer.hashes, strict=False), 1):
        if before != after:
            raise BadProof(f"event {seq} differs from the event that was signed before: the record was rewritten")


def masked_events(ruleset_id: str, version: str, events: Sequence[Event]) -> set[int]:
    """Return the events (by `seq`) that may have masked secrets; none if the ruleset is not installed here."""
    try:
        return withheld_events(ruleset(ruleset_id, version), events)
    except UnknownRuleset:
        return set()
