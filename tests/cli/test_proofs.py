"""`driftlog verify --key`, `--proof`, and `driftlog keys`: proofs that need no service, and keys that need one."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core.events import Event
from exports import FORMATS, Log
from proofs import deletion, dsse, heads
from proofs.consistency import Consistency, RecordPoint
from proofs.deletion import Deletion
from proofs.keys import PrivateKey, read_keys
from store import Store
from tests.cli.conftest import Run
from tests.cli.service import ROOT, Service
from tests.playouts import playout
from tests.proofs.signing import GAME, KEY, OTHER, sign_head
from tests.recording import chained

EVENTS = playout()
RULES = f"chain and rules; Forbidden Island (version 1), {len(EVENTS)} events, lost"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "key.pem"
    file.write_text(KEY.public.pem())
    return file


def write(path: Path, events: list[Event] = EVENTS, **options: Any) -> Path:
    """Write the log in the format that the file's name implies."""
    path.write_bytes(b"".join(FORMATS[path.suffix[1:]].write(Log(GAME, events, **options))))
    return path


def write_document(path: Path, document: Any) -> Path:
    path.write_bytes(msgspec.json.encode(document))
    return path


def test_a_signed_log_is_verified(run: Run, tmp_path: Path, key: Path) -> None:
    envelope = sign_head(EVENTS)
    at = heads.check(envelope).head.signed_at
    file = write(tmp_path / "game.json", proof=envelope)
    result = run("verify", file, "--key", key)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.output == f"{file}: verified: signed at {at} by {KEY.public.id}; {RULES}\n"


def test_without_a_key_it_says_that_anyone_may_have_signed(run: Run, tmp_path: Path) -> None:
    result = run("verify", write(tmp_path / "game.json", proof=sign_head(EVENTS)))

    assert result.exit_code == 0
    assert f"by {KEY.public.id} (a key that was not given with --key); {RULES}\n" in result.output


def test_a_key_comes_in_any_form(run: Run, tmp_path: Path, key: Path) -> None:
    jwk = write_document(tmp_path / "key.jwk", KEY.public.jwk())
    jwks = write_document(tmp_path / "keys.json", {"keys": [OTHER.public.jwk(), KEY.public.jwk()]})
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    other = OTHER.public.id

    for arguments in ([key], [jwk], [jwks], [KEY.public.id], [other, "--key", KEY.public.id]):
        assert run("verify", file, "--key", *arguments).exit_code == 0
    assert run("verify", file, "--key", other).exit_code == 1


def test_the_id_of_a_key_may_look_like_an_option(run: Run, tmp_path: Path) -> None:
    keys = (PrivateKey(bytes(31) + bytes([number])) for number in range(256))
    strange = next(key for key in keys if key.public.id.startswith("-"))
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS, strange))

    assert run("verify", file, "--key", strange.public.id).exit_code == 0


def test_it_needs_nothing_but_the_file_and_the_key(tmp_path: Path, key: Path) -> None:
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    command = [sys.executable, "-m", "cli.main", "verify", file, "--key", key]
    ran = subprocess.run(
        command, cwd=ROOT, env={"DRIFTLOG_REDIS_URL": "redis://127.0.0.1:1"}, capture_output=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_first_event_of_a_forgery_is_named(run: Run, tmp_path: Path, key: Path) -> None:
    changed = msgspec.structs.replace(EVENTS[20], note="slipped in")
    forgery = chained([*EVENTS[:20], changed, *EVENTS[21:]])
    file = write(tmp_path / "game.json", forgery, proof=sign_head(EVENTS))
    result = run("verify", file, "--key", key)

    assert result.exit_code == 1
    assert result.output == (
        f"{file}: FAILS: the log differs from the {len(EVENTS)} events that were signed: event 21 was changed\n"
    )


def test_a_line_that_was_taken_out_is_named(run: Run, tmp_path: Path, key: Path) -> None:
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:12], *lines[13:]]))

    assert "that were signed: event 12 was removed" in run("verify", file, "--key", key).output


