"""The worker's signal handlers, which can run between any two steps of its loop."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

from cli.web.worker import Worker


def test_a_worker_that_is_to_end_at_once_waits_for_no_lock() -> None:
    child = os.fork()
    if child == 0:
        # This ends a process that waits for ever, with a different status.
        signal.alarm(20)
        worker = Worker.__new__(Worker)
        worker.tpool = ThreadPoolExecutor()
        with worker.tpool._shutdown_lock:
            worker.handle_quit(signal.SIGINT, None)
    assert os.waitpid(child, 0)[1] == 0
