"""Compare appends in a long game with appends in a new game."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator

import msgspec

from benchmarks.client import drive, post
from benchmarks.measure import Settings, side_by_side
from benchmarks.posting import CLIENTS
from benchmarks.replay import fill
from benchmarks.report import Row, at_least
from benchmarks.serving import APART, Service, serving
from engine.core.events import Event
from tests.playouts import long_record

LONG = 10_000
GAMES = 20
"""Number of other games in the store."""
WARM = 3
"""Number of requests that each client sends before the measurement, because a process first has to load the game."""


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the same requests in every game: undo to the setup, play a game of Forbidden Island, and repeat."""
    log = long_record(200 if settings.quick else LONG)
    line = [*itertools.takewhile(lambda event: event.type != "undo", log[2:])]
    bodies = [b'{"type":"undo","params":{"to":2}}', *map(_body, line)]
    with serving("ours", settings.folder / "length", APART, "always") as service:
        _open(service, log[:3], GAMES)
        long = _open(service, log, CLIENTS)

        def load(games: list[str]) -> float:
            clients = [_requests(game_id, bodies) for game_id in games]
            with APART.load:
                return drive(service.address, clients, settings.seconds, warm=WARM).rate

        def new() -> float:
            return load(_open(service, log[:3], CLIENTS))

        new()
        grown = side_by_side(lambda: load(long), new, settings.rounds)
    yield Row(
        what=f"append at {len(log):,} events",
        ours=f"{grown.ours:,.0f}/s",
        reference=f"{grown.reference:,.0f}/s at 3 events",
        ratio=grown.ratio,
        goal=at_least(grown.ratio, 0.9),
        pinning=APART.name,
    )


def _body(event: Event) -> bytes:
    return msgspec.json.encode({name: getattr(event, name) for name in ("type", "actor", "params", "outcomes")})


def _open(service: Service, log: list[Event], count: int) -> list[str]:
    games = [secrets.token_hex(13) for _ in range(count)]
    service.store.client.config_set("appendfsync", "everysec")
    for game_id in games:
        fill(service.store, game_id, log)
        service.store.projections.project(game_id)
    service.store.client.config_set("appendfsync", "always")
    return games


def _requests(game_id: str, bodies: list[bytes]) -> Iterator[bytes]:
    for body in itertools.cycle(bodies):
        yield post(f"/v1/games/{game_id}/events", body, [f"Idempotency-Key: {secrets.token_hex(8)}"])
