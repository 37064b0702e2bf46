"""Previews on other sites: a feed, a picture, and the metadata of a page."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import feedparser
import pytest
from flask.testing import FlaskClient
from ulid import ULID

from store import Store
from tests.api.table import Table, problem
from tests.api.tokens import Door, id_of
from tests.playouts import playout

HOME = "http://127.0.0.1:8000"


def feed(client: FlaskClient, query: str = "") -> Any:
    answer = client.get(f"/v1/games.atom{query}")
    assert (answer.status_code, answer.mimetype) == (200, "application/atom+xml"), answer.text
    parsed = feedparser.parse(answer.data)
    assert not parsed.bozo, parsed.get("bozo_exception")
    assert parsed.version == "atom10"
    return parsed


def store_finished_game(store: Store, ruleset: str = "forbidden-island") -> str:
    """The id of a finished game."""
    game = str(ULID()).lower()
    store.events.open(game, playout(ruleset), seed=None)
    store.projections.project(game)
    return game


def test_the_feed_has_the_games_that_have_ended(table: Table, store: Store) -> None:
    empty = feed(table.client)
    assert (empty.entries, empty.feed.author) == ([], "Driftlog")
    table.open()
    first, second = store_finished_game(store), store_finished_game(store, "forbidden-desert")
    parsed = feed(table.client)
    entries = {entry.link: entry for entry in parsed.entries}
    assert set(entries) == {f"{HOME}/games/{game}" for game in (first, second)}
    entry = entries[f"{HOME}/games/{first}"]
    assert entry.title.startswith("Forbidden Island: Ada and Bo, ")
    assert [tag.term for tag in entry.tags] == ["forbidden-island"]
    assert entry.id.startswith("urn:uuid:")
    assert entry.updated == store.events.read(first)[-1].recorded_at
    assert "turns" in entry.summary
    assert parsed.feed.updated == parsed.entries[0].updated
    assert len({one.id for one in parsed.entries}) == 2
    of_one = feed(table.client, "?ruleset=forbidden-desert")
    assert [entry.link for entry in of_one.entries] == [f"{HOME}/games/{second}"]
    assert of_one.feed.id != parsed.feed.id
    problem(table.client.get("/v1/games.atom?status=setup"), 400, "malformed")


def test_a_reader_that_has_it_is_told_so(table: Table) -> None:
    tag = table.client.get("/v1/games.atom").headers["ETag"]
    assert table.client.get("/v1/games.atom", headers={"If-None-Match": tag}).status_code == 304
    assert table.client.get("/v1/games.atom", headers={"Accept": "application/atom+xml"}).status_code == 200


def test_the_feed_tells_of_no_game_that_a_token_is_not_for(door: Door) -> None:
    mine = store_finished_game(door.store)
    store_finished_game(door.store)
    links = [entry.link for entry in feed(door.enter("viewer", game=mine).client).entries]
    assert links == [f"{HOME}/games/{mine}"]


def embed(client: FlaskClient, url: str, **more: Any) -> Any:
    return client.get("/oembed", query_string={"url": url, **more})


def test_a_link_is_shown_as_the_picture_of_its_table(table: Table) -> None:
    game = table.open()["id"]
    told = embed(table.client, f"{HOME}/games/{game}").json
    assert (told["version"], told["type"], told["provider_name"]) == ("1.0", "photo", "Driftlog")
    assert told["title"] == "Forbidden Island: Ann and Bob (in turn 1)"
    picture = urlsplit(told["url"])
    answer = table.client.get(f"{picture.path}?{picture.query}")
    assert answer.mimetype == "image/svg+xml"
    width, height = re.search(rb'width="([0-9.]+)" height="([0-9.]+)"', answer.data).groups()  # type: ignore[union-attr]
    assert (told["width"], told["height"]) == (int(float(width)), int(float(height)))
    small = embed(table.client, f"{HOME}/games/{game}/watch", maxwidth=300, maxheight=100).json
    assert small["width"] <= 300
    assert small["height"] == 100
    assert abs(small["width"] / small["height"] - told["width"] / told["height"]) < 0.1
    table.open(chance="observed")
    assert embed(table.client, f"{HOME}/games/{id_of(table.game)}").json["width"] > 0


@pytest.mark.parametrize(
    "url",
    [
        f"{HOME}/",
        HOME,
        f"{HOME}/games/01kaj5x9f3q8w7e2r4t6y8u0pz",
        f"{HOME}/games/GAME/record",
        f"{HOME}/players/Ann",
        f"{HOME}/s/none",
        "http://elsewhere.example/games/GAME",
        "games/GAME",
        "http://[::1",
        "x",
    ],
)
def test_what_is_no_link_to_a_game(table: Table, url: str) -> None:
    game = table.open()["id"]
    problem(embed(table.client, url.replace("GAME", game)), 404, "not-found")


def test_what_is_asked_otherwise(table: Table) -> None:
    url = f"{HOME}/games/{table.open()['id']}"
    problem(table.client.get("/oembed"), 400, "malformed")
    problem(embed(table.client, url, format="xml"), 400, "malformed")
    problem(embed(table.client, url, maxwidth=0), 400, "malformed")


def test_where_tokens_are_asked_for_a_share_link_is_shown_and_nothing_else(door: Door) -> None:
    host = door.enter("recorder")
    game = host.open()["id"]
    other = id_of(door.enter("recorder").open()["links"]["self"])
    link = host.client.post(f"{host.game}/shares").json["url"]
    stranger = door.client()
    told = embed(stranger, f"{HOME}{link}").json
    picture = urlsplit(told["url"])
    assert picture.path.startswith(link)
    assert stranger.get(f"{picture.path}?{picture.query}").status_code == 200
    assert embed(stranger, f"{HOME}{link}/games/{game}").status_code == 200
    problem(embed(stranger, f"{HOME}{link}/games/{other}"), 404, "not-found")
    problem(embed(stranger, f"{HOME}/games/{game}"), 401, "unauthenticated")
    host.client.delete(f"{host.game}/shares/{link.removeprefix('/s/')}")
    problem(embed(stranger, f"{HOME}{link}"), 404, "not-found")


def preview_metadata(page: str) -> dict[str, str]:
    """Return a page's metadata for link previews."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z:]+)" content="([^"]*)">', page)
    return {name: unescape(text) for name, text in found}


