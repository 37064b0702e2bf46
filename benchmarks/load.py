"""Measure loading a game of 10,000 events, each time in a new process without caches."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measure import Settings, pin
from benchmarks.replay import fill
from benchmarks.report import Row, at_most
from store import Store
from store.log.snapshots import SNAPSHOT_EVERY
from store.redis.connection import connect
from store.redis.embedded import EmbeddedServer
from tests.playouts import long_record

LONG = 10_000
PLACES = 10
"""Number of random positions at which to load a game, in addition to those farthest from a snapshot."""
PINNING = "core 0"


def measure(settings: Settings) -> Iterator[Row]:
    """Measure a full replay, and a load with snapshots."""
    long = 1000 if settings.quick else LONG
    rounds = settings.rounds
    log = long_record(long)
    with (
        pin(0),
        EmbeddedServer(settings.folder / "load", "events", durable=True) as server,
        connect(server.url) as client,
    ):
        store = Store(client)
        fill(store, "long", log)

        def cold(what: str | int) -> float:
            command = [sys.executable, "-m", "benchmarks.cold", server.url, "long", str(what)]
            return float(subprocess.run(command, capture_output=True, check=True).stdout)

        figures = [(cold("replay"), cold("read")) for _ in range(rounds)]
        full, read = map(statistics.median, zip(*figures, strict=True))
        yield Row(
            what=f"load of {long:,} events, full replay, cold",
            ours=f"{full:.1f} ms",
            reference=f"{read:.1f} ms XRANGE alone",
            ratio=full / read,
            goal=at_most(full, 35, "ms"),
            pinning=PINNING,
        )
        store.projections.project("long")
        places = _places(long, PLACES if not settings.quick else 1)
        loads = [statistics.median(cold(place) for _ in range(min(rounds, 3))) for place in places]
        worst, middle = max(loads), statistics.median(loads)
        yield Row(
            what=(
                f"load as it was after an event, {long:,} events, with snapshots, cold: "
                f"slowest of {len(places)} places (median {middle:.1f} ms)"
            ),
            ours=f"{worst:.1f} ms",
            reference=f"{full:.1f} ms full replay",
            ratio=worst / full,
            goal=at_most(worst, 5, "ms"),
            pinning=PINNING,
        )


def _places(length: int, count: int) -> list[int]:
    """Return the events after which to load the game: those farthest from a snapshot, the last one, and random ones."""
    rng = random.Random(0)
    farthest = range(SNAPSHOT_EVERY - 1, length, 4 * SNAPSHOT_EVERY)
    return [*list(farthest)[:count], length, *(rng.randrange(3, length) for _ in range(count))]
