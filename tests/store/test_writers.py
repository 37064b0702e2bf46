"""Several writers at once, on servers that die: every acknowledged event is stored once, in one chain."""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.events import Event, event_hash
from store import Store
from store.errors import StoreUnavailable, VersionConflict
from store.log.streams import AppendedRange
from store.redis.embedded import EmbeddedServer
from tests.store.logs import key, note, notes, position
from tests.waiting import until

EACH = 60


def write(store: Store, writer: int, count: int, is_up: Callable[[], bool] = lambda: True) -> list[tuple[int, str]]:
    """Append `count` texts to the game, and retry each until it is acknowledged; return `seq` and text of each."""
    acknowledged = []
    version, head = until_known(store, is_up)
    for number in range(count):
        text = f"{writer}-{number}"
        while True:
            try:
                done = store.events.append("g", (version, head), [note(text, version + 1, head)], key(text, text))
            except VersionConflict as conflict:
                version, head = position(conflict.events)
            except StoreUnavailable:
                until(is_up)
                version, head = until_known(store, is_up)
            else:
                acknowledged.append((done.first, text))
                if isinstance(done, AppendedRange):
                    version, head = done.last, note(text, version + 1, head).hash
                break
    return acknowledged


def until_known(store: Store, is_up: Callable[[], bool]) -> tuple[int, str]:
    while True:
        try:
            return store.events.head("g")
        except StoreUnavailable:
            until(is_up)


def has_reached(store: Store, version: int) -> bool:
    return store.events.head("g")[0] >= version


def check(log: list[Event], acknowledged: list[tuple[int, str]], count: int) -> None:
    """Check versions 2 to the last: each text once, and the whole chain."""
    assert [event.seq for event in log] == list(range(1, count + 2))
    assert sorted(acknowledged) == [(event.seq, event.note) for event in log[1:]]
    assert len({text for _, text in acknowledged}) == count
    for before, event in itertools.pairwise(log):
        assert event.prev == before.hash
        assert event_hash(event) == event.hash


def in_threads(work: Callable[[int], list[tuple[int, str]]], writers: int) -> tuple[list[threading.Thread], list[Any]]:
    acknowledged: list[tuple[int, str]] = []

    def run(writer: int) -> None:
        acknowledged.extend(work(writer))

    threads = [threading.Thread(target=run, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    return threads, acknowledged


def test_writers_in_threads(store: Store) -> None:
    store.events.open("g", notes("begin"), None)
    threads, acknowledged = in_threads(lambda writer: write(store, writer, EACH), 8)
    for thread in threads:
        thread.join()
    check(store.events.read("g"), acknowledged, 8 * EACH)


def in_process(url: str, writer: int, count: int) -> list[tuple[int, str]]:
    return write(Store.connect(url), writer, count)


@pytest.mark.long
def test_writers_in_processes(store: Store, events_server: str) -> None:
    store.events.open("g", notes("begin"), None)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        results = pool.starmap(in_process, [(events_server, writer, EACH) for writer in range(4)])
        pool.close()
        pool.join()
    check(store.events.read("g"), [one for result in results for one in result], 4 * EACH)


@pytest.mark.long
def test_a_server_killed_under_four_writers(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path, "events", durable=True) as server:
        store = Store.connect(server.url)
        store.events.open("g", notes("begin"), None)
        is_up = threading.Event()
        is_up.set()
        threads, acknowledged = in_threads(lambda writer: write(store, writer, EACH, is_up.is_set), 4)
        for kill_at in (20, 80, 140):
            until(functools.partial(has_reached, store, kill_at))
            is_up.clear()
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
            until(lambda: not server.is_running)
            server.start()
            is_up.set()
        for thread in threads:
            thread.join()
        check(store.events.read("g"), acknowledged, 4 * EACH)
        store.client.close()
    with EmbeddedServer(tmp_path, "events", durable=True) as server:
        store = Store.connect(server.url)
        check(store.events.read("g"), acknowledged, 4 * EACH)
        store.client.close()
