"""Keys in every common form."""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from proofs.errors import BadKey
from proofs.keys import PrivateKey, PublicKey, read_keys
from tests.proofs.signing import KEY, OTHER

# RFC 8037, appendix A.1 and A.4.
D = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
MESSAGE = b"eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
SIGNATURE = bytes.fromhex(
    "860c98d2297f3060a33f42739672d61b53cf3adefed3d3c672f320dc021b411e"
    "9d59b8628dc351e248b88b29468e0e41855b0fb7d83bb15be902bfccb8cd0a02"
)


def test_the_example_of_the_rfc() -> None:
    key = PrivateKey(bytes.fromhex(D))

    assert key.public.id == X
    assert key.sign(MESSAGE) == SIGNATURE
    assert PublicKey.of(X).has_signed(SIGNATURE, MESSAGE)
    assert not PublicKey.of(X).has_signed(SIGNATURE, MESSAGE + b"!")
    assert not PublicKey.of(X).has_signed(b"", MESSAGE)
    assert not OTHER.public.has_signed(SIGNATURE, MESSAGE)


def test_a_private_key_shows_itself_nowhere() -> None:
    secret = KEY.secret().hex()

    assert secret not in f"{KEY!r} {KEY}"
    assert KEY.public.id in repr(KEY)
    assert PrivateKey.new().secret() != PrivateKey.new().secret()


@pytest.mark.parametrize("id_", ["", "short", X[:-1], X + "A", X[:-1] + "p", X.replace("_", "/"), X + "=", "é" * 43])
def test_what_is_no_id_of_a_key(id_: str) -> None:
    with pytest.raises(BadKey, match="is not a key"):
        PublicKey.of(id_)


def test_every_form_is_read() -> None:
    both = [KEY.public, OTHER.public]
    strange = {"kty": "EC", "crv": "P-256", "x": "…", "y": "…"}
    key_set = {"keys": [strange, "nonsense", *(key.jwk() | {"status": "retired"} for key in both)]}

    assert read_keys(KEY.public.pem().encode()) == [KEY.public]
    assert read_keys("".join(key.pem() for key in both).encode()) == both
    assert read_keys(json.dumps(KEY.public.jwk()).encode()) == [KEY.public]
    assert read_keys(json.dumps(KEY.public.jwk() | {"pem": OTHER.public.pem()}).encode()) == [KEY.public]
    assert read_keys(json.dumps({"kty": "OKP", "crv": "Ed25519", "x": X}).encode()) == [PublicKey.of(X)]
    assert read_keys(json.dumps(key_set).encode()) == both


EC = ec.generate_private_key(ec.SECP256R1()).public_key()
PRIVATE_PEM = Ed25519PrivateKey.generate().private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
EC_PEM = EC.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
JWK = {"kty": "OKP", "crv": "Ed25519", "x": X}


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not a PEM file, a JWK"),
        (b"hello", "not a PEM file"),
        (b"\xff\xfe", "not a PEM file"),
        (b"[]", "not a JWK of an Ed25519 key"),
        (b"{}", "not a JWK of an Ed25519 key"),
        (json.dumps(JWK | {"crv": "X25519"}).encode(), "not a JWK of an Ed25519 key"),
        (json.dumps(JWK | {"x": "short"}).encode(), "is not a key"),
        (json.dumps(JWK | {"d": "secret"}).encode(), "this is a private key"),
        (b'{"keys": []}', "no Ed25519 key in this set"),
        (PRIVATE_PEM, "this is a private key"),
        (b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "not the PEM of a public key"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "not the PEM of a public key"),
        (EC_PEM, "must be an Ed25519 key"),
    ],
)
def test_what_is_no_key(data: bytes, complaint: str) -> None:
    with pytest.raises(BadKey, match=complaint):
        read_keys(data)
