"""Share links: read-only addresses that can be revoked."""

from __future__ import annotations

import pytest

from store.access import sharing
from tests.api.table import Table, problem


def test_a_link_is_made_listed_and_withdrawn(table: Table) -> None:
    table.open()
    made = table.client.post(f"{table.game}/shares")
    assert made.status_code == 201
    share = made.json
    assert share["url"] == f"/s/{share['token']}"
    assert table.client.get(made.headers["Location"]).json == share
    assert table.get("/shares").json == {"shares": [share], "next_cursor": None}
    page = table.client.get(share["url"])
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    code = table.client.get(f"{share['url']}/qr.svg")
    assert code.content_type == "image/svg+xml"
    assert code.text.startswith("<svg")

    assert table.client.delete(made.headers["Location"]).status_code == 204
    problem(table.client.delete(made.headers["Location"]), 404, "not-found")
    problem(table.client.get(made.headers["Location"]), 404, "not-found")
    assert table.get("/shares").json == {"shares": [], "next_cursor": None}
    assert table.client.get(share["url"]).status_code == 404
    assert "revoked" in table.client.get(share["url"]).text


def test_a_link_has_nothing_to_choose(table: Table) -> None:
    table.open()
    refused = problem(table.client.post(f"{table.game}/shares", json={"expires_at": "never"}), 422, "invalid")
    assert refused["errors"] == [{"pointer": "/expires_at", "message": "Unknown field."}]
    problem(table.client.post(f"{table.game}/shares", data="{"), 415, "unsupported-media-type")
    assert table.get("/shares").json == {"shares": [], "next_cursor": None}
    assert table.client.post(f"{table.game}/shares", json={}).status_code == 201


def test_the_game_of_a_link_is_replayed_once_it_has_ended(table: Table) -> None:
    table.open()
    share = table.client.post(f"{table.game}/shares").json
    assert 'id="replay"' not in table.client.get(share["url"]).text
    table.post({"type": "abandon", "params": {"reason": "supper"}})
    assert 'id="replay"' in table.client.get(share["url"]).text


def test_a_link_is_one_games_own(table: Table) -> None:
    table.open()
    share = table.client.post(f"{table.game}/shares").json
    table.open()
    problem(table.client.delete(f"{table.game}/shares/{share['token']}"), 404, "not-found")
    problem(table.get(f"/shares/{share['token']}"), 404, "not-found")
    problem(table.client.post("/v1/games/nowhere/shares"), 404, "not-found")
    problem(table.client.get("/v1/games/nowhere/shares"), 404, "not-found")


def test_below_a_link_that_is_none_there_is_nothing(table: Table) -> None:
    table.open()
    made = table.client.post(f"{table.game}/shares")
    below = ("/v1/rulesets", "/v1/rulesets/forbidden-island", "/v1/keys", "/v1/session", table.game)
    for path in below:
        assert table.client.get(f"{made.json['url']}{path}").status_code == 200, path
    table.client.delete(made.headers["Location"])
    for link in (made.json["url"], "/s/bogus"):
        for path in below:
            problem(table.client.get(f"{link}{path}"), 404, "not-found")
        problem(table.client.delete(f"{link}/v1/session"), 404, "not-found")


def test_too_many_links(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MOST", 1)
    table.open()
    assert table.client.post(f"{table.game}/shares").status_code == 201
    problem(table.client.post(f"{table.game}/shares"), 422, "too-many-shares")
