"""What a process has outside its data folder, and what ends with it: folders for a while, and programs of its own.

A folder holds a lock that its owner takes before the folder has its name. So whoever makes another one later sees which
of those that are there have no owner any more, and removes them: what a guardian (`store.redis.guardian`) would have
done, had it not been killed as well.
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
from typing import Any, Self

PREFIX = "driftlog-"
LOCK = "lock"
_GUARDIAN = Path(__file__).with_name("guardian.py")


class Scratch:
    """A folder of this process and its forks, for nobody else; a context manager removes it in the end."""

    def __init__(self, place: Path | None = None) -> None:
        """
        Args:
            place: where it is to be; by default the temporary folder. What nobody owns any more there is removed.
        """
        place = place or Path(tempfile.gettempdir())
        sweep(place)
        # Not by its name yet: until it is locked it looks like one that nobody owns.
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
        """Remove the folder with all that is in it; harmless where it is gone."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def sweep(place: Path) -> None:
    """Remove the folders that nobody owns any more."""
    for folder in place.glob(f"{PREFIX}*"):
        # It may be owned, or have just gone.
        with suppress(OSError):
            if folder.lstat().st_uid != os.getuid():
                continue
            with (folder / LOCK).open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)


class Guarded:
    """A guardian at work: when this process dies, its program is ended and its folder is removed.

    A fork of this process has no part in it.
    """

    def __init__(
        self, folder: Path, command: Sequence[str | Path] = (), *, pass_fds: Sequence[int] = (), **options: Any
    ) -> None:
        """
        Args:
            folder: what is removed; all else that is in it, too.
            command: the program, by its path, and its arguments; none: only the folder is guarded.
            pass_fds, options: as `subprocess.Popen` has them.
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
        self._is_program = bool(command)
        _GUARDED.add(self)

    def dismiss(self) -> None:
        """Let the guardian go: nothing is ended or removed any more; harmless where that was done."""
        if not self._is_let_go:
            # It may be gone.
            with suppress(BrokenPipeError):
                os.write(self._lifeline, b".")
            self.forget()
            if not self._is_program:
                self.process.wait()

    def forget(self) -> None:
        """As if this process had died; in a fork: leave it to the process that was forked."""
        if not self._is_let_go:
            self._is_let_go = True
            _GUARDED.discard(self)
            os.close(self._lifeline)


_GUARDED: weakref.WeakSet[Guarded] = weakref.WeakSet()


def _forget_in_child() -> None:
    for guarded in list(_GUARDED):
        guarded.forget()


os.register_at_fork(after_in_child=_forget_in_child)
