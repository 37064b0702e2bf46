"""Sending one message: to the checked address, once, within a time limit, reading a limited answer."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import gc
import socket
import ssl
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.destinations import INWARD
from tests.ports import free_port
from tests.receivers import HERE, Said, receiving
from tests.waiting import PATIENCE
from workers import posting
from workers.posting import Message, Poster, PostResponse

ROOT = Path(__file__).resolve().parents[2]
HELLO: Message = ({"webhook-id": "m1"}, b'{"hello":1}')


def post(url: str, make: Callable[[], Message | None] = lambda: HELLO, **options: Any) -> PostResponse | None:
    allowed = options.pop("allowed", HERE)
    with ThreadPoolExecutor(2) as lookups:
        return asyncio.run(Poster(allowed, lookups, **{"patience": PATIENCE} | options).post(url, make))


@contextlib.contextmanager
def talking(talk: Callable[[socket.socket], None], tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Run a server that calls `talk` with each connection; return its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                with contextlib.suppress(OSError), connection:
                    if tls is None:
                        talk(connection)
                        continue
                    with tls.wrap_socket(connection, server_side=True) as secured:
                        talk(secured)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        # On Linux, this wakes a thread in `accept`; closing the socket does not.
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(PATIENCE)


def heard(connection: socket.socket) -> None:
    """Read all of the message: closing a socket with unread data discards the answer."""
    read = b""
    while not read.endswith(HELLO[1]) and (more := connection.recv(65536)):
        read += more


def saying(*said: bytes) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        heard(connection)
        for part in said:
            connection.sendall(part)

    return talk


def test_what_is_sent_and_what_is_answered() -> None:
    with receiving() as receiver:
        receiver.answer = lambda _: Said(201, {"Retry-After": "7"}, b"thanks")
        assert post(receiver.url) == PostResponse(201, "thanks", 7.0)
        (message,) = receiver.messages
        assert message.body == HELLO[1]
        assert message.headers["webhook-id"] == "m1"
        assert message.headers["host"].startswith("127.0.0.1:")
        assert message.headers["user-agent"].startswith("driftlog/")


def test_nothing_is_sent_where_nothing_is_made() -> None:
    with receiving() as receiver:
        assert post(receiver.url, lambda: None) is None
        assert receiver.messages == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_address_is_judged_again_when_it_is_connected_to(host: str) -> None:
    """The name may have another address by then."""
    with receiving() as receiver:
        url = f"http://{host}:{receiver.server.server_address[1]}/"
        answer = post(url, allowed=())
        assert answer == PostResponse(error=INWARD)
        assert receiver.messages == []


def test_it_goes_to_the_address_that_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is looked up once, and the connection goes to that address, even if the name changes in a moment."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def lookup(host: Any, *arguments: Any, **more: Any) -> Any:
        asked.append(str(host))
        return real("127.0.0.1" if host == "rebinding.example" else host, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with receiving() as receiver:
        answer = post(f"http://rebinding.example:{receiver.server.server_address[1]}/")
        assert answer is not None
        assert answer.is_taken
        assert asked.count("rebinding.example") == 1
        assert receiver.messages[0].headers["host"].startswith("rebinding.example:")


def test_a_host_that_is_not_known_any_more() -> None:
    assert post("http://nobody.invalid/") == PostResponse(error="the host is unknown: check its name")


def test_nobody_there() -> None:
    def make() -> Message:
        raise AssertionError("a message is made before there is a connection")

    assert post(f"http://127.0.0.1:{free_port()}/", make) == PostResponse(error="no connection: Connection refused")


def test_only_the_courier_loads_an_http_client() -> None:
    program = "import sys, cli.serve; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "h11" not in ran.stdout.split()


def test_of_a_long_answer_only_the_beginning_is_read() -> None:
    sent = threading.Event()

    def talk(connection: socket.socket) -> None:
        heard(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        with contextlib.suppress(OSError):
            while True:
                connection.sendall(b"x" * 65536)
        sent.set()

    with talking(talk) as port:
        answer = post(f"http://127.0.0.1:{port}/")
        assert answer is not None
        assert answer.body == "x" * posting.MOST_READ
        assert sent.wait(60), "and then nobody reads any more"


@pytest.mark.parametrize(
    ("begun", "crumb", "expected"),
    [
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", PostResponse(error="the response is incomplete")),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
            b"1;" + b"y" * 8000 + b"\r\nx\r\n",
            PostResponse(200),
        ),
    ],
)
def test_an_answer_that_says_little_for_ever_is_read_no_further(
    begun: bytes, crumb: bytes, expected: PostResponse
) -> None:
    sent = threading.Event()

    def talk(connection: socket.socket) -> None:
        heard(connection)
        with contextlib.suppress(OSError):
            connection.sendall(begun)
            while True:
                connection.sendall(crumb)
        sent.set()

    with talking(talk) as port:
        came = post(f"http://127.0.0.1:{port}/", patience=60)
        assert sent.wait(60), "and then nobody reads any more"
    assert came is not None
    assert (came.status, came.error) == (expected.status, expected.error)
    # The network decides how much has arrived when it is enough.
    assert (came.body or "").strip("x") == ""
    assert len(came.body or "") < 20


class Slow:
    """A name server that answers for `slow.example` only when allowed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.answers = threading.Event()
        self._look_up = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self)

    def __call__(self, host: str, *arguments: Any, **named: Any) -> Any:
        if host != "slow.example":
            return self._look_up(host, *arguments, **named)
        self.asked.append(host)
        self.answers.wait(60)
        raise socket.gaierror


