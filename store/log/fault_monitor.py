"""Run slow checks, for example of a network disk, in a separate thread, so that callers need not wait."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 30.0
"""Seconds for which a result is reused."""
PATIENCE_SECONDS = 0.5


class FaultMonitor:
    """Runs a slow check. Returns its result without a long wait, and logs changes of the result.

    Args:
        what: the name of the checked thing, for the log.
        look: returns the fault, or None.
        again: seconds until the next check.
    """

    def __init__(self, what: str, look: Callable[[], str | None], again: float = AGAIN_SECONDS) -> None:
        self._what = what
        self._look = look
        self._again = again
        self._lock = threading.Lock()
        self._looking: threading.Thread | None = None
        self._seen_at = 0.0
        self._fault: str | None = None

    def fault(self, patience: float = PATIENCE_SECONDS) -> str | None:
        """Return the last known fault; None if there is none.

        Args:
            patience: seconds to wait for a running check; a check that takes longer counts as no answer.
        """
        with self._lock:
            is_stale = self._looking is None or time.monotonic() - self._seen_at > self._again
            if self._looking is None or (is_stale and not self._looking.is_alive()):
                self._looking = threading.Thread(target=self._see, name="fault-monitor", daemon=True)
                self._looking.start()
            looking = self._looking
        looking.join(patience)
        return f"it did not answer within {patience:g} s" if looking.is_alive() else self._fault

    def _see(self) -> None:
        fault = self._look()
        if fault != self._fault:
            logger.warning("%s: %s", self._what, fault or "it can be used again")
        self._fault = fault
        self._seen_at = time.monotonic()
