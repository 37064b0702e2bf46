"""Checkpoints: a few lines about the version of a record, which a witness cosigns.

A checkpoint has the format of transparency logs (https://c2sp.org/tlog-checkpoint). The leaves of the log are the
hashes of the events. A checkpoint contains only the number of events and the Merkle root (RFC 6962, 2.1), so it reveals
nothing else about the game.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Collection, Sequence
from typing import Self

import msgspec

from proofs import notes
from proofs.errors import BadProof
from proofs.notes import CosignedNote, VerifierKey

ORIGIN = "driftlog/game/"
"""The beginning of the first line; the game's id follows. The line names the log, but no server."""
_TEXT = re.compile(rf"{ORIGIN}([^\s+]+)\n([1-9][0-9]{{0,17}})\n([A-Za-z0-9+/]{{43}}=)\n([^\n]+\n)*")


class Checkpoint(msgspec.Struct, frozen=True):
    """The record of `game` after event `version`."""

    game: str
    version: int
    root: bytes

    @classmethod
    def of(cls, game: str, hashes: Sequence[str]) -> Self:
        """Return the checkpoint of a record.

        Args:
            hashes: the hashes of its events, from event 1 on.
        """
        return cls(game, len(hashes), root([bytes.fromhex(one) for one in hashes]))

    @property
    def text(self) -> str:
        """The lines to sign."""
        return f"{ORIGIN}{self.game}\n{self.version}\n{b64encode(self.root).decode()}\n"

    def agrees(self, hashes: Sequence[str]) -> bool:
        """Return True if the record in the checkpoint is the beginning of the record with these hashes of events."""
        return len(hashes) >= self.version and Checkpoint.of(self.game, hashes[: self.version]) == self


class WitnessedCheckpoint(msgspec.Struct, frozen=True):
    """A checkpoint with a verified cosignature."""

    checkpoint: Checkpoint
    by: VerifierKey
    at: int
    """The time of the cosignature, in seconds since 1970."""


def check(note: bytes, trusted: Collection[VerifierKey]) -> WitnessedCheckpoint:
    """Verify the cosignature of a trusted key in a note, and return the checkpoint.

    Raises:
        ProofError: as in `proofs.notes.check`; or the note is not the checkpoint of a game.
    """
    cosigned: CosignedNote = notes.check(note, trusted)
    found = _TEXT.fullmatch(cosigned.text)
    if found is None:
        raise BadProof("the note is not the checkpoint of a game")
    checkpoint = Checkpoint(found[1], int(found[2]), b64decode(found[3]))
    return WitnessedCheckpoint(checkpoint, cosigned.by, cosigned.at)


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the Merkle tree hash of `leaves` (RFC 6962, 2.1), 32 bytes."""
    level = [hashlib.sha256(b"\x00" + leaf).digest() for leaf in leaves]
    # A node without a sibling moves up unchanged, which gives the tree of RFC 6962 (split at a power of two).
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        single = level[-1:] if len(level) % 2 else []
        level = [hashlib.sha256(b"\x01" + left + right).digest() for left, right in pairs] + single
    return level[0] if level else hashlib.sha256().digest()
