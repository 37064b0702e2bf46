"""`driftlog rebuild` and `driftlog worker` on the store of a service, running or not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from store import Store
from tests.cli.conftest import Run
from tests.cli.service import ROOT, Service, environment
from tests.playouts import playout
from tests.waiting import until
from workers.queue import live_workers

Start = Callable[..., Service]

NEEDING_A_STORE = [
    ("rebuild",),
    ("keys", "list"),
    ("keys", "rotate"),
    ("tokens", "create", "--role", "viewer"),
    ("tokens", "list"),
    ("names", "hide", "Ann"),
    ("access-log",),
]


@pytest.mark.long
def test_rebuild_makes_the_projections_of_a_running_service_again(run: Run, start: Start) -> None:
    service = start()
    service.ready()
    for _ in range(3):
        service.open_game()
    store = service.store()
    until(lambda: store.projections.count() == 3)
    store.client.delete("{games}:all")
    assert store.projections.count() == 0
    result = run("rebuild", "--data", service.data)
    assert (result.exit_code, result.output) == (0, "3 games projected\n")
    assert len(service.ask("GET", "/v1/games")[1]["games"]) == 3


@pytest.mark.parametrize("command", [("rebuild",), ("archive", "g"), ("keys", "list"), ("keys", "rotate")])
def test_where_there_is_no_store_none_is_made(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    nowhere, empty = tmp_path / "nowhere", tmp_path / "empty"
    empty.mkdir()
    for folder in (nowhere, empty):
        result = run(*command, "--data", folder)
        assert (result.exit_code, result.stdout) == (69, "")
        assert result.stderr.startswith(f"Error: the data folder {folder} contains no store: ")
    assert list(tmp_path.rglob("*")) == [empty]


@pytest.mark.parametrize("command", [("rebuild",), ("archive", "g"), ("keys", "list"), ("keys", "rotate")])
def test_on_a_redis_that_holds_no_store_none_is_made(
    run: Run, store: Store, events_server: str, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("DRIFTLOG_REDIS_URL", events_server)
    result = run(*command)
    assert (result.exit_code, result.stdout) == (69, "")
    assert result.stderr.startswith("Error: the Redis of DRIFTLOG_REDIS_URL contains no Driftlog store")
    assert list(store.client.scan_iter()) == []


def test_rebuild_needs_no_service(run: Run, start: Start) -> None:
    service = start()
    service.ready()
    service.open_game()
    signed_by = service.ask("GET", "/v1/keys")[1]
    service.stop()
    assert json.loads(run("keys", "list", "--json", "--data", service.data).output) == signed_by
    result = run("rebuild", "--data", service.data)
    assert (result.exit_code, result.output) == (0, "1 games projected\n")


def test_rebuild_names_what_does_not_replay(
    run: Run, store: Store, events_server: str, queue_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = playout()
    store.events.open("sound", events, seed=None)
    store.events.open("broken", events[:20], seed=None)
    store.client.xadd("{broken}:events", {"e": b'["move","p1",{"to":"nowhere"},[],1,0]', "h": bytes(32)}, id="21-0")
    store.client.hset("{broken}:meta", mapping={"v": 21, "head": bytes(32)})
    monkeypatch.setenv("DRIFTLOG_REDIS_URL", events_server)
    monkeypatch.setenv("DRIFTLOG_QUEUE_URL", queue_server)
    result = run("rebuild")
    assert result.exit_code == 1
    assert result.stdout == "1 games projected\n"
    assert result.stderr.startswith("broken: ")


def test_rebuild_says_that_the_store_is_away(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRIFTLOG_REDIS_URL", "unix:///nowhere")
    monkeypatch.setenv("DRIFTLOG_QUEUE_URL", "unix:///nowhere")
    result = run("rebuild")
    assert result.exit_code == 69
    assert result.stderr.startswith("Error: Redis does not answer: ")


def test_rebuild_says_that_a_setting_is_wrong(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRIFTLOG_PORT", "none")
    result = run("rebuild")
    assert result.exit_code == 78
    assert result.stderr == "Error: DRIFTLOG_PORT: must be a whole number, not 'none'\n"


@pytest.mark.long
def test_more_workers_find_the_service_by_its_data_folder(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--workers", "0")
    service.ready()
    assert service.ask("GET", "/readyz")[0] == 503
    command = [sys.executable, "-m", "cli.main", "worker", "--count", "2", "--data", str(service.data)]
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL) as workers:
        until(lambda: live_workers(service.queue()) == 2)
        assert service.ask("GET", "/readyz")[1]["workers"] == 2
        workers.terminate()
    assert workers.returncode == 0


@pytest.mark.long
def test_workers_do_not_stay_with_a_service_that_has_moved(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--workers", "1")
    service.ready()
    command = [sys.executable, "-m", "cli.main", "worker", "--data", str(service.data)]
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment(), **options) as workers:
        until(lambda: live_workers(service.queue()) == 2)
        service.stop()
        start().ready()
        _, complained = workers.communicate(timeout=60)
    assert workers.returncode == 69
    assert f"Error: the service on {service.data} was restarted" in complained


def test_workers_need_somewhere_to_work(run: Run, tmp_path: Path) -> None:
    result = run("worker", "--data", tmp_path)
    assert result.exit_code == 69
    assert f"no service runs on the data folder {tmp_path}: " in result.stderr
