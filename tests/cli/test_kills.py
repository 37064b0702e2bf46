"""SIGKILL for every part of the service while four writers append: no acknowledged event is lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any

import pytest

from engine.review.audit import audit
from tests.cli.service import Service, ask
from tests.ports import free_port
from tests.waiting import until

Start = Callable[..., Service]

WRITERS = 4
ENOUGH = 25
"""Appends of each writer between two kills."""


class Writer:
    """Appends to its own game, one event at a time, and repeats appends that were not acknowledged."""

    def __init__(self, url: str, game_id: str) -> None:
        self.game_id = game_id
        self.acknowledged: dict[str, tuple[int, str]] = {}
        """By text: the acknowledged position and hash of each event."""
        self._url = url
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _write(self) -> None:
        while not self._stopping.is_set():
            text = f"line {len(self.acknowledged)}"
            event = self._append(text)
            if event is None:
                # Try again soon.
                self._stopping.wait(0.02)
            else:
                self.acknowledged[text] = event["seq"], event["hash"]

    def _append(self, text: str) -> Any | None:
        draft = {"type": "annotate", "params": {"text": text}}
        path = f"/v1/games/{self.game_id}/events"
        try:
            status, answer = ask(self._url, "POST", path, draft, Idempotency_Key=f'"{text}"')
        except (OSError, HTTPException, ValueError):
            return None
        assert status in {201, 500, 502, 503}, answer
        return answer["events"][0] if status == 201 else None


@contextmanager
def writing(service: Service) -> Iterator[Callable[[], None]]:
    """Run writers; the yielded function waits until each has appended some more."""
    writers = [Writer(service.url, service.open_game()) for _ in range(WRITERS)]

    def more() -> None:
        goals = [(writer, len(writer.acknowledged) + ENOUGH) for writer in writers]
        until(lambda: all(len(writer.acknowledged) >= goal for writer, goal in goals))

    try:
        yield more
    finally:
        for writer in writers:
            writer.stop()
    for writer in writers:
        judge(service, writer)


def judge(service: Service, writer: Writer) -> None:
    """Check that no acknowledged event is missing, none is doubled, the chain is valid, and the projections are
    complete.
    """
    events = service.store().events.read(writer.game_id)
    standing = {event.params["text"]: (event.seq, event.hash) for event in events[2:]}
    assert len(standing) == len(events) - 2
    assert writer.acknowledged.items() <= standing.items()
    assert audit(events).verdict == "clean"
    until(lambda: service.store().projections.projected_version(writer.game_id) == len(events))
    listed = {game["id"]: game["version"] for game in service.ask("GET", "/v1/games")[1]["games"]}
    assert listed[writer.game_id] == len(events)


def kill_worker(service: Service) -> None:
    os.kill(service.worker_pid(), signal.SIGKILL)


def kill_web(service: Service) -> None:
    os.kill(service.web_pid(), signal.SIGKILL)


def kill_events(service: Service) -> None:
    os.kill(service.server_pid("events"), signal.SIGKILL)


def kill_queue(service: Service) -> None:
    os.kill(service.server_pid("queue"), signal.SIGKILL)


@pytest.mark.parametrize(
    "kill", [kill_events, *(pytest.param(kill, marks=pytest.mark.long) for kill in (kill_worker, kill_web, kill_queue))]
)
def test_a_part_is_killed(start: Start, kill: Callable[[Service], None]) -> None:
    service = start()
    service.ready()
    with writing(service) as more:
        more()
        kill(service)
        more()
        kill(service)
        more()
    until(lambda: service.ask("GET", "/readyz")[0] == 200)
    assert service.stop() == 0


@pytest.mark.long
def test_all_of_it_is_killed(start: Start) -> None:
    port = free_port()
    service = start(port=port)
    service.ready()
    with writing(service) as more:
        for _ in range(2):
            more()
            service.kill()
            service.__dict__.update(start(port=port).__dict__)
            service.ready()
        more()
    assert service.stop() == 0