def test_a_page_says_how_a_link_to_it_is_shown(table: Table) -> None:
    game = table.open()["id"]
    for path in (f"/games/{game}", f"/games/{game}/watch"):
        page = table.client.get(path).text
        told = preview_metadata(page)
        assert told["og:title"] == "Forbidden Island: Ann and Bob"
        assert told["og:url"] == f"{HOME}{path}"
        assert told["twitter:card"] == "summary_large_image"
        picture = urlsplit(told["og:image"])
        assert table.client.get(f"{picture.path}?{picture.query}").mimetype.startswith("image/")
        (discovery,) = re.findall(r'type="application/json\+oembed"[^>]* href="([^"]+)"', page)
        asked = urlsplit(unescape(discovery))
        assert parse_qs(asked.query)["url"] == [f"{HOME}{path}"]
        assert table.client.get(f"{asked.path}?{asked.query}").json["type"] == "photo"
    at = preview_metadata(table.client.get(f"/games/{game}?at=1").text)
    assert at["og:image"].endswith("1")
    hidden = table.client.get(f"/games/{game}?spoiler_free=1").text
    assert "og:image" not in preview_metadata(hidden), "a picture would spoil it"
    assert "oembed" not in hidden


def test_a_shared_link_tells_nothing_that_it_does_not_show(door: Door) -> None:
    host = door.enter("recorder")
    host.open()
    link = host.client.post(f"{host.game}/shares").json["url"]
    stranger = door.client()
    page = stranger.get(link).text
    told = preview_metadata(page)
    assert told["og:url"] == f"{HOME}{link}"
    picture = urlsplit(told["og:image"])
    assert picture.path.startswith(f"{link}/")
    assert stranger.get(f"{picture.path}?{picture.query}").status_code == 200
    (discovery,) = re.findall(r'type="application/json\+oembed"[^>]* href="([^"]+)"', page)
    assert parse_qs(urlsplit(unescape(discovery)).query)["url"] == [f"{HOME}{link}"]
    assert f"{HOME}/games/" not in page


def test_the_overlay_is_for_whoever_may_watch(door: Door) -> None:
    host = door.enter("recorder")
    game = host.open()["id"]
    link = host.client.post(f"{host.game}/shares").json["url"]
    stranger = door.client()
    page = stranger.get(f"{link}/overlay")
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert f'data-api="{link}/v1/games/{game}"' in page.text
    assert stranger.get(f"/games/{game}/overlay").status_code == 401
    assert f'data-api="/v1/games/{game}"' in host.client.get(f"/games/{game}/overlay").text
    assert host.client.get("/games/none/overlay").status_code == 404
    assert stranger.get("/s/none/overlay").status_code == 404
