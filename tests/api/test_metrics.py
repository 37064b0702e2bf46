"""Every metric counts the things in its name, and no label has values that clients choose."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import redis
from flask import Flask
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from api.plumbing.problem_kinds import KINDS
from store import Store
from tests.api.table import Table
from tests.waiting import until
from workers import figures
from workers.figures import Lag
from workers.queue import Queue

ROOT = Path(__file__).parents[2]
NOTE = {"type": "annotate", "params": {"text": "!"}}


class Figures:
    """The values in `/metrics`."""

    def __init__(self, table: Table) -> None:
        self._text = table.client.get("/metrics").text

    @functools.cached_property
    def families(self) -> dict[str, Metric]:
        """The families of samples, by name."""
        return {family.name: family for family in text_string_to_metric_families(self._text)}

    def samples(self, name: str) -> list[Sample]:
        """Return the samples with this name; reading all of them is slow."""
        lines = [line for line in self._text.splitlines() if re.match(rf"{name}[ {{]", line)]
        return [one for family in text_string_to_metric_families("\n".join(lines)) for one in family.samples]

    def __call__(self, name: str, **labels: str) -> float:
        """Return the sum of the samples with this name and these labels."""
        return sum(one.value for one in self.samples(name) if labels.items() <= one.labels.items())


def metric_change(table: Table, name: str, act: Callable[[], Any], **labels: str) -> float:
    """Return the change of a metric during `act`."""
    before = Figures(table)(name, **labels)
    act()
    return Figures(table)(name, **labels) - before


def test_appends(table: Table, other: Table) -> None:
    table.open()
    assert metric_change(table, "driftlog_append_seconds_count", lambda: table.post([NOTE, NOTE])) == 1
    assert metric_change(table, "driftlog_append_seconds_count", lambda: table.post(NOTE, dry_run="true")) == 0
    # Another process appends, so this process must catch up first.
    other.game = table.game
    other.post(NOTE)
    assert metric_change(table, "driftlog_append_conflicts_total", lambda: table.post(NOTE)) == 1


@pytest.mark.parametrize(
    ("path", "problem"),
    [("/v1/games/none", "not-found"), ("/v1/games?limit=x", "malformed"), ("/nowhere", "not-found")],
)
def test_refusals_by_problem(table: Table, path: str, problem: str) -> None:
    assert metric_change(table, "driftlog_refused_total", lambda: table.client.get(path), problem=problem) == 1
    assert {one.labels["problem"] for one in Figures(table).samples("driftlog_refused_total")} <= set(KINDS)


def test_refusals_that_are_pages(table: Table) -> None:
    for path in ("/nowhere", "/games/none"):

        def act(path: str = path) -> None:
            assert table.client.get(path, headers={"Accept": "text/html"}).mimetype == "text/html"

        assert metric_change(table, "driftlog_refused_total", act, problem="not-found") == 1


def test_requests_by_route_and_status(table: Table) -> None:
    table.open()
    route = "/v1/games/{game_id}/events/{seq}"

    def act() -> None:
        table.client.get(f"{table.game}/events/1")

    assert metric_change(table, "driftlog_requests_total", act, method="GET", route=route, status="200") == 1
    assert metric_change(table, "driftlog_request_seconds_count", act, method="GET", route=route) == 1


def test_listeners(table: Table) -> None:
    table.open()
    before = Figures(table)("driftlog_listeners")
    stream = table.client.get(f"{table.game}/stream", buffered=False)
    assert Figures(table)("driftlog_listeners") == before + 1
    stream.close()
    assert Figures(table)("driftlog_listeners") == before


def test_long_work_and_jobs_by_result(table: Table, queue: Queue, work: Callable[[], None]) -> None:
    table.open()
    table.client.post(f"{table.game}/audits")
    waiting = Figures(table)
    assert waiting("driftlog_jobs_pending") == 1
    assert waiting("driftlog_jobs_oldest_seconds") > 0
    assert waiting("driftlog_long_jobs", kind="audit", status="queued") == 1
    assert waiting("driftlog_long_jobs_oldest_seconds") > 0
    work()
    done = Figures(table)
    assert done("driftlog_jobs_total", kind="audit", result="done") == 1
    assert done("driftlog_jobs_pending") == done("driftlog_long_jobs") == 0


def test_the_lag_of_projections(table: Table, queue: Queue) -> None:
    nobody = Figures(table)
    assert nobody("driftlog_dispatcher_up") == 0
    assert "driftlog_projection_lag_seconds" not in nobody.families
    figures.report_lag(queue, Lag(3, 0.0))
    told = Figures(table)
    assert told("driftlog_dispatcher_up") == 1
    assert told("driftlog_projection_lag_games") == 3
    assert told("driftlog_projection_lag_seconds") > 1_000_000


def test_the_servers(table: Table, store: Store) -> None:
    def memory_figures() -> tuple[float, ...]:
        told = Figures(table)
        labels = {"server": "events"}
        return tuple(
            told("driftlog_redis_durability", durability=one, **labels) for one in ("fsync", "everysec", "memory")
        )

    assert memory_figures() == (1, 0, 0)
    table.open()
    told = Figures(table)
    for server in ("events", "queue"):
        assert told("driftlog_redis_seconds", server=server) > 0
        assert told("driftlog_redis_memory_bytes", server=server) > 0
        assert told("driftlog_redis_clients", server=server) > 0
        assert told("driftlog_redis_info", server=server) == 1
        assert told("driftlog_redis_aof_write_ok", server=server) == 1
    assert told("driftlog_redis_aof_bytes", server="events") > 0
    assert told("driftlog_redis_aof_bytes", server="queue") == 0
    store.client.config_set("appendfsync", "everysec")
    store.client.config_set("maxmemory", "1gb")
    try:
        assert memory_figures() == (0, 1, 0)
        assert Figures(table)("driftlog_redis_memory_limit_bytes", server="events") == 1 << 30
    finally:
        store.client.config_set("appendfsync", "always")
        store.client.config_set("maxmemory", "0")


def test_keys_that_are_thrown_away(table: Table, store: Store) -> None:
    """A Redis with an eviction policy discards keys if its memory is full."""
    before = Figures(table)("driftlog_redis_evicted_keys_total", server="events")
    store.client.set("a", "x" * 100_000)
    store.client.config_set("maxmemory-policy", "allkeys-random")
    try:
        store.client.config_set("maxmemory", str(1 << 20))
        # Even after evicting everything, memory is too small.
        with suppress(redis.OutOfMemoryError):
            store.client.set("b", "x")
    finally:
        store.client.config_set("maxmemory", "0")
        store.client.config_set("maxmemory-policy", "noeviction")
    assert Figures(table)("driftlog_redis_evicted_keys_total", server="events") > before


def test_the_archive(app: Flask, table: Table, tmp_path: Path) -> None:
    def archive_figures() -> tuple[float, float]:
        figures = Figures(table)
        return figures("driftlog_archived_games"), figures("driftlog_archive_up")

    table.open()
    store: Store = app.extensions["store"]
    with_archive = app.extensions["store"] = Store(store.client, str(tmp_path / "archive"))
    # It waits half a second, and may be slower at first.
    until(lambda: archive_figures() == (0, 1))
    assert with_archive.archive(table.game.rpartition("/")[2])
    assert archive_figures() == (1, 1)
    (tmp_path / "archive").rename(tmp_path / "elsewhere")
    app.extensions["store"] = Store(store.client, str(tmp_path / "archive"))
    assert archive_figures() == (1, 0)


def test_what_runs(table: Table) -> None:
    assert Figures(table)("driftlog_build_info", version="0.1.0") == 1


def test_docs_tell_of_each_and_of_no_other(table: Table, queue: Queue) -> None:
    figures.report_lag(queue, Lag(0, None))
    told = {f"{name}_total" if family.type == "counter" else name for name, family in Figures(table).families.items()}
    # A single process also reports its own metrics, and when its counters began.
    told = {name for name in told if name.startswith("driftlog_") and not name.endswith("_created")}
    documented = re.findall(r"^\| `(driftlog_\w+)` \|", (ROOT / "docs/metrics.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(documented)


def test_figures_that_many_count_at_once_are_right(app: Flask, table: Table) -> None:
    def ask() -> None:
        for _ in range(20):
            app.test_client().get("/healthz")

    threads = [threading.Thread(target=ask) for _ in range(8)]

    def act() -> None:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert metric_change(table, "driftlog_requests_total", act, route="/healthz", status="200") == 160
