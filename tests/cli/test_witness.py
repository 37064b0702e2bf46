"""`driftlog witness` beside a real service, and `driftlog verify --witness`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest

from cli.client import Client
from cli.client import RequestRefused as RefusedByService
from cli.terminal import Failure, InUse, WrongSetting, WrongUsage
from cli.witness.book import Book
from cli.witness.following import Follower
from cli.witness.reading import LimitedClient
from cli.witness.server import create_app
from engine.core.events import Event
from proofs import checkpoints, deletion, heads
from store import keys
from store.log import codec
from store.redis.connection import connect
from store.redis.embedded import running_url
from tests.cli.conftest import Run
from tests.cli.service import ROOT, Service, environment, environment_without_coverage
from tests.recording import chained
from tests.waiting import PATIENCE, until

Open = Callable[..., Book]


@pytest.fixture
def table(shared: Callable[..., Service]) -> Service:
    """A service whose games a test may damage."""
    return shared()


@pytest.fixture
def book(table: Service, tmp_path: Path) -> Iterator[Book]:
    book = Book(tmp_path / "witness", table.url, "witness.example/w1")
    yield book
    book.close()


@pytest.fixture
def follower(table: Service, book: Book) -> Follower:
    return Follower(LimitedClient(table.url), book)


def play(service: Service, game: str, actions: int = 1) -> None:
    """Append `actions` actions, each time the first legal one."""
    for _ in range(actions):
        _, listed = service.ask("GET", f"/v1/games/{game}/actions")
        first = listed["actions"][0]
        act = {name: first[name] for name in ("type", "actor", "params")}
        status, answer = service.ask("POST", f"/v1/games/{game}/events", act)
        assert status == 201, answer


def events_of(service: Service, game: str) -> list[Event]:
    store = service.store()
    return list(store.events.read_verified(game, store.events.head(game)[0]))


def overwrite(service: Service, game: str, events: list[Event]) -> None:
    """Replace the log of a game under the running service."""
    url = running_url(service.data, "events")
    assert url is not None
    with connect(url) as client:
        client.delete(keys.events(game), keys.snapshots(game), keys.turns(game))
        for event in events:
            row, hash_ = codec.encode(event)
            client.xadd(keys.events(game), {"e": row, "h": hash_}, id=f"{event.seq}-0")
        client.hset(keys.meta(game), mapping={"v": len(events), "head": bytes.fromhex(events[-1].hash)})


def rewritten(events: list[Event]) -> list[Event]:
    """Return the log with one event changed, and all later hashes computed anew."""
    return chained([*events[:3], msgspec.structs.replace(events[3], note="never happened"), *events[4:]])


def witness_answer(book: Book, game: str, query: str = "") -> Any:
    answer = create_app(book).test_client().get(f"/games/{game}{query}")
    assert answer.status_code == 200
    return answer.json


def export_to(run: Run, service: Service, game: str, path: Path) -> Path:
    """Write the log in the format that the file's name implies."""
    assert run("export", game, "--url", service.url, "-o", path, "--format", path.suffix[1:]).exit_code == 0
    return path


def save_answer(book: Book, game: str, path: Path) -> Path:
    """Write the answer of the witness to a file."""
    path.write_text(json.dumps(witness_answer(book, game)))
    return path


def test_a_head_that_goes_on_is_cosigned(table: Service, book: Book, follower: Follower) -> None:
    game = table.open_game()
    follower.round()
    first = witness_answer(book, game)
    play(table, game, 2)
    follower.round()
    second = witness_answer(book, game)

    assert (first["version"], second["version"], second["status"], second["refused"]) == (2, 4, "consistent", [])
    hashes = [event.hash for event in events_of(table, game)]
    assert (first["head"], second["head"]) == (hashes[1], hashes[3])
    for answer in (first, second):
        seen = checkpoints.check(answer["note"].encode(), [book.cosigner.public])
        assert (seen.checkpoint.game, seen.checkpoint.version) == (game, answer["version"])
        assert seen.checkpoint.agrees(hashes)
    assert witness_answer(book, game, "?at=3")["note"] == first["note"]
    client = create_app(book).test_client()
    assert client.get(f"/games/{game}/checkpoint").text == second["note"]
    assert client.get("/key").text == f"{book.cosigner.public}\n"
    assert client.get("/games/01kaj5x9f3q8w7e2r4t6y8u0pz").status_code == 404


