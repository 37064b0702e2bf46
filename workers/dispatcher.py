"""The dispatcher: sees to it that what has been appended is projected, and what was promised is done.

An append hints at itself, and a hint may be lost. So now and then, and whenever hints may have been missed, the
dispatcher sweeps: it compares how far each game is projected with its log, and looks for long work that is not done.
A lost hint, a lost job or a lost queue costs seconds, never an event.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from types import FrameType
from typing import cast

from store import Store
from store.errors import StoreError
from workers.queue import Kind, Queue, QueueUnavailable, connect, enqueue_job, enqueue_project
from workers.supervisor import Role

logger = logging.getLogger(__name__)

NAME = "dispatcher"
ROUND_SECONDS = 0.5
"""Hints that come within that time are one: a game is projected so often at the most, however fast its events come."""
SWEEP_SECONDS = 30.0
SWEEPING_SHARE = 0.05
"""How much of its time the dispatcher sweeps at the most: with very many games it sweeps less often."""


class Dispatcher:
    """Turns hints and sweeps into jobs, from `run` to `stop`."""

    def __init__(
        self, store: Store, queue: Queue, *, round_seconds: float = ROUND_SECONDS, sweep_seconds: float = SWEEP_SECONDS
    ) -> None:
        self._store = store
        self._queue = queue
        self._round_seconds = round_seconds
        self._sweep_seconds = sweep_seconds
        self._hints = store.hints()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._behind: dict[str, int] = {}
        """Games to project, each with the version that it has to be projected to."""
        self._next_sweep = 0.0
        self._missed = threading.Event()
        self._is_well = True

    def run(self) -> None:
        """Dispatch until `stop`, or until nobody listens any more."""
        listener = threading.Thread(target=self._listen, name="hints", daemon=True)
        listener.start()
        while listener.is_alive() and not self._stopping.wait(self._round_seconds):
            self.round()
        listener.join()

    def stop(self) -> None:
        """End `run`."""
        self._hints.stop()
        self._stopping.set()

    def round(self) -> None:
        """Sweep if it is time to, and enqueue what is behind."""
        try:
            if self._missed.is_set() or time.monotonic() >= self._next_sweep:
                self._missed.clear()
                self._sweep()
            self._dispatch()
        except (StoreError, QueueUnavailable) as error:
            if self._is_well:
                logger.warning("projections and long work have to wait: %s", error)
            self._is_well = False
            self._missed.set()
        else:
            self._is_well = True

    def note(self, game_id: str, version: int) -> None:
        """A game has come to that version."""
        with self._lock:
            self._behind[game_id] = max(version, self._behind.get(game_id, 0))

    def _listen(self) -> None:
        for hint in self._hints.listen():
            if hint is None:
                self._missed.set()
            else:
                self.note(*hint)

    def _sweep(self) -> None:
        began = time.monotonic()
        for game_id in self._store.projections.behind():
            enqueue_project(self._queue, game_id)
        for job in self._store.jobs.unfinished():
            enqueue_job(self._queue, job.id, cast("Kind", job.kind))
        took = time.monotonic() - began
        self._next_sweep = began + max(self._sweep_seconds, took / SWEEPING_SHARE)

    def _dispatch(self) -> None:
        with self._lock:
            behind = list(self._behind.items())
        for game_id, version in behind:
            # One that is refused is being projected, perhaps to an earlier version: it stays until that is known.
            is_done = self._store.projections.projected_version(game_id) >= version
            if is_done or enqueue_project(self._queue, game_id):
                with self._lock:
                    if self._behind[game_id] == version:
                        del self._behind[game_id]


def role(redis_url: str, queue_url: str) -> Role:
    """The dispatcher, for a supervisor."""

    def run(_life: str) -> None:
        dispatcher = Dispatcher(Store.connect(redis_url), connect(queue_url))

        def stop(_number: int, _frame: FrameType | None) -> None:
            dispatcher.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        dispatcher.run()

    return Role(NAME, run)
