"""A limit of processor time for a part of a job."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN_SECONDS = 0.01
"""Seconds until the signal at the limit is repeated, because it may arrive when nothing can be raised."""


@contextmanager
def limited(seconds: float, over: type[BaseException]) -> Iterator[None]:
    """Limit the processor time of the block.

    Args:
        over: raised when the time is used up. Code that catches each `Exception` must not catch it.
    """

    def end(_number: int, frame: FrameType | None) -> None:
        while frame is not None:
            if frame.f_code.co_name == "__del__":
                return
            frame = frame.f_back
        raise over

    before = signal.signal(signal.SIGPROF, end)
    # Repeat the signal: Python ignores exceptions in `__del__`, so none is raised there.
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
