"""Signed heads: what a service says of a game's record, once and for all.

The head is the hash of the last event, and stands for all events before it. The hashes of all the others stand beside
it, whole: whoever has them can say which event of a forged log is the first that is not the signed one, though every
event after it was chained anew (`proofs.comparison`), and whether an older head is a beginning of this one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec

from engine.core.canonical import canonical
from proofs import dsse
from proofs.dsse import Envelope
from proofs.errors import BadProof
from proofs.keys import PrivateKey, PublicKey

PAYLOAD_TYPE = "application/vnd.driftlog.head+json"

Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


Kind = Literal["recorded", "imported", "adjusted"]


class Range(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Events that came into the record in one way."""

    from_: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="from")
    """The `seq` of the first."""
    to: Annotated[int, msgspec.Meta(ge=1)]
    """The `seq` of the last."""
    kind: Kind
    """`recorded`: by this service, at the times that they carry. `imported`: from a file. `adjusted`: they changed the
    table by hand."""
    head: Hash | None = None
    """Of events that came from a file: the hash of the last event in it."""
    key: str | None = None
    """The id of the key that had signed that file; None if it was not signed."""


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of `game` after its event `version`, as the service had it at `signed_at`.

    Version 1 of the format has no `provenance` and no `by_hand`.
    """

    format: Literal["driftlog-head"] = "driftlog-head"
    format_version: Literal[1, 2] = 2
    game: str
    version: Annotated[int, msgspec.Meta(ge=1)]
    """The `seq` of the last event."""
    head: Hash
    """Its hash."""
    signed_at: str
    """RFC 3339 in UTC."""
    ruleset: str
    ruleset_version: str
    hashes: tuple[Hash, ...]
    """Those of events 1 to `version`, in order."""
    provenance: tuple[Range, ...] = ()
    """Where each of these events comes from, in order."""
    by_hand: bool = False
    """Whether adjustments decided how the game ended."""


class Signed(msgspec.Struct, frozen=True):
    """A head whose signature has been checked."""

    head: Head
    key: PublicKey
    """Which signed it."""


_HEAD = msgspec.json.Decoder(Head)


def sign(head: Head, key: PrivateKey) -> Envelope:
    """`head` in an envelope that `key` has signed."""
    return dsse.sign(PAYLOAD_TYPE, canonical(head), key)


def check(envelope: Envelope, trusted: Collection[PublicKey] | None = None) -> Signed:
    """The head in an envelope, once its signature has been checked.

    Args:
        trusted: as in `proofs.dsse.unsealed`.

    Raises:
        ProofError: it is not signed so, or what was signed is no head.
    """
    payload, key = dsse.unsealed(envelope, PAYLOAD_TYPE, trusted)
    try:
        head = _HEAD.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadProof(f"what is signed is not the head of a record: {error}") from None
    if head.version != len(head.hashes) or head.head != head.hashes[-1]:
        raise BadProof("what is signed contradicts itself: its head is not the last of its hashes")
    return Signed(head, key)