def test_a_name_server_that_does_not_answer_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Slow(monkeypatch)

    async def post_all(url: str, lookups: ThreadPoolExecutor) -> None:
        poster = Poster(HERE, lookups, patience=60)
        slow = [asyncio.create_task(poster.post("http://slow.example/", lambda: HELLO)) for _ in range(4)]
        other = await poster.post(url, lambda: HELLO)
        names.answers.set()
        assert other is not None
        assert other.is_taken
        assert await asyncio.gather(*slow) == [PostResponse(error="the host is unknown: check its name")] * 4

    with receiving() as receiver, ThreadPoolExecutor(2) as lookups:
        asyncio.run(post_all(receiver.url, lookups))
    assert names.asked == ["slow.example"]


def test_a_name_that_is_found_out_when_nobody_waits_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    names, faults = Slow(monkeypatch), []
    with warnings.catch_warnings():
        # Sockets that earlier tests left open do not count.
        warnings.simplefilter("ignore")
        gc.collect()

    async def post_late(lookups: ThreadPoolExecutor) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        poster = Poster(HERE, lookups, patience=0.01)
        late = PostResponse(error="no answer within 0.01 seconds")
        assert await poster.post("http://slow.example/", lambda: HELLO) == late
        names.answers.set()
        while await poster.post("http://slow.example/", lambda: HELLO) == late:
            pass

    with ThreadPoolExecutor(2) as lookups:
        asyncio.run(post_late(lookups))
    gc.collect()
    assert faults == []


def test_an_answer_that_comes_too_slowly_is_none() -> None:
    ended = threading.Event()

    def talk(connection: socket.socket) -> None:
        heard(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        with contextlib.suppress(OSError):
            while not ended.wait(0.02):
                connection.sendall(b"X: y\r\n")

    with talking(talk) as port:
        assert post(f"http://127.0.0.1:{port}/", patience=0.3) == PostResponse(error="no answer within 0.3 seconds")
        ended.set()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((b"HTTP/1.1 204 No Content\r\n\r\n",), PostResponse(204, "")),
        (
            (b"HTTP/1.1 103 Early Hints\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"to the end"),
            PostResponse(200, "to the end"),
        ),
        (
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",),
            PostResponse(200, "hello"),
        ),
        ((b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel",), PostResponse(error="the answer is not HTTP/1.1")),
        ((b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe",), PostResponse(200, "\ufffd\ufffd")),
        ((b"SSH-2.0-OpenSSH_9.2\r\n",), PostResponse(error="the answer is not HTTP/1.1")),
        ((b"HTTP/1.1 200 OK\r\nX: " + b"y" * 40_000,), PostResponse(error="the answer is not HTTP/1.1")),
        ((), PostResponse(error="the answer is not HTTP/1.1")),
        ((b"HTTP/1.1 503 No\r\nRetry-After: never\r\n\r\n",), PostResponse(503, "")),
    ],
)
def test_answers(said: tuple[bytes, ...], expected: PostResponse) -> None:
    with talking(saying(*said)) as port:
        assert post(f"http://127.0.0.1:{port}/") == expected


def test_an_answer_may_tell_a_time() -> None:
    with talking(saying(b"HTTP/1.1 503 No\r\nRetry-After: Fri, 31 Dec 2100 23:59:59 GMT\r\n\r\n")) as port:
        answer = post(f"http://127.0.0.1:{port}/")
        assert answer is not None
        assert answer.retry_after is not None
        assert answer.retry_after > 1e9


def certificate(folder: Path, name: str) -> Path:
    """Return a certificate for this name, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))
        .not_valid_after(datetime.datetime(2120, 1, 1, tzinfo=datetime.UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / f"{name}.pem"
    path.write_bytes(plain + made.public_bytes(serialization.Encoding.PEM))
    return path


def test_tls_is_spoken_with_whom_the_name_says(tmp_path: Path) -> None:
    here, other = certificate(tmp_path, "localhost"), certificate(tmp_path, "elsewhere.example")
    for path, expected in ((here, PostResponse(200, "")), (other, None)):
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(path)
        trusting = ssl.create_default_context(cafile=str(path))
        with talking(saying(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), server) as port:
            answer = post(f"https://localhost:{port}/", tls=trusting)
            if expected is not None:
                assert answer == expected
            else:
                assert answer is not None
                assert answer.error is not None
                assert answer.error.startswith("TLS: ")
            # A certificate that the system does not trust is refused.
            unknown = post(f"https://localhost:{port}/")
            assert unknown is not None
            assert unknown.status is None
