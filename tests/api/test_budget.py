"""The processor time of a request: refused when it is used up, but never after the append."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from api.app import create_app
from api.plumbing import budget
from api.plumbing.settings import Settings
from cli.web.lines import PlainSocket
from engine.core import effort
from engine.core.errors import TooMuchWork
from tests.api.table import Table
from tests.engine.recording import DEAL
from tests.waiting import until

HANDS = {"type": "set_up", "outcomes": [*DEAL[:32], *[None] * 4]}


@pytest.fixture
def hasty(events_server: str, queue_server: str, table: Table) -> Table:
    """The game of `table` on a service that allows no processor time."""
    settings = Settings(redis_url=events_server, queue_url=queue_server, request_seconds=1e-9)
    found = Table(create_app(settings).test_client())
    table.open(chance="observed")
    found.game = table.game
    return found


@pytest.fixture
def connection() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The server's and the client's end of a connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        server, _ = listener.accept()
    with server, client:
        yield server, client


def test_what_takes_too_long_is_refused_and_appends_nothing(table: Table, hasty: Table) -> None:
    answer: Any = hasty.post(HANDS)
    assert answer.status_code == 422
    assert answer.json["type"].endswith("/problems/too-much-work")
    assert "index" not in answer.json
    assert hasty.client.get("/problems/too-much-work").status_code == 200
    assert (table.get().json or {})["version"] == 1
    assert (hasty.post([HANDS]).json or {})["index"] == 0
    # With enough time the append succeeds. The next read, without time, is refused again.
    assert table.post(HANDS).status_code == 201
    refused: Any = hasty.get("/actions")
    assert refused.status_code == 422
    assert refused.json["type"].endswith("/problems/too-much-work")


def test_how_far_a_list_was_judged_is_told_although_the_game_has_moved_on(table: Table, hasty: Table) -> None:
    assert hasty.get().status_code == 200
    assert table.post({"type": "set_up", "outcomes": DEAL}).status_code == 201
    refused: Any = hasty.post([HANDS])
    assert (refused.json["type"], refused.json["index"]) == ("/problems/too-much-work", 0)


def test_a_text_that_takes_too_long_is_read_in_part_and_not_imported(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each check of the time finds that 0.4 ms have passed."""
    clock = itertools.count(0, 0.0004)
    monkeypatch.setattr("time.thread_time", lambda: next(clock))
    text = f"Game: Forbidden Island\nPlayers: Ann, Bob\n\nSet up = {', '.join(map(str, DEAL))}\n" + "tea\n" * 4000
    sent: Any = {"data": text, "content_type": "text/x-driftlog"}
    told: Any = table.client.post("/v1/readings", **sent).json
    assert told["is_whole"] is False
    assert (told["items"][-1]["status"], told["items"][-1]["line"]) == ("unread", 4004)
    answer: Any = table.client.post("/v1/imports", **sent)
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/not-understood")
    assert table.client.get("/v1/games").json["games"] == []


def test_once_appended_nothing_is_refused(hasty: Table) -> None:
    assert hasty.post({"type": "set_up", "outcomes": DEAL}).status_code == 201
    with effort.count_steps(_exhaust):
        effort.commit()
        effort.spend()


def test_a_budget_is_of_the_time_that_this_thread_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr("time.thread_time", lambda: moment)
    looks: list[float] = []

    def has_gone() -> bool:
        looks.append(moment)
        return moment > 101

    check = budget.Budget(10, has_gone)
    check()
    assert looks == []
    moment += budget.LOOK_SECONDS
    check()
    check()
    assert looks == [moment]
    moment = 102
    with pytest.raises(effort.Exhausted):
        check()
    unwatched = budget.Budget(10, lambda: False)
    moment += 10
    with pytest.raises(effort.Exhausted):
        unwatched()


def test_who_waits_has_not_gone(connection: tuple[socket.socket, socket.socket]) -> None:
    server, client = connection
    assert not budget.has_gone({"gunicorn.socket": server})
    # A request that the client sends ahead stays unread.
    client.sendall(b"GET /")
    assert not budget.has_gone({"gunicorn.socket": server})
    assert server.recv(5) == b"GET /"


@pytest.mark.parametrize("is_blocking", [False, True])
def test_who_has_closed_has_gone(connection: tuple[socket.socket, socket.socket], *, is_blocking: bool) -> None:
    server, client = connection
    server.setblocking(is_blocking)
    client.close()
    until(lambda: budget.has_gone({"gunicorn.socket": server}))


def test_whoever_has_closed_the_service_s_own_kind_of_socket_has_gone(
    connection: tuple[socket.socket, socket.socket],
) -> None:
    server, client = connection
    with PlainSocket(fileno=server.detach()) as line:
        assert not budget.has_gone({"gunicorn.socket": line})
        client.close()
        until(lambda: budget.has_gone({"gunicorn.socket": line}))


def test_a_connection_of_our_own_that_is_closed(connection: tuple[socket.socket, socket.socket]) -> None:
    server, _ = connection
    server.close()
    assert budget.has_gone({"gunicorn.socket": server})


@pytest.mark.parametrize("environ", [{}, {"gunicorn.socket": object()}])
def test_where_it_cannot_be_seen_somebody_waits(environ: dict[str, Any]) -> None:
    assert not budget.has_gone(environ)


def test_nothing_is_computed_for_who_has_gone(
    connection: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, client = connection
    monkeypatch.setattr(budget, "LOOK_SECONDS", 0)
    with budget.of_request({"gunicorn.socket": server}, 60):
        effort.spend()
    client.close()
    until(lambda: budget.has_gone({"gunicorn.socket": server}))
    with pytest.raises(TooMuchWork), budget.of_request({"gunicorn.socket": server}, 60):
        effort.spend()


def _exhaust() -> None:
    raise effort.Exhausted
