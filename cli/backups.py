"""Backups as files: written whole or not at all, kept from others, and thinned out."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from api.plumbing.settings import Settings
from cli.servers import emptied
from cli.terminal import Bar, CannotWrite, InUse, Negative, WrongUsage
from cli.verifying import Evidence
from operations.backup import lines, restoring, writing
from operations.backup.lines import Contents, NotABackup
from operations.backup.restoring import NotEmpty, TooLarge
from operations.backup.writing import Made
from store import Store
from store.redis.connection import connect
from store.redis.embedded import running_url

OWNER_ALONE = 0o600
_NAMES = "driftlog-*.backup"


def save(store: Store, target: Path, made_by: str, progressed: Callable[[int, int], None]) -> tuple[Path, Made]:
    """Write a backup to a file, or to one of this moment's name in a folder.

    Returns:
        The file, and what is in it.

    Raises:
        Failure: it cannot be written, or something else stands there.
        StoreError: as `operations.backup.writing.write`.
    """
    is_folder = target.is_dir()
    path = target / f"driftlog-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup" if is_folder else target
    _refuse_other(path)
    try:
        with _written(path) as file:
            made = writing.write(store, file, made_by=made_by, progressed=progressed)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}") from None
    return path, made


def prune(folder: Path, keep: int) -> None:
    """Delete the oldest backups of a folder, and what killed ones left there, so that `keep` backups stay.

    Raises:
        Failure: one cannot be deleted.
    """
    try:
        for path in sorted(folder.glob(_NAMES))[:-keep]:
            path.unlink()
        for part in folder.glob(f".{_NAMES}.part"):
            with part.open("rb") as file:
                if _locked(file):
                    part.unlink(missing_ok=True)
    except OSError as error:
        raise CannotWrite(f"old backups in {folder} cannot be deleted: {error.strerror}") from None


def bring(
    settings: Settings, stack: ExitStack, path: Path, keys: tuple[str, ...], progress: Bar, *, is_check: bool
) -> Contents:
    """Judge a backup, and unless that is all, restore it; a server that is started for it runs until `stack` closes.

    Raises:
        Failure: it is no backup, the store is not empty or not there, or it failed on the way.
        StoreError: Redis does not answer.
    """

    def progressed(_what: str, done: int, total: int | None) -> None:
        progress.show(done, total)

    believed = Evidence.gathered(keys, None).keys
    url = settings.redis_url or running_url(settings.data, "events")
    room = None if is_check else restoring.room_in(connect(url)) if url else _memory()
    try:
        contents = restoring.examine(path, believed, progressed, room)
        if not is_check:
            restoring.restore(emptied(settings, stack), path, contents, progressed)
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror or error}") from None
    except (NotABackup, TooLarge) as error:
        raise Negative(f"{path}: {error}") from None
    except NotEmpty as error:
        raise Negative(str(error)) from None
    return contents


def _memory() -> int:
    """Bytes of this machine, which an embedded server may take at the most."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _refuse_other(path: Path) -> None:
    """Overwrite a backup, and nothing else.

    Raises:
        CannotWrite: something else stands there.
    """
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            next(lines.read(file))
    except (OSError, NotABackup):
        raise CannotWrite(f"{path} is there already, and is no backup: choose another name") from None


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name when the block has ended well, and is on disk then.

    Raises:
        InUse: another backup is being written there.
    """
    part = path.with_name(f".{path.name}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, OWNER_ALONE)
    with os.fdopen(descriptor, "wb") as file:
        if not _locked(file):
            raise InUse(f"another backup is being written to {path}")
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


def _locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
