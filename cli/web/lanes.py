"""Who may work at once, who waits for that, and who is refused. Nothing here knows a socket, a thread or a clock.

Python runs one thread at a time, so more requests at work make none of them quicker: beyond a few, each only adds
switching. A request that takes longer (it waits for something, or computes) makes way: others begin beside it.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")

SLOW_SECONDS = 0.1
"""A request that has been at work for longer is no reason any more for others to wait."""


class Lane(Generic[T]):
    """Requests of one kind. Times are seconds on any one clock.

    Args:
        at_once: how many quick requests work at a time.
        most: how many work at a time, slow ones included.
        waiting: how many wait.
        patience: how long one waits.
    """

    def __init__(self, *, at_once: int, most: int, waiting: int, patience: float) -> None:
        self._at_once = min(at_once, most)
        self._most = most
        self._most_waiting = waiting
        self._patience = patience
        self._working: dict[T, float] = {}
        """Since when; the youngest last."""
        self._waiting: deque[tuple[T, float]] = deque()

    @property
    def is_waited_for(self) -> bool:
        """Whether anyone waits."""
        return bool(self._waiting)

    def enter(self, one: T, now: float) -> bool:
        """Let it wait; False where it is to be refused."""
        if len(self._waiting) >= self._most_waiting + self._room(now):
            return False
        self._waiting.append((one, now))
        return True

    def late(self, now: float) -> list[T]:
        """Those who have waited too long; they wait no more."""
        late: list[T] = []
        while self._waiting and now - self._waiting[0][1] > self._patience:
            late.append(self._waiting.popleft()[0])
        return late

    def begin(self, now: float) -> list[T]:
        """Those who work from now on, in the order in which they came."""
        begun = [self._waiting.popleft()[0] for _ in range(min(self._room(now), len(self._waiting)))]
        for one in begun:
            self._working[one] = now
        return begun

    def leave(self, one: T) -> None:
        """Its work is done."""
        del self._working[one]

    def _room(self, now: float) -> int:
        recent = islice(reversed(self._working.values()), self._at_once)
        quick = sum(now - since < SLOW_SECONDS for since in recent)
        return max(0, min(self._at_once - quick, self._most - len(self._working)))
