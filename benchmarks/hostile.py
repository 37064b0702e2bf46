"""Measure the processor time of requests that are cheap to send and expensive to answer.

They go through Flask's test client in this process, so that only the answer is measured; Redis is real. The work of
workers is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask.testing import FlaskClient

from api.app import create_app
from api.plumbing.settings import Settings as ServiceSettings
from benchmarks.games import keen_games
from benchmarks.measure import UNPINNED, Settings
from benchmarks.report import Row, at_most
from cli.verifying import Evidence, check
from exports import FORMATS, Log
from store import Store
from store.redis.embedded import Embedded
from tests.playouts import long_record, playout
from tests.recording import Recording

LONGEST_MS = 1000
"""The goal: maximum processor time, in milliseconds, for which a request occupies a web thread."""
OPENING = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "observed"}
GAMES = "/v1/games"
JSON, LINES = "application/json", "application/x-ndjson"


def measure(settings: Settings) -> Iterator[Row]:
    """Measure each request once."""
    size = 100 if settings.quick else 1_000_000
    with (
        Embedded(settings.folder / "hostile", "events", durable=True) as events,
        Embedded(settings.folder / "hostile", "queue", durable=False) as queue,
    ):
        app = create_app(ServiceSettings(redis_url=events.url, queue_url=queue.url))
        client, store = app.test_client(), app.extensions["store"]
        # Open a first game, so that one-time costs are not measured.
        game = client.post(GAMES, json=OPENING | {"chance": "seeded"}).headers["Location"]
        client.get(game + "/print")
        for what, path, body, kind in [*_bodies(game, size), *_long_work(store, size)]:
            yield _row(client, what, path, body, kind)
    for count, what, brought in (
        (size // 1000, "that leave the table as it is", lambda number: ("annotate", {"text": f"so {number}"})),
        (size // 4000, "each with another table", lambda number: ("adjust", _level(1 + number % 2))),
    ):
        log = _amended(count, brought)
        took, _ = _timed(lambda log=log: check(log, Evidence(), lambda _done, _of: None))
        told = f"driftlog verify, {_size(log)}: {count:,} amends {what}, before as many events"
        yield Row(what=told, ours=f"{took:,.0f} ms", pinning=UNPINNED)


def _bodies(game: str, size: int) -> Iterator[tuple[str, str, bytes | None, str]]:
    """Yield name, path, body and type of each request."""

    def opening(**more: Any) -> bytes:
        return msgspec.json.encode(OPENING | more)

    events = game + "/events"
    members = dict.fromkeys(map(str, range(size * 3 // 10)), 1)
    yield f"open: {size:,} tags that are none", GAMES, opening(tags=[""] * size), JSON
    yield f"open: {len(members):,} options", GAMES, opening(options=members), JSON
    yield f"open: {len(members):,} seats", GAMES, opening(seats=[{"name": 1}] * len(members)), JSON
    yield f"open: {len(members):,} members that nobody knows", GAMES, opening(**members), JSON
    yield (
        f"open: a position with a list of {size * 3 // 2:,}",
        GAMES,
        opening(position={"tiles": [[1]] * (size * 3 // 2)}),
        JSON,
    )
    yield f"fork: {size:,} tags", game + "/forks", msgspec.json.encode({"at": 2, "tags": ["x"] * size}), JSON
    patch = [{"op": "add", "path": "/tiles", "value": [1] * size}]
    for name, params in (
        ("a patch", {"patch": patch, "reason": "r"}),
        ("a reason", {"patch": [], "reason": "x" * size}),
    ):
        yield f"adjust: {name} of {size:,}", events, msgspec.json.encode({"type": "adjust", "params": params}), JSON
    yield f"append: {size:,} outcomes", events, msgspec.json.encode({"type": "move", "outcomes": [1] * size}), JSON
    yield f"append: {size // 4:,} events", events, msgspec.json.encode([{"type": "x"}] * (size // 4)), JSON
    yield (
        f"a query of {size // 10:,} parameters",
        f"{GAMES}?" + "&".join(f"a{one}=1" for one in range(size // 10)),
        None,
        JSON,
    )


def _long_work(store: Store, size: int) -> Iterator[tuple[str, str, bytes | None, str]]:
    """Yield requests that take long because of their size."""
    lines = b"".join(FORMATS["ndjson"].write(Log("x", long_record(size // 500 + 50))))
    log = lines * (1 + 30 * size // len(lines))
    yield "import: a log", "/v1/imports", log, LINES
    length = size // 20
    store.events.open("long", long_record(length + 50), seed=None)
    yield f"fork at {length:,} events", f"{GAMES}/long/forks", msgspec.json.encode({"at": length}), JSON
    (whole,) = keen_games("forgotten-waters", 1)
    store.events.open("whole", whole.events, whole.seed)
    yield "a transcript as PDF", "/games/whole/print.pdf", None, JSON


def _row(client: FlaskClient, what: str, path: str, body: bytes | None, kind: str) -> Row:
    def ask() -> int:
        if body is None:
            return client.get(path).status_code
        return client.post(path, data=body, content_type=kind).status_code

    took, status = _timed(ask)
    sent = "" if body is None else f", {_size(body)}"
    return Row(
        what=f"{what}{sent}", ours=f"{took:,.0f} ms, {status}", goal=at_most(took, LONGEST_MS, "ms"), pinning=UNPINNED
    )


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds of processor time that `work` took, and its result."""
    began = time.process_time()
    answer = work()
    return (time.process_time() - began) * 1000, answer


def _level(level: int) -> dict[str, Any]:
    return {"patch": [{"op": "replace", "path": "/water_level", "value": level}], "reason": "a slip"}


def _amended(count: int, brought: Callable[[int], tuple[str, dict[str, Any]]]) -> bytes:
    """Return a log with `count` notes, the first of them amended `count` times: to `brought(0)`, `brought(1)`, …"""
    recording = Recording()
    recording.add("set_up", outcomes=playout()[1].outcomes)
    for _ in range(count):
        recording.add("annotate", text="so")
    for number in range(count):
        type_, params = brought(number)
        recording.add("amend", seq=3, event={"type": type_, "params": params})
    return b"".join(FORMATS["ndjson"].write(Log("x", recording.events)))


def _size(data: bytes) -> str:
    return f"{len(data) / 1_000_000:,.1f} MB"
