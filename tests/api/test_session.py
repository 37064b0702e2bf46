"""Sessions: a browser with its token in a cookie, and the page to sign in and out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.app import create_app
from api.plumbing.settings import Settings
from store import Store
from tests.api.declared import Declared
from tests.api.table import problem

AT = "2026-11-22T20:00:00.000Z"
SEEDED = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
PAGE = {"Driftlog-Page": "1"}


@pytest.fixture(scope="module")
def guarded(events_server: str, queue_server: str) -> Flask:
    """The service with tokens."""
    app = create_app(Settings(redis_url=events_server, queue_url=queue_server, access="tokens"))
    app.test_client_class = Declared
    return app


@pytest.fixture
def client(guarded: Flask, store: Store) -> FlaskClient:
    return guarded.test_client()


def create_token(store: Store, role: Any, **options: Any) -> str:
    text, _ = store.tokens.create(role, created_at=AT, **options)
    return text


def test_a_session_begins_and_ends(client: FlaskClient, store: Store) -> None:
    problem(client.get("/v1/games"), 401, "unauthenticated")
    problem(client.get("/v1/session"), 401, "unauthenticated")
    token = create_token(store, "recorder", note="Ann's phone")
    begun = client.post("/v1/session", json={"token": f" {token} "})
    cookie = begun.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert (begun.json["role"], begun.json["name"], begun.json["leads_to"]) == ("recorder", "Ann's phone", "/")
    assert token not in begun.text
    assert client.get("/v1/session").json == begun.json

    problem(client.post("/v1/games", json=SEEDED), 403, "foreign-origin")
    assert client.post("/v1/games", json=SEEDED, headers=PAGE).status_code == 201
    assert client.delete("/v1/session").status_code == 204
    problem(client.get("/v1/games"), 401, "unauthenticated")


def test_a_session_ends_with_its_token(client: FlaskClient, store: Store) -> None:
    client.post("/v1/session", json={"token": create_token(store, "viewer")})
    assert client.get("/v1/games").status_code == 200
    store.tokens.withdraw(client.get("/v1/session").json["token"])
    problem(client.get("/v1/games"), 401, "unauthenticated")


@pytest.mark.parametrize("token", ["nonsense", "driftlog_01kaj5x9f3q8w7e2r4t6y8u0pz_" + "x" * 43])
def test_no_token_no_session(client: FlaskClient, token: str) -> None:
    refused = client.post("/v1/session", json={"token": token})
    problem(refused, 401, "unauthenticated")
    assert "Set-Cookie" not in refused.headers
    problem(client.post("/v1/session", json={}), 422, "invalid")


def test_a_page_of_another_site_begins_none(client: FlaskClient, store: Store) -> None:
    token = create_token(store, "viewer")
    foreign = client.post("/v1/session", json={"token": token}, headers={"Origin": "https://evil.example"})
    problem(foreign, 403, "foreign-origin")
    form = client.post("/v1/session", data=json.dumps({"token": token}), content_type="text/plain")
    problem(form, 415, "unsupported-media-type")


def test_under_tls_the_cookie_is_for_tls_alone(client: FlaskClient, store: Store) -> None:
    token = create_token(store, "viewer")
    begun = client.post("/v1/session", json={"token": token}, base_url="https://localhost")
    assert "; Secure" in begun.headers["Set-Cookie"]


def test_it_leads_on_to_what_the_token_is_for(client: FlaskClient, store: Store) -> None:
    headers = {"Authorization": f"Bearer {create_token(store, 'admin')}"}
    game = client.post("/v1/games", json=SEEDED, headers=headers).json["id"]

    def leads_to(role: str, **options: Any) -> str:
        to: str = client.post("/v1/session", json={"token": create_token(store, role, **options)}).json["leads_to"]
        return to

    assert leads_to("recorder", game=game, seat="p2") == f"/games/{game}/record"
    assert leads_to("viewer", game=game) == f"/games/{game}/watch"
    client.post(f"/v1/games/{game}/events", json={"type": "abandon", "params": {"reason": "supper"}}, headers=headers)
    assert leads_to("viewer", game=game) == f"/games/{game}"
    assert leads_to("viewer", game="nowhere") == "/games/nowhere/watch"
    begun = client.post("/v1/session", json={"token": create_token(store, "viewer", game=game)})
    client.delete(f"/v1/games/{game}", headers=headers)
    assert begun.status_code == 200
    assert leads_to("viewer", game=game) == f"/games/{game}"


def test_the_page(client: FlaskClient, store: Store, app: Flask) -> None:
    page = client.get("/enter")
    assert page.headers["Cache-Control"] == "no-store"
    assert "Sign out" not in page.text
    assert "/enter" in client.get("/", headers={"Accept": "text/html"}).text
    client.post(
        "/v1/session",
        json={"token": create_token(store, "recorder", note="Ann's phone", expires_at="2099-01-01T00:00:00Z")},
    )
    assert "You are signed in as Ann&#39;s phone" in client.get("/enter").text
    assert "Signed in as Ann&#39;s phone" in client.get("/").text
    assert "This service is open" in app.test_client().get("/enter").text


def test_the_link_as_a_code(client: FlaskClient, store: Store) -> None:
    token = create_token(store, "recorder")
    headers = {"Authorization": f"Bearer {token}"}
    code = client.post("/enter/qr.svg", json={"token": token}, headers=headers)
    assert (code.status_code, code.content_type, code.text[:4]) == (200, "image/svg+xml", "<svg")
    assert code.headers["Cache-Control"] == "no-store"
    for wrong in ({}, {"token": ""}, {"token": "x" * 500}, {"token": 1}, []):
        assert client.post("/enter/qr.svg", json=wrong, headers=headers).status_code == 422
    assert client.post("/enter/qr.svg", json={"token": token}).status_code == 401
