"""The witness's folder: its key, and an append-only file of everything that it has seen."""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from cli.terminal import CannotWrite, InUse, WrongSetting, WrongUsage
from proofs import heads, notes
from proofs.checkpoints import Checkpoint
from proofs.dsse import Envelope
from proofs.errors import ProofError
from proofs.heads import Head
from proofs.keys import PrivateKey, PublicKey
from proofs.notes import Cosigner

Reason = Literal["rewritten", "rolled_back", "missing", "returned", "unknown_key"]
_OWNER_ALONE = 0o600
_ID = re.compile("[0-9a-z]{1,40}")


class Follows(msgspec.Struct, frozen=True, tag="follows", tag_field="kind"):
    """The first entry of the file, with the service that the witness follows."""

    service: str


class CosignedHead(msgspec.Struct, frozen=True, tag="seen", tag_field="kind"):
    """A cosigned head. Its record begins with the events of the previously cosigned head."""

    game: str
    version: int
    head: str
    at: int
    """Seconds since 1970."""
    note: str
    """The cosigned checkpoint."""


class RefusedHead(msgspec.Struct, frozen=True, tag="refused", tag_field="kind", omit_defaults=True):
    """A head that contradicts the last cosigned head."""

    game: str
    reason: Reason
    at: int
    version: int | None = None
    """The version of the refused head; None if the service says that the game does not exist."""
    head: str | None = None
    offered: Envelope | None = None
    """The refused head as the service signed it. It is evidence, as is `cosigned`."""
    cosigned: Envelope | None = None
    """The last cosigned head, in the service's envelope."""


class DeletedGame(msgspec.Struct, frozen=True, tag="deleted", tag_field="kind"):
    """A signed deletion that agrees with the last head."""

    game: str
    version: int
    head: str
    at: int
    proof: Envelope


class PublishedKeys(msgspec.Struct, frozen=True, tag="keys", tag_field="kind"):
    """Keys that the service published for the first time."""

    ids: tuple[str, ...]
    at: int


Entry = Follows | CosignedHead | RefusedHead | DeletedGame | PublishedKeys
_ENTRY = msgspec.json.Decoder(Entry)
_ENVELOPE = msgspec.json.Decoder(Envelope)


class Account(msgspec.Struct):
    """Everything that the witness has seen of one game, oldest first."""

    seen: list[CosignedHead] = []
    refused: list[RefusedHead] = []
    deleted: DeletedGame | None = None
    is_contradicted: bool = False
    """True if the newest entry is a refusal."""
    checked_at: int = 0
    """Time of the last answer that agreed with everything that the witness had seen."""

    def upto(self, version: int) -> CosignedHead | None:
        """Return the newest cosigned head with at most `version` events; None if there is no such head."""
        return next((one for one in reversed(self.seen) if one.version <= version), None)


