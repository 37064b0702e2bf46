"""Measure how long a table waits for an append, the library and an audit while ten hostile guests use a share link.

The guests ignore `Retry-After`. In one measurement, they request every file and audit of a long game, again and again
with different parameters, and between these requests they send the most expensive reads. In the other measurement, they
send cheap reads without a pause.
"""

from __future__ import annotations

import http.client
import itertools
import json
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
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
from workers.dispatcher import ROUND_SECONDS
from workers.queue import LONG, lane
from workers.supervisor import stand_back

GUESTS = 10
NOTES = 8000
NICE = 19
"""The niceness of the guests, because in reality they are on other machines."""
ROUNDS = 8
TURNS = 5
"""Number of turns of a table per round, for each of the two: alone, and beside the guests."""
APPENDS, AUDITS, LISTED = 20, 10, 8
"""Number of appends, audits and listed changes that a table waits for in a turn."""
SETTLE_SECONDS = 2.5
"""Seconds within which the last requests of guests end: the time that they wait, and the longest request."""
PAUSE_SECONDS = 0.5
"""Seconds that a guest pauses after a rejection."""
POLL_SECONDS = 0.002
_FORMATS = ("html", "pdf", "gif", "parquet")
"""The formats that a worker writes for a long game."""
_CHEAP = ("", "/state", "/events?limit=1", "/turns?limit=1", "/notes?limit=1", "/shares")
_READS = ("notes", "deal", "story", "turns", "export?format=json", "export?format=cloudevents", "recap.png")
"""Reads that a web process answers itself, without a job."""


class Waits(msgspec.Struct, frozen=True):
    """Milliseconds that the table waited, for each kind of request."""

    append: list[float]
    library: list[float]
    audit: list[float]


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the waits of the table alone and beside the guests, in the same run."""
    with serving("tokens", settings.folder / "guests", FREE, "always", workers=2) as service:
        store = service.store
        long_game = Recording()
        long_game.add("set_up", outcomes=playout()[1].outcomes)
        notes = 50 if settings.quick else NOTES
        for number in range(notes):
            long_game.add("annotate", text=f"note {number}")
        store.events.open("long", long_game.events, None)
        store.projections.project("long")
        link = store.sharing.share("long", MADE)
        assert link is not None
        table = _Table(service)
        table.play(1)
        kinds: dict[str, Callable[[int], Iterator[None]]] = {
            "order all": lambda number: _order(service.address, link.token, notes + 1, number),
            "flood reads": lambda number: _flood(service.address, link.token, number),
        }
        for name, kind in kinds.items():
            idle, busy = Waits([], [], []), Waits([], [], [])
            with _guests(kind) as guests:
                for _ in range(1 if settings.quick else ROUNDS):
                    # Alternate the two measurements, because other load on this machine changes over time.
                    table.play(TURNS, busy)
                    with _hold_processes([*guests, *_long_workers(service)]):
                        time.sleep(0 if settings.quick else SETTLE_SECONDS)
                        table.play(TURNS, idle)
            yield from _rows(name, idle, busy)


def _rows(guests: str, idle: Waits, busy: Waits) -> Iterator[Row]:
    for name, alone, beside in zip(Waits.__struct_fields__, *map(msgspec.structs.astuple, (idle, busy)), strict=True):
        ratio = percentile(beside, 0.99) / percentile(alone, 0.99)
        yield Row(
            what=f"{name} of another table, p99 of {len(beside)}, {GUESTS} guests {guests}",
            ours=f"{percentile(beside, 0.99):.0f} ms (p50 {percentile(beside, 0.5):.0f})",
            reference=f"{percentile(alone, 0.99):.0f} ms alone (p50 {percentile(alone, 0.5):.0f})",
            ratio=ratio,
            goal=at_most(ratio, 2),
            pinning=FREE.name,
        )


class _Table:
    def __init__(self, service: Service) -> None:
        self._store = service.store
        self._headers = {"Authorization": f"Bearer {service.token}", "Content-Type": "application/json"}
        self._connection = http.client.HTTPConnection(*service.address)
        self._listed = [f"listed{number}" for number in range(LISTED)]
        self._store.events.open("small", playout()[:2], None)
        for game in ["table", *self._listed]:
            self._store.events.open(game, playout()[:5], None)
        self._texts = itertools.count()
        self._moments = random.Random(1)

    def play(self, turns: int, into: Waits | None = None) -> None:
        waits = Waits([], [], []) if into is None else into
        for _ in range(turns):
            for _ in range(APPENDS):
                began = time.perf_counter()
                self._append("table")
                waits.append.append(_since(began))
            for _ in range(AUDITS):
                began = time.perf_counter()
                self._audit()
                waits.audit.append(_since(began))
            # Append at random moments of the library's rounds, but all events at once.
            time.sleep(self._moments.uniform(0, ROUND_SECONDS))
            missing = {game: (time.perf_counter(), self._append(game)) for game in self._listed}
            while missing:
                time.sleep(POLL_SECONDS)
                for game, (began, version) in list(missing.items()):
                    if self._store.projections.projected_version(game) >= version:
                        waits.library.append(_since(began))
                        del missing[game]

    def _append(self, game: str) -> int:
        note = {"type": "annotate", "params": {"text": f"{next(self._texts)}"}}
        version: int = self._ask("POST", f"/v1/games/{game}/events", note)["version"]
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
def _hold_processes(pids: list[int]) -> Iterator[None]:
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
def _guests(kind: Callable[[int], Iterator[None]]) -> Iterator[list[int]]:
    context = multiprocessing.get_context("fork")
    guests = [context.Process(target=_attack, args=(kind, number), daemon=True) for number in range(GUESTS)]
    for guest in guests:
        guest.start()
    try:
        # Wait until the first jobs of the guests run in the lane for long jobs.
        time.sleep(SETTLE_SECONDS)
        yield [guest.pid for guest in guests if guest.pid is not None]
    finally:
        for guest in guests:
            guest.kill()
            guest.join()


def _attack(kind: Callable[[int], Iterator[None]], number: int) -> None:
    stand_back(NICE)
    for _ in kind(number):
        pass


def _flood(address: tuple[str, int], link: str, number: int) -> Iterator[None]:
    connection = http.client.HTTPConnection(*address)
    for path in itertools.islice(itertools.cycle(_CHEAP), number, None):
        connection.request("GET", f"/s/{link}/v1/games/long{path}")
        connection.getresponse().read()
        yield


def _order(address: tuple[str, int], link: str, version: int, number: int) -> Iterator[None]:
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
            yield


def _ask(address: tuple[str, int], method: str, path: str) -> int:
    connection = http.client.HTTPConnection(*address)
    connection.request(method, path, headers={"Accept": "application/json"})
    with connection.getresponse() as answer:
        answer.read()
    connection.close()
    return answer.status
