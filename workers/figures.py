"""What workers and dispatchers have to tell in figures: kept beside the queue, since they share nothing else.

Whoever is asked for figures reads them there. A queue that loses everything takes them along: counters begin anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal, cast

import msgspec
from rq.job import Job as QueuedJob

from workers.queue import LANES, Queue, lane, translated

Result = Literal["done", "failed", "waits", "crashed"]
"""Of a job: it is done; it cannot be done; it has to wait for the store or for rules; it ended by a fault, and is tried
again a few times."""

_JOBS = "driftlog:jobs"
_LAG = "driftlog:lag"
LAG_SECONDS = 30
"""How long what a dispatcher told of the lag is believed."""


class Lag(msgspec.Struct, frozen=True):
    """How far projections are behind the logs, as a dispatcher knows it."""

    games: int
    """How many are."""
    since: float | None
    """Since when the one is that has been for the longest time, in seconds since 1970; None where none is."""

    def seconds(self) -> float:
        """How long that is now."""
        return 0.0 if self.since is None else max(0.0, time.time() - self.since)


_DECODE_LAG = msgspec.json.Decoder(Lag).decode


class Behind:
    """The games that a dispatcher knows to be behind, and since when. Times are seconds on any one clock."""

    def __init__(self) -> None:
        self._games: dict[str, list[tuple[int, float]]] = {}
        """Of each the version that it is to be projected to and since when, and the same of the newest one."""

    def note(self, game_id: str, version: int, now: float) -> None:
        """A game has come to that version."""
        known = self._games.setdefault(game_id, [(version, now)])
        if version > known[-1][0]:
            self._games[game_id] = [known[0], (version, now)]

    def settle(self, projected: Iterable[tuple[str, int | None]]) -> None:
        """Forget what is projected by now: up to a version, or None for a game that was deleted."""
        for game_id, version in projected:
            left = [one for one in self._games.get(game_id, ()) if version is not None and one[0] > version]
            if left:
                self._games[game_id] = left
            else:
                self._games.pop(game_id, None)

    def oldest(self, most: int) -> list[str]:
        """The games that have been behind for the longest time."""
        return sorted(self._games, key=lambda game_id: self._games[game_id][0][1])[:most]

    def lag(self, offset: float) -> Lag:
        """All of it; `offset` turns the clock's time into seconds since 1970."""
        since = min((known[0][1] for known in self._games.values()), default=None)
        return Lag(len(self._games), None if since is None else since + offset)


def count(queue: Queue, kind: str, result: Result) -> None:
    """Count a job that has come to an end.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translated():
        queue.connection.hincrby(_JOBS, f"{kind} {result}", 1)


def counted(queue: Queue) -> dict[tuple[str, str], int]:
    """How many jobs have come to an end, by kind and result.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translated():
        told = cast("dict[bytes, bytes]", queue.connection.hgetall(_JOBS))
    found = {}
    for name, times in told.items():
        kind, _, result = name.decode().partition(" ")
        found[kind, result] = int(times)
    return found


def tell(queue: Queue, lag: Lag) -> None:
    """Say how far projections are behind.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translated():
        queue.connection.set(_LAG, msgspec.json.encode(lag), ex=LAG_SECONDS)


def lag(queue: Queue) -> Lag | None:
    """How far projections are behind; None where no dispatcher has told for a while.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translated():
        told = cast("bytes | None", queue.connection.get(_LAG))
    return None if told is None else _DECODE_LAG(told)


def oldest(queue: Queue) -> float:
    """How many seconds the job has waited that is next, in the lane where that is the longest; 0 where none waits.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    return max(_oldest(lane(queue, name)) for name in LANES)


def _oldest(queue: Queue) -> float:
    with translated():
        first = cast("bytes | None", queue.connection.lindex(queue.key, 0))
        if first is None:
            return 0.0
        moment = cast("bytes | None", queue.connection.hget(QueuedJob.key_for(first.decode()), "enqueued_at"))
    if not moment:
        # It has been taken meanwhile.
        return 0.0
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment.decode())).total_seconds())
