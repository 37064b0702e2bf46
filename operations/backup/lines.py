"""The file format of a backup: gzipped lines of JSON that end with a signed seal, as described in docs/backups.md.

The reader does not trust a file. Every line must be of one of the types below, and have at most `LONGEST` bytes. So
reading takes little memory, even if the file unpacks to much data. Verify the seal before you use anything in the file.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Collection, Iterator
from typing import Annotated, BinaryIO, Literal

import msgspec

from operations.backup.families import GAME_ID
from proofs import dsse
from proofs.dsse import Envelope
from proofs.errors import ProofError
from proofs.keys import PrivateKey, PublicKey
from store.errors import StoreError
from store.log.codec import HASH_BYTES, Entry

FORMAT = 1
PAYLOAD_TYPE = "application/vnd.driftlog.backup+json"
LONGEST = 64 << 20
"""Maximum bytes of a line."""
LEVEL = 6
"""Compression level of gzip."""
_MAGIC = b"\x1f\x8b"
_CHUNK = 1 << 20

Kind = Literal["hash", "list", "set", "zset", "string"]
Count = Annotated[int, msgspec.Meta(ge=0)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class NotABackup(StoreError):
    """The file is not a backup, is incomplete, or was changed."""


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"):
    """The base of all lines that are objects."""


class BackupHeader(_Line, frozen=True, kw_only=True, tag="backup"):
    """The first line."""

    driftlog: str
    """The version of Driftlog that wrote the backup."""
    format: int
    made_at: str


class _OfGame(_Line, frozen=True, kw_only=True):
    """The base of lines about a game."""

    id: Annotated[str, msgspec.Meta(pattern=f"^{GAME_ID.pattern}$")]
    version: Annotated[int, msgspec.Meta(ge=1)]
    head: Digest


class GameLine(_OfGame, frozen=True, kw_only=True, tag="game"):
    """The start of a game. Then come lines with events 1 to `version` of the game, and lines with its other keys."""

    seed: str | None = None
    more: dict[str, bytes] = {}
    """The other fields of the game's meta; base64."""


class DeletedLine(_OfGame, frozen=True, kw_only=True, tag="deleted"):
    """The tombstone of a deleted game. The file has no other lines of this game."""

    at: str
    by: str | None = None


OF_LOG = ("v", "head", "seed", "archived", "suspect")
"""Fields of a meta that `more` omits.

The field about the archive is in no line, because the backup contains the log itself.
"""
OF_TOMBSTONE = ("gone_v", "gone_head", "gone_at", "gone_by", "gone_files")
"""Fields of a deleted game's meta."""


class Key(_Line, frozen=True, kw_only=True, tag="key"):
    """A key, with as much of its value as fits in a line. The following lines with the same name continue the value."""

    name: str
    type: Kind
    values: list[bytes]
    """The values in base64. A hash has each field before its value, a sorted set each member before its score."""
    expires_at: int | None = None
    """Expiry in ms since 1970; None if the key does not expire."""


class Seal(_Line, frozen=True, kw_only=True, tag="seal"):
    """The last line."""

    envelope: Envelope
    """The envelope, whose payload is a `SealedContent`."""


