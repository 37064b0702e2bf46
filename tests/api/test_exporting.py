"""Exports of many games in one file: order, job, download, and games that cannot be exported."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from api.app import create_app
from api.plumbing.settings import Settings
from exports import FORMATS
from store import Store, keys
from store.redis import connection
from store.redis.embedded import EmbeddedServer
from tests.api.table import Table, problem
from tests.quick import quick

Work = Callable[[], None]
ALONE = [name for name, kind in FORMATS.items() if kind.many and kind.gather is None]
"""Formats with one file for each game."""


@pytest.fixture
def games(table: Table, work: Work) -> list[str]:
    """Return the ids of three games, newest first: two of Ann's, and one of another ruleset."""
    ids = [
        table.open()["id"],
        table.open(chance="observed", tags=["club night"])["id"],
        table.open(ruleset="forbidden-desert")["id"],
    ]
    table.game = f"/v1/games/{ids[0]}"
    table.play_out()
    work()
    return ids[::-1]


def order_export(table: Table, work: Work, **order: Any) -> tuple[dict[str, Any], zipfile.ZipFile]:
    """Return the result of an export job, and its file."""
    answer = table.client.post("/v1/exports", json=order)
    assert answer.status_code == 202, answer.text
    assert (answer.json["kind"], answer.json["status"], answer.json["result"]) == ("export", "queued", None)
    work()
    job = table.client.get(answer.headers["Location"]).json
    assert (job["status"], job["progress"], job["error"]) == ("done", 1.0, None)
    file = table.client.get(job["result"]["file"])
    assert (file.status_code, file.mimetype) == (200, "application/zip")
    assert file.headers["Content-Disposition"] == f'attachment; filename="driftlog-{job["id"]}.zip"'
    assert len(file.data) == file.content_length == job["result"]["bytes"]
    archive = zipfile.ZipFile(io.BytesIO(file.data))
    assert archive.testzip() is None
    return job["result"], archive


def test_a_worker_writes_the_parquet_file_of_a_game(table: Table, work: Work) -> None:
    """The first Parquet file of a process takes a second, so a request does not write it."""
    table.open()
    answer = table.get("/export", format="parquet")
    assert answer.status_code == 202
    work()
    job = table.client.get(answer.headers["Location"]).json
    file = table.client.get(job["result"]["file"])
    assert "events.parquet" in zipfile.ZipFile(io.BytesIO(file.data)).namelist()


def manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(archive.read("manifest.json"))
    return document


def single(table: Table, work: Work, game_id: str, name: str) -> bytes:
    """Return the export of one game, if necessary after a worker has made it."""
    address = f"/v1/games/{game_id}/export?format={name}"
    if table.client.get(address).status_code == 202:
        work()
    answer = table.client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.data


@pytest.mark.parametrize("name", quick(ALONE, {"json", "ndjson", "csv", "markdown"}.__contains__))
def test_export__has_each_game_as_its_own_export(table: Table, work: Work, games: list[str], name: str) -> None:
    result, archive = order_export(table, work, format=name)

    assert (result["games"], result["failed"]) == (3, 0)
    entries = manifest(archive)["games"]
    assert [entry["game"] for entry in entries] == games
    assert archive.namelist() == [*(entry["file"] for entry in entries), "manifest.json"]
    for entry in entries:
        assert entry["file"] == f"{entry['game']}.{FORMATS[name].extension}"
        game = table.client.get(f"/v1/games/{entry['game']}")
        alone = single(table, work, entry["game"], name)
        written = archive.read(entry["file"])
        # Each export has a new signature of the head.
        unsigned = {key: value for key, value in json.loads(alone).items() if key != "proof"} if name == "json" else 0
        if unsigned:
            document = json.loads(written)
            assert document.pop("proof")["signatures"]
            assert document == unsigned
        elif name == "ndjson":
            whose = json.dumps({"game": entry["game"], "ruleset": entry["ruleset"]}, separators=(",", ":"))
            assert written == b"".join(
                whose[:-1].encode() + b"," + line[1:] for line in alone.splitlines(keepends=True)
            )
        elif name == "csv":
            # All files have the same columns, so that they can be concatenated.
            assert written == table.client.get(f"/v1/games/{entry['game']}/export?format=csv&columns=all").data
        else:
            assert written == alone
        assert (entry["version"], entry["head"]) == (game.json["version"], game.json["head"])


