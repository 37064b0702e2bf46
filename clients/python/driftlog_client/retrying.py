"""Retry calls that the service has not executed, and calls that it executes only once even if they are repeated."""

from __future__ import annotations

import random
import time

import httpx

from driftlog_client.calls import Call
from driftlog_client.problems import Problem, Unreachable

SHORTEST = 0.1
"""Seconds before the second attempt. They double before each further attempt."""
LONGEST = 5.0
_NOTHING_DONE = frozenset({"overloaded", "too-many-requests"})
"""Problems that mean that the service did not execute the call."""
_BETWEEN = frozenset({502, 504})
"""Statuses with which proxies report that the service did not answer."""
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Attempts:
    """The attempts of one call; `patience` is the number of seconds that the caller waits in total.

    A repeatable call (a read, or a write with an `Idempotency-Key`) is retried if there is no response, or if the
    response has `Retry-After`. Any other call is retried only if the service did not execute it.
    """

    def __init__(self, call: Call, patience: float) -> None:
        self._call = call
        self._ends = time.monotonic() + patience
        self._pause = SHORTEST

    def after_silence(self, error: httpx.TransportError) -> float:
        """Return the seconds to wait after a call without an answer.

        Raises:
            Unreachable: the call is not retried.
        """
        pause = self._next(None)
        if pause is None or not (self._call.is_repeatable or isinstance(error, _NEVER_SENT)):
            raise Unreachable(f"{self._call.method} {self._call.path}: {error or type(error).__name__}") from error
        return pause

    def after_refusal(self, refused: Problem) -> float:
        """Return the seconds to wait after a problem.

        Raises:
            Problem: the call is not retried.
        """
        is_safe = self._call.is_repeatable or refused.slug in _NOTHING_DONE
        is_passing = refused.retry_after is not None or refused.status in _BETWEEN
        pause = self._next(refused.retry_after) if is_safe and is_passing else None
        if pause is None:
            raise refused
        return pause

    def _next(self, wanted: float | None) -> float | None:
        """Return the pause before the next attempt; None if `patience` would be exceeded."""
        pause = self._pause * random.uniform(0.5, 1) if wanted is None else wanted  # noqa: S311  # no secret
        self._pause = min(2 * self._pause, LONGEST)
        return pause if time.monotonic() + pause <= self._ends else None
