"""A small parent process that restarts dead children. When the parent ends, it ends all children."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import connection, popen_fork
from multiprocessing.context import ForkProcess
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from types import FrameType
from uuid import uuid4

import msgspec

logger = logging.getLogger(__name__)

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE = 15.0
"""Seconds between SIGTERM and SIGKILL for a child."""
QUICK = 2.0
"""If a child lived for fewer seconds, it is restarted only after a pause. The pause doubles each time."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
ORPHANED_SECONDS = 2.0
"""Seconds for a child to end after its parent was killed. They are few, because nobody waits for the child's work."""
DEMAND_SECONDS = 0.5
"""Seconds after which the supervisor checks again if a child that runs only on demand is needed."""

AUTOGROUP = Path("/proc/self/autogroup")
"""File with the niceness of this process's session. It only exists on Linux, and not in some containers."""


class _Fork(popen_fork.Popen):
    """A fork of this process, with a pipe that closes when the child ends."""

    def _launch(self, process_obj: BaseProcess) -> None:
        # multiprocessing's own method leaves four descriptors open whenever the system refuses a fork.
        self.sentinel, held = os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            os.close(self.sentinel)
            os.close(held)
            raise
        if self.pid == 0:
            os.close(self.sentinel)
            os._exit(process_obj._bootstrap())  # type: ignore[attr-defined]  # noqa: SLF001  # typeshed leaves it out
        os.close(held)
        self.finalizer = Finalize(self, os.close, (self.sentinel,))


