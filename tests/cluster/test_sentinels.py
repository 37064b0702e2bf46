"""Redis behind Sentinel: for events and queue, through a failover, and with a wrong address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from store import Store
from store.access.rates import Rate, Tallies
from store.errors import Misconfigured, StoreUnavailable
from store.log.idempotency import StoredResult
from store.redis import sentinels
from store.redis.connection import check, connect
from tests.cluster.conftest import Serving
from tests.cluster.servers import FAILOVER, Server, follow, start_sentinels
from tests.store.logs import key, notes, position
from tests.waiting import until
from workers import queue, runner, tasks

SERVICE = "tables"
LOG = notes("one", "two", "three")


@pytest.fixture(scope="module")
def watching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Server], list[Server]]]:
    with start_sentinels(tmp_path_factory.mktemp("watched"), SERVICE) as both:
        yield both


def address(places: list[Server], service: str = SERVICE, more: str = "") -> str:
    return f"redis+sentinel://{','.join(one.place for one in places)}/{service}{more}"


def retry_until_answer(ask: Callable[[], Any]) -> Any:
    """Return the answer of `ask`, once the store answers."""

    def attempt() -> Any:
        with suppress(StoreUnavailable, queue.QueueUnavailable):
            return ask() or True
        return None

    return until(attempt, FAILOVER)


@pytest.mark.long
@pytest.mark.usefixtures("as_worker")
def test_a_failover(watching: Any, serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier events and jobs still exist, and the same clients can add new ones."""
    (master, replica), places = watching
    url = address(places)
    store, jobs = Store.connect(url, replicas=1), queue.connect(url)
    assert check(store.client, 1) == []
    queue.check(jobs)
    store.events.open("g", LOG[:1], None, key("a"))
    assert queue.enqueue_project(jobs, "g")
    heard = store.hints().listen()
    assert next(heard) is None
    # Up to the state of the replica, for which the queue does not wait.
    store.events.append("g", position(LOG[:1]), LOG[1:2])
    assert next(heard) == ("g", 2)

    master.kill()
    until(lambda: replica.role() == "master", FAILOVER)
    alone = Store.connect(url)
    assert retry_until_answer(lambda: alone.events.append("g", position(LOG[:2]), LOG[2:], key("c"))) is not None
    assert alone.events.read("g") == LOG
    until(lambda: next(heard) is None)
    # No replica can confirm the write, and the answer says so.
    with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
        until(lambda: store.events.append("g", position(LOG[:2]), LOG[2:], key("c")) and store.events.confirm("g"))
    assert queue.pending(jobs) == 1

    # Sentinels would report it after ten seconds.
    follow(master.start(), replica)
    assert isinstance(store.events.append("g", position(LOG[:2]), LOG[2:], key("c")), StoredResult)
    retry_until_answer(lambda: store.events.confirm("g"))

    monkeypatch.setenv(tasks.REDIS_URL, url)
    runner.work(url, url, "w", burst=True)
    assert queue.pending(jobs) == 0
    assert serving(url, 1).test_client().get("/v1/games").status_code == 200


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+sentinel://{sentinel}/chess", "does not know the service .*: its sentinels know tables"),
        ("redis+sentinel://{server}/tables", "is not a sentinel"),
        ("redis://{sentinel}", "is a sentinel: its address must be redis\\+sentinel://"),
    ],
)
def test_an_address_that_is_another_one(watching: Any, url: str, why: str) -> None:
    servers, places = watching
    living = next(one for one in servers if one.role())
    store = Store.connect(url.format(sentinel=places[0].place, server=living.place))
    for ask in (lambda: check(store.client), store.durability, lambda: store.events.read("g")):
        with pytest.raises(Misconfigured, match=why):
            ask()


def test_a_queue_whose_address_is_a_sentinels_own(watching: Any) -> None:
    _, places = watching
    with pytest.raises(queue.QueueMisconfigured, match="the job queue is a sentinel: its address must be redis"):
        queue.check(queue.connect(f"redis://{places[0].place}"))


def test_requests_are_counted_behind_sentinels(watching: Any) -> None:
    _, places = watching
    processes = [Rate("address", "3/hour", Tallies(address(places))) for _ in range(2)]
    retry_until_answer(lambda: connect(address(places)).ping())
    assert [processes[number % 2].count("192.0.2.1").left for number in range(3)] == [2, 1, 0]
    assert processes[1].count("192.0.2.1").wait > 0


@pytest.mark.long
def test_sentinels_that_want_a_password(watching: Any) -> None:
    _, places = watching
    sentinel = places[0]
    sentinel.client.execute_command("ACL", "SETUSER", "default", "resetpass", ">hush")
    try:
        for more, is_right in (("", False), ("?sentinel_password=wrong", False), ("?sentinel_password=hush", True)):
            with connect(address([sentinel], more=more)) as client:
                if is_right:
                    assert retry_until_answer(client.ping)
                    continue
                with pytest.raises(Misconfigured, match="sentinels that need a different password"):
                    Store(client).events.read("g")
    finally:
        with connect(f"redis://:hush@{sentinel.place}") as client:
            client.execute_command("ACL", "SETUSER", "default", "nopass")


def test_where_no_sentinel_answers() -> None:
    with (
        connect("redis+sentinel://127.0.0.1:1,localhost:2/tables/3") as client,
        pytest.raises(StoreUnavailable) as gone,
    ):
        Store(client).events.read("g")
    assert not isinstance(gone.value, Misconfigured)


def test_an_address_in_all_its_parts() -> None:
    url = "rediss+sentinel://ann:s%3Ecret@one,two:7,[::1]:8/tables/3?ssl_cert_reqs=none&sentinel_username=u&sentinel_password=p"
    with sentinels.connect(url, socket_timeout=2.0) as client:
        pool: Any = client.connection_pool
        assert (pool.service_name, pool.is_master) == ("tables", True)
        kept = {name: pool.connection_kwargs[name] for name in ("username", "password", "db", "ssl_cert_reqs")}
        assert kept == {"username": "ann", "password": "s>cret", "db": 3, "ssl_cert_reqs": "none"}
        asked = [one.connection_pool.connection_kwargs for one in pool.sentinel_manager.sentinels]
        assert [(one["host"], one["port"]) for one in asked] == [("one", 26379), ("two", 7), ("::1", 8)]
        assert {(one["username"], one["password"], one["ssl_cert_reqs"], one["socket_timeout"]) for one in asked} == {
            ("u", "p", "none", 2.0)
        }


@pytest.mark.parametrize("url", ["redis+sentinel://one:1", "redis+sentinel://one:1/", "redis+sentinel:///tables"])
def test_an_address_that_lacks_a_part(url: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="sentinel"):
        connect(url)
