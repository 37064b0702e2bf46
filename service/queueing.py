"""Queueing: who writes to a game waits for whoever came before, instead of getting in each other's way.

A process lets the writers of a game in one after the other. Those of several processes meet in the store, which takes
one of them; the others try again, each after a while of its own.
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
"""How long a writer waits for its turn, and how long it tries once it has it."""
EAGER = 20
"""So often a writer tries again at once: what it needs for that came with the refusal."""
PAUSE_SECONDS = 0.002
"""The longest pause before a writer tries again: who paused for longer would never get in between those who do not."""


class Queues:
    """A queue for each key, there as long as somebody stands in it: first come, first served."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[str, deque[threading.Event]] = {}

    def __len__(self) -> int:
        return len(self._queues)

    def waiting(self, key: str) -> int:
        """How many stand in the queue of `key`, the one at its front included."""
        with self._lock:
            return len(self._queues.get(key, ()))

    @contextmanager
    def turn(self, key: str, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
        """Wait in the queue of `key`, and hold its front until the block ends.

        Raises:
            TooBusy: after `seconds`.
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
    """Count attempts for so long, at least one; after the first few there is a short pause of chance between them."""
    deadline = time.monotonic() + seconds
    for number in itertools.count():
        yield number
        if time.monotonic() >= deadline:
            return
        if number >= EAGER:
            time.sleep(random.uniform(0, PAUSE_SECONDS))  # noqa: S311  # no secret
