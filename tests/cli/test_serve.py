"""`driftlog serve`, as a user starts and stops it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from api import serve
from api.terminal import Fault
from store.embedded import running_url
from tests.cli.service import SEEDED, Service, ask, children, free_port
from tests.waiting import until

Start = Callable[..., Service]


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
    status, readiness = second.ask("GET", "/readyz")
    assert (status, readiness) == (200, {"status": "ready", "durability": "fsync", "workers": 1})


def test_it_tells_where_it_is(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--workers", "2", DRIFTLOG_WEB_PROCESSES="1")
    url = service.ready()
    assert service.stop() == 0
    assert service.said.splitlines() == [
        f"Driftlog 0.1.0 on {url}",
        f"Contract    {url}/docs",
        f"Data        {tmp_path / 'data'}",
        "Processes   1 web, 2 worker",
    ]


def test_ctrl_c_ends_it_in_order(start: Start) -> None:
    service = start()
    service.ready()
    offspring = children(service.pid)
    service.process.send_signal(signal.SIGINT)
    assert service.ended() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in offspring)
    assert service.complained == ""


def test_it_can_be_ended_before_it_is_there(start: Start) -> None:
    service = start()
    until((service.data / "events" / "socket").exists)
    assert service.stop() == 0
    assert running_url(service.data, "events") is None


def test_live_streams_end_when_it_stops(start: Start) -> None:
    service = start()
    service.ready()
    game_id = service.open_game()
    with urlopen(f"{service.url}/v1/games/{game_id}/stream", timeout=30) as stream:
        while not stream.readline().startswith(b"id: 2"):
            pass
        service.process.send_signal(signal.SIGTERM)
        # Ends by itself, and is not cut off.
        stream.read()
    assert service.ended() == 0


def test_two_hundred_listeners_hold_up_nobody(start: Start) -> None:
    service = start(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_WEB_THREADS="4")
    service.ready()
    game_id = service.open_game()
    address = ("127.0.0.1", int(service.url.rpartition(":")[2]))
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_connection(address, timeout=60)) for _ in range(200)]
        streams = [stack.enter_context(listener.makefile("rb")) for listener in listeners]
        for listener in listeners:
            listener.sendall(f"GET /v1/games/{game_id}/stream HTTP/1.1\r\nHost: here\r\n\r\n".encode())
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
    assert second.ended() == 75
    assert second.said == ""
    assert second.complained == f"Error: {first.data} is in use by another service (process {first.pid})\n"
    assert first.ask("GET", "/healthz") == (200, {"status": "ok"})


def test_a_port_in_use_is_said(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        service = start(port=port)
        assert service.ended() == 75
    assert service.complained == f"Error: port {port} on 127.0.0.1 is in use: choose another one with --port\n"


@pytest.mark.parametrize(
    ("variables", "code", "complaint"),
    [
        ({"DRIFTLOG_PROT": "8000"}, 78, "DRIFTLOG_PROT is not a setting"),
        ({"DRIFTLOG_WORKERS": "many"}, 78, "DRIFTLOG_WORKERS: Expected `int`, got `str`"),
        ({"DRIFTLOG_HOST": "256.1.1.1"}, 78, "cannot listen on 256.1.1.1, port 0: Name or service not known"),
        ({"DRIFTLOG_REDIS_URL": "unix:///nowhere"}, 69, "Redis does not answer"),
        ({"DRIFTLOG_QUEUE_URL": "unix:///nowhere"}, 69, "Error 2 connecting to /nowhere"),
    ],
)
def test_what_keeps_it_from_starting_is_said_in_a_line(
    start: Start, variables: dict[str, str], code: int, complaint: str
) -> None:
    service = start(**variables)
    assert service.ended() == code
    assert service.said == ""
    assert service.complained.count("\n") == 1
    assert complaint in service.complained


def test_a_data_folder_that_cannot_be_written_is_said(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    service = start(tmp_path / "file" / "data")
    assert service.ended() == 73
    assert service.complained == f"Error: the data folder {tmp_path / 'file' / 'data'}: Not a directory\n"


def test_it_listens_on_ipv6(start: Start, tmp_path: Path) -> None:
    service = start(tmp_path / "data", "--host", "::1")
    assert service.ready().startswith("http://[::1]:")
    assert service.ask("GET", "/healthz") == (200, {"status": "ok"})


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


def test_metrics_count_all_web_processes(start: Start) -> None:
    service = start()
    service.ready()
    for _ in range(20):
        ask(service.url, "POST", "/v1/games", SEEDED)
    with urlopen(f"{service.url}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    assert 'driftlog_requests_total{endpoint="games.Games",method="POST",status="201"} 20.0' in text


def test_a_server_that_does_not_start_again_ends_it(start: Start) -> None:
    service = start()
    service.ready()
    (log,) = (service.data / "events" / "appendonlydir").glob("*.incr.aof")
    with log.open("ab") as file:
        file.write(b"garbage\r\n")
    service.open_game()
    os.kill(service.server_pid("events"), signal.SIGKILL)
    assert service.ended() == 69
    assert service.complained.splitlines()[-1].startswith("Error: the embedded server did not start: ")


class Doomed:
    """A supervisor whose web server has ended, or that is asked to stop."""

    def __init__(self, *, is_stopping: bool) -> None:
        self.is_stopping = is_stopping

    def pid(self, _: str) -> int | None:
        return None


def test_a_web_server_that_does_not_start_is_a_fault() -> None:
    with pytest.raises(Fault, match="the web server does not start"):
        serve._answers(Doomed(is_stopping=False), f"http://127.0.0.1:{free_port()}")


def test_it_can_be_stopped_before_it_answers() -> None:
    assert not serve._answers(Doomed(is_stopping=True), f"http://127.0.0.1:{free_port()}")
