"""A service with its own TLS, and a certificate that the test has made."""

from __future__ import annotations

import errno
import http.client
import json
import re
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from api.plumbing.settings import BadSetting, Settings
from cli.client import Client
from cli.terminal import Failure
from cli.web.lines import secure
from tests.cli.service import SEEDED, Service
from tests.playouts import clock
from tests.waiting import PATIENCE

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A self-signed certificate for the loopback address, and its key."""
    folder = tmp_path_factory.mktemp("certified")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, certified: tuple[Path, Path]) -> Iterator[Service]:
    """A service that requires tokens, with TLS."""
    certificate, key = map(str, certified)
    data = tmp_path_factory.mktemp("data") / "data"
    service = Service(data, "--certificate", certificate, "--key", key, DRIFTLOG_ACCESS="tokens")
    service.ready()
    yield service
    assert service.stop() == 0
    assert service.complained == ""


@pytest.fixture
def trusting(certified: tuple[Path, Path]) -> ssl.SSLContext:
    """The TLS context of a client that trusts only this certificate."""
    return ssl.create_default_context(cafile=certified[0])


@pytest.fixture
def connection(service: Service, trusting: ssl.SSLContext) -> Iterator[http.client.HTTPSConnection]:
    port = int(service.url.rpartition(":")[2])
    found = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trusting)
    yield found
    found.close()


def token(service: Service, role: Any = "recorder") -> str:
    text, _ = service.store().tokens.create(role, created_at=clock(1))
    return text


def send_request(
    connection: http.client.HTTPConnection, method: str, path: str, body: Any = None, **headers: str
) -> http.client.HTTPResponse:
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, sent, {"Content-Type": "application/json", **named})
    return connection.getresponse()


def read_json(answer: http.client.HTTPResponse) -> Any:
    return json.loads(answer.read())


def test_it_is_told_and_answers_by_tls(service: Service, connection: http.client.HTTPSConnection) -> None:
    assert service.url.startswith("https://127.0.0.1:")
    # Send one request after the other on one connection.
    for _ in range(3):
        assert read_json(send_request(connection, "GET", "/healthz")) == {"status": "ok"}
    assert connection.sock is not None
    assert connection.sock.version() in {"TLSv1.2", "TLSv1.3"}


def test_a_session_is_for_tls_alone(service: Service, connection: http.client.HTTPSConnection) -> None:
    answer = send_request(connection, "POST", "/v1/session", {"token": token(service)}, Origin=service.url)
    assert answer.status == 200, answer.read()
    answer.read()
    cookie = answer.headers["Set-Cookie"]
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    # A page that was loaded over plain HTTP has another origin.
    plain = send_request(connection, "POST", "/v1/session", {"token": "x"}, Origin=service.url.replace("https", "http"))
    assert (plain.status, read_json(plain)["type"]) == (403, "/problems/foreign-origin")


def test_a_game_is_recorded_read_and_watched(service: Service, connection: http.client.HTTPSConnection) -> None:
    proof = {"Authorization": f"Bearer {token(service)}"}
    game = read_json(send_request(connection, "POST", "/v1/games", SEEDED, **proof))["id"]
    path = f"/v1/games/{game}/events"
    # Longer than a TLS record, and than the service reads at a time.
    notes = [{"type": "annotate", "params": {"text": "x" * 500}} for _ in range(300)]
    answer = send_request(connection, "POST", path, notes, **proof)
    assert answer.status == 201
    assert len(read_json(answer)["events"]) == 300
    assert len(read_json(send_request(connection, "GET", f"{path}?limit=1000", **proof))["events"]) == 302
    stream = send_request(connection, "GET", f"/v1/games/{game}/stream?until=302", **proof)
    assert stream.read().count(b"\nid: ") + 1 >= 302


def test_what_is_sent_ahead_is_answered(service: Service, trusting: ssl.SSLContext) -> None:
    port = int(service.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 30) as plain:
        with trusting.wrap_socket(plain, server_hostname="localhost") as line:
            # In one TLS record, which the loop reads as a whole.
            line.sendall((HEAD + b"\r\n") * 3 + HEAD + b"Connection: close\r\n\r\n")
            said = b"".join(iter(lambda: line.recv(4096), b""))
        assert said.count(b"200 OK") == 4


def test_the_end_of_an_answer_is_told_within_tls(service: Service, certified: tuple[Path, Path]) -> None:
    strict = ssl.create_default_context(cafile=certified[0])
    port = int(service.url.rpartition(":")[2])
    with (
        socket.create_connection(("127.0.0.1", port), 30) as plain,
        strict.wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=False) as line,
    ):
        line.sendall(b"nonsense\r\n\r\n")
        said = b"".join(iter(lambda: line.recv(4096), b""))
    assert b"/problems/" in said


@pytest.mark.parametrize("sent", [HEAD + b"\r\n", b"\x16\x03\x01\x00\x05nonsense", b""])
def test_who_speaks_no_tls_is_let_go_of(service: Service, connection: http.client.HTTPSConnection, sent: bytes) -> None:
    port = int(service.url.rpartition(":")[2])
    heard = b""
    with socket.create_connection(("127.0.0.1", port), 30) as plain:
        try:
            plain.sendall(sent)
            plain.shutdown(socket.SHUT_WR)
            heard = plain.recv(4096)
        except OSError as error:
            # The service may close the connection before this end does, or with unread bytes.
            if error.errno not in {errno.ENOTCONN, errno.ECONNRESET, errno.EPIPE}:
                raise
    assert heard[:4] != b"HTTP"
    assert read_json(send_request(connection, "GET", "/healthz")) == {"status": "ok"}


def test_our_own_client_believes_no_certificate_but_of_who_is_trusted(
    service: Service, certified: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Failure, match="certificate verify failed"):
        Client(service.url).get("/healthz")
    monkeypatch.setenv("SSL_CERT_FILE", str(certified[0]))
    assert Client(service.url).get("/healthz") == {"status": "ok"}


def test_a_certificate_has_to_be_one(tmp_path: Path, certified: tuple[Path, Path]) -> None:
    certificate, key = map(str, certified)
    both = tmp_path / "both.pem"
    both.write_text(Path(certificate).read_text() + Path(key).read_text())
    (tmp_path / "empty").write_text("")
    assert secure(Settings()) is None
    assert secure(Settings(certificate=str(both))) is not None
    for wrong, what in (
        (Settings(key=key), "DRIFTLOG_KEY: a key needs a certificate"),
        (Settings(certificate=certificate), f"not '{certificate}': "),
        (Settings(certificate=certificate, key=certificate), f"not '{certificate} with {certificate}': "),
        (Settings(certificate=str(tmp_path / "none")), "No such file or directory"),
        (Settings(certificate=str(tmp_path / "empty"), key=key), "DRIFTLOG_CERTIFICATE: must be a PEM certificate"),
    ):
        with pytest.raises(BadSetting, match=re.escape(what)):
            secure(wrong)
