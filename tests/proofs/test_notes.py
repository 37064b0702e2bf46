"""Notes and cosignatures, compared with those of other implementations."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from proofs import notes
from proofs.errors import BadKey, BadProof, BadSignature, UnknownKey
from proofs.keys import PublicKey
from proofs.notes import Cosigner, VerifierKey
from tests.proofs.signing import KEY, OTHER

NOTE = (Path(__file__).parent / "cosigned.note").read_text(encoding="utf-8")
"""A checkpoint of a certificate transparency log with the cosignatures of its witnesses."""
TEXT, _, SIGNATURES = NOTE.partition("\n\n")
TEXT += "\n"
LOG = SIGNATURES.splitlines()[0]
"""The signature of the log itself, whose type cosignatures do not have."""
VKEYS = [
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
]
MINE = Cosigner("witness.example/w1", KEY)


@pytest.mark.parametrize("vkey", VKEYS)
def test_a_cosignature_of_another_implementation(vkey: str) -> None:
    key = VerifierKey.of(vkey)
    assert str(key) == vkey

    assert notes.check(NOTE.encode(), [key]) == notes.CosignedNote(TEXT, key, 1779573024)


@pytest.mark.parametrize(("old", "new"), [("1432088532", "1432088533"), ("qEiEg", "qEiEh"), ("PlfF3V", "PlfF3W")])
def test_what_another_has_cosigned_and_somebody_changed(old: str, new: str) -> None:
    with pytest.raises(BadSignature):
        notes.check(NOTE.replace(old, new).encode(), [VerifierKey.of(VKEYS[0])])


def test_one_bad_signature_of_a_trusted_key_spoils_the_note() -> None:
    spoiled = NOTE.replace("— witness.stagemole.eu Z/euoAAAAABqEiEgw0", "— witness.stagemole.eu Z/euoAAAAABqEiEgw1")
    with pytest.raises(BadSignature):
        notes.check(spoiled.encode(), [VerifierKey.of(vkey) for vkey in VKEYS])


def test_a_note_is_cosigned_and_checked() -> None:
    note = notes.cosign("example.com/log\n1\nabc\n", MINE, 1679315147)
    assert note.startswith("example.com/log\n1\nabc\n\n— witness.example/w1 ")

    found = notes.check(note.encode(), [MINE.public])
    assert (found.text, found.by, found.at) == ("example.com/log\n1\nabc\n", MINE.public, 1679315147)


def test_signatures_of_unknown_keys_are_ignored() -> None:
    note = notes.cosign(TEXT, MINE, 1) + f"{LOG}\n{LOG}\n"
    assert notes.check(note.encode(), [MINE.public]).at == 1

    same_key_other_name = VerifierKey("witness.example/w2", KEY.public)
    same_name_other_key = VerifierKey(MINE.name, OTHER.public)
    with pytest.raises(UnknownKey):
        notes.check(note.encode(), [same_key_other_name, same_name_other_key])


def test_a_time_beyond_63_bits_is_no_time() -> None:
    with pytest.raises(BadSignature):
        notes.check(notes.cosign(TEXT, MINE, 1 << 63).encode(), [MINE.public])


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"text\n",
        TEXT.encode(),
        b"text\n\n",
        b"text\n\n\n",
        f"{TEXT}\n{LOG}".encode(),
        f"{TEXT}\n{LOG}\nmore\n".encode(),
        f"{TEXT}\n{LOG.replace('—', '-')}\n".encode(),
        f"{TEXT}\n— a b c AAAAAAAA\n".encode(),
        f"{TEXT}\n— a+b AAAAAAAA\n".encode(),
        f"{TEXT}\n—  AAAAAAAA\n".encode(),
        f"{TEXT}\n— name AAAA\n".encode(),
        f"{TEXT}\n— name !!!!\n".encode(),
        f"tab\there\n\n{LOG}\n".encode(),
        f"{TEXT}\n{LOG}\n".encode("utf-16"),
        TEXT.encode() * 2000 + f"\n{LOG}\n".encode(),
    ],
)
def test_what_is_no_note(note: bytes) -> None:
    with pytest.raises(BadProof):
        notes.check(note, [MINE.public])


def _vkey(name: str, raw: bytes, id_: str | None = None) -> str:
    return f"{name}+{id_ or VerifierKey(name, PublicKey(raw[1:])).id.hex()}+{b64encode(raw).decode()}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "witness",
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",  # of another type
        _vkey("", b"\x04" + bytes(32)),
        _vkey("with space", b"\x04" + bytes(32)),
        _vkey("short", b"\x04" + bytes(31)),
        _vkey("name", b"\x04" + bytes(32), "00000000"),
        f"{VKEYS[0]}!",
    ],
)
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(BadKey):
        VerifierKey.of(text)


def test_the_base64_of_a_key_may_contain_a_plus_sign() -> None:
    key = VerifierKey("w", PublicKey(b"\xfb" * 32))
    assert str(key).count("+") > 2
    assert VerifierKey.of(f" {key}\n") == key
