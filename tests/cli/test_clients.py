"""Clients that send slowly, badly, or too much: the service still answers the others."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from tests.cli.service import Service
from tests.playouts import long_record
from tests.waiting import until

Start = Callable[..., Service]

HALVES = [
    b"GET /healthz HTTP/1.1\r\nHost: he",
    b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{",
    b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
    b"",
]
DRAFT = {"type": "annotate", "params": {"text": "hello"}}


def connect(service: Service) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(service.url.rpartition(":")[2])), timeout=60)


@contextmanager
def hold_connections(service: Service, count: int, halves: list[bytes]) -> Iterator[list[socket.socket]]:
    """Open this many connections. Each sends one of `halves`, which are incomplete requests."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count + 256:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count + 256, hard), hard))
    with ExitStack() as stack:
        found: list[socket.socket] = []
        for number in range(count):
            # Send at once after connecting, because the deadline begins with the connection.
            found.append(stack.enter_context(connect(service)))
            found[-1].sendall(halves[number % len(halves)])
        yield found


def read_all(connection: socket.socket) -> bytes:
    """Read until the other side closes."""
    answer = b""
    while True:
        try:
            more = connection.recv(1 << 16)
        except ConnectionResetError:
            more = b""
        if not more:
            return answer
        answer += more


def answered_connections(connections: list[socket.socket]) -> list[socket.socket]:
    """Return the connections that have received something."""
    poll = select.poll()
    found = {connection.fileno(): connection for connection in connections}
    for fileno in found:
        poll.register(fileno, select.POLLIN)
    return [found[fileno] for fileno, _ in poll.poll(0)]


