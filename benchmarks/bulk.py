"""A list of 1,000 events in one POST; beside it an endpoint that decodes the same body by msgspec and appends it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import msgspec

from benchmarks.client import drive, post
from benchmarks.measure import Settings, side_by_side
from benchmarks.report import Row, at_least
from benchmarks.serving import APART, Service, serving
from tests.playouts import long_record

LENGTH = 1000
MOST = 150
"""Lists a second: no service of ours takes more."""


def measure(settings: Settings) -> Iterator[Row]:
    """One client, a new observed game with every request."""
    log = long_record(LENGTH + 1)
    fields = ("type", "actor", "params", "outcomes")
    body = msgspec.json.encode([{name: getattr(event, name) for name in fields} for event in log[1:]])

    def load(service: Service, last: str) -> float:
        games = [secrets.token_hex(13) for _ in range(int(MOST * settings.seconds) + 2)]
        for game_id in games:
            service.store.events.open(game_id, log[:1], None)
        requests = [post(f"/v1/games/{game_id}/{last}", body, [f"Idempotency-Key: {game_id}"]) for game_id in games]
        with APART.load:
            return LENGTH * drive(service.address, [iter(requests)], settings.seconds).rate

    folder = settings.folder / "bulk"
    with serving("ours", folder, APART, "always") as ours, serving("bare", folder, APART, "always") as bare:
        load(ours, "events")
        load(bare, "lists")
        pair = side_by_side(lambda: load(ours, "events"), lambda: load(bare, "lists"), settings.rounds)
    yield Row(
        what=f"POST of {LENGTH:,} events, {len(body) / 1000:.0f} kB",
        ours=f"{pair.ours:,.0f} events/s",
        reference=f"{pair.reference:,.0f} events/s bare",
        ratio=pair.ratio,
        goal=at_least(pair.ratio, 0.4),
        pinning=APART.name,
    )
