"""Allowed hosts and origins: names of the service, and web pages that can write."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from api.app import create_app
from api.plumbing import hosts
from api.plumbing.hosts import Authority, Hosts, lan_address, public_url
from api.plumbing.settings import BadSetting, Settings
from tests.api.table import Table, problem
from tests.openapi import contract

Make = Callable[..., FlaskClient]
EVIL = ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "xn--lcalhost-f3a", "192.168.1.20", "[fe80::1]"]
UNREADABLE = [
    "",
    "localhost,localhost",
    "a@localhost",
    "local host",
    "[::1",
    "[v1.a]",
    "localhost:x",
    "localhost/",
    "[]",
    ".",
]
LOCAL = [
    "localhost",
    "LocalHost",
    "localhost.",
    "127.0.0.1",
    "127.8.8.8",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
]


@pytest.fixture
def make(events_server: str, queue_server: str) -> Make:
    """Return a function that returns a client of a service with these settings."""

    def make(**settings: Any) -> FlaskClient:
        return create_app(Settings(redis_url=events_server, queue_url=queue_server, **settings)).test_client()

    return make


def status(client: FlaskClient, host: str, path: str = "/healthz") -> int:
    return client.get(path, headers={"Host": host}).status_code


@pytest.mark.parametrize("port", ["", ":8000", ":1", ":"])
@pytest.mark.parametrize("host", LOCAL)
def test_it_is_known_by_its_own_names(client: FlaskClient, host: str, port: str) -> None:
    assert status(client, host + port) == 200


def routes(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield every method and route, with its variables filled in."""
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<[^>]+>", "x", rule.rule)
        for method in sorted(rule.methods or ()):
            yield method, path
    yield "GET", "/nowhere"


def test_no_route_answers_to_another_name(app: Flask, client: FlaskClient) -> None:
    for method, path in routes(app):
        answer = client.open(path, method=method, headers={"Host": "evil.example:8000", "Accept": "text/html"})
        assert answer.status_code == 421, (method, path)
        if answer.mimetype == "text/html":
            assert not path.startswith("/v1/"), (method, path)
            assert "Unknown host" in answer.text or method == "HEAD", (method, path)
        elif method != "HEAD":
            assert answer.json["type"] == "/problems/unknown-host", (method, path)


@pytest.mark.parametrize("host", EVIL)
def test_another_name_is_told_how_it_becomes_known(client: FlaskClient, host: str) -> None:
    document = problem(client.get("/", headers={"Host": host, "X-Forwarded-Host": "localhost"}), 421, "unknown-host")
    assert "DRIFTLOG_HOSTS" in document["detail"]


@pytest.mark.parametrize("host", UNREADABLE)
def test_a_host_that_is_none(client: FlaskClient, host: str) -> None:
    problem(client.get("/", headers={"Host": host}), 400, "malformed")


def test_a_request_without_a_host(client: FlaskClient) -> None:
    problem(client.get("/", environ_overrides={"HTTP_HOST": None}), 400, "malformed")


@pytest.mark.parametrize(
    ("target", "expected"),
    [("http://localhost/healthz", 200), ("http://evil.example/healthz", 421), ("http://a@localhost/healthz", 421)],
)
def test_a_target_that_names_the_host_once_more(client: FlaskClient, target: str, expected: int) -> None:
    assert client.get("/healthz", environ_overrides={"RAW_URI": target}).status_code == expected


def test_what_it_is_bound_to_is_a_name(make: Make) -> None:
    client = make(host="192.168.1.20")
    assert [status(client, host) for host in ("192.168.1.20:8000", "localhost", "192.168.1.21")] == [200, 200, 421]
    client = make(host="fd00::5")
    assert [status(client, host) for host in ("[fd00::5]", "[FD00:0::5]:80", "[fd00::6]")] == [200, 200, 421]
    client = make(host="Box.example")
    assert [status(client, host) for host in ("box.example", "other.example")] == [200, 421]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_on_every_address_any_address_will_do_and_no_name_but_the_machines(make: Make, host: str) -> None:
    client = make(host=host)
    machine = socket.gethostname()
    for name in (*LOCAL, "192.168.1.20", "[fd00::5]", machine, machine.upper(), f"{machine}.", f"{machine}.local"):
        assert status(client, name) == 200, name
    for name in ("evil.example", f"{machine}.evil.example", f"evil-{machine}", "0x7f.1", "2130706433"):
        assert status(client, name) == 421, name


