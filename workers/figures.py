"""Metrics of workers and dispatchers, stored beside the queue, because these processes share no other storage.

The web processes read them from there. If the queue loses its data, counters start again at 0.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal, cast

import msgspec
from rq.job import Job as QueuedJob

from workers.queue import LANES, Queue, lane, translate_errors

Result = Literal["done", "continues", "failed", "waits", "crashed"]
"""Results of a job.

`done`; `failed`; `continues`: the time slice is over; `waits`: the store or the rules are unavailable; `crashed`: an
internal error, after which the job is retried a few times.
"""

_JOBS = "driftlog:jobs"
_LAG = "driftlog:lag"
LAG_SECONDS = 30
"""Seconds for which a dispatcher's report of the lag is valid."""


class Lag(msgspec.Struct, frozen=True):
    """The lag of the projections behind the logs, as measured by a dispatcher."""

    games: int
    """Number of games that lag."""
    since: float | None
    """Start of the longest lag, in seconds since 1970; None if nothing lags."""

    def seconds(self) -> float:
        """Return the current lag in seconds."""
        return 0.0 if self.since is None else max(0.0, time.time() - self.since)


_DECODE_LAG = msgspec.json.Decoder(Lag).decode


class Behind:
    """The games whose list entries are out of date. Each has the time since which its entry is out of date.

    All times are in seconds, on the same clock.
    """

    def __init__(self) -> None:
        self._games: dict[str, list[tuple[int, float]]] = {}
        """For each game, the oldest unprojected version and the newest version, each with the time it was noted."""

    def note(self, game_id: str, version: int, now: float) -> None:
        """Remember that a game has reached this version at the time `now`."""
        known = self._games.setdefault(game_id, [(version, now)])
        if version > known[-1][0]:
            self._games[game_id] = [known[0], (version, now)]

    def settle(self, projected: Iterable[tuple[str, int | None]]) -> None:
        """Forget the game versions that are projected now. With None instead of a version, forget the game."""
        for game_id, version in projected:
            left = [one for one in self._games.get(game_id, ()) if version is not None and one[0] > version]
            if left:
                self._games[game_id] = left
            else:
                self._games.pop(game_id, None)

    def oldest(self, most: int) -> list[str]:
        """Return up to `most` games with the longest lag."""
        return sorted(self._games, key=lambda game_id: self._games[game_id][0][1])[:most]

    def lag(self, offset: float) -> Lag:
        """Return the lag over all games.

        Args:
            offset: added to the time of the monotonic clock to get seconds since 1970.
        """
        since = min((known[0][1] for known in self._games.values()), default=None)
        return Lag(len(self._games), None if since is None else since + offset)


def count(queue: Queue, kind: str, result: Result) -> None:
    """Count a job that has ended.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translate_errors():
        queue.connection.hincrby(_JOBS, f"{kind} {result}", 1)


def count_jobs(queue: Queue) -> dict[tuple[str, str], int]:
    """Return the number of ended jobs, by kind and result.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translate_errors():
        told = cast("dict[bytes, bytes]", queue.connection.hgetall(_JOBS))
    found = {}
    for name, times in told.items():
        kind, _, result = name.decode().partition(" ")
        found[kind, result] = int(times)
    return found


def report_lag(queue: Queue, lag: Lag) -> None:
    """Report the lag of the projections.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translate_errors():
        queue.connection.set(_LAG, msgspec.json.encode(lag), ex=LAG_SECONDS)


def lag(queue: Queue) -> Lag | None:
    """Return the lag of the projections; None if there is no recent report.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    with translate_errors():
        told = cast("bytes | None", queue.connection.get(_LAG))
    return None if told is None else _DECODE_LAG(told)


def oldest(queue: Queue) -> float:
    """Return the waiting time of the job that is next in a lane, in seconds; 0 if no job waits.

    Raises:
        QueueUnavailable: the queue's Redis does not answer.
    """
    return max(_oldest(lane(queue, name)) for name in LANES)


def _oldest(queue: Queue) -> float:
    with translate_errors():
        first = cast("bytes | None", queue.connection.lindex(queue.key, 0))
        if first is None:
            return 0.0
        moment = cast("bytes | None", queue.connection.hget(QueuedJob.key_for(first.decode()), "enqueued_at"))
    if not moment:
        # Another process has just taken the job.
        return 0.0
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment.decode())).total_seconds())
