"""Time budgets: the processor time that each request may use while its client waits."""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.core import effort
from engine.core.errors import TooMuchWork

LOOK_SECONDS = 0.25
"""Seconds of processor time between checks if the client has closed its connection."""


@contextmanager
def of_request(environ: dict[str, Any], seconds: float) -> Iterator[None]:
    """Raise `TooMuchWork` when the request has used `seconds` of processor time, or its client is gone.

    Once events are appended, the request runs to its end (`effort.commit`).
    """
    try:
        with effort.count_steps(Budget(seconds, lambda: has_gone(environ))):
            yield
    except effort.Exhausted:
        raise TooMuchWork from None


class Budget:
    """An `engine.core.effort.Check` that measures the processor time of this thread since its creation.

    Args:
        has_gone: returns True if the client is gone; called rarely.
    """

    def __init__(self, seconds: float, has_gone: Callable[[], bool]) -> None:
        now = time.thread_time()
        self._end = now + seconds
        self._look = now + LOOK_SECONDS
        self._has_gone = has_gone

    def __call__(self) -> None:
        now = time.thread_time()
        if now >= self._end:
            raise effort.Exhausted
        if now >= self._look:
            self._look = now + LOOK_SECONDS
            if self._has_gone():
                raise effort.Exhausted


def has_gone(environ: dict[str, Any]) -> bool:
    """Return True if the client has closed its connection; False if that is unknown.

    A client that has closed only its sending side also counts as gone, as in nginx (status 499). If the connection has
    unread data, the client counts as waiting.
    """
    connection = environ.get("gunicorn.socket")
    # The data of an encrypted connection cannot be read without consuming it.
    if not isinstance(connection, socket.socket) or isinstance(connection, ssl.SSLSocket):
        return False
    poll = select.poll()
    try:
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except (OSError, ValueError):
        return True
