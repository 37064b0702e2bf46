"""Measure how long a table waits for an append, the library and an audit while ten hostile guests use a share link.

The guests request every file and audit of a long game, again and again with other parameters, and ignore `Retry-After`.
Between these requests they send those that cost the web processes most, without a pause.
"""

from __future__ import annotations

import http.client
import itertools
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import msgspec
from rq import Worker

from benchmarks.measure import Settings, percentile
from benchmarks.report import Row, at_most
from benchmarks.serving import FREE, MADE, Service, serving
from tests.playouts import playout
from tests.recording import Recording
from workers.queue import LONG, lane

GUESTS = 10
NOTES = 8000
SECONDS = 16.0
"""Duration of the measurement of each side."""
ROUNDS = 4
PAUSE_SECONDS = 0.5
"""Pause of a guest after a rejection."""
POLL_SECONDS = 0.002
_FORMATS = ("html", "pdf", "gif", "parquet")
"""The formats that a worker writes for a long game."""
_READS = ("notes", "deal", "story", "turns", "export?format=json", "export?format=cloudevents", "recap.png")
"""Reads that a web process answers itself, without a job."""


class Waits(msgspec.Struct, frozen=True):
    """Milliseconds that the table waited."""

    append: list[float]
    library: list[float]
    audit: list[float]


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the table alone, and beside the guests, in the same run."""
    seconds, notes = (0.5, 50) if settings.quick else (SECONDS, NOTES)
    with serving("tokens", settings.folder / "guests", FREE, "always", workers=2) as service:
        store = service.store
        long_game = Recording()
        long_game.add("set_up", outcomes=playout()[1].outcomes)
        for number in range(notes):
            long_game.add("annotate", text=f"note {number}")
        store.events.open("long", long_game.events, None)
        store.projections.project("long")
        link = store.sharing.share("long", MADE)
        assert link is not None
        table = _Table(service)
        table.play(seconds / 4)
        idle, busy = Waits([], [], []), Waits([], [], [])
        with _guests(service.address, link.token, notes + 1) as guests:
            # Wait until their first jobs run in the long lane.
            time.sleep(seconds / 4)
            for _ in range(ROUNDS):
                table.play(seconds / ROUNDS, busy)
                # Alternate the sides, because the other load on this machine changes.
                with _held([*guests, *_long_workers(service)]):
                    table.play(seconds / ROUNDS, idle)
            unfinished = len(store.jobs.unfinished())
    for name, alone, beside in zip(Waits.__struct_fields__, *map(msgspec.structs.astuple, (idle, busy)), strict=True):
        ratio = percentile(beside, 0.99) / percentile(alone, 0.99)
        yield Row(
            what=f"{name} of another table, p99 of {len(beside)}, {GUESTS} guests with {unfinished} jobs",
            ours=f"{percentile(beside, 0.99):.0f} ms (p50 {percentile(beside, 0.5):.0f})",
            reference=f"{percentile(alone, 0.99):.0f} ms alone (p50 {percentile(alone, 0.5):.0f})",
            ratio=ratio,
            goal=at_most(ratio, 2),
            pinning=FREE.name,
        )


class _Table:
    """A table that records, lists games, and audits a small game."""

    def __init__(self, service: Service) -> None:
        self._store = service.store
        self._headers = {"Authorization": f"Bearer {service.token}", "Content-Type": "application/json"}
        self._connection = http.client.HTTPConnection(*service.address)
        self._store.events.open("small", playout()[:2], None)
        self._store.events.open("table", playout()[:5], None)
        self._texts = itertools.count()

    def play(self, seconds: float, into: Waits | None = None) -> None:
        waits = Waits([], [], []) if into is None else into
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for _ in range(5):
                began = time.perf_counter()
                version = self._append()
                waits.append.append(_since(began))
            for _ in range(3):
                began = time.perf_counter()
                self._audit()
                waits.audit.append(_since(began))
            began = time.perf_counter()
            version = self._append()
            while self._store.projections.projected_version("table") < version:
                time.sleep(POLL_SECONDS)
            waits.library.append(_since(began))

    def _append(self) -> int:
        note = {"type": "annotate", "params": {"text": f"{next(self._texts)}"}}
        version: int = self._ask("POST", "/v1/games/table/events", note)["version"]
        return version

    def _audit(self) -> None:
        audit = self._ask("POST", "/v1/games/small/audits", {})["id"]
        while self._ask("GET", f"/v1/games/small/audits/{audit}")["status"] != "done":
            time.sleep(POLL_SECONDS)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        told = answer.read()
        assert answer.status < 300, told
        return json.loads(told)


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000


@contextmanager
def _held(pids: list[int]) -> Iterator[None]:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def _long_workers(service: Service) -> list[int]:
    return [one.pid for one in Worker.all(queue=lane(service.queue, LONG)) if one.pid is not None]


@contextmanager
def _guests(address: tuple[str, int], link: str, version: int) -> Iterator[list[int]]:
    context = multiprocessing.get_context("fork")
    guests = [
        context.Process(target=_order, args=(address, link, version, number), daemon=True) for number in range(GUESTS)
    ]
    for guest in guests:
        guest.start()
    try:
        yield [guest.pid for guest in guests if guest.pid is not None]
    finally:
        for guest in guests:
            guest.kill()
            guest.join()


def _order(address: tuple[str, int], link: str, version: int, number: int) -> None:
    game = f"/s/{link}/v1/games/long"
    reads = itertools.cycle(_READS)
    for until, kind in itertools.product(range(version - number, 1, -GUESTS), ("audit", *_FORMATS)):
        if kind == "audit":
            status = _ask(address, "POST", f"{game}/audits")
        else:
            status = _ask(address, "GET", f"{game}/export?format={kind}&until={until}")
        # After a rejection, send reads until the next job can be requested.
        end = time.monotonic() + (0 if status == HTTPStatus.ACCEPTED else PAUSE_SECONDS)
        while time.monotonic() < end:
            _ask(address, "GET", f"{game}/{next(reads)}")


def _ask(address: tuple[str, int], method: str, path: str) -> int:
    connection = http.client.HTTPConnection(*address)
    connection.request(method, path, headers={"Accept": "application/json"})
    with connection.getresponse() as answer:
        answer.read()
    connection.close()
    return answer.status
