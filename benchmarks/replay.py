"""Replay end to end: read from Redis, decode, and fold with every rule checked.

In the reference, `eventsourcing` reads an aggregate with the same number of events, of the same shape, from a SQLite
file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.measure import Settings, pin, rate, side_by_side
from benchmarks.report import Row, at_least
from engine.core.events import Event
from store import Store
from store.redis.connection import connect
from store.redis.embedded import EmbeddedServer
from tests.playouts import long_record

LENGTH = 10_000
BATCH = 1000


class Record(Aggregate):
    """The aggregate for `eventsourcing`. Its events do less work than events of a game."""

    turn = 0

    @event("Recorded")
    def record(
        self, *, type_: str, actor: str | None, params: dict[str, Any], outcomes: list[Any], turn: int, at: str
    ) -> None:
        self.turn = turn


def measure(settings: Settings) -> Iterator[Row]:
    """Measure reading and folding a record of 10,000 events."""
    log = long_record(500 if settings.quick else LENGTH)
    with (
        pin(0),
        EmbeddedServer(settings.folder / "replay", "events", durable=True) as server,
        connect(server.url) as client,
    ):
        archive = str(settings.folder / "archive")
        store = Store(client, archive)
        fill(store, "replayed", log)
        get = getting(settings.folder / "peer.sqlite", log)

        def replay() -> int:
            return store.games.replay("replayed").version

        def restore_archived() -> int:
            # Start with an empty cache, like a new process.
            return Store(client, archive).games.replay("replayed").version

        pair = side_by_side(
            lambda: rate(replay, settings.seconds), lambda: rate(get, settings.seconds), settings.rounds
        )
        store.archive("replayed")
        archived = side_by_side(
            lambda: rate(restore_archived, settings.seconds), lambda: rate(get, settings.seconds), settings.rounds
        )
    yield Row(
        what=f"replay end to end, {len(log):,} events",
        ours=f"{pair.ours:,.0f}/s",
        reference=f"{pair.reference:,.0f}/s eventsourcing get",
        ratio=pair.ratio,
        goal=at_least(pair.ratio, 6),
        pinning="core 0",
    )
    yield Row(
        what=f"replay from the archive, {len(log):,} events",
        ours=f"{archived.ours:,.0f}/s",
        reference=f"{archived.reference:,.0f}/s eventsourcing get",
        ratio=archived.ratio,
        goal=at_least(archived.ratio, 10),
        pinning="core 0",
    )


def fill(store: Store, game_id: str, log: list[Event]) -> None:
    """Store `log` as the game `game_id`."""
    store.events.open(game_id, log[:1], None)
    for start in range(1, len(log), BATCH):
        head = log[start - 1]
        store.events.append(game_id, (head.seq, head.hash), log[start : start + BATCH])


def getting(path: Path, log: list[Event]) -> Callable[[], int]:
    """Return a function that reads an aggregate with as many events as `log`. The function returns their number."""
    application: Application[UUID] = Application(
        env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    )
    record = Record()
    for one in log:
        record.record(
            type_=one.type,
            actor=one.actor,
            params=one.params,
            outcomes=list(one.outcomes),
            turn=one.turn,
            at=one.recorded_at,
        )
    application.save(record)

    def get() -> int:
        application.repository.get(record.id)
        return len(log)

    return get
