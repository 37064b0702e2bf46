"""Signed heads. A signed head is a service's permanent statement about the record of a game.

The head is the hash of the last event, which covers all events before it. The statement also includes the hashes of all
events. With these hashes you can find the first event that differs in a forged log, even if all later hashes were
recomputed (`proofs.comparison`). You can also check if the record of an older head is a beginning of this record.
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
    """Events with the same origin."""

    from_: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="from")
    """The `seq` of the first event."""
    to: Annotated[int, msgspec.Meta(ge=1)]
    """The `seq` of the last event."""
    kind: Kind
    """The origin.

    `recorded`: this service recorded the events, at the times stated in them. `imported`: the events come from a file.
    `adjusted`: the events changed the table by hand.
    """
    head: Hash | None = None
    """For imported events: the hash of the last event in the file."""
    key: str | None = None
    """The id of the key that signed the imported file; None if it was not signed."""


OPENER = "opener"
UNKNOWN = "unknown"


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of `game` after event `version`, as stored at `signed_at`.

    Version 1 of the format has no `provenance`, no `by_hand` and no `seed_known_to`.
    """

    format: Literal["driftlog-head"] = "driftlog-head"
    format_version: Literal[1, 2] = 2
    game: str
    version: Annotated[int, msgspec.Meta(ge=1)]
    """The `seq` of the last event."""
    head: Hash
    """The hash of the last event."""
    signed_at: str
    """Time of the signature, RFC 3339 in UTC."""
    ruleset: str
    ruleset_version: str
    hashes: tuple[Hash, ...]
    """The hashes of events 1 to `version`, in order."""
    provenance: tuple[Range, ...] = ()
    """The origins of events 1 to `version`, in order."""
    by_hand: bool = False
    """True if adjustments decided the outcome of the game."""
    seed_known_to: str | None = None
    """Name of the person who chose the seed, and so could know every draw; `OPENER` if the record has no name.

    `UNKNOWN` if the events were imported. None if the service chose the seed, or the game has no seed.
    """


class SignedHead(msgspec.Struct, frozen=True):
    """A head with a verified signature."""

    head: Head
    key: PublicKey
    """The key that signed the head."""


_HEAD = msgspec.json.Decoder(Head)


def sign(head: Head, key: PrivateKey) -> Envelope:
    """Return an envelope with `head`, signed by `key`."""
    return dsse.sign(PAYLOAD_TYPE, canonical(head), key)


def check(envelope: Envelope, trusted: Collection[PublicKey] | None = None) -> SignedHead:
    """Verify the signature of a head, and return it.

    Args:
        trusted: as in `proofs.dsse.unseal`.

    Raises:
        ProofError: the signature is wrong, or the payload is not a head.
    """
    payload, key = dsse.unseal(envelope, PAYLOAD_TYPE, trusted)
    try:
        head = _HEAD.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadProof(f"the signed content is not the head of a record: {error}") from None
    if head.version != len(head.hashes) or head.head != head.hashes[-1]:
        raise BadProof("the signed head contradicts itself: its version or head does not match its hashes")
    return SignedHead(head, key)
