from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.cluster import RedisCluster

from engine.play.fold import fold
from store import Store
from store.access.rates import Rate, Tallies
from store.errors import Corrupt, StoreError, StoreUnavailable, UnsupportedServer, VersionConflict
from store.library.finding import Filter
from store.log.idempotency import StoredResult
from store.log.streams import AppendedRange
from store.redis import connection
from store.redis.binary import find_binary
from store.redis.connection import check, connect, durability
from tests.playouts import long_record
from tests.ports import free_port
from tests.store.logs import key, notes, position
from tests.store.proxy import LossyProxy
from tests.waiting import until

LOG = notes("one", "two", "three", "four")


@pytest.fixture
def proxy(events_server: str) -> Iterator[LossyProxy]:
    with LossyProxy(events_server.removeprefix("unix://")) as lossy:
        yield lossy


def test_a_request_whose_answer_was_lost_is_carried_out_once(store: Store, proxy: LossyProxy) -> None:
    store.events.open("g", LOG[:1], None)
    far = Store.connect(proxy.url)
    far.events.head("g")
    proxy.lose_next_answer()
    with pytest.raises(StoreUnavailable):
        far.events.append("g", position(LOG[:1]), LOG[1:2], key("k"))
    assert store.events.read("g") == LOG[:2]
    assert far.events.append("g", position(LOG[:1]), LOG[1:2], key("k")) == StoredResult(2, 2)
    assert store.events.read("g") == LOG[:2]
    far.client.close()


def test_without_a_key_the_conflict_shows_the_writer_his_own_events(store: Store, proxy: LossyProxy) -> None:
    store.events.open("g", LOG[:1], None)
    far = Store.connect(proxy.url)
    far.events.head("g")
    proxy.lose_next_answer()
    with pytest.raises(StoreUnavailable):
        far.events.append("g", position(LOG[:1]), LOG[1:3])
    with pytest.raises(VersionConflict) as conflict:
        far.events.append("g", position(LOG[:1]), LOG[1:3])
    assert conflict.value.events == LOG[1:3]
    far.client.close()


def test_nothing_listens() -> None:
    store = Store.connect("unix:///nowhere/redis.sock")
    for ask in (
        lambda: store.events.head("g"),
        lambda: store.events.open("g", LOG, None),
        lambda: list(store.events.game_ids()),
        lambda: store.games.latest("g"),
        lambda: store.projections.find(Filter()),
        store.jobs.list_unfinished,
        store.durability,
        lambda: connect("redis+cluster://127.0.0.1:1"),
        lambda: connect("rediss+cluster://user:hush@127.0.0.1:1,127.0.0.1:2"),
    ):
        with pytest.raises(StoreUnavailable):
            ask()
    with pytest.raises(ValueError, match="scheme"):
        connect("postgres://localhost")


def test_a_server_that_is_full_takes_nothing_and_says_so(store: Store) -> None:
    store.events.open("g", LOG[:1], None)
    store.client.config_set("maxmemory", "2")
    try:
        with pytest.raises(StoreUnavailable, match="maxmemory"):
            store.events.append("g", position(LOG[:1]), LOG[1:])
    finally:
        store.client.config_set("maxmemory", "0")
    assert store.events.read("g") == LOG[:1]


def test_a_server_without_its_replicas_takes_nothing_and_says_so(store: Store) -> None:
    store.client.config_set("min-replicas-to-write", "1")
    try:
        with pytest.raises(StoreUnavailable):
            store.events.open("g", LOG, None)
    finally:
        store.client.config_set("min-replicas-to-write", "0")
    assert not store.events.exists("g")


