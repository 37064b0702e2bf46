"""Following games: the stream of the library, and waiting for events."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.library import stream as library
from api.plumbing.live import Hub
from store import Store
from store.library.finding import Filter, fits
from store.library.summaries import parse
from store.log import feed
from store.log.games import GameStore
from tests.api.table import Table, problem
from tests.api.test_secrets import BEFORE, MASKED, SCORESHEET, THROW
from tests.api.tokens import Door
from tests.receivers import sending
from tests.waiting import until
from workers.queue import Queue


@pytest.fixture
def told(store: Store, queue: Queue) -> Iterator[None]:
    """Send appended events to the feed in the background."""
    with sending(store, queue):
        yield


@pytest.fixture
def listen() -> Iterator[Callable[..., Stream]]:
    with ExitStack() as stack:
        yield lambda client, **more: Stream(client, stack, **more)


class Stream:
    """A stream of the library."""

    def __init__(self, client: FlaskClient, stack: ExitStack, path: str = "/v1/stream", **headers: str) -> None:
        answer = client.get(
            path, headers={name.replace("_", "-"): value for name, value in headers.items()}, buffered=False
        )
        assert answer.status_code == 200, answer.text
        stack.callback(answer.close)
        self._chunks = answer.iter_encoded()
        self.id = ""
        self.missed: Any = None

    def next(self, wanted: int) -> list[tuple[str, int]]:
        """Return game and `seq` of the next events."""
        found: list[tuple[str, int]] = []
        while len(found) < wanted:
            fields = self.chunk()
            if "data" in fields:
                document = json.loads(fields["data"])
                assert document["type"] == "game.event"
                data = document["data"]
                assert data["game"]["link"] == f"/v1/games/{data['game']['id']}"
                found.append((data["game"]["id"], data["event"]["seq"]))
        return found

    def chunk(self) -> dict[str, str]:
        text = next(self._chunks).decode()
        fields = dict(line.split(": ", 1) for line in text.strip().splitlines() if not line.startswith(":"))
        self.id = fields.get("id", self.id)
        if fields.get("event") == "missed":
            self.missed = json.loads(fields.pop("data"))
        return fields

    def begin(self) -> Stream:
        """Read until the stream sends its position."""
        while not self.id:
            self.chunk()
        return self

    def ends(self) -> bool:
        return not [chunk for chunk in self._chunks if b"data:" in chunk]


def test_the_library_as_it_grows(app: Flask, told: None, listen: Any) -> None:
    Table(app.test_client()).open()
    stream = listen(app.test_client()).begin()
    one, other = Table(app.test_client()), Table(app.test_client())
    mine, theirs = one.open()["id"], other.open()["id"]
    assert sorted(stream.next(4)) == sorted([(mine, 1), (mine, 2), (theirs, 1), (theirs, 2)])
    one.act("draw_treasure_card")
    assert stream.next(1) == [(mine, 3)]


def test_it_goes_on_where_it_ended(app: Flask, store: Store, listen: Any) -> None:
    store.feed.push({})
    table = Table(app.test_client())
    game = table.open()["id"]
    start = listen(app.test_client()).begin().id
    for _ in range(2):
        table.act("draw_treasure_card")
    store.feed.push({game: 4})
    table.act("draw_flood_card")
    store.feed.push({game: 5})
    whole = listen(app.test_client(), Last_Event_ID=start)
    assert whole.next(1) == [(game, 3)]
    # The position is within events that were appended together, and then after them.
    rest = listen(app.test_client(), Last_Event_ID=whole.id)
    assert rest.next(2) == [(game, 4), (game, 5)]
    assert whole.next(1) == [(game, 4)]
    assert listen(app.test_client(), Last_Event_ID=whole.id.partition(":")[0]).next(1) == [(game, 5)]
    assert whole.missed is rest.missed is None


def test_what_is_not_kept_any_more_is_said_to_be_missed(
    app: Flask, store: Store, listen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Table(app.test_client()).open()["id"]
    for id_ in ("1-0", "1-0:7"):
        stream = listen(app.test_client(), Last_Event_ID=id_)
        assert stream.next(2) == [(game, 1), (game, 2)]
        assert stream.missed == {"before": store.feed.first()}


@pytest.mark.parametrize("wrong", ["x", "1", "1-1:", "-", "1-1:x", "99999999999999999999-1", "1-1\u00e9"])
def test_what_is_no_place_in_it(client: FlaskClient, wrong: str) -> None:
    problem(client.get("/v1/stream", headers={"Last-Event-ID": wrong}), 400, "malformed")
    problem(client.get("/v1/stream?rulset=x"), 400, "malformed")


def test_only_what_fits_is_told(app: Flask, told: None, listen: Any) -> None:
    table = Table(app.test_client())
    for path, more in (
        ("?ruleset=forbidden-desert", {"ruleset": "forbidden-desert"}),
        ("?tag=Club%20Night", {"tags": ["club night"]}),
        ("?player=cyd", {"players": 3}),
        ("?q=cy%20isl", {"players": 3}),
    ):
        stream = listen(app.test_client(), path=f"/v1/stream{path}").begin()
        table.open()
        wanted = table.open(**more)["id"]
        assert stream.next(2) == [(wanted, 1), (wanted, 2)]
    stream = listen(app.test_client(), path="/v1/stream?status=abandoned&result=abandoned").begin()
    table.act("draw_treasure_card")
    table.post({"type": "abandon", "params": {"reason": "supper"}})
    version = table.get().json["version"]
    assert stream.next(1)[0][0] == table.get().json["id"]
    table.open()
    table.post({"type": "abandon", "params": {"reason": "supper"}})
    assert stream.next(1)[0][1] <= version


def test_a_filter_finds_the_same_in_the_list_and_in_the_stream(table: Table, store: Store) -> None:
    table.open(tags=["club night"])
    table.open(players=3)
    table.post({"type": "abandon", "params": {"reason": "supper"}})
    parent = table.get().json["id"]
    table.client.post(f"{table.game}/forks", json={"at": 2})
    table.open(ruleset="forbidden-desert", players=4, tags=["Ann's"])
    store.hiding.hide("Dee", at="2026-11-20T00:00:00Z", by=None)
    games, _ = store.projections.find(Filter())
    whole = [parse(document) for document in store.client.hvals("{games}:summaries")]
    now = datetime.now(UTC)
    some = games[1].id
    filters: list[dict[str, Any]] = [
        {},
        {"ruleset": "forbidden-desert"},
        {"status": "abandoned"},
        {"result": "abandoned"},
        {"result": "won"},
        {"player": "CYD"},
        {"player": "Cy"},
        {"player": "dee"},
        {"tag": "Club Night"},
        {"tag": "ann's"},
        {"parent": parent},
        {"game": some},
        {"q": "an isl"},
        {"q": "cyd des"},
        {"q": "dee"},
        {"q": "!"},
        {"from_": now - timedelta(hours=1)},
        {"from_": now + timedelta(hours=1)},
        {"to": now - timedelta(hours=1)},
    ]
    for one in filters:
        wanted = Filter(**one)
        found = {game.id for game in store.projections.find(wanted)[0]}
        assert {game.id for game in whole if fits(game, wanted, store.hiding.search_keys())} == found, one


def test_how_a_game_stood_is_found_by_playing_it_once(
    app: Flask, store: Store, listen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(app.test_client())
    game = table.open()["id"]
    store.feed.push({game: 2})
    for seq, act in enumerate(("draw_treasure_card", "draw_treasure_card", "draw_flood_card"), 3):
        table.act(act)
        store.feed.push({game: seq})
    asked = []
    get = GameStore.get
    monkeypatch.setattr(GameStore, "get", lambda *args, **more: asked.append(more) or get(*args, **more))
    stream = listen(app.test_client(), path="/v1/stream?status=in_progress", Last_Event_ID="0-0")
    assert stream.next(5) == [(game, seq) for seq in range(1, 6)]
    assert asked == [{"at": 2}]
    table.post({"type": "abandon", "params": {"reason": "late"}})
    store.feed.push({game: 7})
    ended = listen(app.test_client(), path="/v1/stream?status=abandoned", Last_Event_ID="0-0")
    assert ended.next(2) == [(game, 6), (game, 7)]


def test_what_players_hide_is_masked(app: Flask, told: None, listen: Any) -> None:
    stream = listen(app.test_client()).begin()
    table = Table(app.test_client())
    table.client.post("/v1/games", json=json.loads(SCORESHEET[0]))
    table.game = table.client.get("/v1/games").json["games"][0]["link"]
    assert table.post([*BEFORE, THROW]).status_code == 201
    version = table.get().json["version"]
    while True:
        fields = stream.chunk()
        event = json.loads(fields["data"])["data"]["event"] if "data" in fields else {}
        if event.get("seq") == version:
            break
    assert event["params"] == {"spears": MASKED, "salt": MASKED}


def test_a_deleted_game_and_a_damaged_one_end_no_stream(app: Flask, store: Store, told: None, listen: Any) -> None:
    start = listen(app.test_client()).begin().id
    gone, broken, last = Table(app.test_client()), Table(app.test_client()), Table(app.test_client())
    gone.open()
    other = broken.open()["id"]
    mine = last.open()["id"]
    until(lambda: len(store.feed.read(feed.BEGINNING)) >= 3)
    gone.client.delete(gone.game)
    store.client.delete(f"{{{other}}}:events")
    assert listen(app.test_client(), Last_Event_ID=start).next(2) == [(mine, 1), (mine, 2)]


def test_a_token_for_one_game_hears_of_that_one(door: Door, listen: Any) -> None:
    host = door.enter("recorder")
    mine = host.open()["id"]
    start = door.store.feed.last()
    other = door.enter("recorder")
    other.open()
    host.act("draw_treasure_card")
    door.store.feed.push({mine: 3})
    guest = door.enter("viewer", game=mine)
    assert listen(guest.client, Last_Event_ID=start).next(1) == [(mine, 3)]
    link = host.client.post(f"{host.game}/shares").json["token"]
    assert listen(door.client(), path=f"/s/{link}/v1/stream", Last_Event_ID=start).next(1) == [(mine, 3)]


def test_a_token_for_one_game_learns_nothing_of_others_by_its_places(
    door: Door, listen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "HEARTBEAT", 0.01)
    host, other = door.enter("recorder"), door.enter("recorder")
    mine = host.open()["id"]
    theirs = other.open()["id"]
    door.store.feed.push({mine: 2, theirs: 2})
    stream = listen(door.enter("viewer", game=mine).client).begin()
    assert stream.id == "2-0"
    other.act("draw_treasure_card")
    door.store.feed.push({theirs: 3})
    assert [stream.chunk() for _ in range(3)] == [{"id": "2-0"}] * 3
    for _ in range(2):
        host.act("draw_treasure_card")
    assert stream.next(1) == [(mine, 3)]
    # The position is within events that were appended together, after them, at the beginning, and invalid.
    guest = door.enter("viewer", game=mine).client
    assert stream.id == "4-0:3"
    assert listen(guest, Last_Event_ID=stream.id).next(1) == stream.next(1) == [(mine, 4)]
    host.act("draw_flood_card")
    assert listen(guest, Last_Event_ID="4-0").next(1) == [(mine, 5)]
    assert listen(guest, Last_Event_ID="0-0").next(5) == [(mine, seq) for seq in range(1, 6)]
    late = listen(guest, Last_Event_ID=f"{door.store.feed.last()}:7")
    assert late.begin().id == f"{door.store.feed.last()}"
    assert late.missed is None


def test_it_ends_with_its_token(door: Door, listen: Any) -> None:
    guest = door.enter("viewer")
    stream = listen(guest.client).begin()
    ended = threading.Event()

    def read() -> None:
        assert stream.ends()
        ended.set()

    thread = threading.Thread(target=read)
    thread.start()
    door.store.tokens.withdraw(guest.token.id)
    assert ended.wait(60)
    thread.join()


def test_nothing_is_sent_after_its_end_though_the_hint_is_lost(door: Door, listen: Any) -> None:
    guest, host = door.enter("viewer"), door.enter("recorder")
    stream = listen(guest.client).begin()
    game = host.open()["id"]
    door.store.client.hdel("{access}:tokens", guest.token.id)
    door.store.feed.push({game: 2})
    assert stream.ends()


def test_it_gives_signs_of_life_and_of_its_place(
    app: Flask, store: Store, listen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "HEARTBEAT", 0.01)
    stream = listen(app.test_client(), path="/v1/stream?ruleset=forbidden-desert").begin()
    first = stream.id
    Table(app.test_client()).open()
    until(lambda: stream.chunk() is not None and stream.id == store.feed.last() != first)


def test_the_stream_of_the_library_counts_among_the_others(app: Flask, listen: Any) -> None:
    app.extensions["hub"] = Hub(app.extensions["store"].hints(), most=1)
    listen(app.test_client())
    problem(app.test_client().get("/v1/stream"), 429, "too-many-streams")
    table = Table(app.test_client())
    table.open()
    problem(table.get("/events", after=2, wait=5), 429, "too-many-streams")
    assert table.get("/events", after=1, wait=5).status_code == 200


def test_a_service_that_stops_ends_it(app: Flask, listen: Any) -> None:
    stream = listen(app.test_client()).begin()
    live_hub: Hub = app.extensions["hub"]
    live_hub.stop()
    assert stream.ends()


def test_wait__until_there_is_more(app: Flask, table: Table) -> None:
    table.open()
    answers: list[Any] = []

    def wait() -> None:
        answers.append(app.test_client().get(f"{table.game}/events?after=2&wait=30").json)

    thread = threading.Thread(target=wait)
    thread.start()
    hub: Hub = app.extensions["hub"]
    until(lambda: hub._count == 1)
    assert answers == []
    table.act("draw_treasure_card")
    thread.join(60)
    assert [event["seq"] for event in answers[0]["events"]] == [3]
    assert hub._count == 0


def test_wait__for_nothing(table: Table) -> None:
    table.open()
    began = time.monotonic()
    answer = table.get("/events", after=2, wait=0.05)
    assert (answer.json["events"], answer.json["version"]) == ([], 2)
    assert time.monotonic() - began >= 0.05
    # A request for existing events is answered at once, also one about a game that has ended.
    assert len(table.get("/events", after=0, wait=30).json["events"]) == 2
    table.play_out()
    version = table.get().json["version"]
    assert table.get("/events", after=version, wait=30).json["events"] == []
    problem(table.get("/events", after=2, wait=31), 400, "malformed")
    problem(table.get("/events", after=2, wait=-1), 400, "malformed")
    problem(table.get("/events", after=2, wait="x"), 400, "malformed")


def test_wait__not_with_until(table: Table) -> None:
    table.open()
    problem(table.get("/events", after=2, until=2, wait=30), 400, "malformed")


@pytest.mark.parametrize("is_link", [False, True], ids=["token", "link"])
def test_wait__ends_with_the_token(door: Door, is_link: bool) -> None:
    host, guest = door.enter("recorder"), door.enter("viewer")
    host.open()
    link = host.client.post(f"{host.game}/shares").json["token"]
    path, client = (f"/s/{link}{host.game}", door.client()) if is_link else (host.game, guest.client)
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(client.get(f"{path}/events?after=2&wait=30")))
    thread.start()
    hub: Hub = door.app.extensions["hub"]
    until(lambda: hub._count == 1)
    if is_link:
        host.client.delete(f"{host.game}/shares/{link}")
    else:
        door.store.tokens.withdraw(guest.token.id)
    thread.join(60)
    problem(answers[0], *((404, "not-found") if is_link else (401, "unauthenticated")))


def test_wait__a_service_that_stops_answers(app: Flask, table: Table) -> None:
    table.open()
    live_hub: Hub = app.extensions["hub"]
    live_hub.stop()
    assert table.get("/events", after=2, wait=30).json["events"] == []
