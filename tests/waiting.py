"""Waiting for a condition, with a deadline, instead of for a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds until a test gives up; a machine may be busy."""
_POLL_SECONDS = 0.01


def until(claim: Callable[[], T], seconds: float = PATIENCE) -> T:
    """What `claim` answers, once that is true."""
    deadline = time.monotonic() + seconds
    while True:
        answer = claim()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds:.0f} s still {answer!r}")
        threading.Event().wait(_POLL_SECONDS)