def test_nothing_new_is_not_cosigned_again(table: Service, book: Book, follower: Follower) -> None:
    game = table.open_game()
    follower.round()
    size = (book.folder / "witness.ndjson").stat().st_size
    follower.round()
    follower.visit(game)

    assert (book.folder / "witness.ndjson").stat().st_size == size


def test_only_ids_versions_and_hashes_leave(table: Service, book: Book, follower: Follower) -> None:
    game = table.open_game()
    follower.visit(game)

    assert set(witness_answer(book, game)) == {
        "game", "status", "version", "head", "cosigned_at", "note", "refused", "deleted", "key",
        "checked_at", "service_keys",
    }  # fmt: skip
    assert not re.search("Ann|Bob|forbidden|opener", json.dumps(witness_answer(book, game)))


def test_a_rewritten_log_is_refused_and_both_heads_are_kept(
    run: Run, table: Service, book: Book, follower: Follower, tmp_path: Path
) -> None:
    game = table.open_game()
    play(table, game, 4)
    follower.visit(game)
    before = witness_answer(book, game)
    honest = export_to(run, table, game, tmp_path / "honest.json")
    log = events_of(table, game)
    overwrite(table, game, rewritten(log))
    forged = export_to(run, table, game, tmp_path / "forged.json")
    # The list is unchanged, so only the sweep finds it.
    follower.round()
    follower.round()
    after = witness_answer(book, game)

    assert (after["status"], after["note"], after["version"]) == ("contradicted", before["note"], 6)
    (refused,) = after["refused"]
    assert (refused["reason"], refused["version"]) == ("rewritten", 6)
    entries = map(json.loads, (book.folder / "witness.ndjson").read_text().splitlines())
    (evidence,) = (one for one in entries if one["kind"] == "refused" and one["game"] == game)
    signed = [heads.check(msgspec.convert(evidence[name], heads.Envelope)).head for name in ("cosigned", "offered")]
    assert [one.head for one in signed] == [log[-1].hash, refused["head"]]

    answer = save_answer(book, game, tmp_path / "witness.json")
    key = str(book.cosigner.public)
    good = run("verify", honest, "--witness", answer, "--witness-key", key)
    assert (good.exit_code, good.stderr) == (1, "")
    assert "FAILS: witness witness.example/w1 saw its first 6 events at " in good.output
    assert "the service has contradicted itself about this game, and the witness refused: rewritten" in good.output
    bad = run("verify", forged, "--witness", answer, "--witness-key", key)
    assert bad.exit_code == 1
    assert "FAILS: the log was rewritten: witness witness.example/w1 saw different events 1 to 6 at " in bad.output


def test_a_service_that_is_restored_from_an_old_backup(
    run: Run, table: Service, book: Book, follower: Follower, tmp_path: Path
) -> None:
    game = table.open_game()
    play(table, game, 3)
    follower.visit(game)
    log = events_of(table, game)
    overwrite(table, game, log[:4])
    follower.visit(game)
    assert [one["reason"] for one in witness_answer(book, game)["refused"]] == ["rolled_back"]

    cut = export_to(run, table, game, tmp_path / "cut.json")
    answer = save_answer(book, game, tmp_path / "witness.json")
    result = run("verify", cut, "--witness", answer)
    assert result.exit_code == 1
    assert f"FAILS: the log ends after event 4, but witness {book.cosigner.public} (a key that was not" in result.output
    assert "saw 5 events at " in result.output

    # The table continues from there with another fifth event.
    for text in ("another fifth event", "and a sixth"):
        table.ask("POST", f"/v1/games/{game}/events", {"type": "annotate", "params": {"text": text}})
    follower.visit(game)
    longer = export_to(run, table, game, tmp_path / "longer.json")
    assert "FAILS: the log was rewritten: " in run("verify", longer, "--witness", answer).output
    assert [one["reason"] for one in witness_answer(book, game)["refused"]] == ["rolled_back", "rewritten"]

    # The newer backup is found, and the true log is back.
    overwrite(table, game, log)
    follower.visit(game)
    assert (witness_answer(book, game)["status"], len(witness_answer(book, game)["refused"])) == ("consistent", 2)
    full = export_to(run, table, game, tmp_path / "full.json")
    result = run("verify", full, "--witness", save_answer(book, game, answer))
    assert result.exit_code == 1
    assert "the witness refused: rolled_back after event 4 at " in result.output
    assert ", rewritten after event 6 at " in result.output


