"""Append from more clients than the service can answer in time; measure the rate, and how long rejections take.

Each client sends its next event after the answer to the last one, and obeys `Retry-After`.
"""

from __future__ import annotations

import heapq
import itertools
import select
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.client import TIMEOUT, Connection, UnexpectedStatus
from benchmarks.measure import Settings, freeze_objects, percentile
from benchmarks.posting import deal
from benchmarks.report import Row, at_least
from benchmarks.serving import FREE, Service, serving

BEST = (16, 32, 64)
"""Numbers of clients. One of these numbers gives the best rate."""
LOADS = {"1 ×": 64, "4 ×": 256, "16 ×": 1024}
WARM_SECONDS = 1.0
"""Seconds before the measurement, during which all clients connect, and the retries of rejected clients spread."""


class Outcome(msgspec.Struct, frozen=True):
    """The result of a load test."""

    seconds: float
    milliseconds: list[float]
    """Duration of each answer that was not a rejection."""
    refusals: list[float]
    """Duration of each rejection."""
    grown: float
    """MiB by which the memory of the web processes grew."""

    @property
    def rate(self) -> float:
        """Events per second."""
        return len(self.milliseconds) / self.seconds


def measure(settings: Settings) -> Iterator[Row]:
    """Alternately measure the best rate, and the rates under higher load."""
    loads = {"1 ×": 4} if settings.quick else LOADS
    with serving("ours", settings.folder / "overload", FREE, "everysec") as service:
        outcomes: dict[int, list[Outcome]] = {}
        for _ in range(1 if settings.quick else 3):
            for clients in sorted({*loads.values()} | set(() if settings.quick else BEST)):
                outcomes.setdefault(clients, []).append(withstand(service, clients, 3 * settings.seconds))
        rates = {clients: sorted(one.rate for one in found)[len(found) // 2] for clients, found in outcomes.items()}
        best = max(rates[clients] for clients in rates if clients in BEST or settings.quick)
        for name, clients in loads.items():
            found = outcomes[clients]
            took = [one for outcome in found for one in outcome.milliseconds]
            refused = [one for outcome in found for one in outcome.refusals]
            share = len(refused) / (len(took) + len(refused))
            times = f"p50 {percentile(took, 0.5):.0f}, p99 {percentile(took, 0.99):.0f} ms"
            if refused:
                times += f"; {share:.0%} refused in {percentile(refused, 0.5):.0f}, {percentile(refused, 0.99):.0f} ms"
            yield Row(
                what=f"POST events, {clients} clients: {name} the load",
                ours=f"{rates[clients]:,.0f}/s ({times}; {max(one.grown for one in found):+.0f} MiB)",
                reference=f"{best:,.0f}/s at its best",
                ratio=rates[clients] / best,
                goal=at_least(rates[clients] / best, 0.95),
                pinning=FREE.name,
            )


def withstand(service: Service, clients: int, seconds: float) -> Outcome:
    """Let `clients` append for `seconds`; a rejected client retries after `Retry-After`."""
    games = deal(service, seconds + WARM_SECONDS, clients)
    before = _memory(service)
    connections = [
        Connection(service.address, itertools.chain.from_iterable(games), (201, 503)) for _ in range(clients)
    ]
    crowd = _Crowd(connections)
    try:
        crowd.play(WARM_SECONDS)
        with freeze_objects():
            began = time.perf_counter()
            took, refused = crowd.play(seconds)
            return Outcome(time.perf_counter() - began, took, refused, _memory(service) - before)
    finally:
        for connection in connections:
            connection.close()


class _Crowd:
    def __init__(self, connections: list[Connection]) -> None:
        self._connections = {connection.fileno: connection for connection in connections}
        self._due: list[tuple[float, int]] = []
        """The time of the next retry of each rejected client."""
        self._asking = 0
        self._is_over = False
        self._took: list[float] = []
        self._refused: list[float] = []

    def play(self, seconds: float) -> tuple[list[float], list[float]]:
        """Return the durations of answers and of rejections, once all clients have their last answer."""
        self._took, self._refused, self._is_over = [], [], False
        end = time.perf_counter() + seconds
        back = {fileno for _, fileno in self._due}
        with select.epoll() as poll:
            for fileno, connection in self._connections.items():
                poll.register(fileno, select.EPOLLIN)
                if fileno not in back:
                    self._asking += connection.send_next()
            while self._asking or not self._is_over:
                now = time.perf_counter()
                self._is_over = now >= end
                self._send_again(now)
                until = min([end, *(due for due, _ in self._due[:1])]) if not self._is_over else now + TIMEOUT
                ready = poll.poll(max(0.0, until - now))
                if self._is_over and self._asking and not ready:
                    raise UnexpectedStatus(f"no answer for {TIMEOUT:.0f} s")
                for fileno, _ in ready:
                    self._hear(fileno)
        return self._took, self._refused

    def _send_again(self, now: float) -> None:
        while self._due and self._due[0][0] <= now and not self._is_over:
            self._connections[heapq.heappop(self._due)[1]].send_again()
            self._asking += 1

    def _hear(self, fileno: int) -> None:
        connection = self._connections[fileno]
        if not connection.is_answered():
            return
        self._asking -= 1
        now = time.perf_counter()
        milliseconds = (now - connection.sent_at) * 1000
        if (pause := connection.retry_after) is not None:
            self._refused.append(milliseconds)
            heapq.heappush(self._due, (now + pause, fileno))
        else:
            self._took.append(milliseconds)
            if not self._is_over:
                self._asking += connection.send_next()


def _memory(service: Service) -> float:
    return sum(
        int(line.split()[1]) / 1024
        for pid in service.web_processes()
        for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        if line.startswith("VmRSS")
    )