def test_names_in_the_settings(make: Make) -> None:
    client = make(hosts=("games.example.org", "bücher.example", "10.0.0.7"), public_url="https://play.example.org/x/")
    for name in ("games.example.org", "GAMES.example.org.:99", "xn--bcher-kva.example", "10.0.0.7", "play.example.org"):
        assert status(client, name) == 200, name
    assert status(client, "sub.games.example.org") == 421


@pytest.mark.parametrize(
    "wrong",
    [
        {"hosts": ("https://games.example.org",)},
        {"hosts": ("a" * 70 + ".example",)},
        {"hosts": ("*",)},
        {"origins": ("games.example.org",)},
        {"origins": ("ftp://games.example.org",)},
        {"origins": ("null",)},
        {"origins": ("https://games.example.org/path",)},
    ],
)
def test_a_wrong_setting_is_said(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="such as"):
        Hosts(Settings(**wrong))


def test_lists_in_the_environment() -> None:
    settings = Settings.from_environment(
        {"DRIFTLOG_HOSTS": " a.example, b.example c.example,", "DRIFTLOG_ORIGINS": " "}
    )
    assert (settings.hosts, settings.origins) == (("a.example", "b.example", "c.example"), ())
    assert Settings.from_environment({"DRIFTLOG_HOSTS": "a"}, hosts=()).hosts == ("a",)
    assert Settings.from_environment({"DRIFTLOG_HOSTS": "a"}, hosts=("b",)).hosts == ("b",)
    with pytest.raises(BadSetting, match="DRIFTLOG_PUBLIC_URL"):
        Settings.from_environment({"DRIFTLOG_PUBLIC_URL": "games.example.org"})


@given(st.text(max_size=20))
def test_whatever_a_host_is_it_is_read_or_not(text: str) -> None:
    read = Authority.parse(text)
    assert read is None or (read.host and not re.search(r"[\s/@,?#]", read.host))


FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "http://evil.example:8000"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://localhost.evil.example:8000"},
    {"Origin": "http://localhost:3000"},
    {"Origin": "http://127.0.0.1:8000"},
    {"Origin": "https://localhost:8000"},
    {"Origin": "http://localhost:8000, http://evil.example"},
    {"Origin": "file://"},
    {"Origin": "chrome-extension://abcdef"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
]
OURS: list[dict[str, str]] = [
    {},
    {"Origin": "http://localhost:8000"},
    {"Origin": "http://LOCALHOST:8000", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


def writing() -> list[tuple[str, str]]:
    """Return the method and path of every operation of the contract that writes."""
    return [
        (method.upper(), re.sub(r"{\w+}", "x", path))
        for path, item in contract()["paths"].items()
        for method in item
        if method not in {"parameters", "get", "head", "options"}
    ]


@pytest.mark.parametrize("headers", FOREIGN)
def test_nothing_is_written_from_another_page(client: FlaskClient, headers: dict[str, str]) -> None:
    operations = writing()
    assert len(operations) > 5
    for method, path in operations:
        for body in ({}, {"json": {}}, {"data": b"{}", "content_type": "text/plain"}, {"data": {"a": "b"}}):
            answer = client.open(path, method=method, headers={"Host": "localhost:8000", **headers}, **body)
            problem(answer, 403, "foreign-origin")


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_page_makes_no_share_and_no_audit(table: Table, headers: dict[str, str]) -> None:
    table.open()
    for path in ("/shares", "/audits"):
        answer = table.client.post(table.game + path, headers={"Host": "localhost:8000", **headers})
        problem(answer, 403, "foreign-origin")
    assert table.get("/shares").json == {"shares": [], "next_cursor": None}


@pytest.mark.parametrize("headers", OURS)
def test_our_own_pages_and_programs_write(table: Table, headers: dict[str, str]) -> None:
    table.open(headers={"Host": "localhost:8000", **headers})
    assert table.client.post(f"{table.game}/shares", headers={"Host": "localhost:8000", **headers}).status_code == 201


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_page_may_lead_here(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.get("/", headers={"Host": "localhost:8000", **headers}).status_code == 200


def test_origins_behind_a_proxy(make: Make) -> None:
    client = make(public_url="https://games.example.org:8443/driftlog", origins=("https://club.example",))

    def wrote(host: str, origin: str) -> int:
        return client.post("/v1/games/x/shares", headers={"Host": host, "Origin": origin}).status_code

    # The write was allowed, but the game does not exist.
    assert wrote("127.0.0.1:8000", "https://games.example.org:8443") == 404
    assert wrote("games.example.org", "https://games.example.org:8443") == 404
    assert wrote("games.example.org", "https://games.example.org") == 404
    assert wrote("games.example.org", "https://club.example:443") == 404
    assert wrote("games.example.org", "http://club.example") == 403
    assert wrote("games.example.org", "https://games.example.org:9999") == 403


def test_a_name_that_was_told_may_be_reached_by_either_scheme(make: Make) -> None:
    client = make(hosts=("games.example.org",), public_url="https://play.example.org")

    def wrote(host: str, origin: str) -> int:
        return client.post("/v1/games/x/shares", headers={"Host": host, "Origin": origin}).status_code

    assert wrote("games.example.org", "https://games.example.org") == 404
    assert wrote("games.example.org:8000", "http://games.example.org:8000") == 404
    assert wrote("play.example.org", "https://play.example.org") == 404
    assert wrote("play.example.org", "http://play.example.org") == 403
    assert wrote("127.0.0.1:8000", "http://127.0.0.1:8000") == 404
    assert wrote("127.0.0.1:8000", "https://127.0.0.1:8000") == 403


def test_links_are_made_from_the_settings(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("api.pages.shared.qr", lambda text: shown.append(text) or "<svg/>")
    for settings, home in (
        ({}, "http://127.0.0.1:8000"),
        ({"host": "::1", "port": 9000}, "http://[::1]:9000"),
        ({"public_url": "https://games.example.org/driftlog/"}, "https://games.example.org/driftlog"),
        ({"host": "0.0.0.0"}, f"http://{lan_address() or '127.0.0.1'}:8000"),
    ):
        table = Table(make(**settings))
        table.open()
        share = table.client.post(f"{table.game}/shares").json
        table.client.get(
            f"{share['url']}/qr.svg", headers={"Host": "localhost:1234", "X-Forwarded-Host": "evil.example"}
        )
        assert shown.pop() == f"{home}{share['url']}"
        assert f'data-public="{home}"' in table.client.get(f"/games/{share and table.game.rpartition('/')[2]}").text


def test_addresses_in_answers_are_without_a_host(table: Table) -> None:
    opened = table.open()
    table.open()
    made = table.client.post(f"{table.game}/shares")
    listed = table.client.get("/v1/games?limit=1")
    moved = table.client.get("//v1///games")
    for address in (
        *opened["links"].values(),
        made.headers["Location"],
        made.json["url"],
        listed.headers["Link"].strip("<"),
        *([moved.headers["Location"]] if "Location" in moved.headers else []),
    ):
        assert address.startswith("/"), address
        assert not address.startswith("//"), address


def test_the_address_that_others_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    class Routed:
        def __init__(self, family: int, _kind: int) -> None:
            self.family = family

        def __enter__(self) -> Routed:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, address: tuple[str, int]) -> None:
            if self.family not in reachable:
                raise OSError("Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return ("192.168.1.20" if self.family == socket.AF_INET else "fd00::5", 50000)

    monkeypatch.setattr(hosts.socket, "socket", Routed)
    reachable = {socket.AF_INET, socket.AF_INET6}
    assert public_url(Settings(host="0.0.0.0", port=80)) == "http://192.168.1.20:80"
    assert public_url(Settings(host="::", port=80)) == "http://192.168.1.20:80"
    reachable = {socket.AF_INET6}
    assert public_url(Settings(host="0.0.0.0", port=80)) == "http://127.0.0.1:80"
    assert public_url(Settings(host="::", port=80)) == "http://[fd00::5]:80"
    reachable = set()
    assert public_url(Settings(host="::", port=80)) == "http://[::1]:80"


def test_no_answer_can_be_framed_or_guessed_at(table: Table) -> None:
    table.open()
    for path in (
        "/healthz",
        table.game,
        f"{table.game}/board.svg",
        f"{table.game}/export?format=csv",
        "/",
        "/v1/nowhere",
    ):
        with closing(table.client.get(path)) as answer:
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "script-src 'self'" in table.client.get("/").headers["Content-Security-Policy"]