class Book:
    """The folder of a witness.

    Only one process at a time can use the folder. The lock of the folder ends with the process.
    """

    def __init__(self, folder: Path, service: str, name: str | None = None) -> None:
        """Open the folder, or create it.

        Args:
            service: the address of the service that the witness follows.
            name: the witness's name (default: derived from its key). It cannot change after the folder is created.

        Raises:
            Failure: the folder belongs to another service or name, is in use, or cannot be read or written.
        """
        self.folder = folder
        self.service = service
        self.games: dict[str, Account] = {}
        self.service_keys: dict[str, int] = {}
        """Ids of the keys that the service has published, each with the time when the witness first saw it."""
        self._latest = 0
        try:
            (folder / "heads").mkdir(parents=True, exist_ok=True)
            _require_whole(folder)
            self.cosigner = _cosigner(folder / "witness.key", name)
            self._file = _open_locked(folder / "witness.ndjson")
            with ExitStack() as stack:
                stack.callback(self._file.close)
                self._read()
                stack.pop_all()
        except OSError as error:
            raise CannotWrite(f"the folder {folder}: {error.strerror or error}") from None

    def close(self) -> None:
        """Release the folder for other processes."""
        self._file.close()

    def judge(self, head: Head, envelope: Envelope) -> CosignedHead | RefusedHead | None:
        """Cosign a head that continues the last one, or record a refusal. Return the entry; None if nothing is new."""
        account = self.games.get(head.game)
        if account is not None and account.deleted is not None:
            return self.refuse(head.game, "returned", head.version, head.head, envelope)
        if account is None or continues(account.seen[-1], head):
            return self._cosign(head, envelope, account)
        reason: Reason = "rolled_back" if self._is_beginning(head, account) else "rewritten"
        return self.refuse(head.game, reason, head.version, head.head, envelope)

    def add_keys(self, keys: Iterable[PublicKey]) -> None:
        """Record the service's published keys that the witness had not seen yet."""
        new = tuple(key.id for key in keys if key.id not in self.service_keys)
        if new:
            self._append(PublishedKeys(new, self._now()))

    def refuse(
        self,
        game: str,
        reason: Reason,
        version: int | None = None,
        head: str | None = None,
        offered: Envelope | None = None,
    ) -> RefusedHead | None:
        """Record a contradiction, with both signed heads, and return it.

        Return None if the last entry is a refusal of the same kind.
        """
        account = self.games[game]
        if account.is_contradicted and account.refused[-1].reason == reason:
            return None
        refused = RefusedHead(game, reason, self._now(), version, head, offered, self._last_envelope(game))
        self._append(refused)
        return refused

    def delete(self, game: str, version: int, head: str, proof: Envelope) -> DeletedGame | RefusedHead | None:
        """Record the signed deletion of a game, or a refusal if it contradicts the last cosigned head."""
        account = self.games[game]
        last = account.deleted or account.seen[-1]
        if version < last.version:
            return self.refuse(game, "rolled_back", version, head, proof)
        is_same = (version, head) == (last.version, last.head)
        if not is_same and (version == last.version or account.deleted is not None):
            return self.refuse(game, "rewritten", version, head, proof)
        if account.deleted is not None and not account.is_contradicted:
            account.checked_at = self._now()
            return None
        deleted = DeletedGame(game, version, head, self._now(), proof)
        self._append(deleted)
        return deleted

    def last_head(self, game: str) -> Head | None:
        """Return the last cosigned head, with all its hashes; None if its file is missing or damaged."""
        envelope = self._last_envelope(game)
        with suppress(ProofError):
            return None if envelope is None else heads.check(envelope).head
        return None

    def _cosign(self, head: Head, envelope: Envelope, account: Account | None) -> CosignedHead | None:
        if account is not None and not account.is_contradicted and account.seen[-1].version == head.version:
            account.checked_at = self._now()
            return None
        at = self._now()
        note = notes.cosign(Checkpoint.of(head.game, head.hashes).text, self.cosigner, at)
        seen = CosignedHead(head.game, head.version, head.head, at, note)
        self._append(seen)
        _replace(self._place(head.game), msgspec.json.encode(envelope))
        return seen

    def _is_beginning(self, head: Head, account: Account) -> bool:
        """Return True if the record of the last cosigned head begins the record of `head`.

        Compare the hashes that are still stored.
        """
        last = account.seen[-1]
        kept = self.last_head(head.game)
        if kept is not None and kept.head == last.head:
            return kept.hashes[: head.version] == head.hashes
        older = account.upto(head.version)
        return head.version < last.version and (older is None or continues(older, head))

    def _last_envelope(self, game: str) -> Envelope | None:
        try:
            return _ENVELOPE.decode(self._place(game).read_bytes())
        except (FileNotFoundError, ValueError):
            # A damaged file must not hide a contradiction. Without the file, compare the notes.
            return None

    def _place(self, game: str) -> Path:
        return self.folder / "heads" / f"{game}.json"

    def _now(self) -> int:
        """Return the current time in seconds, but never a time before the last entry, even if the clock was reset."""
        return max(int(time.time()), self._latest)

    def _read(self) -> None:
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file, 1):
            # The machine stopped in the middle of writing a line. The witness never served this line.
            if line.endswith(b"\n"):
                whole += len(line)
                try:
                    self._take(_ENTRY.decode(line))
                except ValueError as error:
                    raise WrongSetting(f"{self.folder / 'witness.ndjson'}, line {number} is damaged: {error}") from None
        self._file.truncate(whole)
        if whole == 0:
            self._append(Follows(self.service))

    def _append(self, entry: Entry) -> None:
        """Write an entry to disk first. Then add it to the accounts that are served."""
        self._file.seek(0, os.SEEK_END)
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._take(entry)

    def _take(self, entry: Entry) -> None:
        if isinstance(entry, Follows):
            if entry.service != self.service:
                message = (
                    f"the folder {self.folder} belongs to the witness of {entry.service}: choose another with --data"
                )
                raise WrongUsage(message)
            return
        self._latest = max(self._latest, entry.at)
        if isinstance(entry, PublishedKeys):
            self.service_keys |= dict.fromkeys(entry.ids, entry.at)
            return
        if not isinstance(entry, CosignedHead) and entry.game not in self.games:
            raise ValueError("there is no earlier cosigned head of this game")
        account = self.games.setdefault(entry.game, Account())
        account.is_contradicted = isinstance(entry, RefusedHead)
        if not isinstance(entry, RefusedHead):
            account.checked_at = entry.at
        match entry:
            case CosignedHead():
                account.seen.append(entry)
            case RefusedHead():
                # Keep the evidence only on disk.
                account.refused.append(msgspec.structs.replace(entry, offered=None, cosigned=None))
            case DeletedGame():
                account.deleted = entry