def test_a_deleted_game(run: Run, table: Service, book: Book, follower: Follower, tmp_path: Path) -> None:
    game = table.open_game()
    follower.visit(game)
    log = export_to(run, table, game, tmp_path / "game.json")
    play(table, game)
    assert table.ask("GET", f"/v1/games/{game}/proof")[0] == 200
    Client(table.url).request("DELETE", f"/v1/games/{game}")
    follower.round()
    follower.visit(game)
    answer = witness_answer(book, game)

    assert (answer["status"], answer["version"], answer["deleted"]["version"]) == ("deleted", 2, 3)
    assert deletion.check(book.games[game].deleted.proof).deletion.game == game  # type: ignore[union-attr]
    result = run("verify", log, "--witness", save_answer(book, game, tmp_path / "witness.json"))
    assert (result.exit_code, "saw its first 2 events at " in result.output) == (0, True)
    assert result.output.endswith(", and later its deletion\n")


def test_a_deletion_of_another_record_is_refused(table: Service, book: Book, follower: Follower) -> None:
    game = table.open_game()
    play(table, game, 3)
    follower.visit(game)
    overwrite(table, game, events_of(table, game)[:3])
    Client(table.url).request("DELETE", f"/v1/games/{game}")
    follower.visit(game)

    assert [(one["reason"], one["version"]) for one in witness_answer(book, game)["refused"]] == [("rolled_back", 3)]
    assert (witness_answer(book, game)["status"], witness_answer(book, game)["deleted"]) == ("contradicted", None)


def test_a_game_that_the_service_denies(table: Service, book: Book, follower: Follower) -> None:
    game = table.open_game()
    follower.visit(game)
    url = running_url(table.data, "events")
    assert url is not None
    with connect(url) as client:
        client.delete(keys.events(game), keys.meta(game))
    follower.visit(game)
    follower.visit(game)

    assert [(one["reason"], one["version"]) for one in witness_answer(book, game)["refused"]] == [("missing", None)]
    # The witness never saw this game, and says nothing about it.
    follower.visit("01kaj5x9f3q8w7e2r4t6y8u0pz")
    assert "01kaj5x9f3q8w7e2r4t6y8u0pz" not in book.games


def test_a_witness_that_starts_again_remembers(table: Service, book: Book, follower: Follower) -> None:
    game = table.open_game()
    play(table, game, 2)
    follower.visit(game)
    before = witness_answer(book, game)
    book.close()
    file = book.folder / "witness.ndjson"
    whole = file.read_bytes()
    # The machine stopped in the middle of a line.
    file.write_bytes(whole + b'{"kind":"seen","game":"' + game.encode())
    again = Book(book.folder, table.url)

    assert witness_answer(again, game) == before
    assert file.read_bytes() == whole
    overwrite(table, game, events_of(table, game)[:3])
    (book.folder / "heads" / f"{game}.json").unlink()
    Follower(LimitedClient(table.url), again).visit(game)
    # Without the stored hashes, nothing contradicts the beginning that the service shows.
    assert [one["reason"] for one in witness_answer(again, game)["refused"]] == ["rolled_back"]
    again.close()


