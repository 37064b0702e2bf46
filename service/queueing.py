"""Queues of writers: each writer waits for earlier writers of the same game, to avoid conflicts.

A process lets the writers of a game append one after the other. If writers in several processes append at the same
time, the store accepts one of the appends. The other writers retry after a random pause.
"""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from service.errors import TooBusy

PATIENCE_SECONDS = 10.0
"""Seconds that a writer waits for its turn, and then the same number for its attempts to append."""
EAGER = 20
"""Number of retries without a pause: a rejected append already returns the newer events."""
PAUSE_SECONDS = 0.002
"""Maximum pause between retries, in seconds. With longer pauses, some writers would lose again and again."""


class Queues:
    """A first-come, first-served queue for each key. Empty queues are deleted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[str, deque[threading.Event]] = {}

    def __len__(self) -> int:
        return len(self._queues)

    def waiting(self, key: str) -> int:
        """Return the length of the queue of `key`, including the writer at its front."""
        with self._lock:
            return len(self._queues.get(key, ()))

    @contextmanager
    def turn(self, key: str, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
        """Wait until this writer is at the front of the queue of `key`, and stay there during the block.

        Raises:
            TooBusy: the turn did not come within `seconds`.
        """
        called = threading.Event()
        with self._lock:
            queue = self._queues.setdefault(key, deque())
            queue.append(called)
            if queue[0] is called:
                called.set()
        try:
            if not called.wait(seconds):
                raise TooBusy
            yield
        finally:
            with self._lock:
                queue.remove(called)
                if queue:
                    queue[0].set()
                else:
                    del self._queues[key]


def attempts(seconds: float = PATIENCE_SECONDS) -> Iterator[int]:
    """Yield the number of each attempt until `seconds` have passed.

    After the first `EAGER` attempts, pause for a random time.
    """
    deadline = time.monotonic() + seconds
    for number in itertools.count():
        yield number
        if time.monotonic() >= deadline:
            return
        if number >= EAGER:
            time.sleep(random.uniform(0, PAUSE_SECONDS))  # noqa: S311  # no secret
