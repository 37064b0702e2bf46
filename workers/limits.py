"""Limit the processor time of a part of a job."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

STUCK_SECONDS = 60.0
"""Maximum processor seconds of a computer player's time slice: a player that needs more is stopped."""
AGAIN_SECONDS = 0.01
"""Seconds after which the signal is repeated, because it may arrive while no exception can be raised."""


class Stuck(BaseException):
    """A computer player does not return from a call. Players must not handle this as an error."""


@contextmanager
def limit_time(seconds: float, over: type[BaseException]) -> Iterator[Callable[[], None]]:
    """Limit the processor time of the block. Yield a function that starts a new time limit.

    Args:
        over: raised when the time is used up. It must not be an `Exception`, which other code may catch.
    """

    def end(_number: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code.co_name == "__del__":
                return
            frame = frame.f_back
        raise over

    def start() -> None:
        # Repeat the signal, because Python ignores an exception that is raised in `__del__`.
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)

    before = signal.signal(signal.SIGPROF, end)
    start()
    try:
        yield start
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
