"""Waiting for a condition, with a deadline, instead of for a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from workers.queue import LANES, Queue, lane

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds until a test gives up; a machine may be busy."""
_POLL_SECONDS = 0.01


def until(claim: Callable[[], T], seconds: float = PATIENCE) -> T:
    """What `claim` answers, once that is true."""
    answer = waited(claim, seconds)
    if not answer:
        raise AssertionError(f"after {seconds:.0f} s still {answer!r}")
    return answer


def waited(claim: Callable[[], T], seconds: float, each: float = _POLL_SECONDS) -> T:
    """What `claim` answers once that is true, or else when the time is up.

    Args:
        each: after how many seconds it is asked again.
    """
    deadline = time.monotonic() + seconds
    while not (answer := claim()) and time.monotonic() <= deadline:
        threading.Event().wait(each)
    return answer


def waiting_jobs(queue: Queue) -> list[str]:
    """The ids of the jobs that wait in any lane."""
    return [job_id for name in LANES for job_id in lane(queue, name).job_ids]
