"""Compare a log with the heads that a witness has seen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self
from urllib.parse import quote

import msgspec

from cli.remote import without_password
from cli.terminal import Failure, ServiceUnavailable, WrongUsage
from proofs import checkpoints
from proofs.checkpoints import WitnessedCheckpoint
from proofs.errors import BadKey, BadProof
from proofs.notes import VerifierKey


class _NotSeen(BadProof):
    """The witness has not seen the game, or has seen only heads that are newer than the log."""


class WitnessRefusal(msgspec.Struct, frozen=True):
    """An answer of the service that the witness refused."""

    reason: str
    at: str = ""
    version: int | None = None

    def __str__(self) -> str:
        return f"{self.reason}{'' if self.version is None else f' after event {self.version}'} at {self.at}"


class Statement(msgspec.Struct, frozen=True):
    """The answer of a witness about a game."""

    note: str
    key: str
    status: str = "consistent"
    refused: tuple[WitnessRefusal, ...] = ()

    @property
    def contradictions(self) -> str:
        """The refusals in words; empty if there are none."""
        if self.status != "contradicted" and not self.refused:
            return ""
        named = ", ".join(map(str, self.refused)) or "the last head"
        return f"the service has contradicted itself about this game, and the witness refused: {named}"


class Witness(msgspec.Struct, frozen=True):
    """A witness to ask: the address of a running witness, or a file with an answer that was saved earlier."""

    source: str
    """The address of the witness, or a file with its answer."""
    keys: tuple[VerifierKey, ...] | None = None
    """The trusted keys; None to trust the key that the witness names."""

    @classmethod
    def of(cls, source: str, keys: Sequence[str]) -> Self:
        """Return the witness at an address or in a file.

        Args:
            keys: public keys, or the names of files, each with a public key.
        """
        try:
            trusted = tuple(VerifierKey.of(_text(key)) for key in keys)
        except UnicodeDecodeError:
            raise WrongUsage("--witness-key: the file is not a witness key") from None
        except (BadKey, OSError, ValueError) as error:
            raise WrongUsage(f"--witness-key: {error}") from None
        if _is_address(source):
            without_password(source)
        return cls(source, trusted or None)

    def compare(self, game: str | None, hashes: Sequence[str]) -> str:
        """Return a sentence about a log that agrees with the witness.

        Args:
            game: the id of the game, if the log names it.
            hashes: the hashes of its events.

        Raises:
            ProofError: the log disagrees with the witness, the answer proves nothing, or the service has contradicted
                itself.
        """
        statement, seen = self._ask(game, None)
        version, trust = seen.checkpoint.version, self._trust(seen)
        also = f"; {statement.contradictions}" if statement.contradictions else ""
        if version > len(hashes):
            self._compare_beginning(seen, hashes, also)
            raise BadProof(
                f"the log ends after event {len(hashes)}, but {trust} saw {version} events at {_moment(seen)}: "
                f"later events were removed, or the file is older{also}"
            )
        _require_agreement(seen, hashes, trust, also)
        told = f"{trust} saw its first {version} events at {_moment(seen)}"
        if also:
            raise BadProof(f"{told}{also}")
        return f"{told}, and later its deletion" if statement.status == "deleted" else told

    def _compare_beginning(self, newest: WitnessedCheckpoint, hashes: Sequence[str], also: str) -> None:
        """If the witness saw an older head, check a log that is shorter than the newest head against the older one."""
        if _is_address(self.source):
            try:
                _, seen = self._ask(newest.checkpoint.game, len(hashes))
            except _NotSeen:
                return
            if seen.checkpoint.version <= len(hashes):
                _require_agreement(seen, hashes, self._trust(seen), also)

    def _ask(self, game: str | None, at: int | None) -> tuple[Statement, WitnessedCheckpoint]:
        data = self._fetch(game, at)
        try:
            statement = msgspec.json.decode(data, type=Statement)
        except msgspec.DecodeError:
            if self.keys is None:
                raise WrongUsage(
                    f"--witness {self.source}: the note does not contain the key of its witness: add --witness-key"
                ) from None
            statement = Statement(data.decode(errors="replace"), "")
        keys = self.keys or (VerifierKey.of(statement.key),)
        seen = checkpoints.check(statement.note.encode(), keys)
        if game not in (None, seen.checkpoint.game):
            raise BadProof(f"the log belongs to game {game}, but the statement is about game {seen.checkpoint.game}")
        return statement, seen

    def _fetch(self, game: str | None, at: int | None) -> bytes:
        from cli.client import Client, RequestRefused

        if not _is_address(self.source):
            try:
                return Path(self.source).read_bytes()
            except OSError as error:
                raise WrongUsage(f"{self.source} cannot be read: {error.strerror}") from None
        if game is None:
            raise WrongUsage(
                "the file does not name its game: add --proof, or save the statement of the witness as a file"
            )
        query = "" if at is None else f"?at={at}"
        try:
            return Client(self.source, sends_token=False).request("GET", f"/games/{quote(game)}{query}").body
        except RequestRefused as error:
            if error.status != 404:
                raise ServiceUnavailable(f"the witness at {self.source} does not answer: {error.message}") from None
            raise _NotSeen(f"the witness at {self.source} has not seen game {game}") from None
        except Failure as error:
            raise ServiceUnavailable(f"the witness at {self.source} does not answer: {error.message}") from None

    def _trust(self, seen: WitnessedCheckpoint) -> str:
        return f"witness {seen.by.name if self.keys else f'{seen.by} (a key that was not given with --witness-key)'}"


def _require_agreement(seen: WitnessedCheckpoint, hashes: Sequence[str], trust: str, also: str) -> None:
    version = seen.checkpoint.version
    if not seen.checkpoint.agrees(hashes):
        raise BadProof(f"the log was rewritten: {trust} saw different events 1 to {version} at {_moment(seen)}{also}")


def _is_address(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def _text(key: str) -> str:
    path = Path(key)
    return path.read_text(encoding="utf-8") if key and path.exists() else key


def _moment(seen: WitnessedCheckpoint) -> str:
    return datetime.fromtimestamp(seen.at, UTC).isoformat().replace("+00:00", "Z")
