"""Measure the memory that Redis needs per event, including the hash chain.

In the reference, each event is one JSON text, as in the API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchmarks.measure import UNPINNED, Settings
from benchmarks.replay import fill
from benchmarks.report import Row, at_most
from engine.core.events import Event
from store import Store, keys
from store.redis.connection import connect, pipe
from store.redis.embedded import EmbeddedServer
from tests.playouts import long_record

LENGTH = 300
GAMES = 300
KINDS = 30
"""Number of different games."""

Keep = Callable[[Store, str, list[Event]], None]


def measure(settings: Settings) -> Iterator[Row]:
    """Measure 300 games of 300 events."""
    games, kinds = (20, 2) if settings.quick else (GAMES, KINDS)
    logs = [long_record(LENGTH, seed) for seed in range(kinds)] * (games // kinds)
    reference = _bytes_an_event(settings.folder / "naive", naive, logs)
    ours = _bytes_an_event(settings.folder / "ours", fill, logs)
    yield Row(
        what=f"Redis memory per event, {games} games of {LENGTH}",
        ours=f"{ours:.0f} B",
        reference=f"{reference:.0f} B as JSON",
        ratio=ours / reference,
        goal=at_most(ours, 130, "B"),
        pinning=UNPINNED,
    )


def naive(store: Store, game_id: str, log: list[Event]) -> None:
    """Store each event of `log` as a JSON text."""
    pipe(
        store.client,
        [("XADD", keys.events(game_id), f"{event.seq}-0", "event", msgspec.json.encode(event)) for event in log],
    )


def _bytes_an_event(folder: Path, keep: Keep, logs: Sequence[list[Event]]) -> float:
    # Use a new server for each measurement, because deleted data does not free memory at once.
    with EmbeddedServer(folder, "events", durable=True) as server, connect(server.url) as client:
        # Do not wait for the disk: it is not measured, and would take minutes.
        client.config_set("appendfsync", "everysec")
        store = Store(client)
        before = client.info("memory")["used_memory"]
        for number, log in enumerate(logs):
            keep(store, f"{number:026}", log)
        return float((client.info("memory")["used_memory"] - before) / sum(map(len, logs)))
