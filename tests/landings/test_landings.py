"""Data folders of earlier landings: today's code opens them, and finishes what was begun."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.plumbing.settings import Settings
from engine.review.audit import verify
from exports import read_any
from operations import doctor
from store import Store, keys
from store.library.plays import WantedPlays
from store.redis.embedded import EmbeddedServer
from tests.api.conftest import hang_up
from tests.landings.record import RULESETS, Landing, digest
from tests.operations.backup.files import make_backup, restore_backup
from workers import runner
from workers.queue import Queue

HERE = Path(__file__).parent
LANDINGS = sorted(path.parent.name for path in HERE.glob("*/landing.json"))
PREVIOUS = "7cbec68"
"""The last landing, whose code must read what today's code writes."""
NEWER = {"forgotten-waters"}
"""Rulesets whose new games name a version that `PREVIOUS` does not have: it lists these games, but cannot read them."""
NOTE = {"type": "annotate", "params": {"text": "After the upgrade."}}


class Opened:
    """The data folder of a landing, opened by today's code."""

    def __init__(self, landing: str, data: Path, url: str, queue: str) -> None:
        self.told: dict[str, Any] = json.loads((HERE / landing / "landing.json").read_text())
        self.data, self.urls = data, (url, queue)
        self.app = create_app(Settings(redis_url=url, queue_url=queue, data=data))
        self.store: Store = self.app.extensions["store"]

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    @property
    def games(self) -> list[str]:
        return sorted(self.told["heads"])

    def list_ids(self) -> list[str]:
        return sorted(game["id"] for game in self.client.get("/v1/games?limit=100").json["games"])

    def export_digests(self) -> dict[str, dict[str, str]]:
        return {
            game: {name: digest(self.client.get(f"/v1/games/{game}/export?format={name}").data) for name in formats}
            for game, formats in self.told["exports"].items()
        }

    def work(self) -> None:
        runner.work(*self.urls, uuid4().hex, archive=str((self.data / "archive").absolute()), burst=True)


def unpack(landing: str, data: Path) -> Path:
    with tarfile.open(HERE / landing / "data.tar.xz") as archive:
        archive.extractall(data, filter="data")
    return data


