"""`driftlog witness` beside a service that lies, stalls or forgets."""

from __future__ import annotations

import json
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.request import urlopen

import msgspec
import pytest

from cli import client
from cli.client import Client
from cli.terminal import Failure, ServiceUnavailable, WrongSetting
from cli.witness import following, reading
from cli.witness.book import Book
from cli.witness.following import Follower
from cli.witness.reading import LimitedClient
from cli.witness.server import THREADS, create_app
from proofs import deletion, heads
from proofs.heads import Head
from proofs.keys import PrivateKey
from tests.cli.conftest import Run
from tests.cli.test_witness import Witness
from tests.waiting import PATIENCE, until

GAME = "01kaj5x9f3q8w7e2r4t6y8u0pz"
HASHES = tuple(f"{number:064x}" for number in range(1, 12))
OTHER = "f" * 64

Answer = tuple[int, bytes]


class Liar:
    """A service with answers that a test chooses."""

    def __init__(self) -> None:
        self.key = PrivateKey.new()
        self.published = [self.key]
        self.proof: Answer = (404, b"")
        self.list: Callable[[str], Any] = lambda _: {"games": [], "next_cursor": None}
        self.session: Answer = (200, b'{"role": "viewer", "game": null, "seat": null}')
        self.asked: list[str] = []
        liar = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                liar.asked.append(self.path)
                answer = liar.answer(self.path)
                self.send_response(answer[0])
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                try:
                    for part in answer[1] if isinstance(answer[1], Iterator) else [answer[1]]:
                        self.wfile.write(part)
                except OSError:
                    pass

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, path: str) -> tuple[int, Any]:
        if path == "/healthz":
            return 200, b'{"status": "ok"}'
        if path == "/v1/keys":
            return 200, json.dumps({"keys": [key.public.jwk() for key in self.published]}).encode()
        if path == "/v1/session":
            return self.session
        if path.startswith("/v1/games?"):
            listed = self.list(path)
            return 200, listed if isinstance(listed, bytes | Iterator) else json.dumps(listed).encode()
        return self.proof

    def shows(self, *hashes: str, key: PrivateKey | None = None) -> None:
        head = Head(
            game=GAME, version=len(hashes), head=hashes[-1], hashes=hashes, signed_at="2026-01-01T00:00:00Z",
            ruleset="toy", ruleset_version="1.0.0",
        )  # fmt: skip
        self.proof = 200, msgspec.json.encode(heads.sign(head, key or self.key))

    def delete_game(self, version: int, head: str, key: PrivateKey | None = None) -> None:
        moment = "2026-01-01T00:00:00Z"
        gone = deletion.Deletion(game=GAME, version=version, head=head, deleted_at=moment, signed_at=moment)
        self.proof = 410, msgspec.json.encode({"proof": deletion.sign(gone, key or self.key)})


@pytest.fixture
def liar() -> Iterator[Liar]:
    liar = Liar()
    with liar.server:
        thread = threading.Thread(target=liar.server.serve_forever, args=(0.01,))
        thread.start()
        yield liar
        liar.server.shutdown()
        thread.join()


@pytest.fixture
def book(liar: Liar, tmp_path: Path) -> Iterator[Book]:
    book = Book(tmp_path / "witness", liar.url)
    yield book
    book.close()


@pytest.fixture
def follower(liar: Liar, book: Book) -> Follower:
    return Follower(LimitedClient(liar.url), book)


def witness_answer(book: Book, query: str = "") -> Any:
    return create_app(book).test_client().get(f"/games/{GAME}{query}").json


def reasons(book: Book) -> list[str]:
    return [one["reason"] for one in witness_answer(book)["refused"]]


@pytest.mark.parametrize("length", [8, 11])
def test_hashes_that_contradict_the_cosigned_root(liar: Liar, book: Book, follower: Follower, length: int) -> None:
    liar.shows(*HASHES[:8])
    follower.visit(GAME)
    liar.shows(*HASHES[:3], OTHER, *HASHES[4:length])
    follower.visit(GAME)

    assert (witness_answer(book)["version"], witness_answer(book)["status"], reasons(book)) == (
        8,
        "contradicted",
        ["rewritten"],
    )


@pytest.mark.parametrize("same", [True, False])
def test_a_list_without_an_end(
    *,
    liar: Liar,
    book: Book,
    follower: Follower,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    same: bool,
) -> None:
    monkeypatch.setattr(following, "MOST_PAGES", 20)
    liar.shows(*HASHES)
    games = [{"id": GAME, "version": 11, "head": HASHES[-1]}]
    liar.list = lambda _: {"games": games, "next_cursor": "x" if same else str(len(liar.asked))}
    follower.round()

    assert witness_answer(book)["version"] == 11
    assert "the service's list of games has no end" in caplog.messages
    assert len(liar.asked) < 30


