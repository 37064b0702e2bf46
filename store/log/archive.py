"""Archived logs: one file per game outside Redis, checked against its hash chain before the stream is deleted.

A file is gzipped lines. The first is a header (JSON: `driftlog`, `format`, `game`, `version`, `head`). Each other line
is an event, `<e><tab><h in hex>`, with the two fields of its entry (`store.log.codec`). The file's name contains the
SHA-256 of its bytes and is stored in the game's meta, so a reader notices a changed file. Each name is used only once,
so a delayed deletion cannot delete a newer file.

Files contain information that is hidden at the table. So in a local archive only the owner of the folder can read them,
even if root wrote them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pwd
import re
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import uuid4

from engine.core import effort
from engine.core.events import GENESIS
from store.cache import Cache
from store.errors import ArchiveUnavailable, Damaged
from store.log import codec
from store.log.codec import Entry

FORMAT = 1
LEVEL = 6
"""Compression level of gzip."""
KEPT_BYTES = 64 << 20
"""Maximum bytes of archived logs that a process caches."""
_SUFFIX = ".log.gz"


class _Folders:
    """Local files, with those methods of an fsspec file system that the archive uses."""

    def invalidate_cache(self) -> None:
        """Do nothing, because local files are not cached."""

    def exists(self, path: str) -> bool:
        return Path(path).exists()

    def ls(self, path: str, *, detail: bool) -> list[str]:
        assert not detail
        return [str(found) for found in Path(path).iterdir()]

    def cat_file(self, path: str) -> bytes:
        return Path(path).read_bytes()

    def rm_file(self, path: str) -> None:
        Path(path).unlink()


class Archive:
    """The files of archived logs. Each method raises `ArchiveUnavailable` if it cannot read or write them.

    Args:
        place: a folder, or an address that fsspec supports, such as `s3://bucket/driftlog`; empty: nothing is archived.
    """

    def __init__(self, place: str = "") -> None:
        self.place = place
        self._logs: Cache[str, tuple[list[Entry], int]] = Cache(KEPT_BYTES, lambda log: log[1])

    @property
    def folder(self) -> Path | None:
        """The local folder; None if the archive is not on this machine."""
        if not self.place:
            return None
        with self._open("") as (files, root, _):
            return Path(root) if isinstance(files, _Folders) else None

    def check(self) -> None:
        """Check that files can probably be read and written, without writing one."""
        folder = self.folder
        if folder is None:
            if self.place:
                with self._open("") as (files, root, _):
                    files.invalidate_cache()
                    files.exists(root)
            return
        with self._open(str(folder)):
            existing = next(path for path in (folder, *folder.parents) if path.exists())
            if not existing.is_dir():
                raise NotADirectoryError(f"{existing} is not a folder")
            if not os.access(existing, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(f"{existing} cannot be written by {user(os.geteuid())}")

    def write(self, game_id: str, entries: Sequence[Entry]) -> str:
        """Write a game's complete log to a file, read it back, and return the file's name.

        Raises:
            Damaged: an event does not match its hash, so the log was not archived.
        """
        effort.spend(len(entries))
        codec.decode_sound(entries, 1, GENESIS)
        document = _document(game_id, entries)
        name = f"{game_id}/{len(entries)}-{uuid4().hex[:16]}-{hashlib.sha256(document).hexdigest()}{_SUFFIX}"
        with self._open(name) as (files, root, path):
            if isinstance(files, _Folders):
                _keep(Path(root), Path(path), document)
            else:
                files.pipe_file(path, document)
        if self._bytes(name) != document:
            raise ArchiveUnavailable(f"{name} does not contain the data that was written to it")
        return name

    def read(self, game_id: str, name: str) -> list[Entry]:
        """Return the entries of an archived log, in the form in which Redis returns them.

        Raises:
            Damaged: the file was changed after it was written, or the name is impossible.
        """
        if not is_name(game_id, name):
            raise Damaged(None, "the stored name of its archived file is impossible")
        found = self._logs.get(name)
        if found is None:
            entries = _entries(name, self._bytes(name))
            found = entries, sum(len(fields[1]) + len(fields[3]) for _, fields in entries)
            self._logs.put(name, found)
        return found[0]

    def holds(self, name: str) -> bool:
        """Return True if the archive has a file with this name."""
        with self._open(name) as (files, _, path):
            return bool(files.exists(path))

    def has_folder_of(self, game_id: str) -> bool:
        """Return True if the archive has, or once had, a file of the game."""
        with self._open(game_id) as (files, _, path):
            return bool(files.exists(path))

    def drop(self, name: str) -> None:
        """Delete a file, if it exists."""
        self._logs.drop(name)
        with self._open(name) as (files, _, path), suppress(FileNotFoundError):
            files.rm_file(path)

    def names(self, game_id: str) -> list[str]:
        """Return the names of all files of a game, including unfinished and unused files."""
        with self._open(game_id) as (files, _, path):
            files.invalidate_cache()
            found = files.ls(path, detail=False) if files.exists(path) else []
        return [f"{game_id}/{file.rpartition('/')[2]}" for file in found]

    def _bytes(self, name: str) -> bytes:
        with self._open(name) as (files, _, path):
            document: bytes = files.cat_file(path)
        return document

    @contextmanager
    def _open(self, name: str) -> Iterator[tuple[Any, str, str]]:
        if not self.place:
            raise ArchiveUnavailable("no archive is configured: set DRIFTLOG_ARCHIVE")
        try:
            files, root = _locate(self.place)
            yield files, root, f"{root.rstrip('/')}/{name}"
        except Exception as error:  # Each kind of storage has its own errors.
            raise ArchiveUnavailable(f"{name or self.place}: {error or type(error).__name__}") from error


def is_name(game_id: str, name: str) -> bool:
    """Return True if a file with the log of this game can have this name."""
    return re.fullmatch(f"{re.escape(game_id)}/[0-9a-f-]+{re.escape(_SUFFIX)}", name) is not None


def _locate(place: str) -> tuple[Any, str]:
    local = place.removeprefix("file://")
    if "://" not in local:
        return _Folders(), str(Path(local).expanduser().absolute())
    try:
        import fsspec
    except ModuleNotFoundError:
        raise ModuleNotFoundError("install driftlog[s3] to archive on another machine") from None
    found: tuple[Any, str] = fsspec.core.url_to_fs(place)
    return found


def _document(game_id: str, entries: Sequence[Entry]) -> bytes:
    about = {
        "driftlog": "archived log",
        "format": FORMAT,
        "game": game_id,
        "version": len(entries),
        "head": codec.hash_of(entries[-1]),
    }
    lines = (fields[1] + b"\t" + fields[3].hex().encode() for _, fields in entries)
    # Omit the timestamp, so that equal logs give equal files.
    return gzip.compress(b"\n".join(chain([json.dumps(about).encode()], lines)), LEVEL, mtime=0)


def _entries(name: str, document: bytes) -> list[Entry]:
    if hashlib.sha256(document).hexdigest() not in name:
        raise Damaged(None, f"the archived file {name} was changed")
    try:
        lines = gzip.decompress(document).split(b"\n")[1:]
        fields = [line.partition(b"\t") for line in lines]
        return [(b"%d-0" % seq, [b"e", e, b"h", bytes.fromhex(h.decode())]) for seq, (e, _, h) in enumerate(fields, 1)]
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise Damaged(None, f"the archived file {name} cannot be read: {error}") from error


def _keep(root: Path, path: Path, document: bytes) -> None:
    """Write a file atomically and sync it to disk."""
    owner = owner_of(root)
    new = [folder for folder in (root, *root.parents) if not folder.exists()]
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    for folder in (*new, path.parent):
        _hand_over(folder, owner)
    # Use a unique name, because several processes may archive the same game.
    descriptor, begun = tempfile.mkstemp(".part", path.name, path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(document)
            file.flush()
            _hand_over(file.fileno(), owner)
            os.fsync(file.fileno())
        Path(begun).replace(path)
    except OSError:
        Path(begun).unlink(missing_ok=True)
        raise
    # Sync the new folders, too.
    for folder in (path.parent, root, *(folder.parent for folder in new)):
        _sync(folder)


def user(number: int) -> str:
    """Return the name of a user of this machine."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def owner_of(place: Path) -> tuple[int, int]:
    """Return the user and group of a folder. If the folder does not exist yet, return those of its future parent."""
    status = next(folder for folder in (place, *place.parents) if folder.exists()).stat()
    return status.st_uid, status.st_gid


def _hand_over(file: Path | int, owner: tuple[int, int]) -> None:
    """Give a file to the owner of the archive. Otherwise the service could not read files that root has archived."""
    if os.geteuid() == 0:
        os.chown(file, *owner)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
