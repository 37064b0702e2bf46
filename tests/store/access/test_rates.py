"""Counting requests on a real Redis: in several processes, at the edges of the window, and without Redis."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import pytest

from store.access import rates
from store.access.rates import PREFIX, SLACK, Rate, Tallies
from tests.waiting import until
from workers.queue import Queue

GONE = "unix:///nowhere/driftlog.sock"


@pytest.fixture
def counted(queue: Queue, queue_server: str) -> Callable[[str], Rate]:
    """Return a function that returns a counter with a limit, as each process of the service has one."""
    return lambda allowed: Rate("address", allowed, Tallies(queue_server))


def count_accepted(rate: Rate, who: str, times: int) -> int:
    """Return the number of accepted requests out of `times`."""
    return sum(not rate.count(who).wait for _ in range(times))


def keys_in(queue: Queue) -> list[bytes]:
    return list(queue.connection.scan_iter(match=f"{PREFIX}:*"))


def test_one_who_asks_too_often_is_refused_and_others_are_not(counted: Callable[[str], Rate]) -> None:
    rate = counted("10/hour")
    assert [rate.count("a").left for _ in range(10)] == list(range(9, -1, -1))
    refused = rate.count("a")
    assert refused.left == 0
    assert 1 <= refused.wait <= 3600
    assert rate.count("a").wait in {refused.wait, refused.wait - 1}
    assert not rate.count("b").wait


def test_whoever_asks_little_leaves_nothing_in_redis(counted: Callable[[str], Rate], queue: Queue) -> None:
    rate, slack = counted("1000/hour"), 1000 // SLACK
    assert count_accepted(rate, "a", slack) == slack
    assert keys_in(queue) == []
    assert rate.count("a").left == 1000 - slack - 1
    assert keys_in(queue)
    assert all(0 < queue.connection.ttl(name) <= 2 * 3600 for name in keys_in(queue))


def test_many_processes_count_together(counted: Callable[[str], Rate]) -> None:
    processes, most = 20, 500
    admitted = [0] * processes
    together = threading.Barrier(processes)

    def ask(number: int) -> None:
        rate = counted(f"{most}/hour")
        together.wait()
        admitted[number] = count_accepted(rate, "a", most // 4)

    threads = [threading.Thread(target=ask, args=[number]) for number in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    slack = most // SLACK
    assert most - slack <= sum(admitted) <= most + processes * slack


def test_many_threads_of_a_process_count_together(counted: Callable[[str], Rate]) -> None:
    rate, admitted = counted("200/hour"), [0] * 8

    def ask(number: int) -> None:
        admitted[number] = count_accepted(rate, "a", 100)

    threads = [threading.Thread(target=ask, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A thread that has just started to settle leaves room for the slack of others.
    assert 200 - 4 <= sum(admitted) <= 200 + 8 * 4


def test_it_may_ask_again_when_it_was_told_to(counted: Callable[[str], Rate]) -> None:
    rate = counted("3/second")
    until(lambda: rate.count("a").wait)
    until(lambda: not rate.count("a").wait)


def test_what_a_process_counted_long_ago_is_forgotten(
    counted: Callable[[str], Rate], monkeypatch: pytest.MonkeyPatch
) -> None:
    rate = counted("100/minute")
    assert [rate.count("a").left for _ in range(2)] == [99, 98]
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert rate.count("a").left == 99


@pytest.mark.parametrize("hours", [-24, 24])
def test_a_clock_that_jumps_lets_nobody_in(
    counted: Callable[[str], Rate], monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    assert count_accepted(counted("5/hour"), "a", 6) == 5
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + hours * 3600)
    assert count_accepted(counted("5/hour"), "a", 6) == 0


def test_the_edge_of_a_window_is_none(counted: Callable[[str], Rate], queue: Queue) -> None:
    """A burst before the edge leaves almost nothing for a burst after it."""
    assert count_accepted(counted("10/hour"), "a", 10) == 10
    (current,) = keys_in(queue)
    # The window ends in a moment, and its count weighs almost fully in the next one.
    queue.connection.pexpire(current, 3600_001)
    until(lambda: queue.connection.pttl(current) < 3600_000)
    again = counted("10/hour")
    assert count_accepted(again, "a", 10) <= 1
    # A tenth of an hour frees one request, because the old count fades evenly.
    assert 1 <= again.count("a").wait <= 361


@pytest.mark.parametrize("url", [GONE, "redis://127.0.0.1:1", "redis+cluster://127.0.0.1:1"])
def test_where_redis_is_away_each_process_counts_alone(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "store.access.rates"):
        processes = [Rate("address", "10/hour", Tallies(url)) for _ in range(2)]
        assert [count_accepted(rate, "a", 20) for rate in processes] == [10, 10]
    assert len([record for record in caplog.records if record.name == "store.access.rates"]) == 2


def test_when_redis_is_back_they_count_together_again(
    queue: Queue, queue_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "AWAY_SECONDS", 0.0)
    tallies = Tallies(GONE)
    rate = Rate("address", "10/hour", tallies)
    assert count_accepted(rate, "a", 1) == 1
    tallies._url = queue_server
    tallies._shared = None
    assert count_accepted(rate, "a", 1) == 1
    assert keys_in(queue)


def test_a_full_redis_is_as_one_that_is_away(counted: Callable[[str], Rate], queue: Queue) -> None:
    queue.connection.config_set("maxmemory", "1")
    try:
        assert count_accepted(counted("10/hour"), "a", 20) == 10
    finally:
        queue.connection.config_set("maxmemory", "0")


def test_a_process_remembers_only_so_many(counted: Callable[[str], Rate], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_KNOWN", 100)
    rate = counted("1000/hour")
    for number in range(1000):
        rate.count(str(number))
    assert len(rate._callers) == 100