def drip() -> Iterator[bytes]:
    while True:
        yield b" "
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [(drip, "answers too slowly"), (lambda: iter(lambda: b" " * 65536, b""), "sends too many bytes")],
)
def test_an_answer_without_an_end(
    *,
    liar: Liar,
    book: Book,
    follower: Follower,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    body: Callable[[], Iterator[bytes]],
    complaint: str,
) -> None:
    monkeypatch.setattr(reading, "SECONDS", 0.3)
    monkeypatch.setattr(reading, "MOST_BYTES", 1 << 20)
    liar.shows(*HASHES)
    follower.visit(GAME)
    liar.list = lambda _: body()
    liar.shows(*HASHES[:3])
    follower.round()
    assert reasons(book) == ["rolled_back"]
    monkeypatch.setattr(liar, "proof", (404, body()))
    follower.visit(GAME)

    assert [complaint in message for message in caplog.messages] == [True, False, True]
    assert reasons(book) == ["rolled_back"]


def test_a_round_has_a_limit_for_all_its_answers(
    liar: Liar, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "LIST_BYTES", 100)
    monkeypatch.setattr(following, "VISIT_BYTES", 100)
    with pytest.raises(ServiceUnavailable, match="sends too many bytes"):
        follower.round()


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"games": [{}]}', b"[" * 100_000])
def test_a_list_that_is_none(liar: Liar, follower: Follower, caplog: pytest.LogCaptureFixture, body: bytes) -> None:
    liar.list = lambda _: body
    follower.round()
    assert "malformed" in caplog.text