def problem(answer: bytes) -> tuple[int, dict[str, str], dict[str, str]]:
    """Return status, headers and document of a problem."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    assert headers["content-type"] == "application/problem+json"
    document = json.loads(body)
    assert set(document) >= {"type", "title", "status", "detail"}
    assert document["status"] == int(first.split()[1])
    return document["status"], headers, document


@pytest.mark.long
def test_half_sent_requests_hold_up_nobody(start: Start) -> None:
    service = start(DRIFTLOG_HEAD_SECONDS="4", DRIFTLOG_BODY_SECONDS="4")
    service.ready()
    game_id = service.open_game()
    with hold_connections(service, 900, HALVES) as connections:
        for _ in range(5):
            assert service.ask("GET", "/healthz") == (200, {"status": "ok"})
            assert service.ask("POST", f"/v1/games/{game_id}/events", DRAFT)[0] == 201
        answers = [read_all(connection) for connection in connections]
    for number, answer in enumerate(answers):
        if HALVES[number % len(HALVES)]:
            status, headers, document = problem(answer)
            assert (status, document["type"]) == (408, "/problems/request-timeout")
            assert headers["connection"] == "close"
        else:
            # A connection without a request gets no response.
            assert answer == b""
    assert service.ask("POST", f"/v1/games/{game_id}/events", DRAFT)[0] == 201
    assert service.stop() == 0
    assert service.complained == ""


@pytest.mark.long
@pytest.mark.parametrize(("half", "more"), [(HALVES[0], b"r"), (HALVES[1], b" ")])
def test_a_byte_now_and_then_is_not_enough(shared: Start, half: bytes, more: bytes) -> None:
    service = shared(DRIFTLOG_HEAD_SECONDS="1", DRIFTLOG_BODY_SECONDS="1")
    with connect(service) as connection:
        connection.sendall(half)
        connection.settimeout(0.05)

        def trickle() -> bytes:
            try:
                return connection.recv(1 << 16)
            except TimeoutError:
                # The service may have closed the connection, but its response can still be read.
                with suppress(OSError):
                    connection.sendall(more)
                return b""

        answer = until(trickle)
        connection.settimeout(60)
        assert problem(answer + read_all(connection))[0] == 408


@pytest.mark.long
def test_a_long_body_has_the_time_that_it_needs(start: Start) -> None:
    service = start(DRIFTLOG_BODY_SECONDS="4")
    service.ready()
    steps, piece = 100, b" " * 4096
    with connect(service) as connection:
        head = (
            b"POST /v1/imports HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
        )
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % (steps * len(piece)))
        connection.settimeout(0.05)
        for _ in range(steps):
            connection.sendall(piece)
            # The body is sent as slowly as from a phone: as a whole it takes longer than this limit.
            with suppress(TimeoutError):
                connection.recv(1, socket.MSG_PEEK)
        connection.settimeout(60)
        assert problem(read_all(connection))[2]["type"] in {"/problems/malformed", "/problems/invalid"}


@pytest.mark.parametrize(
    "target",
    [
        "GET {game}/stream/",
        "GET {game}/str%65am",
        "GET {game}/events?after=2&w%61it=30",
        "HEAD {game}/events/?after=2&wait=30",
    ],
)
def test_who_listens_by_an_address_written_otherwise_takes_no_place_of_others(shared: Start, target: str) -> None:
    service = shared(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_WEB_THREADS="2")
    game = f"/v1/games/{service.open_game()}"
    ask = f"{target.format(game=game)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    with hold_connections(service, 6, [ask]) as listeners:
        if "/str" in target:
            for listener in listeners:
                assert listener.recv(1 << 16).startswith(b"HTTP/1.1 200")
        for _ in range(5):
            assert service.ask("GET", game)[0] == 200
        assert service.ask("POST", f"{game}/events", DRAFT)[0] == 201
        if "/events" in target:
            for listener in listeners:
                assert read_all(listener).startswith(b"HTTP/1.1 200")


@pytest.mark.long
def test_who_takes_a_file_in_slowly_holds_up_nobody_but_those_who_want_one(shared: Start) -> None:
    """The response does not fit into the buffers, so the service must wait until the client reads."""
    service = shared(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_WEB_THREADS="4")
    store = service.store()
    log = long_record(20_000)
    store.events.open("long", log[:1], None)
    for at in range(1, len(log), 1000):
        store.events.append("long", (at, log[at - 1].hash), log[at : at + 1000])
    store.client.close()
    asks = [
        f"GET /v1/games/long/{path}?format=ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        for path in ("export", "%65xport/")
    ]
    with hold_connections(service, 8, asks) as takers:
        for _ in range(5):
            assert service.ask("GET", "/v1/games/long")[0] == 200
        begun = [taker.recv(12) for taker in takers]
    assert set(begun) == {b"HTTP/1.1 200", b"HTTP/1.1 503"}


@pytest.mark.long
def test_a_process_that_is_full_lets_go_of_those_who_ask_nothing(start: Start) -> None:
    service = start(
        DRIFTLOG_WEB_PROCESSES="1",
        DRIFTLOG_CONNECTIONS="64",
        DRIFTLOG_CONNECTIONS_PER_ADDRESS="0",
        DRIFTLOG_HEAD_SECONDS="3600",
        DRIFTLOG_BODY_SECONDS="3600",
    )
    service.ready()
    game_id = service.open_game()
    with hold_connections(service, 200, HALVES):
        assert service.ask("GET", "/healthz") == (200, {"status": "ok"})
        assert service.ask("POST", f"/v1/games/{game_id}/events", DRAFT)[0] == 201


@pytest.mark.long
def test_one_address_has_so_many_connections_and_no_more(start: Start) -> None:
    service = start(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_CONNECTIONS_PER_ADDRESS="10")
    service.ready()

    def try_connection() -> socket.socket | None:
        connection = connect(service)
        with suppress(OSError):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            if connection.recv(1 << 16).startswith(b"HTTP/1.1 200 "):
                return connection
        # A connection in `ready` may still be open.
        connection.close()
        return None

    with ExitStack() as stack:
        for _ in range(10):
            connection = until(try_connection)
            assert connection is not None
            stack.enter_context(connection)
        one_more = stack.enter_context(connect(service))
        status, _, document = problem(read_all(one_more))
        assert (status, document["type"]) == (429, "/problems/too-many-connections")
    until(lambda: service.ask("GET", "/healthz") == (200, {"status": "ok"}))


@pytest.mark.parametrize(
    ("data", "status", "slug"),
    [
        (b"hello\r\n\r\n", 400, "bad-request"),
        (b"POST /v1/games HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", 400, "bad-request"),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", 414, "uri-too-long"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431, "head-too-large"),
        (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413, "content-too-large"),
        (b"POST / HTTP/1.1\r\nExpect: tea\r\n\r\n", 417, "expectation-failed"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: tea\r\n\r\n", 501, "coding-not-implemented"),
        (b"GET / HTTP/3.0\r\n\r\n", 505, "version-not-supported"),
    ],
)
def test_what_is_no_http_is_a_problem_document(service: Service, data: bytes, status: int, slug: str) -> None:
    with connect(service) as connection:
        connection.sendall(data)
        found, _, document = problem(read_all(connection))
    assert (found, document["type"]) == (status, f"/problems/{slug}")
    assert slug != "content-too-large" or str(document["limit"]) in document["detail"]


def test_a_refused_head_request_has_no_body(service: Service) -> None:
    with connect(service) as connection:
        connection.sendall(b"HEAD / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n")
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b"\r\n\r\n")


def test_requests_sent_together_are_answered_in_turn(service: Service) -> None:
    with connect(service) as connection:
        ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
        connection.sendall((ask + b"\r\n") * 3 + ask + b"Connection: close\r\n\r\n")
        assert read_all(connection).count(b'{"status":"ok"}') == 4


def test_whoever_only_stops_sending_is_answered_all_that_was_asked(service: Service) -> None:
    ask = b"GET /v1/rulesets HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connect(service) as connection:
        connection.sendall(ask * 20)
        connection.shutdown(socket.SHUT_WR)
        assert read_all(connection).count(b"HTTP/1.1 200 OK\r\n") == 20


def test_whoever_takes_no_answers_and_goes_is_worked_for_no_more(service: Service) -> None:
    ask = b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"
    greedy = [connect(service) for _ in range(10)]
    for connection in greedy:
        connection.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                connection.sendall(ask * 100)
    assert service.ask("GET", "/v1/rulesets")[0] == 200
    for connection in greedy:
        connection.close()
    assert service.ask("GET", "/v1/rulesets")[0] == 200


def test_a_body_is_asked_for_when_it_is_wanted(service: Service) -> None:
    with connect(service) as connection:
        head = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
        connection.sendall(head + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert connection.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"{}")
        assert read_all(connection).startswith(b"HTTP/1.1 422 ")


@pytest.mark.long
def test_too_much_is_refused_at_once_and_taken_later(shared: Start) -> None:
    service = shared(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_WEB_THREADS="4")
    game_id = service.open_game()
    body = json.dumps(DRAFT).encode()
    ask = f"POST /v1/games/{game_id}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    ask += b"Content-Length: %d\r\n\r\n" % len(body) + body
    events = service.server_pid("events")
    with hold_connections(service, 200, [b""]) as connections:
        os.kill(events, signal.SIGSTOP)
        try:
            for connection in connections:
                connection.sendall(ask)
            # Four requests run and sixty-four wait, until Redis continues or they have waited too long.
            until(lambda: len(answered_connections(connections)) >= len(connections) - 68)
            assert service.ask("GET", "/healthz") == (200, {"status": "ok"})
            # The first one may be answered that Redis is down.
            refused = answered_connections(connections)[-1]
            status, headers, document = problem(refused.recv(1 << 16))
            assert (status, document["type"]) == (503, "/problems/overloaded")
            assert headers["retry-after"] in {"1", "2", "3"}
            assert headers["connection"] == "keep-alive"
        finally:
            os.kill(events, signal.SIGCONT)
        refused.sendall(ask)
        assert refused.recv(1 << 16).startswith((b"HTTP/1.1 201 ", b"HTTP/1.1 503 "))
    until(lambda: service.ask("POST", f"/v1/games/{game_id}/events", DRAFT)[0] == 201)


@pytest.mark.long
def test_a_refusal_of_a_head_has_no_body_that_the_next_answer_would_seem_to_begin_with(shared: Start) -> None:
    service = shared(DRIFTLOG_WEB_PROCESSES="1", DRIFTLOG_WEB_THREADS="4")
    game_id = service.open_game()
    asks = f"HEAD /v1/games/{game_id} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    asks += b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    events = service.server_pid("events")
    os.kill(events, signal.SIGSTOP)
    try:
        # Four requests run, sixty-four wait, and the others are refused.
        with hold_connections(service, 80, [asks]) as connections:
            answers = [read_all(connection) for connection in connections]
    finally:
        os.kill(events, signal.SIGCONT)
    assert any(answer.startswith(b"HTTP/1.1 503 ") for answer in answers)
    for answer in answers:
        assert answer.partition(b"\r\n\r\n")[2].startswith(b"HTTP/1.1 200 OK\r\n")
