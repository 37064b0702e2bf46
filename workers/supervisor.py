"""A small parent that keeps its children alive: one that dies is started again, and all of them end with it."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import connection
from multiprocessing.context import ForkProcess
from types import FrameType
from uuid import uuid4

import msgspec

logger = logging.getLogger(__name__)

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE = 15.0
"""Seconds that a child has to end after SIGTERM; then it is killed."""
QUICK = 2.0
"""A child that lives shorter is not started again at once, but after a pause that grows."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
ORPHANED_SECONDS = 2.0
"""What a child has to end in when its parent was killed: what it does is done again, and nobody waits for it."""

# Forked: a child is there within milliseconds, and shares what the parent has loaded.
_CONTEXT = multiprocessing.get_context("fork")


def nothing(_: str) -> None:
    """What is to be done about most deaths, besides starting again."""


class Role(msgspec.Struct, frozen=True):
    """What a child is for."""

    name: str
    run: Callable[[str], None]
    """Carried out in the child until SIGTERM; its argument names this one life of it, and no other."""
    bury: Callable[[str], None] = nothing
    """Carried out in the parent after a life that did not end as it was asked to, before the next one begins.

    The parent logs an exception that it raises, and goes on.
    """


class _Child:
    def __init__(self, role: Role) -> None:
        self.role = role
        self.life = ""
        self.process: ForkProcess | None = None
        self.began = 0.0
        self.pause = 0.0
        self.due = 0.0
        self.is_refused = False

    @property
    def has_died(self) -> bool:
        return self.process is not None and not self.process.is_alive()

    def postpone(self) -> None:
        """Double the pause before the next life."""
        self.pause = min(max(2 * self.pause, FIRST_PAUSE), LONGEST_PAUSE)
        self.due = time.monotonic() + self.pause

    def bury(self) -> None:
        try:
            self.role.bury(self.life)
        except Exception:
            # The other children need their parent.
            logger.exception("cleaning up after %s has failed", self.role.name)

    def terminate(self) -> None:
        if self.process is not None:
            self.process.terminate()

    def ends(self, deadline: float) -> bool:
        """Wait for its end, and make it end when the time is up; whether it was a good one."""
        assert self.process is not None
        self.process.join(max(0.0, deadline - time.monotonic()))
        if self.process.is_alive():
            logger.warning("%s (process %s) does not end: killed", self.role.name, self.process.pid)
            self.process.kill()
            self.process.join()
        return self.process.exitcode == 0


class Supervisor:
    """Runs one child for each of its roles, from `start` to `stop`.

    A child is in a session of its own, so that a Ctrl-C at the terminal reaches the parent alone, which then ends its
    children. It holds one end of a pipe: a parent that is killed takes its children with it all the same.
    """

    def __init__(self, roles: Sequence[Role], *, patience: float = PATIENCE) -> None:
        self._children = [_Child(role) for role in roles]
        self._patience = patience
        self._is_stopping = False
        self._wake, self._waker = os.pipe()
        self._lifeline, self._held = os.pipe()
        os.set_blocking(self._waker, False)

    @property
    def is_stopping(self) -> bool:
        """Whether the parent has been asked to end."""
        return self._is_stopping

    def run(self, check: Callable[[], None]) -> None:
        """Start every child, keep it alive until asked to end, and end it.

        Args:
            check: carried out every few seconds; what it raises ends everything.
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
        """The process id of the child in that role, while it lives."""
        for child in self._children:
            if child.role.name == name and child.process is not None and child.process.is_alive():
                return child.process.pid
        return None

    def start(self) -> None:
        """Start every child, and heed SIGTERM, SIGINT and SIGHUP from now on."""
        for number in STOPPING:
            # What is ignored stays so: that is how one is started in the background.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._asked)
        self.mend()

    def wait(self, seconds: float) -> None:
        """Return when a child dies or a signal comes, or after `seconds`."""
        processes = [child.process.sentinel for child in self._children if child.process is not None]
        paused = [child.due - time.monotonic() for child in self._children if child.process is None]
        connection.wait([self._wake, *processes], max(0.0, min([seconds, *paused])))

    def mend(self) -> None:
        """Start again what has died."""
        for child in self._children:
            if self._is_stopping:
                return
            if child.has_died:
                self._bury(child)
            if child.process is None and time.monotonic() >= child.due:
                self._begin(child)

    def restart(self, name: str) -> None:
        """End the child in that role; `mend` will start it again."""
        for child in self._children:
            if child.role.name == name:
                child.terminate()

    def stop(self) -> None:
        """End every child: asked first, killed when its time is up."""
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

    def _asked(self, _number: int, _frame: FrameType | None) -> None:
        self._is_stopping = True
        # A pipe that is full wakes as well.
        with contextlib.suppress(BlockingIOError):
            os.write(self._waker, b".")

    def _begin(self, child: _Child) -> None:
        child.life = uuid4().hex
        child.began = time.monotonic()
        process = _CONTEXT.Process(target=self._live, args=(child.role, child.life), name=child.role.name)
        # A signal that comes before the child has laid down the parent's handlers waits for it.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        try:
            process.start()
        except OSError as error:
            # The system may have no process or descriptor left for it at the moment.
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
        logger.warning("%s (process %s) has ended with exit code %s: starting again", name, pid, code)
        child.process.close()
        child.process = None
        if time.monotonic() - child.began < QUICK:
            child.postpone()
        else:
            child.pause = child.due = 0.0
        child.bury()

    def _live(self, role: Role, life: str) -> None:
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
        # To gunicorn SIGINT means quickly, and nobody is left to wait for; to the others it is as good as SIGTERM.
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(ORPHANED_SECONDS)
        os._exit(1)
