"""Wait for a condition with a deadline, instead of a fixed time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from workers.queue import LANES, Queue, lane

T = TypeVar("T")

PATIENCE = 180.0
"""Seconds until a test gives up; long, because a machine can be busy."""
_POLL_SECONDS = 0.01


def until(claim: Callable[[], T], seconds: float = PATIENCE) -> T:
    """Call `claim` until it returns a true value, and return that; fail after `seconds`."""
    answer = wait_for_value(claim, seconds)
    if not answer:
        raise AssertionError(f"after {seconds:.0f} s still {answer!r}")
    return answer


def wait_for_value(claim: Callable[[], T], seconds: float, each: float = _POLL_SECONDS) -> T:
    """Call `claim` until it returns a true value or the time is up, and return its last value.

    Args:
        each: seconds between calls.
    """
    deadline = time.monotonic() + seconds
    while not (answer := claim()) and time.monotonic() <= deadline:
        threading.Event().wait(each)
    return answer


def waiting_jobs(queue: Queue) -> list[str]:
    """Return the ids of the waiting jobs of all lanes."""
    return [job_id for name in LANES for job_id in lane(queue, name).job_ids]
