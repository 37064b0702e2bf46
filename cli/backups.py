"""Backups as files: written atomically, private, and rotated."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from api.plumbing.settings import Settings
from cli.servers import open_empty_store
from cli.terminal import Bar, CannotWrite, InUse, Negative, WrongUsage
from cli.verifying import Evidence
from operations.backup import lines, restoring, writing
from operations.backup.lines import Contents, NotABackup
from operations.backup.restoring import BackupTooLarge, NotEmpty
from operations.backup.writing import BackupResult
from store import Store
from store.redis.connection import connect
from store.redis.embedded import running_url
from store.redis.scratch import try_lock

OWNER_ALONE = 0o600
_NAMES = "driftlog-*.backup"


def save(store: Store, target: Path, made_by: str, progressed: Callable[[int, int], None]) -> tuple[Path, BackupResult]:
    """Write a backup, and return its file and contents. If `target` is a folder, name the file after the current time.

    Raises:
        Failure: the file cannot be written, or its name is taken by a file that is not a backup.
    """
    is_folder = target.is_dir()
    path = target / f"driftlog-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup" if is_folder else target
    _refuse_other(path)
    try:
        with _atomic_file(path) as file:
            made = writing.write(store, file, made_by=made_by, progressed=progressed)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}") from None
    return path, made


def prune(folder: Path, keep: int) -> None:
    """Delete all backups of a folder except the newest `keep`, and the temporary files of interrupted backups."""
    try:
        for path in sorted(folder.glob(_NAMES))[:-keep]:
            path.unlink()
        for part in folder.glob(f".{_NAMES}.part"):
            with part.open("rb") as file:
                if try_lock(file):
                    part.unlink(missing_ok=True)
    except OSError as error:
        raise CannotWrite(f"old backups in {folder} cannot be deleted: {error.strerror}") from None


def bring(
    settings: Settings, stack: ExitStack, path: Path, keys: tuple[str, ...], progress: Bar, *, is_check: bool
) -> Contents:
    """Check a backup, and restore it unless `is_check`.

    If this starts a server, the server runs until `stack` closes.

    Raises:
        Failure: the backup is invalid, the store is missing or not empty, or the restore failed.
    """

    def show_progress(_what: str, done: int, total: int | None) -> None:
        progress.show(done, total)

    believed = Evidence.collect(keys, None).keys
    url = settings.redis_url or running_url(settings.data, "events")
    room = None if is_check else restoring.room_in(connect(url)) if url else _memory()
    try:
        contents = restoring.examine(path, believed, show_progress, room)
        if not is_check:
            restoring.restore(open_empty_store(settings, stack), path, contents, show_progress)
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror or error}") from None
    except (NotABackup, BackupTooLarge) as error:
        raise Negative(f"{path}: {error}") from None
    except NotEmpty as error:
        raise Negative(str(error)) from None
    return contents


def _memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _refuse_other(path: Path) -> None:
    """Refuse to overwrite a file that is not a backup."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            next(lines.read(file))
    except (OSError, NotABackup):
        raise CannotWrite(f"{path} exists and is not a backup: choose another name") from None


@contextmanager
def _atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file. If the block succeeds, sync the file to disk and rename it to `path`."""
    part = path.with_name(f".{path.name}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, OWNER_ALONE)
    with os.fdopen(descriptor, "wb") as file:
        if not try_lock(file):
            raise InUse(f"a different backup is being written to {path}: wait until it is complete")
        try:
            file.truncate()
            os.fchmod(descriptor, OWNER_ALONE)
            yield file
            file.flush()
            os.fsync(descriptor)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