def test_a_server_that_loses_a_script_as_soon_as_it_is_loaded_is_unavailable(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It restarts again and again, for example because its disk is full. No data is damaged."""
    script = connection.Script(store.client, "return 1")
    monkeypatch.setattr(store.client, "script_load", lambda source: hashlib.sha1(source.encode()).hexdigest())
    with pytest.raises(StoreUnavailable):
        script([], [])


def test_a_key_of_another_type_is_corrupt(store: Store) -> None:
    connection.call(store.client, "SET", "{g}:events", "?")
    with pytest.raises(Corrupt):
        store.events.read("g")


@pytest.mark.parametrize(
    "text",
    [
        "BUSY Redis is busy running a script.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "READONLY You can't write against a read only replica.",
        "NOPERM this user has no permissions to run the 'evalsha' command",
        "Error running script (call to f_1): @user_script:35: @user_script: 35: -OOM command not allowed",
    ],
)
def test_a_server_that_does_not_take_it_now_is_unavailable(text: str) -> None:
    with pytest.raises(StoreUnavailable), connection.translate_errors():
        raise redis.ResponseError(text)


def test_whatever_else_redis_py_raises_is_a_store_error() -> None:
    with pytest.raises(StoreError), connection.translate_errors():
        raise redis.DataError("no number")


def test_a_script_that_the_server_forgot_is_sent_again(store: Store) -> None:
    store.events.open("g", LOG[:1], None)
    store.client.script_flush()
    assert store.events.append("g", position(LOG[:1]), LOG[1:]) == AppendedRange(2, 4)


def test_a_server_set_up_as_it_should_be(store: Store) -> None:
    assert check(store.client) == []
    assert durability(store.client) == store.durability() == "fsync"


def test_a_server_that_forgets_is_warned_of(store: Store, queue_server: str) -> None:
    with connect(queue_server) as client:
        assert durability(client) == "memory"
        assert ["durability" in warning for warning in check(client)] == [True]
    store.client.config_set("appendfsync", "everysec")
    store.client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert durability(store.client) == "everysec"
        assert ["allkeys-lru" in warning for warning in check(store.client)] == [True, False]
    finally:
        store.client.config_set("appendfsync", "always")
        store.client.config_set("maxmemory-policy", "noeviction")


def test_a_server_that_keeps_its_settings_to_itself_is_not_trusted(store: Store, events_server: str) -> None:
    connection.call(store.client, "ACL", "SETUSER", "guest", "on", ">secret", "~*", "&*", "+@all", "-config")
    with connect(events_server.replace("unix://", "unix://guest:secret@")) as client:
        assert durability(client) == "everysec"
        assert len(check(client)) == 1
    connection.call(store.client, "ACL", "DELUSER", "guest")


def test_an_old_server_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store.client, "info", lambda _section: {"redis_version": "6.0.16"})
    with pytest.raises(UnsupportedServer, match=r"6\.0\.16"):
        check(store.client)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Store]:
    """A cluster of one node, which refuses commands across hash tags like a large one."""
    port = free_port()
    command = [find_binary(), "--port", port, "--cluster-enabled", "yes", "--save", ""]
    with (tmp_path / "log").open("wb") as log:
        node = subprocess.Popen(list(map(str, command)), cwd=tmp_path, stdout=log)
    try:
        with redis.Redis(port=port) as client:

            def is_up() -> bool:
                try:
                    return bool(client.ping())
                except redis.ConnectionError:
                    return False

            until(is_up)
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            until(lambda: b"cluster_state:ok" in client.execute_command("CLUSTER", "INFO", NEVER_DECODE=True))
        store = Store.connect(f"redis+cluster://127.0.0.1:{port}")
        assert isinstance(store.client, RedisCluster)
        yield store
        store.client.close()
    finally:
        node.terminate()
        node.wait()


def test_all_of_it_works_on_a_cluster(cluster: Store, tmp_path: Path) -> None:
    events = long_record(300)
    for game_id in ("a", "b", "c"):
        assert cluster.events.claim(key(game_id), game_id) == game_id
        cluster.events.open(game_id, events[:100], "seed", key(game_id))
        cluster.events.append(game_id, position(events[:100]), events[100:])
        with pytest.raises(VersionConflict) as conflict:
            cluster.events.append(game_id, position(events[:298]), notes("late", after=events[:298]))
        assert conflict.value.events == events[298:]
        assert cluster.events.read(game_id) == events
    assert sorted(cluster.events.game_ids()) == sorted(cluster.projections.behind()) == ["a", "b", "c"]
    assert cluster.projections.rebuild() == {}
    fresh = Store(cluster.client)
    assert fresh.games.get("b", at=270).state == fold(events[:270]).state
    assert fresh.games.replay("b") == fold(events)
    assert [game.id for game in cluster.projections.find(Filter(q="isl"), limit=2)[0]] == ["c", "b"]
    archiving = Store(cluster.client, str(tmp_path / "archive"))
    assert archiving.archive("c")
    assert archiving.events.read("c") == events
    more = notes("back", after=events)
    archiving.events.append("c", position(events), more)
    assert archiving.archive("c")
    assert archiving.archiving.restore("c")
    assert archiving.events.read("c") == events + more
    cluster.audits.save("a", "a1", {})
    assert cluster.audits.of("a") == {"a1": {}}
    cluster.deletions.delete("c", at="2026-11-22T20:00:00.000Z", by=None)
    assert archiving.deletions.finish("c")
    assert [game.id for game in cluster.projections.find(Filter())[0]] == ["b", "a"]
    job = cluster.jobs.create("audit", {}, key=key("k"), payload=b"?")
    assert cluster.jobs.update(job.id, status="running").status == "running"
    assert cluster.durability() == "memory"
    assert check(cluster.client) == [
        "durability is memory: set appendonly yes and appendfsync always to keep every event"
    ]
    hints = cluster.hints()
    heard = hints.listen()
    next(heard)
    cluster.events.append("a", position(events), notes("more", after=events))
    assert next(heard) == ("a", 301)
    hints.stop()
    assert list(heard) == []


def test_requests_are_counted_on_a_cluster(cluster: Store) -> None:
    assert isinstance(cluster.client, RedisCluster)
    url = f"redis+cluster://127.0.0.1:{cluster.client.get_primaries()[0].port}"  # type: ignore[no-untyped-call]
    for passing in (6, 4):
        rate = Rate("token", "10/hour", Tallies(url))
        for who in ("a", "b", "c"):
            assert sum(not rate.count(who).wait for _ in range(6)) == passing
    assert cluster.client.dbsize() == 3
