"""The dispatcher makes sure that appended events are projected, and that jobs run.

An append sends a hint, which may be lost. So the dispatcher also makes a *sweep* at intervals, and whenever it may have
missed hints: it compares the projected version of each game with the game's log, and looks for unfinished jobs. If a
hint, a job or the queue is lost, work is delayed by seconds, but no event is lost.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Protocol

from store import Store
from store.errors import StoreError
from telemetry import tracing
from workers import figures
from workers.queue import (
    Queue,
    QueueUnavailable,
    connect,
    enqueue_archive,
    enqueue_jobs,
    enqueue_project,
    enqueue_relist,
)
from workers.supervisor import ChildRole

logger = logging.getLogger(__name__)

NAME = "dispatcher"
ARCHIVE_SECONDS = 3600.0
"""Seconds between searches for games to archive."""
ROUND_SECONDS = 0.5
"""Seconds within which hints are merged, so that a game is projected at most that often."""
SWEEP_SECONDS = 30.0
SWEEPING_SHARE = 0.05
"""Maximum fraction of time for sweeps. With very many games, sweeps are less frequent."""
TELL_SECONDS = 5.0
"""Seconds between reports of the lag, while no projections run."""
MOST_LOOKED_AT = 500
"""Maximum number of lagging games checked in a round, those with the longest lag first."""


class Dispatcher:
    """Queues projections and jobs after hints and sweeps, from `run` to `stop`."""

    def __init__(
        self,
        store: Store,
        queue: Queue,
        *,
        archive_after: timedelta | None = None,
        round_seconds: float = ROUND_SECONDS,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        """
        Args:
            archive_after: the age of a finished game at which its log is archived; None: never.
        """
        self._store = store
        self._queue = queue
        self._round_seconds = round_seconds
        self._sweep_seconds = sweep_seconds
        self._hints = store.hints()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._behind: dict[str, int] = {}
        """Games to project, with the target version."""
        self._lagging = figures.Behind()
        self._next_sweep = 0.0
        self._next_told = 0.0
        self._archive_after = archive_after
        self._next_archiving = 0.0
        self._missed = threading.Event()
        self._is_well = True

    def run(self) -> None:
        """Dispatch until `stop`, or until the listener ends."""
        with suppress(StoreError):
            self._store.projections.take_up()
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
        """Sweep if a sweep is due, queue projections of lagging games, and report the lag."""
        try:
            if self._missed.is_set() or time.monotonic() >= self._next_sweep:
                self._missed.clear()
                self._sweep()
            self._dispatch()
            self._report_lag()
        except (StoreError, QueueUnavailable) as error:
            if self._is_well:
                logger.warning("projections and long jobs have to wait: %s", error)
            self._is_well = False
            self._missed.set()
        else:
            self._is_well = True

    def note(self, game_id: str, version: int) -> None:
        """Remember that a game has reached version `version`."""
        with self._lock:
            self._behind[game_id] = max(version, self._behind.get(game_id, 0))
            self._lagging.note(game_id, version, time.monotonic())

    def _listen(self) -> None:
        for hint in self._hints.listen():
            if hint is None:
                self._missed.set()
            elif isinstance(hint, tuple):
                self.note(*hint)

    def _sweep(self) -> None:
        began = time.monotonic()
        for game_id in self._store.deletions.list_unfinished():
            enqueue_project(self._queue, game_id)
        if self._store.projections.is_unlisted():
            enqueue_relist(self._queue)
        for game_id, version in self._store.projections.lagging():
            enqueue_project(self._queue, game_id)
            with self._lock:
                self._lagging.note(game_id, version, time.monotonic())
        self._store.jobs.end_damaged()
        enqueue_jobs(self._queue, self._store.jobs.in_turn())
        if self._archive_after is not None and began >= self._next_archiving:
            for game_id in self._store.projections.ended_before(datetime.now(UTC) - self._archive_after):
                enqueue_archive(self._queue, game_id)
            self._next_archiving = began + ARCHIVE_SECONDS
        took = time.monotonic() - began
        self._next_sweep = began + max(self._sweep_seconds, took / SWEEPING_SHARE)

    def _dispatch(self) -> None:
        with self._lock:
            behind = list(self._behind.items())
        for game_id, version in behind:
            # If the queue rejects a projection, the game is just being projected, perhaps up to an earlier version. So
            # keep the game until this version is projected.
            is_done = self._store.projections.projected_version(game_id) >= version
            if is_done or enqueue_project(self._queue, game_id):
                with self._lock:
                    if self._behind[game_id] == version:
                        del self._behind[game_id]

    def _report_lag(self) -> None:
        with self._lock:
            oldest = self._lagging.oldest(MOST_LOOKED_AT)
        projected = self._store.projections.projected_versions(oldest) if oldest else []
        with self._lock:
            self._lagging.settle(zip(oldest, projected, strict=True))
            lag = self._lagging.lag(time.time() - time.monotonic())
        now = time.monotonic()
        if lag.games or oldest or now >= self._next_told:
            self._next_told = now + TELL_SECONDS
            figures.report_lag(self._queue, lag)


class Loop(Protocol):
    """A task that runs until it is stopped."""

    def run(self) -> None:
        """Run until `stop`."""

    def stop(self) -> None:
        """End `run`, from any thread."""


def run_until_stopped(*loops: Loop) -> None:
    """Run each loop in a thread. After SIGTERM or SIGINT, or if one of the loops ends, stop all loops."""

    def stop(*_: object) -> None:
        for loop in loops:
            loop.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    with ThreadPoolExecutor(len(loops)) as threads:
        running = [threads.submit(loop.run) for loop in loops]
        wait(running, return_when=FIRST_COMPLETED)
        stop()
    for one in running:
        one.result()


def archive_age(days: float) -> timedelta | None:
    """Return the age of a finished game at which its log is archived; None if `days` is 0: never."""
    return timedelta(days=days) if days else None


def role(redis_url: str, queue_url: str, archive_after_days: float = 0.0) -> ChildRole:
    """Return the dispatcher as a role of the supervisor.

    Args:
        archive_after_days: archive games that ended this many days ago; 0: never.
    """

    def run(_life: str) -> None:
        tracing.begin()
        archive_after = archive_age(archive_after_days)
        run_until_stopped(Dispatcher(Store.connect(redis_url), connect(queue_url), archive_after=archive_after))

    return ChildRole(NAME, run)
