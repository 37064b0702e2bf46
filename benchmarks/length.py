"""Compare appends in a long game and in a new one, and in a store of 20,000 games and of 20."""

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
FEW, MANY = 20, 20_000
WARM = 3
"""Requests that each client sends before the measurement, because a process first has to load the game."""


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the same requests in every game: undo to the setup, play a game of Forbidden Island, and repeat."""
    log = long_record(200 if settings.quick else LONG)
    many = 2 * FEW if settings.quick else MANY
    line = [*itertools.takewhile(lambda event: event.type != "undo", log[2:])]
    bodies = [b'{"type":"undo","params":{"to":2}}', *map(_body, line)]
    folder = settings.folder / "length"
    with (
        serving("ours", folder / "few", APART, "always") as few,
        serving("ours", folder / "many", APART, "always") as much,
    ):
        _open(few, log[:3], FEW)
        _open(much, log[:3], many)
        long = _open(few, log, CLIENTS)

        def load(service: Service, games: list[str]) -> float:
            clients = [_requests(game_id, bodies) for game_id in games]
            with APART.load:
                return drive(service.address, clients, settings.seconds, warm=WARM).rate

        def new(service: Service) -> float:
            return load(service, _open(service, log[:3], CLIENTS))

        def at_length() -> float:
            return load(few, long)

        new(few)
        new(much)
        grown = side_by_side(at_length, lambda: new(few), settings.rounds)
        beside = side_by_side(lambda: new(much), lambda: new(few), settings.rounds)
    yield Row(
        what=f"append at {len(log):,} events",
        ours=f"{grown.ours:,.0f}/s",
        reference=f"{grown.reference:,.0f}/s at 3 events",
        ratio=grown.ratio,
        goal=at_least(grown.ratio, 0.9),
        pinning=APART.name,
    )
    yield Row(
        what=f"append with {many:,} games in the store",
        ours=f"{beside.ours:,.0f}/s",
        reference=f"{beside.reference:,.0f}/s with {FEW} games",
        ratio=beside.ratio,
        goal=at_least(beside.ratio, 0.9),
        pinning=APART.name,
    )


def _body(event: Event) -> bytes:
    return msgspec.json.encode({name: getattr(event, name) for name in ("type", "actor", "params", "outcomes")})


def _open(service: Service, log: list[Event], count: int) -> list[str]:
    """Create games with `log` and their projections; return their ids."""
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
