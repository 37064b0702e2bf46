"""Long work: what a worker imports in a second of the processor's time, and what two of them audit beside one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.client import drive, get
from benchmarks.measure import UNPINNED, Settings, percentile
from benchmarks.report import Row, at_least
from benchmarks.serving import FREE, serving
from engine.play.fold import fold
from exports import FORMATS, Log
from tests.playouts import long_record, playout
from workers.queue import submit

IMPORTED = 100_000
GAMES = 1000
POLL_SECONDS = 0.02
_TICKS = os.sysconf("SC_CLK_TCK")


def measure(settings: Settings) -> Iterator[Row]:
    """One long import, the web asked meanwhile; then audits of many games, by one worker and by two."""
    yield from _imported(settings)
    yield _audited(settings)


def _imported(settings: Settings) -> Iterator[Row]:
    log = long_record(1000 if settings.quick else IMPORTED)
    body = b"".join(FORMATS["ndjson"].write(Log(game_id="g", events=log, game=fold(log))))
    with serving("ours", settings.folder / "import", FREE, "always", workers=1) as service:
        workers = service.worker_pids(1)
        job = submit(service.store, service.queue, "import", {}, payload=body).id
        before, told = sum(map(_processor_seconds, workers)), set[float]()
        asked: list[float] = []
        while (now := service.store.jobs.get(job)) is None or now.status not in {"done", "failed"}:
            told.add(now.progress if now else 0.0)
            asked += drive(
                service.address, [iter([get("/v1/rulesets/forbidden-island")])], expected=(200,)
            ).milliseconds
            time.sleep(POLL_SECONDS)
        assert now.status == "done", now.error
        took = sum(map(_processor_seconds, workers)) - before
    speed = len(log) / max(took, 1 / _TICKS)
    yield Row(
        what=f"import of {len(log):,} events, each verified ({len(body) / 1e6:.0f} MB)",
        ours=f"{speed:,.0f} events/s of processor time",
        goal=at_least(speed, 15_000, "/s"),
        pinning=UNPINNED,
    )
    yield Row(
        what="GET meanwhile, and how often the progress moved",
        ours=f"p99 {percentile(asked, 0.99):.0f} ms; {len(told)} times",
        pinning=UNPINNED,
    )


def _audited(settings: Settings) -> Row:
    games = 10 if settings.quick else GAMES
    logs = [playout(seed=seed, seats=2 + seed % 3) for seed in range(10)]
    took = {}
    for workers in (1, 2):
        folder = settings.folder / f"audits-{workers}"
        with serving("ours", folder, FREE, "always", workers=workers) as service:
            store = service.store
            for number in range(games):
                store.events.open(f"g{number}", logs[number % len(logs)], None)
                store.projections.project(f"g{number}")
            service.worker_pids(workers)
            began = time.perf_counter()
            jobs = [submit(store, service.queue, "audit", {"game": f"g{number}"}).id for number in range(games)]
            for job in jobs:
                while store.jobs.get(job).status != "done":  # type: ignore[union-attr]  # it was just promised
                    time.sleep(POLL_SECONDS)
            took[workers] = time.perf_counter() - began
    ratio = took[1] / took[2]
    return Row(
        what=f"audit of {games:,} games, two workers",
        ours=f"{games / took[2]:,.0f} games/s",
        reference=f"{games / took[1]:,.0f} games/s one worker",
        ratio=ratio,
        goal=at_least(ratio, 1.8),
        pinning=UNPINNED,
    )


def _processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
