"""Temporary folders and child processes that end with their owner process.

A folder contains a lock file, which its owner locks before the folder gets its final name. So a folder with an unlocked
file is abandoned, and the next process that creates a folder removes it. Usually a guardian (`store.redis.guardian`)
has already removed the abandoned folder, unless the guardian was killed, too.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from store.errors import StoreError

PREFIX = "driftlog-"
LOCK = "lock"
_LONGEST_SOCKET_PATH = 103
"""Maximum bytes of a socket's path: the lowest limit among the supported systems."""
_GUARDIAN = Path(__file__).with_name("guardian.py")


class Scratch:
    """A private temporary folder of this process and its forks. Used as a context manager, it is removed at the end."""

    def __init__(self, place: Path | None = None) -> None:
        """
        Args:
            place: the parent folder; by default the temporary folder. Abandoned folders in it are removed.
        """
        place = place or Path(tempfile.gettempdir())
        sweep(place)
        # Lock the folder before renaming it, because an unlocked folder looks abandoned.
        fresh = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=place))
        self._lock = (fresh / LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.path = fresh.rename(place / fresh.name.removeprefix("."))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder and its contents, if it exists."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def make_socket() -> tuple[Scratch, Path]:
    """Create a folder for a server's socket. Return the folder and the socket's path, which has an allowed length."""
    shortest = "/tmp"  # noqa: S108  # mkdtemp makes a folder there that is ours alone
    for place in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), shortest):
        if place and Path(place).is_dir():
            scratch = Scratch(Path(place))
            socket = scratch.path / "redis.sock"
            if len(os.fsencode(socket)) <= _LONGEST_SOCKET_PATH:
                return scratch, socket
            scratch.remove()
    raise StoreError(
        "no folder for the socket of the embedded server has a short enough path: set XDG_RUNTIME_DIR to a shorter one"
    )


def try_lock(file: IO[Any]) -> bool:
    """Lock `file` until its last descriptor is closed; return False if it is already locked."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def sweep(place: Path) -> None:
    """Remove abandoned temporary folders in `place`."""
    for folder in place.glob(f"{PREFIX}*"):
        # The folder may have an owner, or have just been removed.
        with suppress(OSError):
            if folder.lstat().st_uid != os.getuid():
                continue
            with (folder / LOCK).open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)


class Guardian:
    """A running guardian, which stops a program and removes a folder when this process dies.

    The guardian does not watch forks of this process.
    """

    def __init__(
        self, folder: Path, command: Sequence[str | Path], *, pass_fds: Sequence[int] = (), **options: Any
    ) -> None:
        """
        Args:
            folder: the folder to remove, with all its contents.
            command: the path and arguments of the program.
        """
        theirs, self._lifeline = os.pipe()
        guardian = [sys.executable, "-I", "-S", _GUARDIAN, str(theirs), folder, *command]
        try:
            self.process: subprocess.Popen[Any] = subprocess.Popen(  # noqa: S603  # the caller's own
                guardian, pass_fds=[theirs, *pass_fds], **options
            )
        finally:
            os.close(theirs)
        self._is_let_go = False
        _GUARDED.add(self)

    def dismiss(self) -> None:
        """Dismiss the guardian, which then ends without stopping the program or removing the folder."""
        if not self._is_let_go:
            # The guardian may have ended.
            with suppress(BrokenPipeError):
                os.write(self._lifeline, b".")
            self.forget()

    def forget(self) -> None:
        """Close the pipe to the guardian, as if this process had died; in a fork, leave the folder to the parent."""
        if not self._is_let_go:
            self._is_let_go = True
            _GUARDED.discard(self)
            os.close(self._lifeline)


_GUARDED: weakref.WeakSet[Guardian] = weakref.WeakSet()


def _forget_in_child() -> None:
    for guarded in list(_GUARDED):
        guarded.forget()


os.register_at_fork(after_in_child=_forget_in_child)
