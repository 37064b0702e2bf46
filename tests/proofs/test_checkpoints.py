"""Checkpoints of games, and their Merkle tree."""

from __future__ import annotations

import hashlib

import pytest

from proofs import checkpoints, notes
from proofs.checkpoints import Checkpoint
from proofs.errors import BadProof, UnknownKey
from proofs.notes import Cosigner
from tests.proofs.signing import GAME, KEY, OTHER

LEAVES = [
    bytes.fromhex(one)
    for one in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""Roots of the first 0 to 8 leaves, as the reference implementation of Certificate Transparency tests them."""
HASHES = [hashlib.sha256(bytes([number])).hexdigest() for number in range(20)]
WITNESS = Cosigner("witness.example/w1", KEY)


@pytest.mark.parametrize("size", range(9))
def test_the_root_is_that_of_certificate_transparency(size: int) -> None:
    assert checkpoints.root(LEAVES[:size]).hex() == ROOTS[size]


def test_a_checkpoint_has_three_lines() -> None:
    origin, size, root = Checkpoint.of(GAME, HASHES).text.splitlines()
    assert (origin, size, len(root)) == (f"driftlog/game/{GAME}", "20", 44)


@pytest.mark.parametrize("version", [1, 2, 7, 8, 19, 20])
def test_a_record_that_went_on_agrees(version: int) -> None:
    assert Checkpoint.of(GAME, HASHES[:version]).agrees(HASHES)


@pytest.mark.parametrize(
    "hashes",
    [HASHES[:19], HASHES[::-1], [*HASHES[:9], HASHES[0], *HASHES[10:]], [*HASHES[:9], *HASHES[10:]], []],
)
def test_a_record_that_was_rewritten_does_not(hashes: list[str]) -> None:
    assert not Checkpoint.of(GAME, HASHES).agrees(hashes)


def test_a_cosigned_checkpoint_is_read() -> None:
    checkpoint = Checkpoint.of(GAME, HASHES)
    note = notes.cosign(checkpoint.text, WITNESS, 1679315147).encode()
    found = checkpoints.check(note, [WITNESS.public])

    assert (found.checkpoint, found.by, found.at) == (checkpoint, WITNESS.public, 1679315147)
    with pytest.raises(UnknownKey):
        checkpoints.check(note, [Cosigner(WITNESS.name, OTHER).public])


@pytest.mark.parametrize(
    ("old", "new"),
    [("driftlog/game/", "another/log/"), ("\n20\n", "\n020\n"), ("\n20\n", "\n0\n"), ("=\n", "\n"), ("=\n", "=")],
)
def test_another_text_is_no_checkpoint(old: str, new: str) -> None:
    text = Checkpoint.of(GAME, HASHES).text.replace(old, new)
    with pytest.raises(BadProof):
        checkpoints.check(notes.cosign(text, WITNESS, 1).encode(), [WITNESS.public])


def test_further_lines_of_a_checkpoint_say_nothing() -> None:
    checkpoint = Checkpoint.of(GAME, HASHES)
    note = notes.cosign(checkpoint.text + "more\n", WITNESS, 1)
    assert checkpoints.check(note.encode(), [WITNESS.public]).checkpoint == checkpoint
