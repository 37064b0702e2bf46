"""Webhooks over REST: creating and listing them, allowed addresses, and repeated deliveries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_binary
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from flask import Flask
from flask.testing import FlaskClient
from standardwebhooks import Webhook as Verifier

from service import destinations
from service import webhooks as service
from service.errors import TooManyLookups
from store import Store, keys
from store.access.tokens import TokenStore
from store.redis import connection
from store.work.webhooks import MOST_OF_A_TOKEN
from tests.api.table import Table, problem
from tests.api.tokens import Door, id_of
from tests.receivers import Receiver, receiving, sending
from tests.waiting import until
from workers.queue import Queue

PUBLIC = "https://93.184.215.14/hook"


@pytest.fixture
def receiver(app: Flask, locked: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    for one in (app, locked):
        settings = msgspec.structs.replace(one.config["SETTINGS"], webhook_networks=("127.0.0.0/8",))
        monkeypatch.setitem(one.config, "SETTINGS", settings)
    with receiving() as receiver:
        yield receiver


def make(client: FlaskClient, **body: Any) -> Any:
    answer = client.post("/v1/webhooks", json={"url": PUBLIC, "events": ["*"], **body})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/v1/webhooks/{answer.json['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json


def test_it_is_made_listed_and_removed_and_its_secret_told_once(client: FlaskClient, store: Store) -> None:
    made = make(client, events=["game_closed", "game_opened", "game_closed"], ruleset="forbidden-island")
    assert made["secret"].startswith("whsec_")
    told = {name: value for name, value in made.items() if name != "secret"}
    assert (told["status"], told["failing_since"], told["made_by"]) == ("active", None, None)
    assert told["events"] == ["game_closed", "game_opened"]
    assert client.get("/v1/webhooks").json == {"webhooks": [told], "next_cursor": None}
    assert client.get(f"/v1/webhooks/{made['id']}").json == told
    kept = connection.call(store.client, "HGETALL", keys.WEBHOOKS)
    assert made["secret"].removeprefix("whsec_").encode() not in b"".join(kept.values()), "a list tells none"
    other = make(client)
    assert other["secret"] != made["secret"]
    page = client.get("/v1/webhooks?limit=1")
    assert [one["id"] for one in page.json["webhooks"]] == [other["id"]]
    rest = client.get(page.headers["Link"][1:].partition(">")[0]).json
    assert [one["id"] for one in rest["webhooks"]] == [made["id"]]
    assert client.delete(f"/v1/webhooks/{made['id']}").status_code == 204
    problem(client.get(f"/v1/webhooks/{made['id']}"), 404, "not-found")
    problem(client.delete(f"/v1/webhooks/{made['id']}"), 404, "not-found")
    problem(client.get(f"/v1/webhooks/{made['id']}/deliveries"), 404, "not-found")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"url": "http://127.0.0.1/"}, "/url"),
        ({"url": "http://localhost:6379/"}, "/url"),
        ({"url": "http://169.254.169.254/latest/meta-data/"}, "/url"),
        ({"url": "http://[::ffff:10.0.0.1]/"}, "/url"),
        ({"url": "ftp://93.184.215.14/"}, "/url"),
        ({"url": ""}, "/url"),
        ({"url": None}, "/url"),
        ({"events": []}, "/events"),
        ({"events": "*"}, "/events"),
        ({"events": ["shore-up"]}, "/events/0"),
        ({"events": ["game_opened", "shore_upp"]}, "/events/1"),
        ({"game": "01kaj5x9f3q8w7e2r4t6y8u0pz"}, "/game"),
        ({"ruleset": "chess"}, "/ruleset"),
        ({"secret": "whsec_x"}, "/secret"),
    ],
)
def test_what_is_refused(client: FlaskClient, body: dict[str, Any], pointer: str) -> None:
    answer = client.post("/v1/webhooks", json={"url": PUBLIC, "events": ["*"], **body})
    assert problem(answer, 422, "invalid")["errors"][0]["pointer"] == pointer
    assert client.get("/v1/webhooks").json["webhooks"] == []


def test_others_are_being_looked_up(client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(*_arguments: object) -> None:
        raise TooManyLookups

    monkeypatch.setattr(destinations, "check", check)
    refused = client.post("/v1/webhooks", json={"url": "https://example.org/", "events": ["*"]})
    problem(refused, 503, "overloaded")
    assert refused.headers["Retry-After"]
    assert store.webhooks.all() == []


def test_there_are_only_so_many(door: Door) -> None:
    one, other = door.enter("recorder"), door.enter("recorder")
    for _ in range(MOST_OF_A_TOKEN):
        make(one.client)
    body = {"url": PUBLIC, "events": ["*"]}
    problem(one.client.post("/v1/webhooks", json=body), 422, "too-many-webhooks")
    make(other.client)


def test_who_gives_tokens_has_no_more_of_them(door: Door) -> None:
    one = door.enter("recorder")
    given = door.client(one.give(role="recorder")["token"])
    given_on = door.client(given.post("/v1/tokens", json={"role": "recorder"}).json["token"])
    for client in (one.client, given, given_on):
        make(client)
    for _ in range(MOST_OF_A_TOKEN - 3):
        make(given_on)
    for client in (one.client, given, given_on):
        refused = client.post("/v1/webhooks", json={"url": PUBLIC, "events": ["*"]})
        problem(refused, 422, "too-many-webhooks")
    (first, *_) = one.client.get("/v1/webhooks").json["webhooks"]
    assert one.client.delete(f"/v1/webhooks/{first['id']}").status_code == 204
    make(given)


def test_those_of_whom_an_admin_lets_in_are_their_own(door: Door) -> None:
    admin = door.enter("admin")
    for _ in range(2):
        recorder = door.client(admin.give(role="recorder")["token"])
        for _ in range(MOST_OF_A_TOKEN):
            make(recorder)
    make(admin.client)


def test_an_admin_of_one_game_has_no_more_of_them_by_tokens(door: Door) -> None:
    game = door.enter("recorder").open()["id"]
    admin = door.enter("admin", game=game)
    for _ in range(2):
        given = door.client(admin.give(role="recorder", game=game)["token"])
        for _ in range(MOST_OF_A_TOKEN // 2):
            make(given)
    problem(admin.client.post("/v1/webhooks", json={"url": PUBLIC, "events": ["*"]}), 422, "too-many-webhooks")


def test_events_are_sent_and_sent_again(client: FlaskClient, store: Store, queue: Queue, receiver: Receiver) -> None:
    table = Table(client)
    made = make(client, url=receiver.url, events=["game_opened", "swim"])
    here = f"/v1/webhooks/{made['id']}"
    with sending(store, queue):
        opened = table.open()
        until(lambda: len(receiver.messages) == 1)
        until(lambda: client.get(f"{here}/deliveries").json["deliveries"])
        (told,) = client.get(f"{here}/deliveries").json["deliveries"]
        assert (told["id"], told["status"], told["attempts"]) == (f"{opened['id']}-1", "delivered", 1)
        assert client.get(here).json["reached_at"] >= made["created_at"]
        # This includes deliveries that nobody requested, which no list has.
        for seq in (1, 2):
            answer = client.post(f"{here}/deliveries/{opened['id']}-{seq}/retry")
            assert (answer.status_code, answer.json["status"]) == (202, "waiting")
        until(lambda: sorted(receiver.seqs) == [1, 1, 2])
    again = Verifier(made["secret"]).verify(receiver.messages[1].body, receiver.messages[1].headers)
    assert again["data"]["game"]["id"] == opened["id"]
    for wrong in ("x", f"{opened['id']}-3", f"{opened['id']}-0", f"{opened['id']}-x", "01kaj5x9f3q8w7e2r4t6y8u0pz-1"):
        problem(client.post(f"{here}/deliveries/{wrong}/retry"), 404, "not-found")


def test_events_are_sent_as_cloud_events(client: FlaskClient, store: Store, queue: Queue, receiver: Receiver) -> None:
    """The SDK of the format reads each message, which equals the item of the export `cloudevents`."""
    table = Table(client)
    made = make(client, url=receiver.url, format="cloudevents")
    assert client.get(f"/v1/webhooks/{made['id']}").json["format"] == "cloudevents"
    with sending(store, queue):
        table.open()
        until(lambda: len(receiver.messages) == 2)
    exported = table.get("/export", format="cloudevents").json
    for message, expected in zip(receiver.messages, exported, strict=True):
        Verifier(made["secret"]).verify(message.body, message.headers)
        event = from_binary(HTTPMessage(message.headers, message.body), JSONFormat(), CloudEvent)
        read = json.loads(JSONFormat().write(event))
        assert datetime.fromisoformat(read.pop("time")) == datetime.fromisoformat(expected.pop("time"))
        assert read == expected


def test_a_webhook_for_one_game_is_sent_nothing_of_others(client: FlaskClient, store: Store) -> None:
    table = Table(client)
    mine, other = table.open()["id"], table.open()["id"]
    made = make(client, game=mine)
    desert = make(client, ruleset="forbidden-desert")
    assert client.post(f"/v1/webhooks/{made['id']}/deliveries/{mine}-1/retry").status_code == 202
    problem(client.post(f"/v1/webhooks/{made['id']}/deliveries/{other}-1/retry"), 404, "not-found")
    problem(client.post(f"/v1/webhooks/{desert['id']}/deliveries/{mine}-1/retry"), 404, "not-found")


def test_who_sees_which(door: Door) -> None:
    admin, one, other = door.enter("admin"), door.enter("recorder"), door.enter("recorder")
    one.open()
    game = id_of(one.game)
    child = door.enter("recorder", given_by=one.token.id)
    of_game = door.enter("recorder", game=game)
    admin_of_game = door.enter("admin", game=game)
    by_one, by_child, by_guest = make(one.client), make(child.client), make(of_game.client)
    assert by_guest["game"] == game, "a token for one game is told of that one"

    def visible_webhooks(visitor: Any) -> set[str]:
        return {found["id"] for found in visitor.client.get("/v1/webhooks").json["webhooks"]}

    all_ = {by_one["id"], by_child["id"], by_guest["id"]}
    assert visible_webhooks(admin) == all_
    assert visible_webhooks(one) == {by_one["id"], by_child["id"]}
    assert visible_webhooks(child) == {by_child["id"]}
    assert visible_webhooks(other) == set()
    assert visible_webhooks(of_game) == visible_webhooks(admin_of_game) == {by_guest["id"]}
    problem(other.client.delete(f"/v1/webhooks/{by_one['id']}"), 404, "not-found")
    other.open()
    body = {"url": PUBLIC, "events": ["*"], "game": id_of(other.game)}
    problem(of_game.client.post("/v1/webhooks", json=body), 422, "invalid")
    problem(door.enter("viewer").client.post("/v1/webhooks", json=body), 403, "forbidden")
    admin.client.delete(f"/v1/webhooks/{by_one['id']}")
    log = admin.client.get("/v1/access-log").json["access_log"]
    assert log[1]["action"] == "DELETE /v1/webhooks/{webhook_id}"


def test_what_a_player_hides_is_sent_to_nobody(door: Door, store: Store, queue: Queue, receiver: Receiver) -> None:
    """A webhook sends only what everyone can see, even if an arbiter created it."""
    arbiter = door.enter("arbiter")
    make(arbiter.client, url=receiver.url)
    with sending(store, queue, is_open=False):
        opened = arbiter.open()
        until(lambda: len(receiver.messages) == opened["version"])
    # The seed is public only after the end of the game.
    assert "seed" not in receiver.messages[0].document["data"]["event"]["params"]
    assert receiver.messages[0].document["data"]["event"]["params"]["seed_commitment"]


def test_a_token_that_ends_while_it_makes_one(door: Door, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = door.enter("recorder")
    monkeypatch.setattr(TokenStore, "is_in_force", lambda *_: False)
    problem(visitor.client.post("/v1/webhooks", json={"url": PUBLIC, "events": ["*"]}), 401, "unauthenticated")
    assert store.webhooks.all() == []


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        # The standard's own example: https://github.com/standard-webhooks/standard-webhooks, its libraries' tests.
        (b'{"test": 2432232314}', "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
        ('{"name":"Zoë"}'.encode(), "3Y0uOXEca2zsElJwlDVR3YZoq8JPNDFNFfgiXf6SB8Y="),
    ],
)
def test_a_message_is_signed_as_the_standard_says(body: bytes, signature: str) -> None:
    id_ = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    assert service.sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", id_, body, 1614265330) == {
        "webhook-id": id_,
        "webhook-timestamp": "1614265330",
        "webhook-signature": f"v1,{signature}",
    }