def test_a_header_that_was_taken_out_is_named(run: Run, tmp_path: Path, key: Path) -> None:
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    document = json.loads(file.read_text())
    write_document(file, document | {"events": document["events"][1:]})

    assert "that were signed: event 1 was removed" in run("verify", file, "--key", key).output


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"events": []}, "not a log: /events: the log has no events"),
        ({"head": "0" * 64}, "not a log: /head: must be the hash of the last event"),
        ({"version": 3}, "not a log: /version: the document has the version 3"),
        ({"options": {}}, "not a log: /options: differs from event 1"),
        ({"game": "another"}, f"the file belongs to game another, but the signed head belongs to game {GAME}"),
        ({"proof": {}}, "not a log: /proof: `payload` is missing"),
        ({"proof": None}, "the file is not signed: it contains no proof, and --proof was not given"),
    ],
)
def test_what_stands_around_the_events_is_held_against_them(
    run: Run, tmp_path: Path, key: Path, changes: dict[str, Any], complaint: str
) -> None:
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    write_document(file, json.loads(file.read_text()) | changes)
    result = run("verify", file, "--key", key)

    assert result.exit_code == 1
    assert complaint in result.output


def test_a_signed_log_has_to_keep_the_rules_as_well(run: Run, tmp_path: Path, key: Path) -> None:
    events = chained([*EVENTS[:20], msgspec.structs.replace(EVENTS[20], turn=99), *EVENTS[21:]])
    result = run("verify", write(tmp_path / "game.json", events, proof=sign_head(events)), "--key", key)

    assert result.exit_code == 1
    assert "FAILS: event 21, turn " in result.output


def test_a_tampered_envelope_fails(run: Run, tmp_path: Path, key: Path) -> None:
    good = msgspec.to_builtins(sign_head(EVENTS))
    other_payload = good | {"payload": sign_head(EVENTS[:10]).payload}
    other_keyid = good | {"signatures": [good["signatures"][0] | {"keyid": OTHER.public.id}]}
    file = write(tmp_path / "game.ndjson")
    for envelope, complaint in (
        (other_payload, f"the signature does not match key {KEY.public.id}"),
        (other_keyid, f"signed by {OTHER.public.id}, which is not one of the given keys: the service may have newer"),
        (good | {"payloadType": "text/plain"}, "it contains 'text/plain'"),
        (good | {"signatures": []}, "it is signed by nobody"),
    ):
        result = run("verify", file, "--key", key, "--proof", write_document(tmp_path / "proof.json", envelope))
        assert result.exit_code == 1
        assert complaint in result.output


@pytest.mark.parametrize("garbage", ["garbage", "{}", ""])
def test_what_is_no_proof_is_wrong_usage(run: Run, tmp_path: Path, garbage: str) -> None:
    proof = tmp_path / "proof.json"
    proof.write_text(garbage)
    result = run("verify", write(tmp_path / "game.ndjson"), "--proof", proof)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: --proof {proof}: not a DSSE envelope: ")


def test_a_log_with_its_proof_beside_it(run: Run, tmp_path: Path, key: Path) -> None:
    file = write(tmp_path / "game.ndjson")
    proof = write_document(tmp_path / "proof.json", sign_head(EVENTS))
    older = write_document(tmp_path / "older.json", sign_head(EVENTS[:30]))

    assert run("verify", file, "--key", key, "--proof", proof).exit_code == 0
    assert run("verify", file, "--proof", proof).exit_code == 0
    assert "that were signed: event 31 was added" in run("verify", file, "--key", key, "--proof", older).output
    whole = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    assert run("verify", whole, "--key", key, "--proof", older).exit_code == 0
    elsewhere = write_document(tmp_path / "elsewhere.json", sign_head(EVENTS[:30], game="another"))
    assert "the older head belongs to game another" in run("verify", whole, "--key", key, "--proof", elsewhere).output


