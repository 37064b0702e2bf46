"""What the answer to one request may cost: the processor's time, while somebody waits for it."""

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
"""Of the processor's time: how often it is looked whether the client has gone."""


@contextmanager
def of_request(environ: dict[str, Any], seconds: float) -> Iterator[None]:
    """Refuse the request once the engine has taken `seconds` of the processor's time for it, or its client has gone.

    Once events are appended nothing is refused any more (`effort.commit`).

    Raises:
        TooMuchWork: it is refused.
    """
    try:
        with effort.counted(Budget(seconds, lambda: has_gone(environ))):
            yield
    except effort.Exhausted:
        raise TooMuchWork from None


class Budget:
    """An `engine.core.effort.Check`: it looks at the time that this thread has taken since it was made.

    Args:
        has_gone: whether nobody waits for the answer any more; asked rarely.
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
    """Whether the client has closed its connection; False where that cannot be seen.

    Whoever has closed only its sending half looks the same, and is taken for gone as it is by other servers (nginx's
    499). What was sent ahead on the connection is left where it is: who has sent something more waits.
    """
    connection = environ.get("gunicorn.socket")
    # Of an encrypted connection the plain bytes cannot be looked at without taking them.
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
