"""A Redis that does not match its address: a clear message at the start and in /readyz."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis.exceptions import ClusterCrossSlotError, MovedError

from api.app import create_app
from api.plumbing.settings import Settings
from store.errors import Misconfigured
from store.redis.connection import translate_errors
from tests.api.table import problem
from tests.cli.conftest import Run
from tests.store.misconfigured import server

PASSWORD = "needs a password, but its address has none"
REFUSED = "rejects the name or password in its address"
NODE = "is a node of a cluster: its address must begin with redis+cluster:// or rediss+cluster://"


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("locked"), "--requirepass", "hush") as place:
        yield place


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("node"), "--cluster-enabled", "yes") as place:
        yield place


def test_at_the_start(run: Run, locked: str, node: str, events_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = events_server
    for setting, url, why in (
        ("REDIS", f"redis://{locked}/0", f"the store {PASSWORD}"),
        ("REDIS", f"redis://:wrong@{locked}/0", f"the store {REFUSED}"),
        ("REDIS", f"redis://{node}/0", f"the store {NODE}"),
        ("REDIS", f"redis+cluster://:hush@{locked}/0", "the store is not a cluster: "),
        ("REDIS", f"{plain}?db=99", "the store has no database with the number "),
        ("QUEUE", f"redis://{locked}/0", f"the job queue {PASSWORD}"),
        ("QUEUE", f"redis://{node}/0", "the job queue cannot be on a cluster"),
        ("REDIS", f"redis+sentinel://{locked}/tables", "the store is behind sentinels that need a different password"),
        ("QUEUE", f"redis+sentinel://{node}/tables", "the job queue is not a sentinel: "),
    ):
        monkeypatch.setenv("DRIFTLOG_REDIS_URL", plain)
        monkeypatch.setenv("DRIFTLOG_QUEUE_URL", plain)
        monkeypatch.setenv(f"DRIFTLOG_{setting}_URL", url)
        result = run("serve", "--port", "0")
        assert result.exit_code == 78, (url, result.output)
        assert result.stderr.startswith(f"Error: DRIFTLOG_{setting}_URL: {why}"), url


def test_replicas_of_an_embedded_server(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRIFTLOG_REPLICAS", "1")
    result = run("serve", "--port", "0")
    assert result.exit_code == 78
    assert result.stderr.startswith("Error: DRIFTLOG_REPLICAS: the embedded server has none")


def test_by_readyz(locked: str, node: str, events_server: str) -> None:
    for settings, why in (
        (Settings(redis_url=f"redis://:wrong@{locked}/0", queue_url=events_server), f"the store {REFUSED}"),
        (Settings(redis_url=events_server, queue_url=f"redis://{locked}/0"), f"the job queue {PASSWORD}"),
    ):
        client = create_app(settings).test_client()
        assert problem(client.get("/readyz"), 503, "not-ready")["detail"] == f"Not ready: {why}."


@pytest.mark.parametrize("error", [MovedError("1234 127.0.0.1:1"), ClusterCrossSlotError("Keys in request")])
def test_a_command_for_another_node_says_so(error: Exception) -> None:
    with pytest.raises(Misconfigured, match="node of a cluster"), translate_errors():
        raise error