def test_a_consistency_proof(run: Run, tmp_path: Path, key: Path) -> None:
    proof = Consistency(game=GAME, from_=RecordPoint(30, EVENTS[29].hash), events=EVENTS[30:], proof=sign_head(EVENTS))
    file = write_document(tmp_path / "consistency.json", proof)
    older = write_document(tmp_path / "older.json", sign_head(EVENTS[:30]))
    result = run("verify", file, "--key", key, "--proof", older)

    assert result.exit_code == 0
    assert f"the record after event 30, with head {EVENTS[29].hash}, is the beginning of the record after event " in (
        result.output
    )
    assert run("verify", file).exit_code == 0
    bad = write_document(tmp_path / "bad.json", msgspec.structs.replace(proof, events=EVENTS[31:]))
    result = run("verify", bad, "--key", key)
    assert result.exit_code == 1
    assert "event 31 was removed" in result.output
    broken = write_document(tmp_path / "broken.json", {"format": "driftlog-consistency"})
    assert "not a consistency proof" in run("verify", broken).output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("game.json", "--key", "nobody"),
            "--key nobody: there is no such file, and it is not a key id (43 characters of base64url)",
        ),
        (("game.json", "--key", "text"), "not a PEM file, a JWK"),
        (("game.json", "--key", "."), "cannot be read: Is a directory"),
        (("game.json", "--proof", "missing"), "missing cannot be read: No such file or directory"),
        (("game.json", "game.json", "--proof", "text"), "a proof belongs to one game"),
    ],
)
def test_what_is_no_key_or_proof_is_wrong_usage(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("hello")
    write(Path("game.json"))
    result = run("verify", *arguments)

    assert result.exit_code == 2
    assert complaint in result.stderr


@pytest.mark.long
def test_keys_are_listed_and_rotated_while_the_service_runs(
    run: Run, start: Callable[..., Service], tmp_path: Path
) -> None:
    service = start()
    service.ready()
    first = service.ask("GET", "/v1/keys")[1]["keys"]
    assert [key["status"] for key in first] == ["active"]
    game = service.open_game()
    before = tmp_path / "before.json"
    assert run("export", game, "-o", before, "--url", service.url).exit_code == 0

    rotated = run("keys", "rotate", "--data", service.data)
    listed = run("keys", "list", "--data", service.data).output.splitlines()
    served = service.ask("GET", "/v1/keys")[1]
    new = served["keys"][1]["kid"]

    assert (rotated.exit_code, rotated.output) == (0, f"{new} signs from now on\n")
    assert listed[0].split() == ["Key", "Status", "Created", "Retired"]
    assert [line.split()[:2] for line in listed[1:]] == [[first[0]["kid"], "retired"], [new, "active"]]
    assert json.loads(run("keys", "list", "--json", "--data", service.data).output) == served
    kept = write_document(tmp_path / "keys.json", served)
    after = tmp_path / "after.json"
    assert run("export", game, "-o", after, "--url", service.url).exit_code == 0
    for file in (before, after):
        assert run("verify", file, "--key", kept).exit_code == 0
    assert run("verify", before, "--key", new).exit_code == 1

    assert service.stop() == 0
    again = start(service.data)
    again.ready()
    assert again.ask("GET", "/v1/keys")[1] == served


def test_a_log_is_fetched_with_its_proof(run: Run, service: Service, tmp_path: Path) -> None:
    game, log, proof = service.open_game(), tmp_path / "game.ndjson", tmp_path / "proof.json"
    fetched = run("export", game, "--format", "ndjson", "-o", log, "--proof", proof, "--url", service.url)
    key = service.ask("GET", "/v1/keys")[1]["keys"][-1]["kid"]

    assert (fetched.exit_code, fetched.output) == (0, "")
    assert run("verify", log, "--proof", proof, "--key", key).exit_code == 0
    unknown = run("export", "nothing", "--proof", proof, "--url", service.url)
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert unknown.stderr == "Error: game nothing: There is no such game.\n"


class Stranger(BaseHTTPRequestHandler):
    """A server that answers everything with an empty document."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        pass


def test_what_another_service_answers_is_no_proof(run: Run, tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        proof = tmp_path / "proof.json"
        result = run("export", "g1", "--proof", proof, "--url", f"http://127.0.0.1:{server.server_port}")
        thread.join()

    assert result.exit_code == 1
    assert "is not a proof: not a DSSE envelope" in result.stderr
    assert not proof.exists()


def test_keys_need_a_store(run: Run, tmp_path: Path) -> None:
    for command in ("list", "rotate"):
        result = run("keys", command, "--data", tmp_path, env={"DRIFTLOG_REDIS_URL": "redis://127.0.0.1:1"})
        assert result.exit_code == 69


def test_a_private_key_is_never_shown(run: Run, store: Store, events_server: str) -> None:
    secret = store.signing.active().secret()
    spelled = {secret.hex(), urlsafe_b64encode(secret).rstrip(b"=").decode()}
    environment = {"DRIFTLOG_REDIS_URL": events_server, "DRIFTLOG_QUEUE_URL": events_server}
    outputs = [run("keys", "list", "--json", env=environment).output, run("keys", "rotate", env=environment).output]

    assert not any(text in "".join(outputs) for text in spelled)
    assert len(read_keys(outputs[0].encode())) == 1


def deletion_answer(events: list[Event] = EVENTS, key: PrivateKey = KEY, game: str = GAME) -> dict[str, Any]:
    """Return the service's answer about a deleted game."""
    gone = Deletion(
        game=game,
        version=len(events),
        head=events[-1].hash,
        deleted_at="2026-11-22T20:00:00.000Z",
        signed_at="2026-11-23T09:00:00.000Z",
    )
    return {"type": "/problems/gone", "status": 410, "proof": deletion.sign(gone, key)}


TOLD = f"game {GAME} was deleted at 2026-11-22T20:00:00.000Z, after event {len(EVENTS)}, with head {EVENTS[-1].hash}"


def test_a_game_that_was_deleted_is_no_forgery(run: Run, tmp_path: Path, key: Path) -> None:
    gone = write_document(tmp_path / "gone.json", deletion_answer())
    result = run("verify", gone, "--key", key)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.output == f"{gone}: verified: signed at 2026-11-23T09:00:00.000Z by {KEY.public.id}; {TOLD}\n"

    older = write_document(tmp_path / "head.json", sign_head(EVENTS))
    assert run("verify", gone, "--key", key, "--proof", older).output.endswith(
        "the older head is the last head of this game\n"
    )
    older = write_document(tmp_path / "head.json", sign_head(EVENTS[:9]))
    told = run("verify", gone, "--key", key, "--proof", older)
    assert (told.exit_code, "from event 9 of that game; whether the record still began with it" in told.output) == (
        0,
        True,
    )


def test_the_log_of_a_deleted_game_is_known_by_its_tombstone(run: Run, tmp_path: Path, key: Path) -> None:
    gone = write_document(tmp_path / "gone.json", deletion_answer())
    whole = run("verify", write(tmp_path / "game.json"), "--key", key, "--proof", gone)
    assert (whole.exit_code, f"; {TOLD}, as {KEY.public.id} signed: this is the complete log" in whole.output) == (
        0,
        True,
    )
    begun = run("verify", write(tmp_path / "game.ndjson", EVENTS[:9]), "--proof", gone)
    assert (begun.exit_code, "signed: this would be its first 9 events" in begun.output) == (0, True)
    unsigned = run("verify", write(tmp_path / "game.ndjson", EVENTS[:9]), "--key", key, "--proof", gone)
    assert (unsigned.exit_code, "FAILS: the file is not signed" in unsigned.output) == (1, True)


@pytest.mark.parametrize(
    ("tombstone", "complaint"),
    [
        (deletion_answer(game="01kaj5x9f3q8w7e2r4t6y8u0p0"), "it belongs to game "),
        (deletion_answer(EVENTS[:9]), "event 10 was added: the record ended before it when it was deleted"),
        (deletion_answer(key=OTHER), "not one of the given keys"),
    ],
)
def test_a_log_that_is_not_what_was_deleted(
    run: Run, tmp_path: Path, key: Path, tombstone: dict[str, Any], complaint: str
) -> None:
    gone = write_document(tmp_path / "gone.json", tombstone)
    file = write(tmp_path / "game.json", proof=sign_head(EVENTS))
    result = run("verify", file, "--key", key, "--proof", gone)
    assert result.exit_code == 1
    assert complaint in result.output
    changed = chained([*EVENTS[:-1], msgspec.structs.replace(EVENTS[-1], note="forged")])
    gone = write_document(tmp_path / "gone.json", deletion_answer())
    forged = run("verify", write(tmp_path / "forged.ndjson", changed), "--proof", gone)
    assert f"event {len(EVENTS)} differs from the record that was deleted" in forged.output


def test_what_is_signed_has_to_be_a_deletion(run: Run, tmp_path: Path) -> None:
    envelope = dsse.sign(deletion.PAYLOAD_TYPE, b'{"format": "something else"}', KEY)
    result = run("verify", write_document(tmp_path / "gone.json", envelope))
    assert (result.exit_code, "the signed content is not the deletion of a record" in result.output) == (1, True)
    assert "is not the deletion" in run("audit", write_document(tmp_path / "gone.json", envelope)).stderr


def test_the_audit_of_a_game_that_was_deleted(run: Run, tmp_path: Path) -> None:
    result = run("audit", write_document(tmp_path / "gone.json", deletion_answer()))
    assert result.exit_code == 2
    assert result.stderr == f"Error: not a log: {TOLD}; signed by {KEY.public.id}\n"
