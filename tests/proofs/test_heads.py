"""Signed heads."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from proofs import dsse, heads
from proofs.errors import BadProof
from proofs.heads import PAYLOAD_TYPE, SignedHead
from tests.playouts import playout
from tests.proofs.signing import KEY, head, sign_head

EVENTS = playout(limit=9)


def test_a_head_comes_back() -> None:
    assert heads.check(sign_head(EVENTS), [KEY.public]) == SignedHead(head(EVENTS), KEY.public)


def test_what_is_signed_says_what_it_is() -> None:
    payload, _ = dsse.unseal(sign_head(EVENTS), PAYLOAD_TYPE, None)
    document = msgspec.json.decode(payload)

    assert (document["format"], document["format_version"]) == ("driftlog-head", 2)
    assert (document["version"], document["head"]) == (9, EVENTS[-1].hash)
    assert document["hashes"] == [event.hash for event in EVENTS]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": "something-else"}, "not the head of a record"),
        ({"format_version": 3}, "not the head of a record"),
        ({"version": 8}, "contradicts itself"),
        ({"head": EVENTS[0].hash}, "contradicts itself"),
        ({"head": "not a hash"}, "not the head of a record"),
        ({"hashes": [], "version": 0}, "not the head of a record"),
        ({"more": True}, "not the head of a record"),
    ],
)
def test_a_signature_does_not_make_a_head(changes: dict[str, Any], complaint: str) -> None:
    document = msgspec.to_builtins(head(EVENTS)) | changes
    envelope = dsse.sign(PAYLOAD_TYPE, msgspec.json.encode(document), KEY)
    with pytest.raises(BadProof, match=complaint):
        heads.check(envelope)


@pytest.mark.parametrize("payload", [b"", b"\xff", b"[]"])
def test_what_is_signed_may_be_anything(payload: bytes) -> None:
    with pytest.raises(BadProof, match="not the head of a record"):
        heads.check(dsse.sign(PAYLOAD_TYPE, payload, KEY))