def test_a_clock_that_is_set_back(
    table: Service, book: Book, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.open_game()
    follower.visit(game)
    at = book.games[game].seen[-1].at
    monkeypatch.setattr(time, "time", lambda: at - 3600.0)
    play(table, game)
    follower.visit(game)

    assert [one.at for one in book.games[game].seen] == [at, at]


def test_a_folder_belongs_to_one_witness_of_one_service(book: Book, table: Service, tmp_path: Path) -> None:
    with pytest.raises(InUse):
        Book(book.folder, table.url)
    book.close()
    with pytest.raises(WrongUsage, match="choose another with --data"):
        Book(book.folder, "http://another.example")
    with pytest.raises(WrongUsage, match=r"is called witness\.example/w1"):
        Book(book.folder, table.url, "other")
    with pytest.raises(WrongUsage, match="must not contain spaces"):
        Book(tmp_path / "new", table.url, "two words")
    (book.folder / "witness.ndjson").write_bytes(b'{"kind":"follows"}\n')
    with pytest.raises(WrongSetting, match="line 1 is damaged"):
        Book(book.folder, table.url)
    (book.folder / "witness.key").write_text("no key\n")
    with pytest.raises(WrongSetting, match="is not the key of a witness"):
        Book(book.folder, table.url)


def test_the_folder_is_its_owners_alone(book: Book, table: Service, follower: Follower) -> None:
    follower.visit(table.open_game())
    modes = {path.stat().st_mode & 0o777 for path in book.folder.rglob("*") if path.is_file()}
    assert modes == {0o600}


def test_a_service_with_tokens(
    shared: Callable[..., Service], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = shared(DRIFTLOG_ACCESS="tokens")
    admin = run("tokens", "create", "--role", "admin", "--data", closed.data).stdout
    viewer = run("tokens", "create", "--role", "viewer", "--data", closed.data).stdout
    of = re.compile(r"\bdl_[\w-]+|\b[\w-]{40,}")
    monkeypatch.setenv("DRIFTLOG_TOKEN", of.findall(admin)[-1])
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    game = Client(closed.url).post("/v1/games", body).json()["id"]
    monkeypatch.setenv("DRIFTLOG_TOKEN", of.findall(viewer)[-1])
    book = Book(tmp_path / "witness", closed.url)
    Follower(LimitedClient(closed.url), book).round()
    assert witness_answer(book, game)["version"] == 2

    limited = run("tokens", "create", "--role", "viewer", "--game", game, "--data", closed.data).stdout
    monkeypatch.setenv("DRIFTLOG_TOKEN", of.findall(limited)[-1])
    with pytest.raises(WrongSetting, match=f"the token is only for game {game}"):
        Follower(LimitedClient(closed.url), book).round()
    monkeypatch.setenv("DRIFTLOG_TOKEN", "")
    with pytest.raises(WrongSetting, match="rejects the witness"):
        Follower(LimitedClient(closed.url), book).round()
    with pytest.raises(RefusedByService):
        Follower(LimitedClient(closed.url), book).visit(game)
    assert witness_answer(book, game)["refused"] == []
    book.close()


def test_a_service_that_is_away_proves_nothing(
    book: Book, table: Service, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    game = table.open_game()
    follower.visit(game)
    away = Follower(LimitedClient("http://127.0.0.1:1"), book)
    with pytest.raises(Failure):
        away.visit(game)
    stop = threading.Event()
    thread = threading.Thread(target=away.run, args=(0.01, stop))
    thread.start()
    until(lambda: caplog.messages)
    stop.set()
    thread.join()

    assert [message[:27] for message in caplog.messages] == ["cannot follow the service: "]
    assert witness_answer(book, game)["refused"] == []


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("a fault of ours")])
def test_a_round_that_fails_is_not_the_last(
    follower: Follower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    stop, rounds = threading.Event(), iter([error, None])

    def fail_once() -> None:
        if (failure := next(rounds)) is not None:
            raise failure
        stop.set()

    monkeypatch.setattr(follower, "round", fail_once)
    follower.run(0.01, stop)
    assert len(caplog.messages) == 1


class Witness:
    """Runs `driftlog witness` in a process."""

    def __init__(self, folder: Path, url: str, *options: str) -> None:
        command = [sys.executable, "-m", "cli.main", "witness", url, "--port", "0", "--data", str(folder), *options]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment_without_coverage(environment()),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        self.url = re.findall(r"http://\S+", first)[-1]
        self.key = self.process.stdout.readline().split()[-1]

    def ask(self, path: str) -> Any:
        with urlopen(f"{self.url}{path}", timeout=PATIENCE) as answer:
            return json.load(answer)

    def stop(self) -> str:
        """Check that the exit code is 0; return the log."""
        self.process.send_signal(signal.SIGTERM)
        _, complained = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, complained
        return complained


@pytest.fixture
def witnesses(tmp_path: Path) -> Iterator[Callable[[str], Witness]]:
    """Return a function that starts a witness in the test's folder."""
    started: list[Witness] = []

    def start(url: str) -> Witness:
        started.append(Witness(tmp_path / "witness", url, "--every", "0.1"))
        return started[-1]

    yield start
    for one in started:
        with one.process:
            one.process.terminate()


def test_a_witness_as_somebody_starts_it(
    run: Run, table: Service, witnesses: Callable[[str], Witness], tmp_path: Path
) -> None:
    game = table.open_game()
    play(table, game, 3)
    witness = witnesses(table.url)
    assert until(lambda: _health(witness)) == {"status": "ok"}
    until(lambda: _answers(witness, game))
    asked = ("--witness", witness.url, "--witness-key", witness.key)
    honest = export_to(run, table, game, tmp_path / "honest.json")
    assert run("verify", honest, *asked).exit_code == 0
    play(table, game)
    until(lambda: witness.ask(f"/games/{game}")["version"] == 6)
    shorter = run("verify", honest, *asked)
    assert (shorter.exit_code, "FAILS: the log ends after event 5, but witness " in shorter.output) == (1, True)

    # The log is shorter and rewritten; the older statement shows that.
    overwrite(table, game, rewritten(events_of(table, game)[:5]))
    until(lambda: witness.ask(f"/games/{game}")["refused"])
    forged = export_to(run, table, game, tmp_path / "forged.json")
    assert "FAILS: the log was rewritten" in run("verify", forged, *asked).output
    nameless = run("verify", export_to(run, table, game, tmp_path / "nameless.ndjson"), *asked)
    assert (nameless.exit_code, "does not name its game" in nameless.stderr) == (2, True)
    unseen = table.open_game()
    other = export_to(run, table, unseen, tmp_path / "other.json")
    assert f"game {game} was refused (rewritten): the head is not cosigned" in witness.stop()

    gone = run("verify", other, *asked)
    assert (gone.exit_code, "the witness at" in gone.stderr) == (69, True)
    again = witnesses(table.url)
    assert (again.key, _answers(again, game)["refused"][0]["reason"]) == (witness.key, "rewritten")
    again.stop()


def _health(witness: Witness) -> Any:
    return witness.ask("/healthz")


def _answers(witness: Witness, game: str) -> Any:
    try:
        return witness.ask(f"/games/{game}")
    except OSError:
        return None


def test_the_witness_is_not_sent_the_token_of_the_service(
    run: Run, table: Service, book: Book, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.open_game()
    follower.visit(game)
    file = export_to(run, table, game, book.folder / "game.json")
    statement, sent = json.dumps(witness_answer(book, game)).encode(), []

    class Listening(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent.append(dict(self.headers))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(statement)

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.setenv("DRIFTLOG_TOKEN", "secret")
    with HTTPServer(("127.0.0.1", 0), Listening) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        result = run("verify", file, "--witness", f"http://127.0.0.1:{server.server_port}")
        thread.join()

    assert result.exit_code == 0, result.output
    assert [headers.get("Authorization") for headers in sent] == [None]


def test_a_witness_that_is_asked_wrongly(
    run: Run, book: Book, table: Service, follower: Follower, tmp_path: Path
) -> None:
    game = table.open_game()
    follower.visit(game)
    file = export_to(run, table, game, tmp_path / "game.json")
    note = tmp_path / "note.txt"
    note.write_text(witness_answer(book, game)["note"])
    key = tmp_path / "witness.vkey"
    key.write_text(f"{book.cosigner.public}\n")

    assert run("verify", file, "--witness", note, "--witness-key", key).exit_code == 0
    for arguments, complaint in (
        (["--witness-key", key], "--witness-key needs --witness"),
        (["--witness", note], "the note does not contain the key of its witness: add --witness-key"),
        (["--witness", note, "--witness-key", "nonsense"], "--witness-key: 'nonsense' is not a witness key"),
        (["--witness", tmp_path / "nowhere"], "cannot be read"),
    ):
        result = run("verify", file, *arguments)
        assert (result.exit_code, complaint in result.stderr) == (2, True), result.stderr
    other = export_to(run, table, table.open_game(), tmp_path / "other.json")
    result = run("verify", other, "--witness", note, "--witness-key", key)
    assert (result.exit_code, "but the statement is about game" in result.output) == (1, True)
    proof = tmp_path / "proof.json"
    proof.write_text(
        json.dumps(
            table.ask("GET", f"/v1/games/{game}/proof/consistency?from=2&head={witness_answer(book, game)['head']}")[1]
        )
    )
    result = run("verify", proof, "--witness", note, "--witness-key", key)
    assert (result.exit_code, "--witness is for logs" in result.stderr) == (2, True)
