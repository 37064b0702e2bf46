"""Request every GET of the contract and every page about a game once, for games of 50,000 events.

For each, measure the processor time of the answering thread, the time to the first byte, and the longest computation
between two writes.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator

import msgspec
from flask import Flask
from werkzeug.test import Client

from api.app import create_app
from api.plumbing.settings import Settings as ServiceSettings
from benchmarks.measure import UNPINNED, Settings, freeze_objects
from benchmarks.replay import BATCH, fill
from benchmarks.report import Row, at_most
from engine.core.events import Draft, Event
from engine.kit.chance import Observed
from engine.play.fold import fold, history
from engine.play.game import Game
from engine.play.past import KnownPast
from engine.play.record import record
from exports import FORMATS
from store import Store
from store.redis.connection import connect
from store.redis.embedded import EmbeddedServer
from tests.playouts import clock, long_record, playout

LONG = 50_000
GAMES = ("undone", "straight", "amended")
"""The games: one with many undos and redos, one with every event in effect, and the first again with an amend."""
MOST_MS = 1000
"""The goal: maximum computing time of a thread before it writes, in milliseconds."""
PAGES = "pages."
"""Prefix of the endpoints of web pages."""
FILES = "pages.assets."
"""Prefix of the endpoints of static files."""
ENDLESS = frozenset({"/v1/stream"})
"""Paths with endless answers, which cannot be measured."""
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")

_WATER = (("p3", "p1"), ("p1", "p3"))
"""The giver and the receiver of a gift of water. The two pairs alternate."""

Query = dict[str, str | int]


class Answer(msgspec.Struct, frozen=True):
    """The cost of a request for the thread that answered it. Times are in milliseconds."""

    computed: float
    """Processor time."""
    first: float
    """Time to the first byte of the body."""
    longest: float
    """Maximum processor time between two writes."""
    size: int
    """Bytes of the body."""
    status: int


def measure(settings: Settings) -> Iterator[Row]:
    """Send all requests once for each of `GAMES`."""
    length = 300 if settings.quick else LONG
    with (
        EmbeddedServer(settings.folder / "answers", "events", durable=False) as events,
        EmbeddedServer(settings.folder / "answers", "queue", durable=False) as queue,
        connect(events.url) as client,
    ):
        store = Store(client)
        games = {"undone": long_record(length), "straight": straight(length), "other": straight(length + 1)}
        games["amended"] = _amend_draws(games["undone"])
        for game_id, log in games.items():
            fill(store, game_id, log)
            store.projections.project(game_id)
        app = create_app(ServiceSettings(redis_url=events.url, queue_url=queue.url))
        for game_id in GAMES[:1] if settings.quick else GAMES:
            for path, query in requests(app, store, game_id, games[game_id]):
                answer = ask(app, path, query)
                yield Row(
                    what=f"GET {path}{_describe(query)}: {answer.status}, {answer.size:,} B",
                    ours=f"computes {answer.computed:,.0f} ms, {answer.longest:,.0f} at a stretch",
                    reference=f"first byte after {answer.first:,.0f} ms",
                    goal=at_most(answer.longest, MOST_MS, "ms at a stretch"),
                    pinning=UNPINNED,
                )


def requests(app: Flask, store: Store, game_id: str, log: list[Event]) -> Iterator[tuple[str, Query]]:
    """Yield every GET of the contract and every page about a game, each with its most expensive queries.

    Raises:
        KeyError: a path has an unknown parameter.
    """
    last = log[-1].seq
    values = {
        "game_id": game_id,
        "other_id": "other" if game_id == "straight" else "undone",
        "seq": str(last // 2),
        "ruleset_id": "forbidden-island",
        "seat": "p1",
        "play_id": "none",
        "key_id": store.signing.active().public.id,
        "token": "none",
        "token_id": "none",
        "webhook_id": "none",
        "audit_id": "none",
        "job_id": "none",
        "export_id": "none",
        "seed_id": "none",
        "slug": "not-found",
        "name": "none",
    }
    before = {"until": last - 1}
    asked: dict[str, list[Query]] = {
        "/v1/games/{game_id}/events": [{"after": 0, "limit": 1000}, {"after": last - 1000, "limit": 1000, **before}],
        "/v1/games/{game_id}/stream": [{"until": last}],
        "/v1/games/{game_id}/state": [{}, {"at": last // 2 + 124}, {"turn": 1}, before],
        "/v1/games/{game_id}/facts": [{}, {"at": last // 2 + 124}, before],
        "/v1/games/{game_id}/turns": [{}, before],
        "/v1/games/{game_id}/export": [{"format": name} for name in FORMATS] + [{"format": "csv", **before}],
        "/v1/games/{game_id}/story": [
            {"after": 0, "limit": 1000},
            {"after": last // 2, "limit": 1000},
            {"after": last - 1000, "limit": 1000, **before},
        ],
        "/v1/games/{game_id}/proof": [{}, {"at": last // 2}],
        "/v1/games/{game_id}/proof/consistency": [{"from": 1, "head": log[0].hash}],
        "/games/{game_id}": [{}, {"at": last // 2}],
    }
    for path in _paths(app):
        for query in asked.get(path, [{}]):
            yield path.format_map(values), query


def _paths(app: Flask) -> list[str]:
    contract = [path for path, item in app.extensions["contract"].spec.to_dict()["paths"].items() if "get" in item]
    pages = [
        _PARAMETER.sub(r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith(PAGES) and not rule.endpoint.startswith(FILES) and "game_id" in rule.arguments
    ]
    return [path for path in (*contract, *pages) if path not in ENDLESS]


def ask(app: Flask, path: str, query: Query) -> Answer:
    """Send a request and read the answer chunk by chunk, as a server's thread does."""
    with freeze_objects():
        began, last = time.perf_counter(), time.thread_time()
        start, stretches, size = last, [], 0
        response = Client(app).get(path, query_string=query, buffered=False)
        first = 0.0
        for chunk in response.response:
            now = time.thread_time()
            stretches.append(now - last)
            first = first or time.perf_counter() - began
            size += len(chunk)
            last = now
        response.close()
        now = time.thread_time()
    stretches.append(now - last)
    return Answer((now - start) * 1000, first * 1000, max(stretches) * 1000, size, response.status_code)


