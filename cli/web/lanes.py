"""Schedule requests: each request runs, waits, or is rejected. This module uses no sockets, threads or clocks.

Python runs one thread at a time. So running more than a few requests at once only adds switching between threads. If a
request takes long, because it waits or computes, other requests start beside it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")

SLOW_SECONDS = 0.1
"""Seconds after which a running request no longer counts as quick, and others can start."""
REST_SECONDS = 1.5
"""Maximum pause of a lane in seconds. It is shorter than the patience of waiting requests."""


class Lane(Generic[T]):
    """Requests of one kind. All times are in seconds, on the same clock.

    Args:
        at_once: maximum number of quick requests that run at the same time.
        most: maximum number of requests that run at the same time, including slow ones.
        waiting: maximum number of requests that wait.
        patience: maximum time that a request waits.
        rest: pause after a request before the next one starts: a multiple of the request's duration, at most
            `REST_SECONDS`.
        sender: function that returns the sender of a request. If it is given, senders take turns, and the requests of
            one sender take at most half of the places to wait. Otherwise requests run in the order of arrival.
    """

    def __init__(
        self,
        *,
        at_once: int,
        most: int,
        waiting: int,
        patience: float,
        rest: float = 0.0,
        sender: Callable[[T], Hashable] | None = None,
    ) -> None:
        self._at_once = min(at_once, most)
        self._most = most
        self._most_waiting = waiting
        self._patience = patience
        self._rest = rest
        self._sender = sender
        self._turns: dict[Hashable, int] = {}
        """For each sender with waiting requests, the number of the sender's last turn."""
        self._rests_until = 0.0
        self._working: dict[T, float] = {}
        """Start times of the running requests, oldest first."""
        self._waiting: deque[tuple[T, float]] = deque()

    @property
    def is_waited_for(self) -> bool:
        """True if any request waits."""
        return bool(self._waiting)

    def enter(self, one: T, now: float) -> bool:
        """Queue a request; return False if it must be refused."""
        if len(self._waiting) >= self._most_waiting + self._room(now):
            return False
        if self._sender is not None and self._senders().count(self._sender(one)) > self._most_waiting // 2:
            return False
        self._waiting.append((one, now))
        return True

    def late(self, now: float) -> list[T]:
        """Remove and return the requests that have waited too long."""
        late: list[T] = []
        while self._waiting and now - self._waiting[0][1] > self._patience:
            late.append(self._waiting.popleft()[0])
        return late

    def begin(self, now: float) -> list[T]:
        """Start and return the next requests."""
        begun = [self._next() for _ in range(min(self._room(now), len(self._waiting)))]
        for one in begun:
            self._working[one] = now
        return begun

    def leave(self, one: T, now: float) -> None:
        """Record that a request has ended."""
        took = now - self._working.pop(one)
        self._rests_until = max(self._rests_until, now + min(self._rest * took, REST_SECONDS))

    def _next(self) -> T:
        """Remove and return the next waiting request: the oldest request of the sender whose last turn was earliest."""
        if self._sender is None:
            return self._waiting.popleft()[0]
        senders = self._senders()
        self._turns = {one: turn for one, turn in self._turns.items() if one in senders}
        at = min(range(len(senders)), key=lambda at: (self._turns.get(senders[at], 0), at))
        self._turns[senders[at]] = max(self._turns.values(), default=0) + 1
        one, _ = self._waiting[at]
        del self._waiting[at]
        return one

    def _senders(self) -> list[Hashable]:
        """Return the sender of each waiting request."""
        return [] if self._sender is None else [self._sender(one) for one, _ in self._waiting]

    def _room(self, now: float) -> int:
        if now < self._rests_until:
            return 0
        recent = islice(reversed(self._working.values()), self._at_once)
        quick = sum(now - since < SLOW_SECONDS for since in recent)
        return max(0, min(self._at_once - quick, self._most - len(self._working)))
