"""Slow checks: callers do not wait long for something that does not answer."""

from __future__ import annotations

import logging
import threading

import pytest

from store.log.fault_monitor import FaultMonitor
from tests.waiting import until


def test_what_was_seen_is_told_for_a_while() -> None:
    seen = iter(["away", None])
    kept = FaultMonitor("the disk", lambda: next(seen))
    assert [kept.fault(10.0) for _ in range(3)] == ["away"] * 3


def test_it_is_looked_at_anew_and_the_log_tells_what_changed(caplog: pytest.LogCaptureFixture) -> None:
    seen = iter([None, "away", "away", None])
    eager = FaultMonitor("the disk", lambda: next(seen), again=-1.0)
    with caplog.at_level(logging.WARNING, "store.log.fault_monitor"):
        assert [eager.fault(10.0) for _ in range(4)] == [None, "away", "away", None]
    assert caplog.messages == ["the disk: away", "the disk: it can be used again"]


def test_what_takes_long_does_not_answer_until_it_does() -> None:
    go_on = threading.Event()

    def look() -> None:
        go_on.wait()

    slow = FaultMonitor("the disk", look)
    assert slow.fault(0.0) == slow.fault(0.0) == "it did not answer within 0 s"
    go_on.set()
    until(lambda: slow.fault(0.0) is None)