@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if kind.gather and name != "bgstats"])
def test_export__has_all_games_in_the_same_files(table: Table, work: Work, games: list[str], name: str) -> None:
    result, archive = order_export(table, work, format=name)

    assert (result["games"], result["failed"]) == (3, 0)
    assert [(entry["game"], entry["status"]) for entry in manifest(archive)["games"]] == [
        (id_, "done") for id_ in games
    ]
    assert not any("file" in entry for entry in manifest(archive)["games"])
    *files, last = archive.namelist()
    assert last == "manifest.json"
    assert all(archive.getinfo(file).file_size for file in files)


def test_export__takes_the_filters_of_the_list(table: Table, work: Work, games: list[str]) -> None:
    desert, observed, island = games
    opened = table.client.get(f"/v1/games/{observed}").json["opened_at"]
    for order, found in (
        ({"ruleset": "forbidden-desert"}, [desert]),
        ({"status": "setup", "player": "ann"}, [observed]),
        ({"tag": "club night"}, [observed]),
        ({"q": "forb isl"}, [observed, island]),
        ({"result": "lost"}, [island]),
        ({"from": opened}, [desert, observed]),
        ({"to": opened, "ruleset": "forbidden-island"}, [island]),
        ({"parent": island}, []),
    ):
        result, archive = order_export(table, work, **order)
        assert [entry["game"] for entry in manifest(archive)["games"]] == found, order
        assert result["games"] == len(found)


def test_export__of_no_game_is_an_archive_without_any(table: Table, work: Work) -> None:
    result, archive = order_export(table, work, player="nobody")

    assert (result["games"], result["failed"], archive.namelist()) == (0, 0, ["manifest.json"])


def test_export__can_be_imported_again(table: Table, work: Work, games: list[str]) -> None:
    _, archive = order_export(table, work, format="ndjson", result="lost")
    (entry,) = manifest(archive)["games"]
    log = archive.read(entry["file"])
    there = table.client.post("/v1/imports", data=log, content_type="application/x-ndjson")
    assert (there.status_code, there.json["head"]) == (200, entry["head"])
    assert table.client.delete(there.headers["Location"]).status_code == 204
    answer = table.client.post("/v1/imports", data=log, content_type="application/x-ndjson")

    assert (answer.status_code, answer.json["head"]) == (201, entry["head"])


def test_export__is_ordered_once_by_a_key(table: Table, work: Work) -> None:
    headers = {"Idempotency-Key": "once"}
    order = {"format": "csv"}
    where = table.client.post("/v1/exports", json=order, headers=headers).headers["Location"]

    assert table.client.post("/v1/exports", json=order, headers=headers).headers["Location"] == where
    problem(table.client.post("/v1/exports", json={}, headers=headers), 422, "idempotency-key-reused")


@pytest.mark.parametrize(
    ("order", "pointer"),
    [
        ({"format": "pgn"}, "/format"),
        ({"status": "lost"}, "/status"),
        ({"from": "yesterday"}, "/from"),
        ({"rulset": "forbidden-island"}, "/rulset"),
        ({"limit": 5}, "/limit"),
    ],
)
def test_export__of_what_there_is_not(table: Table, order: dict[str, Any], pointer: str) -> None:
    document = problem(table.client.post("/v1/exports", json=order), 422, "invalid")

    assert [error["pointer"] for error in document["errors"]] == [pointer]


def test_export__whose_filter_is_in_the_query(table: Table) -> None:
    problem(table.client.post("/v1/exports?ruleset=forbidden-island", json={}), 400, "malformed")


def test_file__that_is_not_there(table: Table, work: Work, store: Store) -> None:
    problem(table.client.get("/v1/exports/nothing/file"), 404, "not-found")
    answer = table.client.post("/v1/exports", json={})
    path = f"/v1/exports/{answer.json['id']}/file"
    assert "queued" in problem(table.client.get(path), 404, "not-found")["detail"]
    work()
    assert table.client.get(path).status_code == 200
    connection.call(store.client, "DEL", keys.file(answer.json["id"]))
    assert "done" in problem(table.client.get(path), 404, "not-found")["detail"]
    table.open()
    audit = table.client.post(table.game + "/audits").json["id"]
    problem(table.client.get(f"/v1/exports/{audit}/file"), 404, "not-found")


def test_export__without_a_store(tmp_path_factory: pytest.TempPathFactory, queue_server: str) -> None:
    with EmbeddedServer(tmp_path_factory.mktemp("gone"), "events", durable=True) as server:
        client = create_app(Settings(redis_url=server.url, queue_url=queue_server)).test_client()
        assert client.post("/v1/exports", json={}).status_code == 202
    problem(client.post("/v1/exports", json={}), 503, "store-unavailable")
    problem(client.get("/v1/exports/any/file"), 503, "store-unavailable")
