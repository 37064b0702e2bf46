"""Revoked tokens and share links lose access at once, also to open pages and streams."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, tzinfo
from typing import Any

import msgspec
import pytest
from flask import Flask

from api.plumbing.access import LINKS
from store import Store, keys
from store.access.sharing import Share
from tests.api.table import Table, problem
from tests.api.test_reading import messages
from tests.api.tokens import Door, Visitor, id_of
from tests.playouts import clock
from tests.waiting import until


def open_as_recorder(door: Door) -> Visitor:
    visitor = door.enter("recorder")
    visitor.open()
    return visitor


@pytest.fixture
def streams(door: Door) -> Iterator[Callable[[Any], Any]]:
    """Opens and closes streams."""
    answers = []

    def stream(client: Any, path: str) -> Any:
        answer = client.get(path, buffered=False)
        assert answer.status_code == 200
        answers.append(answer)
        return answer.iter_encoded()

    yield stream
    for answer in answers:
        answer.close()


def test_a_stream_ends_with_its_token(door: Door, streams: Any) -> None:
    host = open_as_recorder(door)
    guest, other = door.enter("viewer", game=id_of(host.game)), door.enter("viewer")
    mine, theirs = streams(guest.client, f"{host.game}/stream"), streams(other.client, f"{host.game}/stream")
    assert len(messages(mine, 2)) == len(messages(theirs, 2)) == 2
    ended = threading.Event()

    def listen() -> None:
        assert messages(mine, 1) == []
        ended.set()

    thread = threading.Thread(target=listen)
    thread.start()
    door.store.tokens.withdraw(guest.token.id)
    assert ended.wait(60)
    thread.join()
    host.act("draw_treasure_card")
    assert len(messages(theirs, 1)) == 1
    problem(guest.client.get(f"{host.game}/stream"), 401, "unauthenticated")


def test_nothing_is_sent_after_the_end_though_the_hint_is_lost(door: Door, streams: Any) -> None:
    """No process receives the notice of the revocation, but the stream ends all the same."""
    host = open_as_recorder(door)
    guest = door.enter("viewer")
    chunks = streams(guest.client, f"{host.game}/stream")
    assert len(messages(chunks, 2)) == 2
    door.store.client.hdel(keys.ACCESS, guest.token.id)
    host.act("draw_treasure_card")
    assert messages(chunks, 1) == []


def test_nothing_is_sent_after_the_time_has_come(door: Door, streams: Any) -> None:
    host = open_as_recorder(door)
    guest = door.enter("viewer")
    chunks = streams(guest.client, f"{host.game}/stream")
    assert len(messages(chunks, 2)) == 2
    kept = door.store.client.hget(keys.ACCESS, guest.token.id)
    document = msgspec.json.decode(kept)
    document["token"]["expires_at"] = clock(1)
    door.store.client.hset(keys.ACCESS, guest.token.id, msgspec.json.encode(document))
    host.act("draw_treasure_card")
    assert messages(chunks, 1) == []


def test_a_share_link_ends_when_its_giver_does(door: Door, streams: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    end = "2126-11-22T20:00:00.000Z"
    host = door.enter("recorder", expires_at=end)
    host.open()
    made = host.client.post(f"{host.game}/shares")
    share = made.json
    assert share["expires_at"] == end
    assert host.get("/shares").json == {"shares": [share], "next_cursor": None}
    link, guest, bearer, other = share["url"], door.client(), door.client(share["token"]), door.enter("recorder")
    chunks = streams(guest, f"{link}{host.game}/stream")
    assert len(messages(chunks, 2)) == 2
    assert bearer.get(host.game).status_code == 200

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.fromisoformat(end).astimezone(tz)

    monkeypatch.setattr("store.access.tokens.datetime", Later)
    other.at(host.game).act("draw_treasure_card")
    assert messages(chunks, 1) == []
    assert guest.get(link).status_code == guest.get(f"{link}/qr.svg").status_code == 404
    problem(guest.get(link + host.game), 404, "not-found")
    problem(guest.get(f"{link}{host.game}/stream"), 404, "not-found")
    problem(bearer.get(host.game), 401, "unauthenticated")
    problem(other.client.get(made.headers["Location"]), 404, "not-found")
    assert other.get("/shares").json == {"shares": [], "next_cursor": None}


READ = [
    "",
    "/events",
    "/events/1",
    "/state",
    "/actions",
    "/story",
    "/notes",
    "/turns",
    "/board.svg",
    "/facts",
    "/export",
]


def test_a_share_link_leads_to_its_game_and_nowhere_else(door: Door) -> None:
    host = open_as_recorder(door)
    game = host.game
    share = host.client.post(f"{game}/shares").json
    host.open()
    guest, link = door.client(), share["url"]
    page = guest.get(link)
    assert page.status_code == 200
    assert f'data-api="{link}{game}"' in page.text
    for path in READ:
        with closing(guest.get(link + game + path)) as answer:
            assert answer.status_code == 200, path
        problem(guest.get(game + path), 401, "unauthenticated")
        problem(guest.get(link + host.game + path), 404, "not-found")
    assert [one["id"] for one in guest.get(f"{link}/v1/games").json["games"]] == [id_of(game)]
    first = guest.get(f"{link}{game}/events?limit=1")
    assert first.headers["Link"] == f'<{link}{game}/events?limit=1&cursor={first.json["next_cursor"]}>; rel="next"'
    for path, body in (
        (f"{game}/events", {"type": "annotate", "params": {"text": "!"}}),
        (f"{game}/shares", None),
        (f"{game}/forks", {"at": 1}),
        ("/v1/games", {}),
        ("/v1/tokens", {"role": "viewer"}),
    ):
        problem(guest.post(link + path, json=body), 403, "forbidden")
    assert problem(guest.get(f"{link}{game}/state?viewer=p1"), 403, "forbidden")["needs"] == "arbiter"
    # The secret of a share link is an ordinary token.
    assert share["token"] not in LINKS
    assert door.client(share["token"]).get(game).status_code == 200
    assert share["token"] in LINKS
    for path in ("/s/nonsense", f"/s/{host.text}"):
        problem(guest.get(f"{path}{game}"), 404, "not-found")
        assert guest.get(path).status_code == 404


@pytest.mark.parametrize("is_open", [True, False])
def test_a_withdrawn_link_is_dead(door: Door, app: Flask, streams: Any, *, is_open: bool) -> None:
    host = open_as_recorder(door)
    if is_open:
        host.client.application = app
    guest = (app if is_open else door.app).test_client()
    made = host.client.post(f"{host.game}/shares")
    link = made.json["url"]
    chunks = streams(guest, f"{link}{host.game}/stream")
    assert len(messages(chunks, 2)) == 2
    ended = threading.Event()
    thread = threading.Thread(target=lambda: (messages(chunks, 1), ended.set()))
    thread.start()
    assert host.client.delete(made.headers["Location"]).status_code == 204
    assert ended.wait(60)
    thread.join()
    for path in ("", "/stream", *READ):
        problem(guest.get(link + host.game + path), 404, "not-found")
    problem(guest.post(f"{link}{host.game}/events", json={}), 404, "not-found")
    for path in (link, f"{link}/qr.svg"):
        assert guest.get(path).status_code == 404
    with closing(host.client.get(host.game)) as answer:
        assert answer.status_code == 200


def test_a_link_that_was_made_before_links_were_tokens(door: Door, table: Table, streams: Any) -> None:
    host = open_as_recorder(door)
    old = Share("hT3kq0b2m9ZxW4yJv8Lr", id_of(host.game), clock(1))
    store: Store = door.store
    store.client.hset(keys.SHARES, old.token, msgspec.json.encode(old))
    store.client.rpush(keys.shares_of(old.game), old.token)
    link, guest = f"/s/{old.token}", door.client()
    assert guest.get(link).status_code == 200
    assert [share["token"] for share in host.get("/shares").json["shares"]] == [old.token]
    chunks = streams(guest, f"{link}{host.game}/stream")
    assert len(messages(chunks, 2)) == 2
    assert store.sharing.withdraw(old.game, old.token)
    assert messages(chunks, 1) == []
    problem(guest.get(f"{link}{host.game}"), 404, "not-found")


def test_no_token_is_in_any_log(door: Door, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    host = open_as_recorder(door)
    share = host.client.post(f"{host.game}/shares").json
    monkeypatch.setattr("api.pages.shared.guest", lambda _text: 1 / 0)
    monkeypatch.setattr("store.log.games.GameStore.latest", lambda *_: 1 / 0)
    assert door.client().get(share["url"]).status_code == 500
    assert door.client().get(f"{share['url']}{host.game}").status_code == 500
    assert host.get().status_code == 500
    until(lambda: len(caplog.records) >= 3)
    for text in (host.text, share["token"]):
        assert text.split("_", 2)[2] not in caplog.text
