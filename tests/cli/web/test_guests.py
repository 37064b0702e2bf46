"""The guests' process answers like the process that they asked."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from flask import Flask, Response, request
from werkzeug.test import Client, EnvironBuilder

from api.plumbing.observing import RequestFacts, record_seen, request_facts
from cli.web import guests
from tests.cli.service import Service, ask, children
from tests.waiting import PATIENCE, until

Start = Callable[..., Service]


def make_app() -> Flask:
    app = Flask("guests")

    @app.route("/s/<link>", methods=["GET", "POST"])
    def shared_view(link: str) -> Response:
        record_seen(request.environ, RequestFacts("GET", 0.0, route="/s/{link}"))
        said = f"{link} {request.remote_addr} {request.query_string.decode()} {request.get_data().decode()}"
        return Response(said, 201, {"X-Link": link})

    @app.get("/s/<link>/lines")
    def lines(link: str) -> Response:
        return Response(line + "\n" for line in ("first", "", link))

    @app.get("/s/<link>/broken")
    def broken_view(link: str) -> Response:
        def parts() -> Iterator[str]:
            yield link
            raise OSError

        return Response(parts())

    @app.get("/other")
    def other() -> str:
        return "here"

    return app


@contextmanager
def answering(folder: Path) -> Iterator[Client]:
    """A client of an app that forwards to another app."""
    ending = threading.Event()
    with guests.listen(folder) as listener, ThreadPoolExecutor() as threads:
        serving = threading.Thread(
            target=guests.serve, args=(make_app(), listener, threads, lambda: not ending.is_set())
        )
        serving.start()
        try:
            yield Client(guests.forwarding(make_app(), listener.getsockname(), lambda: True))
        finally:
            ending.set()
            serving.join()


def test_an_answer_is_the_same_as_in_one_process(tmp_path: Path) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/s/link", {"query_string": "a=%C3%A9", "data": "body", "method": "POST"}),
        ("/s/link", {"method": "HEAD"}),
        ("/s/link/lines", {}),
        ("/s/link/nothing", {}),
        ("/other", {}),
    ]
    plain = Client(make_app())
    with answering(tmp_path) as client:
        for path, options in asked:
            answer, expected = client.open(path, **options), plain.open(path, **options)
            assert (answer.status, answer.data) == (expected.status, expected.data), path
            assert list(answer.headers) == list(expected.headers), path


def test_a_link_that_comes_as_a_bearer_token_is_a_guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "LINKS", {"link"})
    forwarded: list[str] = []

    def forward(environ: dict[str, Any], start: Callable[..., Any], _: str) -> list[bytes]:
        forwarded.append(environ["HTTP_AUTHORIZATION"])
        start("200 OK", [])
        return [b""]

    monkeypatch.setattr(guests, "_forward", forward)
    with answering(tmp_path) as client:
        for text in ("Bearer link", "Bearer other"):
            assert client.get("/other", headers={"Authorization": text}).status_code == 200
    assert forwarded == ["Bearer link"]


def test_the_log_has_what_the_process_saw(tmp_path: Path) -> None:
    with answering(tmp_path) as client:
        environ = EnvironBuilder("/s/link").get_environ()
        assert b"".join(client.application(environ, lambda *_: None))
    seen = request_facts(environ)
    assert seen is not None
    assert seen.route == "/s/{link}"


def test_an_answer_that_breaks_off_is_no_whole_one(tmp_path: Path) -> None:
    with answering(tmp_path) as client, pytest.raises(ConnectionAbortedError):
        assert client.get("/s/link/broken").data


def test_without_the_process_guests_are_refused_and_others_answered(tmp_path: Path) -> None:
    client = Client(guests.forwarding(make_app(), str(tmp_path / "nobody"), lambda: True))
    with pytest.raises(guests.GuestsUnavailable):
        client.get("/s/link")
    assert client.get("/other").text == "here"


def test_the_process_ends_when_there_are_no_more_guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "IDLE_SECONDS", 0.0)
    with guests.listen(tmp_path) as listener, ThreadPoolExecutor() as threads:
        guests.serve(make_app(), listener, threads, lambda: True)


def test_nobody_waits_for_a_guest_who_has_left(tmp_path: Path) -> None:
    with guests.listen(tmp_path) as listener:
        ours, theirs = socket.socketpair()
        theirs.close()
        # Nobody accepts connections on the listening socket.
        client = Client(guests.forwarding(make_app(), listener.getsockname(), lambda: True))
        with ours, pytest.raises(guests.GuestsUnavailable):
            client.get("/s/link", environ_overrides={"gunicorn.socket": ours})


def test_a_service_that_stops_refuses_guests(tmp_path: Path) -> None:
    """No process would answer them, so they would hold up the end."""
    with guests.listen(tmp_path) as listener:
        client = Client(guests.forwarding(make_app(), listener.getsockname(), lambda: False))
        with pytest.raises(guests.GuestsUnavailable):
            client.get("/s/link")
        assert client.get("/other").text == "here"


@pytest.mark.long
def test_guests_hold_up_nobody_and_are_answered_again_after_a_kill(start: Start) -> None:
    service = start()
    service.ready()
    game = f"/v1/games/{service.open_game()}"
    _, made = service.ask("POST", f"{game}/shares")
    shared = f"/s/{made['token']}{game}"
    assert service.ask("GET", shared)[0] == 200

    alone = guests_pid(service)
    # Linux lowers the priority of a session as a whole.
    assert os.getsid(alone) == alone != os.getsid(service.web_pid())
    os.kill(alone, signal.SIGSTOP)
    waiting = threading.Thread(target=ask, args=(service.url, "GET", shared))
    waiting.start()
    note = {"type": "annotate", "params": {"text": "on"}}
    assert [service.ask("POST", f"{game}/events", note)[0] for _ in range(20)] == [201] * 20
    assert waiting.is_alive()

    os.kill(alone, signal.SIGKILL)
    waiting.join()
    until(lambda: service.ask("GET", shared)[0] == 200)
    assert guests_pid(service) != alone


def test_a_process_that_starts_again_continues_with_its_metrics(start: Start) -> None:
    """Otherwise each start would add files, which every scrape reads."""
    service = start(DRIFTLOG_WEB_PROCESSES="1")
    service.ready()
    game = f"/v1/games/{service.open_game()}"
    _, made = service.ask("POST", f"{game}/shares")
    folder = Path((service.data / "events" / "socket").read_text()).parent
    files = []
    for count in range(1, 4):
        assert service.ask("GET", f"/s/{made['token']}{game}")[0] == 200
        files.append({file.name for file in folder.glob("counter_*.db")})
        with urlopen(f"{service.url}/metrics", timeout=PATIENCE) as response:
            lines = response.read().decode().splitlines()
        assert f'driftlog_requests_total{{method="GET",route="/v1/games/{{game_id}}",status="200"}} {count}.0' in lines
        alone = guests_pid(service)
        os.kill(alone, signal.SIGKILL)
        until(lambda alone=alone: alone not in children(service.pid))
    assert files == [files[0]] * 3


def guests_pid(service: Service) -> int:
    """Return the id of the guests' process: the web process with a lower priority."""
    niceness = os.getpriority(os.PRIO_PROCESS, service.pid) + guests.NICE
    return until(
        lambda: next((pid for pid in service.web_pids() if os.getpriority(os.PRIO_PROCESS, pid) == niceness), 0)
    )
