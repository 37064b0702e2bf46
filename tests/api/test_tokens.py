"""Tokens: creating, listing and revoking them; and the session of a browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask, make_response

from api.plumbing import access
from api.plumbing.foreseen import COOKIE, WRITES
from schemas.times import rfc3339
from service import tokens
from store import Store
from tests.api.table import problem
from tests.api.tokens import Door, Visitor, document, id_of


def soon(**more: float) -> str:
    return rfc3339(datetime.now(UTC) + timedelta(**more))


def expect_refusal(visitor: Visitor, needs: str, **body: Any) -> None:
    assert problem(visitor.client.post("/v1/tokens", json=body), 403, "forbidden")["needs"] == needs


def test_a_token_is_told_once(door: Door) -> None:
    admin = door.enter("admin")
    made = admin.client.post("/v1/tokens", json={"role": "recorder", "note": "Ann's phone"})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    given = made.json
    text = given.pop("token")
    assert given["given_by"] == admin.token.id
    assert admin.client.get(made.headers["Location"]).json == given
    assert admin.client.get("/v1/tokens").json["tokens"] == [given, document(admin.token)]
    ann = Visitor(door.client(text), text, admin.token)
    assert ann.open()["id"]
    assert {event["recorded_by"] for event in ann.log()} == {"Ann's phone"}
    # No stored value contains the token, whole or in part.
    _, _, secret = text.split("_", 2)
    kept = b"".join(door.store.client.hvals("{access}:tokens"))
    assert secret.encode() not in kept


def test_a_token_without_a_note_records_by_its_id(door: Door) -> None:
    one = door.enter("recorder")
    one.open()
    assert {event["recorded_by"] for event in one.log()} == {one.token.id}


def test_nobody_gives_more_than_they_have(door: Door) -> None:
    admin = door.enter("admin")
    admin.open()
    game, other = id_of(admin.game), admin.open()["id"]
    recorder, own = door.enter("recorder"), door.enter("arbiter", game=game)
    seat = door.enter("recorder", game=game, seat="p1")
    brief = door.enter("admin", expires_at=soon(hours=1))
    expect_refusal(recorder, "arbiter", role="arbiter")
    expect_refusal(recorder, "arbiter", role="viewer", game=game, seat="p1")
    expect_refusal(own, "admin", role="admin", game=game)
    expect_refusal(own, "viewer", role="viewer")
    expect_refusal(seat, "arbiter", role="recorder", game=game, seat="p2")
    expect_refusal(seat, "recorder", role="recorder", game=game)
    expect_refusal(brief, "admin", role="viewer", expires_at=soon(hours=2))
    for visitor, asked in ((own, other), (own, "nowhere"), (admin, "nowhere")):
        answer = problem(visitor.client.post("/v1/tokens", json={"role": "viewer", "game": asked}), 422, "invalid")
        assert answer["errors"] == [{"pointer": "/game", "message": "there is no such game"}]
    assert own.give(role="recorder", game=game, seat="p2")["seat"] == "p2"
    assert seat.give(role="recorder", game=game, seat="p1")["seat"] == "p1"
    assert seat.give(role="viewer", game=game)["seat"] is None
    assert brief.give(role="viewer")["expires_at"] == brief.token.expires_at


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"role": "viewer", "seat": "p1"}, "/seat"),
        ({"role": "viewer", "game": "GAME", "seat": "p5"}, "/seat"),
        ({"role": "viewer", "expires_at": "2026-11-20T00:00:00Z"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "tomorrow"}, "/expires_at"),
        ({"role": "viewer", "note": " "}, "/note"),
        ({"role": "king"}, "/role"),
        ({}, "/role"),
        ({"role": "viewer", "seats": 2}, "/seats"),
    ],
)
def test_what_makes_no_token(door: Door, body: dict[str, Any], pointer: str) -> None:
    admin = door.enter("admin")
    admin.open()
    if "game" in body:
        body = body | {"game": id_of(admin.game)}
    answer = problem(admin.client.post("/v1/tokens", json=body), 422, "invalid")
    assert answer["errors"][0]["pointer"] == pointer


def test_nobody_records_under_the_name_of_another(door: Door) -> None:
    admin = door.enter("admin")
    admin.open()
    game, other = id_of(admin.game), admin.open()["id"]
    ann = admin.give(role="recorder", game=game, note="Ann")
    recorder, own = door.enter("recorder"), door.enter("recorder", game=game)
    assert admin.withdraw(ann["id"]) == 204
    for who, body in ((own, {"game": game, "note": "ann"}), (recorder, {"note": "ANN"})):
        answer = problem(who.client.post("/v1/tokens", json={"role": "recorder", **body}), 422, "invalid")
        assert answer["errors"][0]["pointer"] == "/note"
    # The same seat at another table belongs to somebody else, and a viewer signs nothing.
    assert recorder.give(role="recorder", game=other, note="Ann")
    assert own.give(role="viewer", game=game, note="Ann")
    assert admin.give(role="recorder", game=game, note="Ann")


def test_nobody_records_as_a_token_without_a_note(door: Door) -> None:
    victim, forger, admin = door.enter("recorder"), door.enter("recorder"), door.enter("admin")
    victim.open()
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in victim.token.id)
    for note in (victim.token.id, victim.token.id.upper(), wide, "0" * 26):
        for who in (forger, admin):
            answer = problem(who.client.post("/v1/tokens", json={"role": "recorder", "note": note}), 422, "invalid")
            assert answer["errors"][0]["pointer"] == "/note"


def test_nobody_records_under_a_name_that_looks_like_anothers(door: Door) -> None:
    door.enter("admin").give(role="recorder", note="Ann")
    answer = door.enter("recorder").client.post("/v1/tokens", json={"role": "recorder", "note": "Ａｎｎ"})
    assert problem(answer, 422, "invalid")["errors"][0]["pointer"] == "/note"


@pytest.mark.parametrize("way", ["fork", "import"])
def test_a_name_in_copied_events_is_not_free(door: Door, way: str) -> None:
    admin, host = door.enter("admin"), door.enter("recorder", note="Host")
    host.open()
    ann = door.enter("recorder", game=id_of(host.game), note="Ann").at(host.game)
    version = ann.post({"type": "annotate", "params": {"text": "hm"}}).json["version"]
    if way == "fork":
        made = admin.client.post(f"{host.game}/forks", json={"at": version})
    else:
        log = host.get("/export", format="ndjson").data
        # A log that is already here is not imported again.
        assert admin.client.delete(host.game).status_code == 204
        made = admin.client.post("/v1/imports", data=log, content_type="application/x-ndjson")
    assert made.status_code == 201, made.text
    copy = made.json["id"]
    for body in ({"game": copy}, {}):
        order = {"role": "recorder", "note": "ann", **body}
        answer = problem(door.enter("recorder").client.post("/v1/tokens", json=order), 422, "invalid")
        assert answer["errors"][0]["pointer"] == "/note"
    assert door.enter("arbiter").give(role="recorder", game=copy, note="Ann")


def test_what_a_token_gave_ends_with_it(door: Door) -> None:
    admin = door.enter("admin")
    arbiter = admin.give(role="arbiter")
    middle = Visitor(door.client(arbiter["token"]), arbiter["token"], admin.token)
    below = middle.give(role="recorder")
    aside = admin.give(role="viewer")
    middle.open()
    link = middle.client.post(f"{middle.game}/shares").json
    assert admin.withdraw(arbiter["id"]) == 204
    for text in (arbiter["token"], below["token"]):
        problem(door.client(text).get("/v1/games"), 401, "unauthenticated")
    assert door.client(aside["token"]).get("/v1/games").status_code == 200
    assert door.client().get(link["url"]).status_code == 404
    assert admin.client.get(f"{middle.game}/shares").json == {"shares": [], "next_cursor": None}


def test_who_may_list_and_withdraw(door: Door) -> None:
    admin, one, other = door.enter("admin"), door.enter("recorder"), door.enter("recorder")
    one.open()
    game = id_of(one.game)
    host = door.enter("admin", game=game)
    given = one.give(role="viewer", game=game)
    assert [token["id"] for token in one.client.get("/v1/tokens").json["tokens"]] == [given["id"]]
    assert {token["id"] for token in host.client.get("/v1/tokens").json["tokens"]} == {given["id"], host.token.id}
    for stranger, token in ((other, given["id"]), (host, one.token.id), (one, admin.token.id), (one, "nowhere")):
        assert stranger.withdraw(token) == 404
        problem(stranger.client.get(f"/v1/tokens/{token}"), 404, "not-found")
    assert host.withdraw(given["id"]) == 204
    assert host.withdraw(given["id"]) == 404
    assert other.withdraw(other.token.id) == 204
    problem(other.client.get("/v1/tokens"), 401, "unauthenticated")


def test_the_list_is_paged(door: Door) -> None:
    admin = door.enter("admin")
    ids = [admin.give(role="viewer")["id"] for _ in range(4)]
    first = admin.client.get("/v1/tokens?limit=3")
    assert [token["id"] for token in first.json["tokens"]] == ids[:0:-1]
    assert first.headers["Link"] == f'</v1/tokens?limit=3&cursor={first.json["next_cursor"]}>; rel="next"'
    second = admin.client.get(f"/v1/tokens?limit=3&cursor={first.json['next_cursor']}").json
    assert [token["id"] for token in second["tokens"]] == [ids[0], admin.token.id]
    assert second["next_cursor"] is None
    problem(admin.client.get("/v1/tokens?cursor=x"), 400, "malformed")


def test_too_many(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST_GIVEN", 1)
    one = door.enter("recorder")
    first = one.give(role="viewer")
    problem(one.client.post("/v1/tokens", json={"role": "viewer"}), 422, "too-many-tokens")
    one.withdraw(first["id"])
    assert one.give(role="viewer")
    admin = door.enter("admin")
    assert admin.give(role="viewer")
    assert admin.give(role="viewer")


def test_who_is_withdrawn_meanwhile_gives_nothing(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = door.enter("admin")
    admin.open()
    real = tokens.give

    def late(store: Store, *args: Any, **more: Any) -> Any:
        door.store.tokens.withdraw(admin.token.id)
        return real(store, *args, **more)

    monkeypatch.setattr(tokens, "give", late)
    problem(admin.client.post("/v1/tokens", json={"role": "viewer"}), 401, "unauthenticated")
    assert not door.store.tokens.any()


def enter_browser(door: Door, visitor: Visitor, **environ: Any) -> tuple[Any, str]:
    """A browser with the visitor's token in its cookie, and the header that set the cookie."""
    with door.app.test_request_context(**environ):
        response = make_response("")
        access.begin_session(response, visitor.text, visitor.caller)
    browser = door.client()
    browser.set_cookie(COOKIE, visitor.text)
    return browser, response.headers["Set-Cookie"]


