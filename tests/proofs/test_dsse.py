"""Envelopes: opening one returns exactly the signed bytes, or fails."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs import dsse
from proofs.dsse import Envelope, Signature
from proofs.errors import BadProof, BadSignature, ProofError, UnknownKey
from tests.proofs.signing import KEY, OTHER

TYPE = "http://example.com/HelloWorld"
ENVELOPE = dsse.sign(TYPE, b"hello world", KEY)


def with_signatures(*signatures: Signature) -> Envelope:
    return msgspec.structs.replace(ENVELOPE, signatures=signatures)


def test_what_is_signed_is_as_the_specification_says() -> None:
    assert dsse.pae(TYPE, b"hello world") == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert dsse.pae("é", b"") == "DSSEv1 2 é 0 ".encode()


def test_it_is_laid_out_as_the_specification_says() -> None:
    document = msgspec.to_builtins(ENVELOPE)

    assert set(document) == {"payload", "payloadType", "signatures"}
    assert (document["payload"], document["payloadType"]) == ("aGVsbG8gd29ybGQ=", TYPE)
    (signature,) = document["signatures"]
    assert signature["keyid"] == KEY.public.id
    assert KEY.public.has_signed(b64decode(signature["sig"]), dsse.pae(TYPE, b"hello world"))


@given(st.binary(), st.text())
def test_what_was_signed_comes_out(payload: bytes, kind: str) -> None:
    envelope = dsse.read(msgspec.json.encode(dsse.sign(kind, payload, KEY)))

    assert dsse.unseal(envelope, kind, [OTHER.public, KEY.public]) == (payload, KEY.public)
    assert dsse.unseal(envelope, kind, None) == (payload, KEY.public)


@given(st.data())
def test_one_byte_changed_is_found(data: st.DataObject) -> None:
    text = msgspec.json.encode(ENVELOPE)
    at = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != text[at]))
    forged = text[:at] + bytes([byte]) + text[at + 1 :]
    try:
        found = dsse.unseal(dsse.read(forged), TYPE, [KEY.public])
    except ProofError:
        return
    # White space, and the unused bits of base64, do not matter.
    assert found == (b"hello world", KEY.public)


def test_base64_of_either_alphabet_is_taken() -> None:
    envelope = dsse.sign(TYPE, b"\xfb\xff\xfe", KEY)
    urlsafe = msgspec.structs.replace(
        envelope,
        payload=urlsafe_b64encode(b"\xfb\xff\xfe").decode(),
        signatures=(Signature(envelope.signatures[0].sig.replace("+", "-").replace("/", "_"), KEY.public.id),),
    )

    assert dsse.unseal(urlsafe, TYPE, [KEY.public])[0] == b"\xfb\xff\xfe"


def test_one_good_signature_of_several_is_enough() -> None:
    (good,) = ENVELOPE.signatures
    bad = Signature("AAAA", OTHER.public.id)

    assert dsse.unseal(with_signatures(bad, good), TYPE, [KEY.public, OTHER.public])[1] == KEY.public
    assert dsse.unseal(with_signatures(bad, good), TYPE, None)[1] == KEY.public
    assert dsse.unseal(with_signatures(Signature(good.sig)), TYPE, [OTHER.public, KEY.public])[1] == KEY.public


@pytest.mark.parametrize(
    ("envelope", "trusted", "error", "complaint"),
    [
        (ENVELOPE, [OTHER.public], UnknownKey, f"signed by {KEY.public.id}, which is not one of the given keys"),
        (ENVELOPE, [], UnknownKey, "not one of the given keys"),
        (with_signatures(), None, UnknownKey, "signed by nobody"),
        (with_signatures(Signature("AAAA", "a key of yours")), None, UnknownKey, "signed by a key of yours"),
        (with_signatures(Signature("AAAA", KEY.public.id)), None, BadSignature, KEY.public.id),
        (with_signatures(Signature("AAAA", KEY.public.id)), [KEY.public], BadSignature, "changed or forged"),
        (with_signatures(Signature("A", KEY.public.id)), [KEY.public], BadProof, "invalid base64"),
        (msgspec.structs.replace(ENVELOPE, payload="é"), None, BadProof, "invalid base64"),
        (msgspec.structs.replace(ENVELOPE, payload="aGVsbG8="), None, BadSignature, "changed or forged"),
        (msgspec.structs.replace(ENVELOPE, payload_type="text/plain"), None, BadProof, "it contains 'text/plain', not"),
    ],
)
def test_what_is_not_signed_so(
    envelope: Envelope, trusted: list[object] | None, error: type[ProofError], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        dsse.unseal(envelope, TYPE, trusted)  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"payload": 1}', b"[" * 100_000])
def test_what_is_no_envelope(data: bytes) -> None:
    with pytest.raises(BadProof, match="not a DSSE envelope"):
        dsse.read(data)


def test_members_that_the_format_may_grow_are_passed_over() -> None:
    document = msgspec.to_builtins(ENVELOPE) | {"extra": 1}

    assert dsse.read(msgspec.json.encode(document)) == ENVELOPE
