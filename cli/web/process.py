"""The common part of the web processes: gunicorn's threaded worker, run by our supervisor instead of gunicorn's."""

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
"""Seconds after which a thread asks for the interpreter lock again.

A thread needs the lock after each call to Redis or a socket, and an append makes several calls. With the default, it
would wait 5 ms each time, while another thread computes.
"""
HUNG_SECONDS = 30
"""Seconds after which the system ends a process whose loop hangs. The supervisor then starts another process."""


class WebProcess(ThreadWorker):
    """A process that answers requests in threads, while `run` loops."""

    def __init__(self, listener: socket.socket, config: Config, make_app: Callable[[], Flask]) -> None:
        super().__init__(0, os.getppid(), [listener], SimpleNamespace(wsgi=make_app), 0, config, Log(config))

    def init_process(self) -> None:
        """Run in the calling process."""
        # A list of events creates thousands of objects, almost none of them in a cycle. By default, Python would spend
        # a fourteenth of its time on searching for cycles.
        gc.set_threshold(10_000)
        sys.setswitchinterval(SWITCH_SECONDS)
        super().init_process()

    def notify(self) -> None:
        """Tell the system that the loop runs. Without this call, the system ends the process after `HUNG_SECONDS`."""
        signal.alarm(HUNG_SECONDS)

    def goes_on(self) -> bool:
        """Return False if this process must stop. Called in each turn of the loop."""
        if not self.is_parent_alive():
            # The parent was killed: end at once, to release the port.
            os._exit(1)
        self.notify()
        return bool(self.alive)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """End at once, on SIGINT or SIGQUIT.

        The signal may interrupt the loop while the loop holds the threads' lock. So this handler must not wait for that
        lock.
        """
        os._exit(0)