@pytest.fixture(params=LANDINGS)
def landing(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@contextmanager
def opening(landing: str, data: Path, queue_server: str) -> Iterator[Opened]:
    with EmbeddedServer(unpack(landing, data), "events", durable=True) as server:
        opened = Opened(landing, data, server.url, queue_server)
        yield opened
        hang_up(opened.app)


@pytest.fixture
def opened(landing: str, as_worker: None, queue: Queue, queue_server: str, tmp_path: Path) -> Iterator[Opened]:
    with opening(landing, tmp_path / "data", queue_server) as opened:
        yield opened


def test_all_games_are_listed_with_their_heads(opened: Opened) -> None:
    assert opened.list_ids() == opened.games
    heads = {game: opened.client.get(f"/v1/games/{game}").json["head"] for game in opened.games}
    assert heads == opened.told["heads"]
    assert all(
        opened.client.get(f"/v1/games/{game}/{what}").status_code == 200
        for game in opened.games
        for what in ("state", "turns", "story", "recap", "proof", "actions")
    )


def test_logs_are_exported_to_the_byte_as_they_were(opened: Opened) -> None:
    assert opened.export_digests() == opened.told["exports"]
    opened.store.projections.rebuild()
    assert opened.list_ids() == opened.games
    assert opened.export_digests() == opened.told["exports"]


def test_every_record_is_audited(opened: Opened) -> None:
    for game in opened.games:
        location = opened.client.post(f"/v1/games/{game}/audits").headers["Location"]
        opened.work()
        report = opened.client.get(location).json
        assert (report["status"], report["verdict"]) == ("done", opened.told["verdicts"][game]), report
        # Each fingerprint of the table is as it was.
        verify(read_any(opened.client.get(f"/v1/games/{game}/export?format=ndjson").data))


def test_requests_that_were_carried_out_before_are_not_carried_out_again(opened: Opened) -> None:
    kinds = set()
    for asked in opened.told["requests"]:
        kinds.add(asked["path"].rpartition("/")[2])
        answer = opened.client.open(
            asked["path"],
            method=asked["method"],
            data=asked["body"],
            headers={"Idempotency-Key": asked["key"], "Content-Type": asked["type"]},
        )
        assert (answer.status_code, answer.headers.get("Location")) == (asked["status"], asked["location"]), (
            asked["key"],
            answer.text,
        )
        if asked["seqs"] is not None:
            assert [event["seq"] for event in answer.json["events"]] == asked["seqs"]
    assert kinds == {"games", "events", "forks", "imports", "exports"}
    assert opened.list_ids() == opened.games
    assert opened.export_digests() == opened.told["exports"]


def test_a_key_holds_after_a_rebuild_and_for_its_own_body_alone(opened: Opened) -> None:
    opened.store.projections.rebuild()
    for asked in opened.told["requests"]:
        if asked["path"] in {"/v1/games", "/v1/exports"} or asked["path"].endswith(("/events", "/forks")):
            body = json.loads(asked["body"])
            one = body[0] if isinstance(body, list) else body
            one |= {"note": "another"} if "type" in one else {"tags": ["another"]}
            if asked["path"] == "/v1/exports":
                body = {"format": "json"}
            answer = opened.client.post(asked["path"], json=body, headers={"Idempotency-Key": asked["key"]})
            assert (answer.status_code, answer.json["type"]) == (422, "/problems/idempotency-key-reused"), asked
    assert opened.list_ids() == opened.games


def test_every_game_goes_on(opened: Opened) -> None:
    for game in opened.games:
        version = opened.client.get(f"/v1/games/{game}").json["version"]
        answer = opened.client.post(f"/v1/games/{game}/events", json=NOTE)
        assert (answer.status_code, answer.json["version"]) == (201, version + 1), answer.text
        opened.store.games.forget(game)
        opened.store.games.check(game)
    opened.store.projections.rebuild()
    found = {finding.check: finding for finding in doctor.examine(opened.store, opened.data / "events", sample=None)}
    assert {check for check, finding in found.items() if finding.level == "fail"} == set()


def test_its_backup_is_restored(opened: Opened, store: Store) -> None:
    backup = opened.data / "landing.backup"
    if not backup.exists():
        pytest.skip("that code made no backups")
    restore_backup(store, backup)
    for game, head in opened.told["heads"].items():
        assert store.events.head(game)[1] == head
        store.games.check(game)
    assert store.tokens.any()
    assert [one.key.id for one in store.signing.published_keys()] == [
        one.key.id for one in opened.store.signing.published_keys()
    ]
    assert [play.id for play in store.plays.all(WantedPlays(player="annie"))]


def test_the_keys_of_the_first_release_belong_into_a_backup(opened: Opened, store: Store, tmp_path: Path) -> None:
    restore_backup(store, make_backup(opened.store, tmp_path / "backup"))
    for key in (keys.EARLIER_OPENINGS, keys.FED):
        assert store.client.hgetall(key) == opened.store.client.hgetall(key)


@pytest.fixture
def previous(tmp_path: Path) -> Path:
    """The code of the previous landing."""
    checkout = tmp_path / "previous"
    root = HERE.parents[1]
    packed = checkout.with_suffix(".tar")
    made = subprocess.run(["git", "archive", "-o", str(packed), PREVIOUS], cwd=root, capture_output=True, check=False)
    if made.returncode:
        pytest.skip(f"this clone does not have commit {PREVIOUS}: fetch the whole history")
    shutil.unpack_archive(packed, checkout)
    return checkout


@pytest.mark.long
def test_what_today_writes_the_previous_landing_reads(
    previous: Path, queue: Queue, queue_server: str, tmp_path: Path
) -> None:
    """The previous code serves the folder after today's service has changed it, and verifies continued games."""
    data, logs = tmp_path / "data", tmp_path / "logs"
    logs.mkdir()
    with opening(PREVIOUS, data, queue_server) as opened:
        client = opened.client
        for game in opened.games:
            assert client.post(f"/v1/games/{game}/events", json=NOTE).status_code == 201
        newer = set()
        for ruleset in RULESETS:
            body = {"ruleset": ruleset, "seats": [{"name": name} for name in ("Dee", "Eve", "Fay")], "chance": "seeded"}
            here = client.post("/v1/games", json=body).headers["Location"]
            if ruleset in NEWER:
                newer.add(here.rpartition("/")[2])
            for _ in range(5):
                action = client.get(f"{here}/actions").json["actions"][0]
                draft = {name: action[name] for name in ("type", "actor", "params") if name in action}
                assert client.post(f"{here}/events", json=draft).status_code == 201
        exports = {}
        for game in opened.list_ids():
            exported = client.get(f"/v1/games/{game}/export?format=json").data
            document = json.loads(exported)
            # Signed heads have a newer version, which that landing cannot read (docs/proofs.md).
            assert json.loads(b64decode(document.pop("proof")["payload"]))["format_version"] == 2
            (logs / f"{game}.json").write_text(json.dumps(document))
            exports[game] = digest(exported)
    assert len(exports) == len(opened.games) + len(RULESETS)

    landing = Landing(previous, data)
    # State digests of newly opened games have a form that this landing does not know.
    landing.run("verify", *(str(logs / f"{game}.json") for game in opened.games))
    landing.start()
    try:
        listed = {game["id"]: game for game in landing.ask("GET", "/v1/games?limit=100")["games"]}
        assert listed.keys() == exports.keys()
        assert {game for game in listed if not listed[game].get("is_installed", True)} == newer
        for game in newer:
            with pytest.raises(SystemExit, match=r"503 .*ruleset-not-installed"):
                landing.ask("GET", f"/v1/games/{game}/export?format=json")
            del exports[game]
        read = {game: digest(landing.ask("GET", f"/v1/games/{game}/export?format=json")) for game in exports}
        assert read == exports
        for game in exports:
            landing.ask("POST", f"/v1/games/{game}/events", NOTE)
    finally:
        landing.stop()
