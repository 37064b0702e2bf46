"""Looking aside: what may take long, such as a disk on a network, is looked at by a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 30.0
"""What was seen is told again for so long before it is looked at anew."""
PATIENCE_SECONDS = 0.5


class Aside:
    """What a look found to be wrong, without waiting long for it; the log tells when that changes.

    Args:
        what: is looked at, as the log names it.
        look: what is wrong; None: nothing.
        again: seconds until it is looked at anew.
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
        """What is wrong, as it was seen last; None where nothing is.

        Args:
            patience: seconds for a look that is under way: whatever takes longer does not answer.
        """
        with self._lock:
            is_stale = self._looking is None or time.monotonic() - self._seen_at > self._again
            if self._looking is None or (is_stale and not self._looking.is_alive()):
                self._looking = threading.Thread(target=self._see, name="aside", daemon=True)
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