class SealedContent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signed content of a seal: a digest over the whole backup, which includes the heads of all games."""

    format: Literal["driftlog-backup"] = "driftlog-backup"
    format_version: Literal[1] = 1
    made_at: str
    games: Count
    events: Count
    sha256: Digest
    """SHA-256 of all lines before the seal, unpacked."""


class Contents(msgspec.Struct, frozen=True):
    """Facts about a whole file. They are known only after the whole file is read."""

    sealed: SealedContent
    key: PublicKey
    """The public key that verifies the seal."""
    size: int
    """Bytes of all lines, unpacked. Redis needs slightly less."""


class EventPage(msgspec.Struct, frozen=True):
    """Consecutive events, as stored in Redis. They belong to the game of the last `GameLine`."""

    entries: list[Entry]


Item = BackupHeader | GameLine | EventPage | DeletedLine | Key | Contents

_HASHES = f"^([0-9a-f]{{{2 * HASH_BYTES}}}){{1,2}}$"
"""Matches the hash of an event in hex, followed by the hash of the state after the event, if there is one."""

Line = BackupHeader | GameLine | DeletedLine | Key | Seal

_LINES: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_EVENT = msgspec.json.Decoder(tuple[msgspec.Raw, Annotated[str, msgspec.Meta(pattern=_HASHES)]])
_SEALED = msgspec.json.Decoder(SealedContent)
_PAGE = 1000
_PAGE_BYTES = 4 << 20
_ENCODE = msgspec.json.Encoder().encode


class Writer:
    """Writes a backup line by line."""

    def __init__(self, file: BinaryIO, header: BackupHeader) -> None:
        self._packed = gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=LEVEL, mtime=0)
        self._digest = hashlib.sha256()
        self._made_at = header.made_at
        self._games = self._events = 0
        self._put(_ENCODE(header) + b"\n")

    def game(self, game: GameLine, events: BinaryIO) -> None:
        """Write a game.

        Args:
            events: the lines of its events, made by `event_line`.
        """
        self._games += 1
        self._events += game.version
        self._put(_ENCODE(game) + b"\n")
        while chunk := events.read(_CHUNK):
            self._put(chunk)

    def write_deleted(self, game: DeletedLine) -> None:
        """Write the tombstone of a deleted game."""
        self._put(_ENCODE(game) + b"\n")

    def key(self, key: Key) -> None:
        """Write a key, in as many lines as needed.

        Raises:
            ValueError: a value is too long for a line.
        """
        step = 2 if key.type in ("hash", "zset") else 1
        first, size = 0, 0
        for at in range(0, len(key.values), step):
            length = sum(map(len, key.values[at : at + step]))
            if first < at and size + length > _CHUNK:
                self._key(key, key.values[first:at])
                first, size = at, 0
            size += length
        self._key(key, key.values[first:])

    def seal(self, key: PrivateKey) -> SealedContent:
        """Write the seal, and finish the file."""
        sealed = SealedContent(
            made_at=self._made_at, games=self._games, events=self._events, sha256=self._digest.hexdigest()
        )
        self._put(_ENCODE(Seal(envelope=dsse.sign(PAYLOAD_TYPE, _ENCODE(sealed), key))) + b"\n")
        self._packed.close()
        return sealed

    def _key(self, key: Key, values: list[bytes]) -> None:
        line = _ENCODE(msgspec.structs.replace(key, values=values)) + b"\n"
        if len(line) > LONGEST:
            raise ValueError(f"{key.name} has a value of more than {LONGEST >> 20} MiB")
        self._put(line)

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._packed.write(data)


def event_line(entry: Entry) -> bytes:
    """Return the line of an event: an array of the entry's fields `e` (as JSON) and `h` (in hex)."""
    _, (_, event, _, hash_) = entry
    return b'[%b,"%b"]\n' % (event, hash_.hex().encode())


def read(file: BinaryIO, trusted: Collection[PublicKey] | None = None) -> Iterator[Item]:
    """Yield the items of a backup in order. The last item is `Contents`.

    Do not trust the other items before you have received the last one. This function does not check the hash chains
    (see `operations.backup.chain`).

    Args:
        trusted: the trusted keys, one of which must have signed the seal; None: any key.

    Raises:
        NotABackup: the file is not a backup, is truncated, or was changed; the message gives the reason.
        OSError: the file cannot be read.
    """
    if file.read(len(_MAGIC)) != _MAGIC:
        raise NotABackup("it is not a backup of Driftlog")
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
            yield from _LineReader(unpacked, trusted).items()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        cut = isinstance(error, EOFError)
        raise NotABackup("it is incomplete: its end is missing" if cut else f"it is damaged: {error}") from None


