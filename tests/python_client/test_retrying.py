"""A network that loses requests and answers: each event is recorded once, and streams resume."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

import driftlog_client as driftlog
from driftlog_client import Client
from driftlog_client.asking import pauses
from driftlog_client.calls import Call, call
from driftlog_client.problems import problem
from driftlog_client.retrying import LONGEST, Attempts
from driftlog_client.streams import Message, Reader, of_library
from tests.between import Between
from tests.ports import free_port
from tests.python_client.conftest import ORDER, PATIENCE


@pytest.fixture
def far(proxy: Between) -> Iterator[Client]:
    """A client of the proxy."""
    with Client(proxy.url, patience=PATIENCE) as client:
        yield client


def test_an_event_whose_answer_is_lost_is_recorded_once(proxy: Between, far: Client) -> None:
    game_id = far.open_game(ORDER)["id"]
    proxy.misfortunes = ["lose", "overload", "none", "lose"]
    appended = far.append_events(game_id, {"type": "annotate", "params": {"text": "once"}})
    assert appended["version"] == 3
    assert [event["type"] for event in far.each_event(game_id)][2:] == ["annotate"]
    sent = [one for one in proxy.heard if one.method == "POST" and one.path.endswith("/events")]
    assert len(sent) == 5
    assert len({one.headers["idempotency-key"] for one in sent}) == 1


def test_a_key_of_the_callers_own_is_kept(proxy: Between, far: Client) -> None:
    first = far.open_game(ORDER, idempotency_key="table-4")
    assert far.open_game(ORDER, idempotency_key="table-4")["id"] == first["id"]
    assert proxy.heard[-1].headers["idempotency-key"] == "table-4"


def test_what_is_read_is_asked_for_again(proxy: Between, far: Client) -> None:
    game_id = far.open_game(ORDER)["id"]
    proxy.misfortunes = ["lose", "overload", 10]
    assert far.get_game(game_id)["version"] == 2


def test_a_secret_whose_answer_is_lost_is_told_again(proxy: Between, far: Client) -> None:
    proxy.misfortunes = ["overload", "lose"]
    given = far.create_token({"role": "viewer"})
    assert given["token"].startswith("driftlog_")
    assert [one["id"] for one in far.list_tokens()["tokens"]] == [given["id"]]


def test_what_could_be_done_twice_is_sent_once(proxy: Between, far: Client) -> None:
    game_id = far.open_game(ORDER)["id"]
    proxy.misfortunes = ["overload", "lose"]
    with pytest.raises(driftlog.Unreachable):
        far.delete_game(game_id)
    with pytest.raises(driftlog.Gone):
        far.get_game(game_id)


def test_a_refusal_is_final(proxy: Between, far: Client) -> None:
    with pytest.raises(driftlog.NotFound):
        far.get_game("nowhere")
    assert len(proxy.heard) == 1


def test_a_stream_goes_on_where_it_ended(proxy: Between, far: Client) -> None:
    game_id = far.open_game(ORDER)["id"]
    far.append_events(game_id, {"type": "abandon", "params": {"reason": "dinner"}})
    proxy.heard.clear()
    # The first connection breaks in the middle of an event, the second is refused, the third is lost at once.
    proxy.misfortunes = [1200, "none", 0]
    seqs = [one.event["seq"] for one in far.watch_game(game_id) if isinstance(one, driftlog.Recorded)]
    assert seqs == [1, 2, 3, 4]
    assert {one.headers.get("last-event-id") for one in proxy.heard[1:4]} == {"1"}


def test_a_stream_that_is_awaited_goes_on_as_well(proxy: Between, far: Client) -> None:
    game_id = far.open_game(ORDER)["id"]
    far.append_events(game_id, {"type": "abandon", "params": {"reason": "dinner"}})
    proxy.misfortunes = [1200]

    async def seqs() -> list[int]:
        async with driftlog.AsyncClient(proxy.url, patience=PATIENCE) as client:
            told = [one async for one in client.watch_game(game_id)]
            return [one.event["seq"] for one in told if isinstance(one, driftlog.Recorded)]

    assert asyncio.run(seqs()) == [1, 2, 3, 4]


def test_a_file_that_ends_too_soon_is_no_file(proxy: Between, far: Client) -> None:
    game_id = far.open_game(ORDER)["id"]
    proxy.misfortunes = [100]
    with pytest.raises(driftlog.Unreachable, match="ended too early"):
        b"".join(far.export_game(game_id, "markdown"))


def test_nobody_there_is_unreachable() -> None:
    with Client(f"http://127.0.0.1:{free_port()}", patience=0) as client, pytest.raises(driftlog.Unreachable):
        client.get_health()


def test_a_token_is_sent(proxy: Between) -> None:
    with Client(proxy.url, token="t0ken") as client:
        client.get_health()
    assert proxy.heard[0].headers["authorization"] == "Bearer t0ken"
    assert proxy.heard[0].headers["user-agent"].startswith("driftlog-client/")


GET, POST, DELETE = call("GET", "/"), call("POST", "/"), call("DELETE", "/")


@pytest.mark.parametrize(
    ("asked", "slug", "status", "retry_after", "is_again"),
    [
        (GET, "overloaded", 503, "0", True),
        (GET, "store-unavailable", 503, "0", True),
        (GET, "ruleset-not-installed", 503, None, False),
        (GET, "overloaded", 503, "9999", False),
        (GET, "invalid", 422, None, False),
        (DELETE, "overloaded", 503, "0", True),
        (DELETE, "store-unavailable", 503, "0", False),
        (POST, "store-unavailable", 503, "0", True),
    ],
)
def test_what_is_sent_again(asked: Call, slug: str, status: int, retry_after: str | None, is_again: bool) -> None:
    body = b'{"type": "/problems/%b", "title": "", "status": %d, "detail": ""}' % (slug.encode(), status)
    refused = problem(status, body, retry_after)
    attempts = Attempts(asked, 60)
    if is_again:
        assert attempts.after_refusal(refused) == 0
    else:
        with pytest.raises(driftlog.Problem):
            attempts.after_refusal(refused)


def test_pauses_grow() -> None:
    attempts = Attempts(GET, 3600)
    found = [attempts.after_silence(httpx.ReadError("")) for _ in range(12)]
    assert found[0] <= 0.1
    assert all(LONGEST / 2 <= pause <= LONGEST for pause in found[8:])
    asked = pauses()
    assert [next(asked) for _ in range(7)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_messages_are_read_as_they_come() -> None:
    reader = Reader("7")
    said = b"retry: 250\n\n: alive\nid: 8\ndata: a\r\ndata:b\n\nevent: superseded\ndata: {}\n\n"
    said += b"id: 9\n: still here\n\ndata: lost"
    found = [message for at in range(len(said)) for message in reader.read(said[at : at + 1])]
    assert found == [Message("", "a\nb"), Message("superseded", "{}")]
    assert (reader.last_id, reader.pause) == ("9", 0.25)
    reader.begin()
    assert list(reader.read(b"data: c\n\n")) == [Message("", "c")]


def test_what_is_not_kept_is_told() -> None:
    assert of_library(Message("missed", '{"before": "1-0"}'), "1-0") == driftlog.Missed()


def test_values_are_sent_as_the_contract_has_them() -> None:
    made = call("GET", "/", query={"a": True, "b": None, "c": ["x", "y"], "d": 3}, headers={"If-Match": 4})
    assert made.query == {"a": "true", "c": "x,y", "d": "3"}
    assert made.headers == {"If-Match": '"4"'}
    assert call("POST", "/", content="é", media_type="text/csv").content == "é".encode()