def test_a_fault_with_one_game_does_not_end_the_round(
    follower: Follower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(follower, "_judge", lambda _: 1 // 0)
    follower.visit(GAME)
    assert caplog.messages == [f"game {GAME}: the check has failed"]


@pytest.mark.parametrize("pause", ["-1", "nan"])
def test_a_pause_that_is_none(pause: str) -> None:
    response = Mock(headers={"Retry-After": pause})
    assert client._pause(response, {"type": "/problems/overloaded"}) is None


def test_a_list_without_a_cursor_ends(liar: Liar, book: Book, follower: Follower) -> None:
    liar.shows(*HASHES)
    liar.list = lambda _: {"games": [{"id": GAME, "version": 11, "head": HASHES[-1]}]}
    follower.round()
    assert witness_answer(book)["version"] == 11


@pytest.mark.parametrize(
    ("session", "complaint"),
    [
        ((200, json.dumps({"role": "viewer", "game": GAME, "seat": None}).encode()), f"only for game {GAME}"),
        ((401, b""), "rejects the witness"),
        ((403, b'{"type": "/problems/forbidden", "title": "No", "detail": "no"}'), "rejects the witness"),
    ],
)
def test_a_token_that_does_not_read_every_game(
    *, liar: Liar, book: Book, follower: Follower, run: Run, tmp_path: Path, session: Answer, complaint: str
) -> None:
    liar.shows(*HASHES)
    follower.visit(GAME)
    liar.session, liar.proof = session, (404, b"")
    with pytest.raises(WrongSetting, match=complaint):
        follower.round()
    started = run("witness", liar.url, "--data", tmp_path / "another", "--port", 0)
    assert (started.exit_code, complaint in started.stderr) == (78, True)
    for status in (401, 403, 429):
        liar.proof = status, b"no document"
        with pytest.raises(Failure):
            follower.visit(GAME)
    assert reasons(book) == []


def test_a_token_that_is_limited_later(liar: Liar, book: Book, follower: Follower) -> None:
    """After a refusal the witness starts a new session."""
    stop = threading.Event()
    follower.round()
    liar.published = []
    thread = threading.Thread(target=follower.run, args=(0.01, stop))
    thread.start()
    until(lambda: liar.asked.count("/v1/session") >= 3)
    stop.set()
    thread.join()


@pytest.mark.parametrize(
    ("answer", "is_missing"),
    [
        ((404, b"<html>"), True),
        ((404, b'{"type": "/problems/other", "title": "", "detail": ""}'), True),
        ((410, b""), True),
        ((410, b'{"type": "/problems/gone", "title": "", "detail": "", "proof": 3}'), True),
        ((410, b"[" * 100_000), True),
        ((400, b'{"type": "/problems/not-found", "title": "", "detail": ""}'), False),
        ((302, b""), False),
        ((500, b""), False),
        ((200, b"{}"), False),
    ],
)
def test_an_answer_that_denies_the_game(
    *, liar: Liar, book: Book, follower: Follower, monkeypatch: pytest.MonkeyPatch, answer: Answer, is_missing: bool
) -> None:
    clock = int(time.time()) + 100
    monkeypatch.setattr(time, "time", lambda: clock)
    liar.shows(*HASHES)
    follower.visit(GAME)
    checked = witness_answer(book)["checked_at"]
    clock += 100
    liar.proof = answer
    follower.visit(GAME)

    assert reasons(book) == (["missing"] if is_missing else [])
    assert witness_answer(book)["checked_at"] == checked
    liar.shows(*HASHES)
    follower.visit(GAME)
    follower.visit(GAME)
    assert witness_answer(book)["checked_at"] > checked


def test_a_deletion_with_an_unpublished_key_is_none(liar: Liar, book: Book, follower: Follower) -> None:
    liar.shows(*HASHES)
    follower.visit(GAME)
    liar.delete_game(11, HASHES[-1], PrivateKey.new())
    follower.visit(GAME)
    assert reasons(book) == ["missing"]


def test_a_deleted_game_that_returns(liar: Liar, book: Book, follower: Follower) -> None:
    liar.shows(*HASHES[:8])
    follower.visit(GAME)
    liar.delete_game(8, HASHES[7])
    follower.round()
    assert witness_answer(book)["status"] == "deleted"
    liar.shows(*HASHES[:8])
    liar.list = lambda _: {"games": [{"id": GAME, "version": 8, "head": HASHES[7]}]}
    follower.round()
    follower.round()
    assert (witness_answer(book)["status"], reasons(book)) == ("contradicted", ["returned"])
    liar.delete_game(8, HASHES[7])
    follower.visit(GAME)
    assert (witness_answer(book)["status"], reasons(book)) == ("deleted", ["returned"])


@pytest.mark.parametrize(
    ("version", "head", "reason"), [(7, HASHES[6], "rolled_back"), (8, OTHER, "rewritten"), (9, OTHER, "rewritten")]
)
def test_another_deletion_than_before(
    *, liar: Liar, book: Book, follower: Follower, version: int, head: str, reason: str
) -> None:
    liar.shows(*HASHES[:6])
    follower.visit(GAME)
    liar.delete_game(8, HASHES[7])
    follower.visit(GAME)
    liar.delete_game(version, head)
    follower.round()
    assert (witness_answer(book)["status"], reasons(book)) == ("contradicted", [reason])


def test_a_head_signed_by_an_unpublished_key(liar: Liar, book: Book, follower: Follower) -> None:
    stranger = PrivateKey.new()
    liar.shows(*HASHES[:3], key=stranger)
    follower.visit(GAME)
    assert GAME not in book.games
    liar.shows(*HASHES[:3])
    follower.visit(GAME)
    liar.shows(*HASHES, key=stranger)
    follower.visit(GAME)
    assert (witness_answer(book)["version"], witness_answer(book)["status"], reasons(book)) == (
        3,
        "contradicted",
        ["unknown_key"],
    )

    # The service publishes a new key, which the witness reads and keeps.
    liar.published.append(stranger)
    follower.visit(GAME)
    ids = [key.public.id for key in liar.published]
    book.close()
    again = Book(book.folder, liar.url)
    assert [one["id"] for one in witness_answer(again)["service_keys"]] == ids
    assert (witness_answer(again)["version"], witness_answer(again)["status"]) == (11, "consistent")
    again.close()


def test_a_folder_that_lost_a_part(liar: Liar, book: Book, follower: Follower) -> None:
    liar.shows(*HASHES)
    follower.visit(GAME)
    book.close()
    saved = book.folder.with_name("saved")
    shutil.copytree(book.folder, saved)
    (saved / "witness.ndjson").write_bytes(b"")
    with pytest.raises(WrongSetting, match=r"witness\.ndjson is missing or empty"):
        Book(saved, liar.url)
    (saved / "witness.ndjson").unlink()
    with pytest.raises(WrongSetting, match=r"witness\.ndjson is missing or empty"):
        Book(saved, liar.url)
    (book.folder / "witness.key").unlink()
    with pytest.raises(WrongSetting, match=r"witness\.key is missing"):
        Book(book.folder, liar.url)


@pytest.mark.parametrize(
    "harm", [lambda _: b"{", lambda _: b'{"payload":"\xff"}', lambda file: file.replace(b"A", b"B")]
)
def test_a_damaged_head_hides_no_contradiction(
    harm: Callable[[bytes], bytes], liar: Liar, book: Book, follower: Follower
) -> None:
    liar.shows(*HASHES[:8])
    follower.visit(GAME)
    place = book.folder / "heads" / f"{GAME}.json"
    place.write_bytes(harm(place.read_bytes()))
    liar.shows(*HASHES[:3], OTHER)
    follower.visit(GAME)
    assert len(reasons(book)) == 1
    liar.shows(*HASHES)
    follower.visit(GAME)
    assert (witness_answer(book)["version"], witness_answer(book)["status"]) == (11, "consistent")


@pytest.mark.parametrize("line", [1, 2])
def test_a_damaged_line_is_named(line: int, liar: Liar, book: Book, follower: Follower) -> None:
    liar.shows(*HASHES[:8])
    follower.visit(GAME)
    liar.shows(*HASHES[:3], OTHER)
    follower.visit(GAME)
    book.close()
    log = book.folder / "witness.ndjson"
    lines = log.read_bytes().splitlines(keepends=True)
    # Damage a line, or lose the cosigned head before a refusal.
    kept = [b'{"kind":"\xff"}\n', *lines[1:]] if line == 1 else [one for one in lines if b'"note"' not in one]
    log.write_bytes(b"".join(kept))
    with pytest.raises(WrongSetting, match=r"witness\.ndjson, line \d is damaged"):
        Book(book.folder, liar.url)


@pytest.mark.parametrize("key", [b"\xff\xfe", b"PRIVATE+KEY+x+00", b"PRIVATE+KEY+two words+" + b"0" * 64])
def test_a_key_that_is_none(liar: Liar, book: Book, key: bytes) -> None:
    book.close()
    (book.folder / "witness.key").write_bytes(key)
    with pytest.raises(WrongSetting, match="is not the key of a witness"):
        Book(book.folder, liar.url)


def test_odd_versions_in_a_request(liar: Liar, book: Book, follower: Follower) -> None:
    liar.shows(*HASHES[:3])
    follower.visit(GAME)
    pages = create_app(book).test_client()
    for at, status in (("abc", 400), ("0", 400), ("-1", 400), ("", 400), ("3.5", 400), ("9" * 30, 400), ("2", 404)):
        answer = pages.get(f"/games/{GAME}?at={at}")
        assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), at
        assert answer.get_json(force=True)["status"] == status
    assert witness_answer(book, "?at=3")["version"] == witness_answer(book, "?at=4")["version"] == 3


def test_addresses_keys_and_tokens_that_are_wrong(
    run: Run, tmp_path: Path, liar: Liar, monkeypatch: pytest.MonkeyPatch
) -> None:
    for asked in ("http://ann:secret@127.0.0.1:1", "ann:secret@127.0.0.1:1"):
        result = run("witness", asked, "--data", tmp_path / "witness")
        assert (result.exit_code, "secret" in result.output + result.stderr) == (2, False)
    log = tmp_path / "log.json"
    log.write_text("{}")
    bad = tmp_path / "bad.key"
    bad.write_bytes(b"\xff\xfe\x00")
    for key in ("", str(bad), "a\0b"):
        result = run("verify", log, "--witness", log, "--witness-key", key)
        assert (result.exit_code, "--witness-key: " in result.stderr) == (2, True), result.stderr
    result = run("verify", log, "--witness", "http://ann:secret@127.0.0.1:1")
    assert (result.exit_code, "secret" in result.stderr) == (2, False)
    liar.session = 302, b""
    for session in ((302, b""), (200, b"<html>")):
        liar.session = session
        result = run("witness", liar.url, "--data", tmp_path / "witness", "--port", 0)
        assert result.exit_code == 2
    monkeypatch.setenv("DRIFTLOG_TOKEN", "two\nlines")
    with pytest.raises(WrongSetting, match="is not a token"):
        Client("http://127.0.0.1:1")


@pytest.mark.long
def test_half_a_request_does_not_stop_the_pages(liar: Liar, tmp_path: Path) -> None:
    witness = Witness(tmp_path / "witness", liar.url)
    address = ("127.0.0.1", int(witness.url.rpartition(":")[2]))
    held = [socket.create_connection(address, timeout=PATIENCE) for _ in range(THREADS)]
    for one in held:
        one.sendall(b"GET /key HTTP/1.1\r\nHo")
    # Every thread waits for the others, for at most 10 s.
    with urlopen(f"{witness.url}/key", timeout=PATIENCE) as answer:
        assert answer.read().decode().strip() == witness.key
    for one in held:
        assert one.recv(100) == b""
        one.close()
    witness.stop()
