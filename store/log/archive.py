"""Archived logs: a file a game, outside of Redis, held against its chain before the stream goes.

A file is gzip over lines: first what it is (JSON: `driftlog`, `format`, `game`, `version`, `head`), then one for each
event, `<e><tab><h in hex>` with the two fields of its entry (`store.log.codec`). Its name holds the SHA-256 of its
bytes, and stands in the game's meta: a file that was changed is noticed when it is read. A name is used once: nobody
who deletes a file, however late, deletes one that has taken its place.

A file holds what is hidden at the table as well: in a folder, its owner alone can read it, and that is the owner of the
folder, also where root archives a game.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pwd
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
"""Of gzip."""
KEPT_BYTES = 64 << 20
"""Of archived logs that a process keeps at hand."""
_SUFFIX = ".log.gz"


class _Folders:
    """Local files, with the methods of an fsspec file system that the archive uses."""

    def invalidate_cache(self) -> None:
        """Local files are not cached."""

    def exists(self, path: str) -> bool:
        """Return True if the file or folder is there."""
        return Path(path).exists()

    def ls(self, path: str, *, detail: bool) -> list[str]:
        """Return the paths in a folder."""
        assert not detail
        return [str(found) for found in Path(path).iterdir()]

    def cat_file(self, path: str) -> bytes:
        """Return the content of a file."""
        return Path(path).read_bytes()

    def rm_file(self, path: str) -> None:
        """Delete a file."""
        Path(path).unlink()


class Archive:
    """The files of archived logs.

    Args:
        place: a folder, or an address that fsspec knows, such as `s3://bucket/driftlog`; empty: there is none, and
            nothing is archived.
    """

    def __init__(self, place: str = "") -> None:
        self.place = place
        self._logs: Cache[str, tuple[list[Entry], int]] = Cache(KEPT_BYTES, lambda log: log[1])

    @property
    def folder(self) -> Path | None:
        """The folder that it is; None where it is none on this machine.

        Raises:
            ArchiveUnavailable: its address is none that can be reached from here.
        """
        if not self.place:
            return None
        with self._reached("") as (files, root, _):
            return Path(root) if isinstance(files, _Folders) else None

    def check(self) -> None:
        """Hold that files can be read and written there, as far as that shows without writing one.

        Raises:
            ArchiveUnavailable: they cannot.
        """
        folder = self.folder
        if folder is None:
            if self.place:
                with self._reached("") as (files, root, _):
                    files.invalidate_cache()
                    files.exists(root)
            return
        with self._reached(str(folder)):
            existing = next(path for path in (folder, *folder.parents) if path.exists())
            if not existing.is_dir():
                raise NotADirectoryError(f"{existing} is no folder")
            if not os.access(existing, os.R_OK | os.W_OK | os.X_OK):
                raise PermissionError(f"{existing} cannot be written by {user(os.geteuid())}")

    def write(self, game_id: str, entries: Sequence[Entry]) -> str:
        """Keep a game's whole log in a file, and read it back.

        Returns:
            The file's name.

        Raises:
            Damaged: an event does not have the hash that it was sealed with: such a log is not archived.
            ArchiveUnavailable: the file cannot be written, or is not what was written.
        """
        effort.spend(len(entries))
        codec.decode_sound(entries, 1, GENESIS)
        document = _document(game_id, entries)
        name = f"{game_id}/{len(entries)}-{uuid4().hex[:16]}-{hashlib.sha256(document).hexdigest()}{_SUFFIX}"
        with self._reached(name) as (files, root, path):
            if isinstance(files, _Folders):
                _keep(Path(root), Path(path), document)
            else:
                files.pipe_file(path, document)
        if self._bytes(name) != document:
            raise ArchiveUnavailable(f"{name} is not what was written")
        return name

    def read(self, game_id: str, name: str) -> list[Entry]:
        """The entries of an archived log, as Redis would answer them.

        Raises:
            ArchiveUnavailable: the file cannot be read now.
            Damaged: it is not the file that was written.
        """
        found = self._logs.get(name)
        if found is None:
            entries = _entries(name, self._bytes(name))
            found = entries, sum(len(fields[1]) + len(fields[3]) for _, fields in entries)
            self._logs.put(name, found)
        return found[0]

    def holds(self, name: str) -> bool:
        """Whether there is such a file.

        Raises:
            ArchiveUnavailable: nobody can tell.
        """
        with self._reached(name) as (files, _, path):
            return bool(files.exists(path))

    def drop(self, name: str) -> None:
        """Delete a file; one that is not there is as good.

        Raises:
            ArchiveUnavailable: it cannot be deleted.
        """
        self._logs.drop(name)
        with self._reached(name) as (files, _, path), suppress(FileNotFoundError):
            files.rm_file(path)

    def names(self, game_id: str) -> list[str]:
        """The files that there are of a game, parts that were not finished too: one is named by its meta at the most.

        Raises:
            ArchiveUnavailable: they cannot be listed.
        """
        with self._reached(game_id) as (files, _, path):
            files.invalidate_cache()
            found = files.ls(path, detail=False) if files.exists(path) else []
        return [f"{game_id}/{file.rpartition('/')[2]}" for file in found]

    def _bytes(self, name: str) -> bytes:
        with self._reached(name) as (files, _, path):
            document: bytes = files.cat_file(path)
        return document

    @contextmanager
    def _reached(self, name: str) -> Iterator[tuple[Any, str, str]]:
        if not self.place:
            raise ArchiveUnavailable("no archive is set up (DRIFTLOG_ARCHIVE)")
        try:
            files, root = _located(self.place)
            yield files, root, f"{root.rstrip('/')}/{name}"
        except Exception as error:  # each kind of storage has errors of its own
            raise ArchiveUnavailable(f"{name or self.place}: {error or type(error).__name__}") from error


def _located(place: str) -> tuple[Any, str]:
    """Return the file system of an archive, and the path of its root there.

    Raises:
        ImportError: no package for such an address is installed.
    """
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
    # No moment in it: the same log makes the same file, however often it is archived.
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
    """Write a file that is whole and on disk, or not there."""
    owner = owner_of(root)
    new = [folder for folder in (root, *root.parents) if not folder.exists()]
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    for folder in (*new, path.parent):
        _hand_over(folder, owner)
    # Several may be at the same game.
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
    # A folder that is new has to be on disk as well.
    for folder in (path.parent, root, *(folder.parent for folder in new)):
        _sync(folder)


def user(number: int) -> str:
    """The name of a user of this machine."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def owner_of(place: Path) -> tuple[int, int]:
    """The user and the group of a folder, or of the one in which it would be made.

    Raises:
        OSError: nobody can tell.
    """
    status = next(folder for folder in (place, *place.parents) if folder.exists()).stat()
    return status.st_uid, status.st_gid


def _hand_over(file: Path | int, owner: tuple[int, int]) -> None:
    """Have a file belong to the owner of the archive, where root archives for the service: else that cannot read it.

    Raises:
        OSError: root may not (on a network's disk, for one).
    """
    if os.geteuid() == 0:
        os.chown(file, *owner)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