def continues(seen: CosignedHead, head: Head) -> bool:
    """Return True if the record of `head` begins with the record of `seen`.

    Check all hashes of `head`, because a signed head can contain hashes that do not follow from each other.
    """
    begun = Checkpoint.of(seen.game, head.hashes[: seen.version])
    return head.version >= seen.version and seen.note.startswith(f"{begun.text}\n")


def is_id(game: str) -> bool:
    """Return True if `game` can be a game's id, and the name of a file."""
    return _ID.fullmatch(game) is not None


def _require_whole(folder: Path) -> None:
    """Check that no file of the folder is missing. Without all files, the witness could cosign contradicting heads."""
    key, log = folder / "witness.key", folder / "witness.ndjson"
    has_log = log.exists() and log.stat().st_size > 0
    if has_log and not key.exists():
        raise WrongSetting(f"{key} is missing: restore it, or start a witness with a new folder and a new name")
    if not has_log and any((folder / "heads").iterdir()):
        raise WrongSetting(
            f"{log} is missing or empty: restore it, or start a witness with a new folder and a new name"
        )


def _cosigner(path: Path, name: str | None) -> Cosigner:
    """Return the key in a file of the form `PRIVATE+KEY+<name>+<hex>`. If there is no file, create a key."""
    if not path.exists():
        key = PrivateKey.new()
        cosigner = Cosigner(name or f"driftlog-witness/{key.public.raw[:4].hex()}", key)
        if not notes.is_name(cosigner.name):
            raise WrongUsage(f"--name {name}: a name must not contain spaces or plus signs")
        _replace(path, f"PRIVATE+KEY+{cosigner.name}+{key.secret().hex()}\n".encode())
        return cosigner
    try:
        parts = path.read_text(encoding="utf-8").strip().split("+")
        cosigner = Cosigner(parts[2], PrivateKey(bytes.fromhex(parts[3])))
    except (IndexError, ValueError):
        raise WrongSetting(f"{path} is not the key of a witness") from None
    if not notes.is_name(cosigner.name):
        raise WrongSetting(f"{path} is not the key of a witness: {cosigner.name!r} is not a valid name")
    if name not in (None, cosigner.name):
        raise WrongUsage(f"--name {name}: the witness in this folder is called {cosigner.name}")
    return cosigner


def _open_locked(path: Path) -> BinaryIO:
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ALONE), "r+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InUse(
            f"a different witness uses the folder {path.parent}: choose a different folder with --data"
        ) from None
    return file


def _replace(path: Path, data: bytes) -> None:
    part = path.with_suffix(".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ALONE), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
