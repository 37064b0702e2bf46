"""The web process's signal handlers, which can run between any two steps of its loop."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from cli.web import process
from cli.web.process import WebProcess


def fork() -> int:
    """Fork. SIGALRM ends the child: it does not call pytest-timeout, which would go on with the tests."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return child


def test_a_worker_that_is_to_end_at_once_waits_for_no_lock() -> None:
    child = fork()
    if child == 0:
        # This ends a process that waits for ever, with a different status.
        signal.alarm(20)
        one = WebProcess.__new__(WebProcess)
        one.tpool = ThreadPoolExecutor()
        with one.tpool._shutdown_lock:
            one.handle_quit(signal.SIGINT, None)
    assert os.waitpid(child, 0)[1] == 0


def test_a_worker_whose_loop_hangs_is_ended_by_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "HUNG_SECONDS", 1)
    child = fork()
    if child == 0:
        WebProcess.__new__(WebProcess).notify()
        signal.pause()
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGALRM
