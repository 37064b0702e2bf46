"""When a call is sent again: where it is done once all the same, or the service says that nothing was done."""

from __future__ import annotations

import random
import time

import httpx

from driftlog_client.calls import Call
from driftlog_client.problems import Problem, Unreachable

SHORTEST = 0.1
"""Seconds before the second attempt; twice as long before each further one."""
LONGEST = 5.0
_NOTHING_DONE = frozenset({"overloaded", "too-many-requests"})
"""Problems that say so."""
_BETWEEN = frozenset({502, 504})
"""What is answered by proxies, when they get no answer."""
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Attempts:
    """The attempts of one call, for as many seconds as its caller has patience.

    A call that is done once however often it is sent (it reads, or has an `Idempotency-Key`) is sent again when there
    was no answer, and when the service says when to come back. Any other only where nothing was done.
    """

    def __init__(self, call: Call, patience: float) -> None:
        self._call = call
        self._ends = time.monotonic() + patience
        self._pause = SHORTEST

    def after_silence(self, error: httpx.TransportError) -> float:
        """Seconds to wait where no answer came.

        Raises:
            Unreachable: it is not sent again.
        """
        pause = self._next(None)
        if pause is None or not (self._call.is_repeatable or isinstance(error, _NEVER_SENT)):
            raise Unreachable(f"{self._call.method} {self._call.path}: {error or type(error).__name__}") from error
        return pause

    def after_refusal(self, refused: Problem) -> float:
        """Seconds to wait where the answer was a problem.

        Raises:
            Problem: it is not sent again.
        """
        is_safe = self._call.is_repeatable or refused.slug in _NOTHING_DONE
        is_passing = refused.retry_after is not None or refused.status in _BETWEEN
        pause = self._next(refused.retry_after) if is_safe and is_passing else None
        if pause is None:
            raise refused
        return pause

    def _next(self, wanted: float | None) -> float | None:
        """The next pause; None where it would be longer than there is patience."""
        pause = self._pause * random.uniform(0.5, 1) if wanted is None else wanted  # noqa: S311  # no secret
        self._pause = min(2 * self._pause, LONGEST)
        return pause if time.monotonic() + pause <= self._ends else None
