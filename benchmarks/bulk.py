"""A list of 1,000 events in one POST; beside it an endpoint that decodes the same body by msgspec and appends it."""

from __future__ import annotations

import itertools
import secrets
import statistics
from collections.abc import Iterator

import msgspec

from benchmarks.client import drive, get, post
from benchmarks.measure import Settings, side_by_side
from benchmarks.report import Row, at_least
from benchmarks.serving import APART, Service, serving
from tests.playouts import long_record

LENGTH = 1000
LISTS = 40
"""So many each time."""


def measure(settings: Settings) -> Iterator[Row]:
    """One client, a new observed game with every list; its process knows the game, as of one that is being recorded."""
    log = long_record(LENGTH + 2)
    fields = ("type", "actor", "params", "outcomes")
    body = msgspec.json.encode([{name: getattr(event, name) for name in fields} for event in log[2:]])

    def ours_requests(service: Service, *more: str) -> Iterator[bytes]:
        while True:
            game_id = secrets.token_hex(13)
            service.store.events.open(game_id, log[:2], None)
            yield get(f"/v1/games/{game_id}")
            yield post(f"/v1/games/{game_id}/events", body, [f"Idempotency-Key: {game_id}", *more])

    def bare_requests() -> Iterator[bytes]:
        while True:
            yield post(f"/v1/games/{secrets.token_hex(13)}/lists", body)

    def load(service: Service, client: Iterator[bytes], step: int) -> float:
        with APART.load:
            requests = itertools.islice(client, step * lists)
            took = drive(service.address, [requests], expected=(200, 201)).milliseconds
        return LENGTH / statistics.median(took[step - 1 :: step]) * 1000

    lists = 2 if settings.quick else LISTS
    folder = settings.folder / "bulk"
    with serving("ours", folder, APART, "always") as ours, serving("bare", folder, APART, "always") as bare:
        for answered, headers, goal in (("the events", (), None), ("a version", ("Prefer: return=minimal",), 0.4)):
            pair = side_by_side(
                lambda headers=headers: load(ours, ours_requests(ours, *headers), 2),  # type: ignore[misc]  # mypy#12557
                lambda: load(bare, bare_requests(), 1),
                settings.rounds,
            )
            yield Row(
                what=f"POST of {LENGTH:,} events, {len(body) / 1000:.0f} kB, answered with {answered}",
                ours=f"{pair.ours:,.0f} events/s",
                reference=f"{pair.reference:,.0f} events/s bare",
                ratio=pair.ratio,
                goal=None if goal is None else at_least(pair.ratio, goal),
                pinning=APART.name,
            )
