"""What the web processes have in common: gunicorn's threaded worker, run by our supervisor instead of gunicorn's."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType, SimpleNamespace

from flask import Flask
from gunicorn.config import Config
from gunicorn.workers.gthread import ThreadWorker

from cli.web.logs import Log

SWITCH_SECONDS = 0.0005
"""Seconds after which a thread asks for the interpreter lock again. After each call to Redis or a socket it would wait
5 ms by default while another thread computes, and an append makes several such calls.
"""
HUNG_SECONDS = 30
"""Seconds after which the system ends a process whose loop does not run; the supervisor then starts another."""


class WebProcess(ThreadWorker):
    """A process that answers requests in threads, while `run` loops."""

    def __init__(self, listener: socket.socket, config: Config, make_app: Callable[[], Flask]) -> None:
        super().__init__(0, os.getppid(), [listener], SimpleNamespace(wsgi=make_app), 0, config, Log(config))

    def init_process(self) -> None:
        """Run in the calling process."""
        # A list of events creates thousands of objects, almost none in a cycle: with the default, Python would spend a
        # fourteenth of its time on the search for cycles.
        gc.set_threshold(10_000)
        sys.setswitchinterval(SWITCH_SECONDS)
        super().init_process()

    def notify(self) -> None:
        """Tell the system that the loop runs: without this, it ends the process after `HUNG_SECONDS`."""
        signal.alarm(HUNG_SECONDS)

    def goes_on(self) -> bool:
        """Return False if this process must stop; called in each turn of its loop."""
        if not self.is_parent_alive():
            # The parent was killed: end at once, to release the port.
            os._exit(1)
        self.notify()
        return bool(self.alive)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """End at once, on SIGINT or SIGQUIT.

        The signal may interrupt the loop while it holds the threads' lock, so this handler must not wait for that lock.
        """
        os._exit(0)