class _LineReader:
    def __init__(self, unpacked: gzip.GzipFile, trusted: Collection[PublicKey] | None) -> None:
        self._unpacked = unpacked
        self._trusted = trusted
        self._digest = hashlib.sha256()
        self._number = 0
        self._games = self._events = 0

    def items(self) -> Iterator[Item]:
        """Yield the items, like `read`."""
        header = self._first()
        yield header
        while True:
            line = self._line()
            found = self._parse(line)
            if isinstance(found, Seal):
                yield self._finish(header, found)
                return
            self._digest.update(line)
            if isinstance(found, BackupHeader):
                raise self._wrong("it contains a second header")
            yield found
            if isinstance(found, GameLine):
                self._games += 1
                self._events += found.version
                yield from self._pages(found)

    def _first(self) -> BackupHeader:
        line = self._line()
        try:
            told = msgspec.json.decode(line, type=dict[str, object])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            told = {}
        if told.get("is") != "backup":
            raise NotABackup("it is not a backup of Driftlog")
        if told.get("format") != FORMAT:
            raise NotABackup(
                f"its format is {told.get('format')!r}, but this version of Driftlog reads only {FORMAT}: "
                f"use Driftlog {told.get('driftlog')!r}, which made it"
            )
        self._digest.update(line)
        header = self._parse(line)
        assert isinstance(header, BackupHeader)
        return header

    def _pages(self, game: GameLine) -> Iterator[EventPage]:
        page: list[Entry] = []
        size = 0
        for seq in range(1, game.version + 1):
            line = self._line()
            self._digest.update(line)
            try:
                event, hash_ = _EVENT.decode(line)
                page.append((b"%d-0" % seq, [b"e", bytes(event), b"h", bytes.fromhex(hash_)]))
            except (ValueError, RecursionError) as error:
                raise self._wrong(f"event {seq} of game {game.id} cannot be read: {error}") from None
            size += len(line)
            if len(page) == _PAGE or size > _PAGE_BYTES or seq == game.version:
                yield EventPage(page)
                page, size = [], 0

    def _line(self) -> bytes:
        line: bytes = self._unpacked.readline(LONGEST + 1)
        self._number += 1
        if len(line) > LONGEST:
            raise NotABackup(f"it is not a backup of Driftlog: line {self._number} is longer than {LONGEST >> 20} MiB")
        if not line.endswith(b"\n"):
            raise NotABackup(
                "it is incomplete: its last line, the seal, is missing"
                if self._number > 1
                else "it is not a backup of Driftlog"
            )
        return line

    def _parse(self, line: bytes) -> Line:
        try:
            found = _LINES.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._wrong(str(error)) from None
        # Reject other forms, such as an object with a duplicate name: another reader might use the other value.
        if _ENCODE(found) + b"\n" != line:
            raise self._wrong("it is not canonical JSON, or has a duplicate member")
        return found

    def _wrong(self, why: str) -> NotABackup:
        return NotABackup(f"line {self._number} is not a line of a backup: {why}")

    def _finish(self, header: BackupHeader, seal: Seal) -> Contents:
        try:
            payload, key = dsse.unseal(seal.envelope, PAYLOAD_TYPE, self._trusted)
            sealed = _SEALED.decode(payload)
        except ProofError as error:
            raise NotABackup(f"its seal is not valid: {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NotABackup(f"its seal cannot be read: {error}") from None
        counted = SealedContent(
            made_at=header.made_at, games=self._games, events=self._events, sha256=self._digest.hexdigest()
        )
        if sealed != counted:
            raise NotABackup("it was changed after it was sealed")
        if self._unpacked.read(1):
            raise NotABackup("it has data after its seal")
        return Contents(sealed, key, self._unpacked.tell())


def size_of(item: Item) -> int:
    """Return the approximate number of bytes that an item needs in Redis."""
    match item:
        case EventPage():
            return sum(len(fields[1]) + len(fields[3]) for _, fields in item.entries)
        case Key():
            return sum(map(len, item.values))
        case _:
            return 0
