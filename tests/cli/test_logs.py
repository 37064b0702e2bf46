"""The log of a service: the same form for all processes, a line for each request, and no secrets."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from cli.following import FollowedLog
from store import keys
from store.redis.embedded import EmbeddedServer
from tests.cli.service import SEEDED, Service
from tests.waiting import PATIENCE, until

Start = Callable[..., Service]
TRACE = "0af7651916cd43dd8448eb211c80319c"
PLANTED = "planted-pearl"
"""Text that must not appear in a log."""


def fetch(url: str, **headers: str) -> tuple[int, Any]:
    """Return the status and the headers of a response."""
    request = Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers
    except HTTPError as error:
        error.close()
        return error.code, error.headers


def lines(service: Service, **wanted: Any) -> list[dict[str, Any]]:
    """Wait for log lines with the `wanted` members, and return them."""
    return until(lambda: [line for line in service.log if wanted.items() <= line.items()])


def test_a_request_is_followed_from_its_header_to_the_end_of_its_job(start: Start) -> None:
    service = start(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_PROXIES="127.0.0.1")
    service.ready()
    game_id = service.open_game()
    status, headers = fetch(
        f"{service.url}/v1/games/{game_id}", X_Request_ID="mine", Traceparent=f"00-{TRACE}-b7ad6b7169203331-01"
    )
    assert (status, headers["X-Request-ID"]) == (200, "mine")
    (line,) = lines(service, request_id="mine", logger="driftlog.access")
    assert line | {"ms": 0, "bytes": 0, "time": "", "pid": 0} == {
        "time": "",
        "level": "info",
        "logger": "driftlog.access",
        "message": "answered",
        "process": "web server",
        "pid": 0,
        "method": "GET",
        "route": "/v1/games/{game_id}",
        "status": 200,
        "ms": 0,
        "bytes": 0,
        "client": "127.0.0.1",
        "game": game_id,
        "request_id": "mine",
        "trace_id": TRACE,
    }
    assert line["bytes"] == int(headers["Content-Length"])

    status, audit = service.ask("POST", f"/v1/games/{game_id}/audits", X_Request_ID="judge")
    assert status == 202
    (ended,) = lines(service, message="job ended")
    assert (ended["kind"], ended["result"], ended["job"]) == ("audit", "done", audit["id"])
    assert ended["process"] in {"worker 1", "worker 2"}
    assert ended["request_id"] == "judge"
    # A worker can start before the web server has logged its response.
    told = ["web server", ended["process"], ended["process"]]
    until(lambda: sorted(one["process"] for one in lines(service, request_id="judge")) == told)

    # Refused by the app, or by the server itself, which knows less about the request.
    fetch(f"{service.url}/nowhere", X_Request_ID="lost", X_Forwarded_For="192.0.2.1, 203.0.113.9")
    (lost,) = lines(service, request_id="lost")
    assert (lost["route"], lost["status"], lost["problem"]) == ("none", 404, "not-found")
    assert lost["client"] == "203.0.113.9"
    with socket.create_connection(("127.0.0.1", urlsplit(service.url).port or 0), 30) as connection:
        connection.sendall(b"NONSENSE\r\n\r\n")
        answer = connection.makefile("rb").read().decode()
    found = re.search(r"X-Request-ID: (\w+)\r\n", answer)
    assert found is not None
    (refused,) = lines(service, request_id=found[1])
    assert (refused["message"], refused["status"], refused["problem"]) == ("refused", 400, "bad-request")

    # The parent logs the death of a process.
    os.kill(service.worker_pid(), signal.SIGKILL)
    (died,) = lines(service, logger="workers.supervisor")
    assert (died["level"], died["process"]) == ("warning", "MainProcess")
    assert service.stop() == 0
    assert {"web server", ended["process"], "MainProcess"} <= {line["process"] for line in service.logged}
    assert not any(line.get("route") == "/healthz" for line in service.logged), "it was answered well"


def test_no_secret_is_in_it(start: Start) -> None:
    service = start()
    service.ready()
    status, game = service.ask("POST", "/v1/games", {**SEEDED, "seed": PLANTED})
    assert status == 201
    path = f"/v1/games/{game['id']}"
    _, share = service.ask("POST", f"{path}/shares")
    assert fetch(service.url + share["url"])[0] == 200
    service.ask("DELETE", f"{path}/shares/{share['token']}0")
    for query in (f"?token={PLANTED}", f"?viewer={PLANTED}", f"?limit={PLANTED}"):
        fetch(f"{service.url}{path}/events{query}", Authorization=f"Bearer {PLANTED}", Cookie=f"session={PLANTED}")
        fetch(f"{service.url}/{PLANTED}{query}")
        fetch(f"{service.url}/v1/games/{PLANTED}{query}")
    service.ask("POST", f"{path}/events", {"type": PLANTED, "note": PLANTED}, Idempotency_Key=PLANTED)
    service.ask("POST", "/v1/imports", {"log": PLANTED})
    # An event can contain what players hide, and the error about a damaged event repeats it.
    client = service.store().client
    client.xadd(keys.events(game["id"]), {f'["{PLANTED}"': PLANTED}, id="3-0")
    client.hset(keys.meta(game["id"]), "v", "3")
    assert service.ask("GET", f"{path}/state", X_Request_ID="damage")[0] == 500
    _, audit = service.ask("POST", f"{path}/audits")
    until(lambda: service.ask("GET", f"{path}/audits/{audit['id']}")[1]["status"] in {"done", "failed"})
    assert service.stop() == 0
    told = "\n".join(map(json.dumps, service.logged))
    assert {line["level"] for line in service.logged if line.get("request_id") == "damage"} >= {"error", "warning"}
    assert share["token"] not in told
    assert PLANTED not in told
    assert PLANTED not in service.complained


def test_a_line_names_whoever_calls_and_never_tells_the_token(start: Start) -> None:
    service = start(DRIFTLOG_ACCESS="tokens")
    service.ready()
    text, _ = service.store().tokens.create("admin", created_at="2026-11-20T19:04:11.512Z", note="Ann's phone")
    bearer = f"Bearer {text}"
    assert service.ask("POST", "/v1/games", SEEDED, Authorization=bearer, X_Request_ID="by-header")[0] == 201
    status, given = service.ask("POST", "/v1/tokens", {"role": "viewer"}, Authorization=bearer)
    assert status == 201
    for cookie in (text, given["token"]):
        fetch(f"{service.url}/v1/games?token={cookie}", Cookie=f"driftlog={cookie}", X_Request_ID="by-cookie")
        fetch(f"{service.url}/s/{cookie}/v1/games", Authorization=f"Bearer {cookie}x")
        fetch(f"{service.url}/enter/{cookie}")
    _, game = service.ask("POST", "/v1/games", {**SEEDED, "tags": ["x"]}, Authorization=bearer)
    _, share = service.ask("POST", f"/v1/games/{game['id']}/shares", Authorization=bearer)
    link = share["url"].rpartition("/")[2]
    for address in (share["url"], f"/s/{link}/v1/games/{game['id']}", f"/s/{link}/v1/games/{game['id']}/state?at=x"):
        _, headers = fetch(service.url + address)
        assert lines(service, request_id=headers["X-Request-ID"], logger="driftlog.access"), "its ids"
    fetch(f"{service.url}/v1/tokens", Authorization="Bearer nobody")
    (line,) = lines(service, request_id="by-header", logger="driftlog.access")
    assert line["caller"] == "Ann's phone"
    assert service.stop() == 0
    told = "\n".join(map(json.dumps, service.logged)) + service.complained
    for secret in (text, given["token"], link, text.split("_", 2)[2], given["token"].split("_", 2)[2]):
        assert secret not in told


@pytest.mark.long
@pytest.mark.parametrize(("variables", "begins"), [({"DRIFTLOG_LOG": "text"}, "20"), ({}, "{")])
def test_its_form_and_its_level_are_settings(start: Start, variables: dict[str, str], begins: str) -> None:
    service = start(DRIFTLOG_LOG_LEVEL="debug", **variables)
    service.ready()
    written = service._log.read_text()
    assert written.startswith(begins)
    assert service.stop() == 0


def test_a_form_that_there_is_not(start: Start) -> None:
    service = start(DRIFTLOG_LOG="xml")
    assert service.wait_for_exit() == 78
    assert "DRIFTLOG_LOG" in service.complained


def test_warnings_of_a_server_are_told_and_all_it_says_for_debug(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with EmbeddedServer(tmp_path, "events", durable=False) as server:
        followed = FollowedLog("events", server.log)
        followed.log_new_lines()
        assert caplog.records == [], "what it said while it began is in its own log"
        with server.log.open("ab") as log:
            log.write(b"1:M 22 Nov 2026 19:44:31.747 # Disk is full\nno line of a log\n1:M 22 Nov 2026 19:44:")
        followed.log_new_lines()
        with server.log.open("ab") as log:
            log.write(b"31.748 * 10 changes\n")
        followed.log_new_lines()
    told = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    assert told == [("redis.events", "WARNING", "Disk is full"), ("redis.events", "DEBUG", "10 changes")]
