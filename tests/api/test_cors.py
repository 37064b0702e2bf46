"""Reads by web pages of other origins: with a token or a share link, never with a cookie."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.plumbing.settings import BadSetting, Settings
from store import Store
from tests.api.test_hosts import Make, make
from tests.playouts import clock

__all__ = ["make"]

HERE, THERE = "https://overlay.example", "https://evil.example"
READ = "Access-Control-Allow-Origin"


def ask(client: FlaskClient, path: str = "/v1/rulesets", method: str = "GET", **headers: str) -> Any:
    return client.open(path, method=method, headers={name.replace("_", "-"): value for name, value in headers.items()})


def cors_headers(headers: Any) -> set[str]:
    return {name for name, _ in headers if name.startswith("Access-Control-")}


def test_it_is_closed_by_itself(make: Make) -> None:
    answer = ask(make(), Origin=HERE)
    assert answer.status_code == 200
    assert not cors_headers(answer.headers)
    assert not cors_headers(ask(make(), method="OPTIONS", Origin=HERE).headers)


def test_a_page_that_the_settings_name_reads(make: Make) -> None:
    client = make(read_origins=(HERE, "http://127.0.0.1:9000"))
    answer = ask(client, Origin=HERE)
    assert answer.headers[READ] == HERE
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Origin" in answer.headers["Vary"]
    # Such a page can read an error, but a cache must not keep it for a page of another origin.
    missing = ask(client, "/v1/games/none", Origin="https://OVERLAY.example:443")
    assert (missing.status_code, missing.headers[READ]) == (404, "https://OVERLAY.example:443")
    for origin in (THERE, "null", "https://overlay.example.evil.example", "http://overlay.example"):
        other = ask(client, Origin=origin)
        assert not cors_headers(other.headers), origin
        assert "Origin" in other.headers["Vary"]


def test_what_a_browser_asks_before(make: Make) -> None:
    client = make(read_origins=(HERE,))
    answer = ask(
        client,
        "/v1/games",
        "OPTIONS",
        Origin=HERE,
        Access_Control_Request_Method="GET",
        Access_Control_Request_Headers="authorization",
    )
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
    assert not cors_headers(ask(client, "/v1/games", "OPTIONS", Origin=THERE).headers)


def test_never_with_cookies_and_never_to_write(make: Make, store: Store) -> None:
    for origins in ((HERE,), ("*",)):
        client = make(read_origins=origins, access="tokens")
        text, _ = store.tokens.create("admin", created_at=clock(1))
        client.set_cookie("driftlog_token", text, domain="localhost")
        for method in ("GET", "OPTIONS"):
            assert "Access-Control-Allow-Credentials" not in ask(client, "/v1/games", method, Origin=HERE).headers
        written = ask(client, "/v1/games", "POST", Origin=HERE)
        assert written.status_code == 403
        assert not cors_headers(written.headers)
        for path in ("/", "/healthz", "/metrics", "/docs"):
            assert not cors_headers(ask(client, path, Origin=HERE).headers), path


def test_all_may_where_the_settings_say_so(make: Make) -> None:
    answer = ask(make(read_origins=("*",)), Origin=THERE)
    assert answer.headers[READ] == "*"


def test_what_is_no_origin(events_server: str) -> None:
    with pytest.raises(BadSetting):
        create_app(Settings(redis_url=events_server, queue_url=events_server, read_origins=("overlay",)))