def straight(length: int) -> list[Event]:
    """Return `length` events of an observed game, all of them in effect: two players keep giving each other water."""
    begun = playout("forbidden-desert", 0, 5, limit=10)
    give = [Draft(type="give_water", actor=actor, params={"to": to, "amount": 1}) for actor, to in _WATER]
    drafts = list(itertools.islice(itertools.cycle(give), length - len(begun)))
    game, log = fold(begun), begun
    for start in range(0, len(drafts), BATCH):
        at = clock(game.version + 1)
        game, added = record(game, drafts[start : start + BATCH], Observed(), KnownPast(), recorded_at=at)
        log += added
    return msgspec.json.decode(msgspec.json.encode(log), type=list[Event])


def _amend_draws(log: list[Event]) -> list[Event]:
    played, game = history(log), fold(log)
    drafts = [
        Draft(type="annotate", params={"text": "Here it turned.", "seq": len(log) // 2}),
        Draft(type="amend", params={"seq": played.mainline[-1].number, "remove": True}),
    ]
    game, added = _record(game, drafts[:1], log)
    log = [*log, *added]
    return [*log, *_record(game, drafts[1:], log)[1]]


def _record(game: Game, drafts: list[Draft], log: list[Event]) -> tuple[Game, list[Event]]:
    return record(game, drafts, Observed(), history(log), recorded_at=clock(len(log) + 1))


def _describe(query: Query) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in query.items()) if query else ""
