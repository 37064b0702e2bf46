"""`driftlog serve`, as a user starts and stops it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from api.plumbing.hosts import lan_address
from api.plumbing.settings import Settings
from cli import serve
from cli.terminal import InternalFault, WrongSetting
from cli.web import server
from store import Store
from store.redis.embedded import running_url
from tests.cli.conftest import Run
from tests.cli.service import SEEDED, Service, ask, children
from tests.ports import free_port
from tests.waiting import PATIENCE, until
from workers.queue import live_workers

Start = Callable[..., Service]
TOKENS = {"DRIFTLOG_ACCESS": "tokens"}


def test_what_was_recorded_is_there_after_a_restart(start: Start) -> None:
    first = start()
    first.ready()
    game_id = first.open_game()
    status, _ = first.ask("POST", f"/v1/games/{game_id}/events", {"type": "annotate", "params": {"text": "hello"}})
    assert status == 201
    assert first.stop() == 0
    assert first.complained == ""
    second = start()
    second.ready()
    status, game = second.ask("GET", f"/v1/games/{game_id}")
    assert (status, game["version"]) == (200, 3)
    until(lambda: [one["version"] for one in second.ask("GET", "/v1/games")[1]["games"]] == [3])
    until(lambda: live_workers(second.queue()) == 2)
    # The first look at an archive can take longer than a caller waits.
    until(lambda: second.ask("GET", "/readyz")[1]["archive"] == "usable")
    status, readiness = second.ask("GET", "/readyz")
    promised = {"writes": "accepted", "durability": "fsync", "replicas": 0, "archive": "usable"}
    assert (status, readiness) == (200, {"status": "ready", **promised, "workers": 2, "not_loaded": []})


def test_a_folder_of_somebody_else_is_left_alone(start: Start, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    service = start(tmp_path)
    assert service.wait_for_exit() == 69
    assert service.complained.strip() == (
        f"Error: the data folder {tmp_path} contains other files, but no store: choose an empty folder"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]


def test_it_tells_where_it_is(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--workers", "2", DRIFTLOG_WEB_PROCESSES="1")
    url = service.ready()
    assert service.stop() == 0
    assert service.said.splitlines() == [
        f"Driftlog 0.1.0 on {url}",
        f"Pages       {url}/ to open in a browser",
        f"Contract    {url}/docs",
        f"Access      open: anyone who can reach {url} can read, record and correct everything",
        f"Data        {tmp_path / 'data'}",
        "Processes   1 web, 2 workers",
    ]


def test_an_idle_service_has_few_processes(start: Start) -> None:
    service = start(DRIFTLOG_WORKERS="2", DRIFTLOG_WEB_PROCESSES="2")
    service.ready()
    # Two Redis servers, two web processes, the dispatcher, and two workers.
    until(lambda: len(children(service.pid)) == 7)
    assert not any(map(children, children(service.pid)))


@pytest.mark.long
def test_an_empty_address_opens_it_to_nobody(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--host", "", DRIFTLOG_HOST="")
    assert service.ready().startswith("http://127.0.0.1:")
    with socket.create_server(("127.0.0.2", int(service.url.rpartition(":")[2]))):
        pass  # Nobody listens there.


@pytest.mark.long
def test_ctrl_c_ends_it_in_order(start: Start) -> None:
    service = start()
    service.ready()
    offspring = children(service.pid)
    service.process.send_signal(signal.SIGINT)
    assert service.wait_for_exit() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in offspring)
    assert service.complained == ""


@pytest.mark.long
def test_it_can_be_ended_before_it_is_there(start: Start) -> None:
    service = start()
    until((service.data / "events" / "socket").exists)
    assert service.stop() == 0
    assert running_url(service.data, "events") is None


def test_live_streams_end_when_it_stops(start: Start) -> None:
    service = start()
    service.ready()
    game_id = service.open_game()
    with urlopen(f"{service.url}/v1/games/{game_id}/stream", timeout=PATIENCE) as stream:
        while not stream.readline().startswith(b"id: 2"):
            pass
        service.process.send_signal(signal.SIGTERM)
        # The command ends by itself; nothing stops it.
        stream.read()
    assert service.wait_for_exit() == 0


@pytest.mark.long
def test_two_hundred_listeners_hold_up_nobody(start: Start) -> None:
    service = start(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_WEB_THREADS="4")
    service.ready()
    game_id = service.open_game()
    address = ("127.0.0.1", int(service.url.rpartition(":")[2]))
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_connection(address, timeout=60)) for _ in range(200)]
        streams = [stack.enter_context(listener.makefile("rb")) for listener in listeners]
        for listener in listeners:
            listener.sendall(f"GET /v1/games/{game_id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        for stream in streams:
            assert any(line == b"id: 2\n" for line in stream)
        draft = {"type": "annotate", "params": {"text": "to all of you"}}
        assert service.ask("POST", f"/v1/games/{game_id}/events", draft)[0] == 201
        for stream in streams:
            assert any(line == b"id: 3\n" for line in stream)


def test_a_second_service_on_the_data_folder_says_so(start: Start) -> None:
    first = start()
    first.ready()
    second = start()
    assert second.wait_for_exit() == 75
    assert second.said == ""
    assert second.complained == f"Error: {first.data} is in use by another service (process {first.pid})\n"
    assert first.ask("GET", "/healthz") == (200, {"status": "ok"})


def test_a_port_in_use_is_said(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        service = start(port=port)
        assert service.wait_for_exit() == 75
    assert (
        service.complained
        == f"Error: port {port} on 127.0.0.1 is in use: choose another one with --port, or PORT= of make\n"
    )


LISTEN = "DRIFTLOG_HOST, DRIFTLOG_PORT: cannot listen"


@pytest.mark.parametrize(
    ("variables", "code", "complaint"),
    [
        ({"DRIFTLOG_PROT": "8000"}, 78, "DRIFTLOG_PROT is not a setting"),
        ({"DRIFTLOG_WORKERS": "many"}, 78, "DRIFTLOG_WORKERS: must be a whole number, not 'many'\n"),
        (
            {"DRIFTLOG_HOSTS": "https://games.example"},
            78,
            "DRIFTLOG_HOSTS: 'https://games.example' is not a host name",
        ),
        ({"DRIFTLOG_HOST": "192.0.2.1"}, 78, "set DRIFTLOG_ACCESS=tokens to require tokens"),
        ({"DRIFTLOG_ACCESS": "yes"}, 78, "DRIFTLOG_ACCESS: 'yes' is not one of 'open' and 'tokens'"),
        (
            {"DRIFTLOG_HOST": "256.1.1.1", **TOKENS},
            78,
            "DRIFTLOG_HOST, DRIFTLOG_PORT: cannot listen on 256.1.1.1, port 0: Name or service not known",
        ),
        (
            {"DRIFTLOG_HOST": "192.0.2.1", **TOKENS},
            78,
            f"Error: {LISTEN} on 192.0.2.1, port 0: Cannot assign requested address\n",
        ),
        ({"DRIFTLOG_PROXIES": "all"}, 78, "DRIFTLOG_PROXIES: 'all' is not an address or network"),
        ({"DRIFTLOG_REDIS_URL": "unix:///nowhere"}, 69, "Redis does not answer"),
        ({"DRIFTLOG_QUEUE_URL": "unix:///nowhere"}, 69, "Error 2 connecting to /nowhere"),
    ],
)
def test_what_keeps_it_from_starting_is_said_in_a_line(
    run: Run, variables: dict[str, str], code: int, complaint: str, tmp_path: Path
) -> None:
    refused = run("serve", "--port", 0, "--data", tmp_path / "data", env=variables)
    assert (refused.exit_code, refused.stdout) == (code, "")
    assert refused.stderr.count("\n") == 1
    assert complaint in refused.stderr


def test_a_data_folder_that_cannot_be_written_is_said(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    service = start(tmp_path / "file" / "data")
    assert service.wait_for_exit() == 73
    assert service.complained == f"Error: the data folder {tmp_path / 'file' / 'data'}: Not a directory\n"


@pytest.mark.long
def test_it_listens_on_ipv6(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--host", "::1")
    assert service.ready().startswith("http://[::1]:")
    assert service.ask("GET", "/healthz") == (200, {"status": "ok"})


def raw(service: Service, request: str) -> str:
    """Return status and body of the response to a request that is sent as it is."""
    with socket.create_connection(("127.0.0.1", int(service.url.rpartition(":")[2])), timeout=60) as connection:
        connection.sendall(request.encode())
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()
    return answer.split(" ", 2)[1] + answer.partition("\r\n\r\n")[2]


@pytest.mark.long
def test_it_is_reached_from_elsewhere_by_names_that_it_knows(start: Start, tmp_path: Path) -> None:
    options = ["--host", "0.0.0.0", "--allow-host", "games.example", "--allow-host", "play.example"]
    service = start(tmp_path / "data", *options, **TOKENS)
    assert service.ready().startswith(f"http://{lan_address() or '127.0.0.1'}:")
    assert service.ask("GET", "/healthz") == (200, {"status": "ok"})
    health, end = "GET /healthz HTTP/1.1", "Connection: close\r\n\r\n"
    for name in ("games.example", "play.example:80", "10.1.2.3", "[::1]:8000"):
        assert raw(service, f"{health}\r\nHost: {name}\r\n{end}").startswith("200"), name
    for request in (
        f"{health}\r\nHost: evil.example\r\n{end}",
        f"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n{end}",
        f"GET /v1/games/x/stream HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\n{end}",
    ):
        assert raw(service, request).startswith("421{"), request
    for header in (
        "SCRIPT_NAME: /x",
        "Script-Name: /x",
        "PATH_INFO: /v1/games",
        "X-Script-Name: /x",
        "X-Forwarded-Prefix: /x",
    ):
        page = raw(service, f"GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n{header}\r\n{end}")
        assert page.startswith("401<!doctype html>"), header
        assert "/x/" not in page, header
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n", "Host: evil.example\r\nHost: localhost\r\n"):
        assert raw(service, f"{health}\r\n{hosts}{end}").startswith("400"), hosts


def test_a_service_that_asks_for_tokens(
    start: Start, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = start(tmp_path / "data", **TOKENS)
    url = service.ready()
    status, problem = service.ask("GET", "/v1/games")
    assert (status, problem["type"]) == (401, "/problems/unauthenticated")
    events = running_url(tmp_path / "data", "events")
    assert events is not None
    text, _ = Store.connect(events).tokens.create("recorder", created_at="2026-11-20T19:04:11.512Z", note="Ann")
    with pytest.raises(HTTPError, match="401"):
        urlopen(f"{url}/v1/games")
    headers = {"Authorization": f"Bearer {text}", "Content-Type": "application/json"}
    with urlopen(Request(f"{url}/v1/games", json.dumps(SEEDED).encode(), headers)) as answer:
        game = json.load(answer)["id"]
    assert run("export", game, "--url", url).exit_code == 1
    monkeypatch.setenv("DRIFTLOG_TOKEN", text)
    exported = run("export", game, "--url", url)
    assert exported.exit_code == 0, exported.output
    assert '"recorded_by":"Ann"' in exported.output
    assert service.stop() == 0
    assert text.split("_", 2)[2] not in service.said + service.complained
    assert f"create the first with `driftlog tokens create --role admin --data {tmp_path / 'data'}`" in service.said
    again = start(tmp_path / "data", **TOKENS)
    again.ready()
    assert again.stop() == 0
    assert "Access      by token\n" in again.said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "games.example"])
def test_nobody_is_let_in_from_elsewhere_by_an_oversight(host: str) -> None:
    open_, closed = Settings(host=host), Settings(host=host, access="tokens")
    with pytest.raises(WrongSetting, match=f"anyone who can reach {host} could .* or use --open"):
        serve.with_access(open_, is_open=False)
    assert serve.with_access(closed, is_open=False) is closed
    assert serve.with_access(open_, is_open=True) == open_
    assert serve.with_access(closed, is_open=True) == open_


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "::ffff:127.0.0.1"])
def test_this_machine_alone_needs_no_token(host: str) -> None:
    settings = Settings(host=host)
    assert serve.with_access(settings, is_open=False) is settings


@pytest.mark.long
def test_where_others_find_it_is_announced(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--public-url", "https://games.example/driftlog")
    assert service.process.stdout is not None
    assert service.process.stdout.readline() == b"Driftlog 0.1.0 on https://games.example/driftlog\n"
    assert re.fullmatch(rb"Listens     on 127.0.0.1, port \d+\n", service.process.stdout.readline())
    assert service.stop() == 0


@pytest.mark.long
def test_servers_of_others_are_used_and_judged(
    start: Start, events_server: str, queue_server: str, tmp_path: Path
) -> None:
    service = start(
        tmp_path / "unused", port=free_port(), DRIFTLOG_REDIS_URL=queue_server, DRIFTLOG_QUEUE_URL=queue_server
    )
    service.ready()
    assert service.stop() == 0
    assert "durability is memory" in service.complained
    assert not (tmp_path / "unused").exists()


@pytest.mark.long
def test_metrics_count_all_web_processes(start: Start) -> None:
    service = start()
    service.ready()
    for _ in range(20):
        ask(service.url, "POST", "/v1/games", SEEDED)
    with urlopen(f"{service.url}/metrics", timeout=PATIENCE) as answer:
        text = answer.read().decode()
    assert 'driftlog_requests_total{method="POST",route="/v1/games",status="201"} 20.0' in text


@pytest.mark.long
def test_a_server_that_does_not_start_again_ends_it(start: Start) -> None:
    service = start()
    service.ready()
    (log,) = (service.data / "events" / "appendonlydir").glob("*.incr.aof")
    with log.open("ab") as file:
        file.write(b"garbage\r\n")
    service.open_game()
    os.kill(service.server_pid("events"), signal.SIGKILL)
    assert service.wait_for_exit() == 69
    assert service.complained.splitlines()[-1].startswith("Error: the embedded server did not start: ")


def test_a_dead_web_process_leaves_no_gauges(tmp_path: Path) -> None:
    alive = tmp_path / "gauge_livesum_0.db"
    for file in (alive, tmp_path / "gauge_livesum_guests.db"):
        file.touch()
    server.forget_metrics(tmp_path, "guests", "")
    assert list(tmp_path.iterdir()) == [alive]


class Doomed:
    """A supervisor whose web server has ended, or that was asked to stop."""

    def __init__(self, *, is_stopping: bool) -> None:
        self.is_stopping = is_stopping

    def pid(self, _: str) -> int | None:
        return None


@pytest.mark.long
def test_a_web_server_that_does_not_start_is_a_fault() -> None:
    with pytest.raises(InternalFault, match="the web server does not start"):
        serve._answers(Doomed(is_stopping=False), f"http://127.0.0.1:{free_port()}")


def test_it_can_be_stopped_before_it_answers() -> None:
    assert not serve._answers(Doomed(is_stopping=True), f"http://127.0.0.1:{free_port()}")


def test_every_figure_moves(service: Service) -> None:
    """Prometheus reads the metrics of all web processes from one address."""

    def figures() -> dict[str, float]:
        with urlopen(service.url + "/metrics", timeout=PATIENCE) as answer:
            lines = [line for line in answer.read().decode().splitlines() if not line.startswith("#")]
        sums: dict[str, float] = {}
        for line in lines:
            name, value = line.rsplit(" ", 1)
            sums[name.partition("{")[0]] = sums.get(name.partition("{")[0], 0) + float(value)
        return sums

    before = figures()
    for _ in range(3):
        service.open_game()
    # A worker updates the list.
    after = until(lambda: now if (now := figures())["driftlog_games"] > before["driftlog_games"] else None)
    assert after is not None
    moved = {name for name in after if after[name] > before.get(name, 0)}
    assert moved >= {
        "driftlog_requests_total",
        "driftlog_request_seconds_count",
        "driftlog_request_seconds_sum",
        "driftlog_events_appended_total",
        "driftlog_games",
    }
    assert after["driftlog_events_appended_total"] == before.get("driftlog_events_appended_total", 0) + 6
    assert until(lambda: figures()["driftlog_workers"]) == 2
    assert (after["driftlog_store_up"], after["driftlog_queue_up"]) == (1, 1)
    assert "driftlog_jobs_pending" in after


@pytest.mark.long
def test_a_long_body_is_refused_before_it_is_read(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", **TOKENS)
    service.ready()
    length = 32 * 1024 * 1024
    for path, token, answer in (
        ("/v1/imports", "", "401{"),
        ("/v1/imports", "Authorization: Bearer none\r\n", "401{"),
        ("/s/none/v1/imports", "", "404{"),
        ("/v1/aliases/imports", "", "413{"),
    ):
        method = "PUT" if "aliases" in path else "POST"
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{token}"
        # No byte of the body is sent, so a response shows that the service did not wait for the body.
        assert raw(service, f"{head}Content-Length: {length}\r\n\r\n").startswith(answer), path
        if answer != "413{":
            chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n"
            assert raw(service, chunked).startswith(answer), path