class _Process(ForkProcess):
    """A child process. It starts within milliseconds, and shares the modules that the parent has loaded."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> _Fork:  # noqa: N802  # multiprocessing's name
        return _Fork(process_obj)


def nothing(_: str) -> None:
    """Do nothing, as the default for `Role.bury`."""


def stand_back(niceness: int) -> None:
    """Lower the priority of this process, and keep it away from one core.

    Even a process with low priority delays others on its core for milliseconds at a time.

    Args:
        niceness: see nice(2).
    """
    os.nice(niceness)
    # Linux first divides the processor between sessions: see sched(7), "autogroup". So the lower priority would apply
    # to all processes of a shared session. The leader of a session already has a session of its own.
    with contextlib.suppress(PermissionError):
        os.setsid()
    with contextlib.suppress(OSError):
        AUTOGROUP.write_text(f"{niceness}\n")
    # macOS cannot choose cores.
    if hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cores - {min(cores)} or cores)


class ChildRole(msgspec.Struct, frozen=True):
    """The task of a child."""

    name: str
    run: Callable[[str], None]
    """Runs in the child until SIGTERM; the argument identifies this start of the child."""
    bury: Callable[[str], None] = nothing
    """Runs in the parent after an unexpected end of the child, before the restart.

    If it raises an exception, the parent logs the exception and continues.
    """
    is_needed: Callable[[], bool] | None = None
    """Runs in the parent while the child does not run. When it returns True, the child starts; it ends by itself."""
    wakes: socket.socket | None = None
    """A socket that starts the child when it becomes readable. The child ends by itself.

    A role with neither this nor `is_needed` always runs.
    """

    @property
    def is_on_demand(self) -> bool:
        """True if the child does not run all the time."""
        return self.is_needed is not None or self.wakes is not None


class _Child:
    def __init__(self, role: ChildRole) -> None:
        self.role = role
        self.life = ""
        self.process: _Process | None = None
        self.began = 0.0
        self.pause = 0.0
        self.due = 0.0
        self.is_refused = False

    @property
    def has_died(self) -> bool:
        return self.process is not None and not self.process.is_alive()

    def is_needed(self) -> bool:
        """Return True if the child should run. After a False, this calls `Role.is_needed` again only after a pause."""
        if self.role.wakes is not None:
            return bool(connection.wait([self.role.wakes], 0))
        if self.role.is_needed is None or self.role.is_needed():
            return True
        self.due = time.monotonic() + DEMAND_SECONDS
        return False

    def postpone(self) -> None:
        """Double the pause before the next restart."""
        self.pause = min(max(2 * self.pause, FIRST_PAUSE), LONGEST_PAUSE)
        self.due = time.monotonic() + self.pause

    def bury(self) -> None:
        try:
            self.role.bury(self.life)
        except Exception:
            # An error must not end the parent, which the other children need.
            logger.exception("cleaning up after %s has failed", self.role.name)

    def terminate(self) -> None:
        if self.process is not None:
            self.process.terminate()

    def ends(self, deadline: float) -> bool:
        """Wait for the child to end, and kill it at the deadline. Return True if it exited without an error."""
        assert self.process is not None
        self.process.join(max(0.0, deadline - time.monotonic()))
        if self.process.is_alive():
            logger.warning("%s (process %s) does not end: killed", self.role.name, self.process.pid)
            self.process.kill()
            self.process.join()
        return self.process.exitcode == 0


class Supervisor:
    """Runs one child for each of its roles, from `start` to `stop`.

    Each child has a session of its own. So Ctrl-C in the terminal reaches only the parent, which then ends its
    children. A child also holds one end of a pipe, which tells it to end if the parent is killed.
    """

    def __init__(self, roles: Sequence[ChildRole], *, patience: float = PATIENCE) -> None:
        self._children = [_Child(role) for role in roles]
        self._patience = patience
        self._is_stopping = False
        self._wake, self._waker = os.pipe()
        self._lifeline, self._held = os.pipe()
        os.set_blocking(self._waker, False)

    @property
    def is_stopping(self) -> bool:
        """True if the parent was asked to end."""
        return self._is_stopping

    def run(self, check: Callable[[], None]) -> None:
        """Start all children and keep them alive, until this process is asked to end. Then end the children.

        Args:
            check: called every few seconds; an exception from it ends everything.
        """
        try:
            self.start()
            while not self._is_stopping:
                self.wait(LONGEST_PAUSE)
                check()
                self.mend()
        finally:
            self.stop()

    def pid(self, name: str) -> int | None:
        """Return the process id of the child in that role; None if it is dead."""
        for child in self._children:
            if child.role.name == name and child.process is not None and child.process.is_alive():
                return child.process.pid
        return None

    def start(self) -> None:
        """Start all children, and handle SIGTERM, SIGINT and SIGHUP from now on."""
        for number in STOPPING:
            # Keep ignored signals ignored, because this is how shells start processes in the background.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        # Freeze the loaded objects. Then garbage collection neither scans them during jobs, nor writes to them, and
        # children keep sharing their memory.
        gc.collect()
        gc.freeze()
        self.mend()

    def wait(self, seconds: float) -> None:
        """Wait until a child dies or is needed, a signal arrives, or `seconds` have passed."""
        processes = [child.process.sentinel for child in self._children if child.process is not None]
        absent = [child for child in self._children if child.process is None]
        now = time.monotonic()
        wakes = [child.role.wakes for child in absent if child.role.wakes is not None and child.due <= now]
        paused = [child.due - now for child in absent if child.role.wakes is None or child.due > now]
        connection.wait([self._wake, *processes, *wakes], max(0.0, min([seconds, *paused])))

    def mend(self) -> None:
        """Restart dead children, and start those that are needed now."""
        for child in self._children:
            if self._is_stopping:
                return
            if child.has_died:
                self._bury(child)
            if child.process is None and time.monotonic() >= child.due and child.is_needed():
                self._begin(child)

    def restart(self, name: str) -> None:
        """End the child in that role; `mend` will restart it."""
        for child in self._children:
            if child.role.name == name:
                child.terminate()

    def stop(self) -> None:
        """End all children: with SIGTERM, and at the deadline with SIGKILL."""
        self._is_stopping = True
        running = [child for child in self._children if child.process is not None]
        for child in running:
            child.terminate()
        deadline = time.monotonic() + self._patience
        for child in running:
            if not child.ends(deadline):
                child.bury()
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)
        for end in (self._wake, self._waker, self._lifeline, self._held):
            os.close(end)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._is_stopping = True
        # If the pipe is full, its reader wakes up anyway.
        with contextlib.suppress(BlockingIOError):
            os.write(self._waker, b".")

    def _begin(self, child: _Child) -> None:
        child.life = uuid4().hex
        child.began = time.monotonic()
        process = _Process(target=self._live, args=(child.role, child.life), name=child.role.name)
        # Block signals until the child has removed the parent's handlers.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        try:
            process.start()
        except OSError as error:
            # The system may have no free processes or descriptors now.
            if not child.is_refused:
                logger.warning("%s cannot start: %s; trying again", child.role.name, error.strerror)
            child.is_refused = True
            child.postpone()
        else:
            child.process, child.is_refused = process, False
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)

    def _bury(self, child: _Child) -> None:
        assert child.process is not None
        name, pid, code = child.role.name, child.process.pid, child.process.exitcode
        has_finished = code == 0 and child.role.is_on_demand
        if not has_finished:
            logger.warning("%s (process %s) has ended with exit code %s: starting again", name, pid, code)
        child.process.close()
        child.process = None
        if not has_finished and time.monotonic() - child.began < QUICK:
            child.postpone()
        else:
            child.pause = child.due = 0.0
        child.bury()

    def _live(self, role: ChildRole, life: str) -> None:
        os.setsid()
        os.close(self._held)
        for number in STOPPING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        threading.Thread(target=self._end_with_parent, name="lifeline", daemon=True).start()
        try:
            role.run(life)
        except Exception:
            logger.exception("%s has failed", role.name)
            raise SystemExit(1) from None

    def _end_with_parent(self) -> None:
        os.read(self._lifeline, 1)
        # gunicorn exits quickly on SIGINT. This is fine, because no client is left. Other children treat SIGINT like
        # SIGTERM.
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(ORPHANED_SECONDS)
        os._exit(1)