def test_a_session(door: Door) -> None:
    browser, cookie = enter_browser(door, door.enter("recorder"))
    assert cookie.split("; ")[1:] == [cookie.split("; ")[1], "Max-Age=31536000", "HttpOnly", "Path=/", "SameSite=Lax"]
    assert browser.get("/").status_code == 200
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    # A form of another site cannot send this header, whatever origin the browser reports.
    for plain in ({"json": body}, {"data": {"a": "b"}}, {"data": "{}", "content_type": "text/plain"}):
        answer = problem(browser.post("/v1/games", **plain), 403, "foreign-origin")
        assert WRITES in answer["detail"]
    assert browser.post("/v1/games", json=body, headers={WRITES: "1"}).status_code == 201
    with door.app.test_request_context():
        response = make_response("")
        access.end_session(response)
    assert "Max-Age=0" in response.headers["Set-Cookie"]


def test_a_session_under_tls_and_one_that_ends(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    brief = door.enter("viewer", expires_at=soon(minutes=10))
    _, cookie = enter_browser(door, brief, base_url="https://localhost")
    assert "Secure" in cookie.split("; ")
    seconds = int(next(part for part in cookie.split("; ") if part.startswith("Max-Age")).partition("=")[2])
    assert 0 < seconds <= 600


def test_the_header_wins_over_the_cookie(door: Door) -> None:
    browser, _ = enter_browser(door, door.enter("admin"))
    viewer = {"Authorization": f"bearer {door.token('viewer')[0]}"}
    assert problem(browser.get("/v1/tokens", headers=viewer), 403, "forbidden")["needs"] == "recorder"
    problem(browser.get("/v1/tokens", headers={"Authorization": "Bearer x"}), 401, "unauthenticated")
    assert browser.get("/v1/tokens", headers={"Authorization": "Basic YTpi"}).status_code == 200


def test_a_browser_is_told_what_it_takes(door: Door) -> None:
    for path in ("/", "/games/x", "/start"):
        answer = door.client().get(path, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.mimetype) == (401, "text/html")
        assert "link" in answer.text
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_what_is_kept_is_for_one_caller(door: Door) -> None:
    answer = door.enter("viewer").client.get("/v1/games")
    assert {"Authorization", "Cookie"} <= set(answer.vary)
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_a_share_link_orders_no_export(door: Door) -> None:
    one = door.enter("recorder")
    one.open()
    link = one.client.post(f"{one.game}/shares").json["url"]
    path = link[link.index("/s/") :] + "/v1/exports"
    assert "share link" in problem(door.client().post(path, json={"format": "csv"}), 403, "forbidden")["detail"]
    assert door.store.jobs.list_unfinished() == []


def test_jobs_are_their_owners(door: Door, locked: Flask) -> None:
    one, other, admin = door.enter("viewer"), door.enter("recorder"), door.enter("admin")
    other.open()
    game = id_of(other.game)
    order = {"format": "csv"}
    made = one.client.post("/v1/exports", json=order, headers={"Idempotency-Key": "k"})
    job = made.headers["Location"]
    file = f"/v1/exports/{id_of(job)}/file"
    assert one.client.get(job).status_code == 200
    assert "queued" in problem(one.client.get(file), 404, "not-found")["detail"]
    for path in (job, file):
        assert problem(other.client.get(path), 404, "not-found")["detail"].startswith("There is no such ")
    assert admin.client.get(job).status_code == 200
    # The same key of another caller is a different key.
    again = other.client.post("/v1/exports", json=order, headers={"Idempotency-Key": "k"})
    assert again.headers["Location"] != job
    # One audit serves all who may see the game.
    audit = one.client.post(f"/v1/games/{game}/audits").json["id"]
    inside, outside = door.enter("viewer", game=game), door.enter("viewer", game="another")
    assert inside.client.get(f"/v1/jobs/{audit}").status_code == 200
    problem(outside.client.get(f"/v1/jobs/{audit}"), 404, "not-found")
    problem(door.enter("admin", game=game).client.get(job), 404, "not-found")


def test_an_export_of_many_has_what_its_owner_may_see(door: Door) -> None:
    one = door.enter("recorder")
    one.open()
    inside = door.enter("viewer", game=id_of(one.game))
    one.open()
    job = inside.client.post("/v1/exports", json={"format": "csv"}).json["id"]
    kept = door.store.jobs.get(job)
    assert kept is not None
    assert kept.args["filter"]["game"] == inside.token.game
