"""Range requests (RFC 9110, section 14), and compressed files."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator

import msgspec
import pytest

from exports import FORMATS, Log
from store import Store
from store.work import files
from tests.api.table import Table, problem

Work = Callable[[], None]
DATA = bytes(range(200)) * 3


def write(log: Log) -> Iterator[bytes]:
    yield DATA[:250]
    yield DATA[250:]


@pytest.fixture
def binary(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an export that is not streamed: it is complete before it is sent."""
    kind = msgspec.structs.replace(FORMATS["svg"], write=write, is_whole=True)
    monkeypatch.setitem(FORMATS, "svg", kind)
    table.open()
    return f"{table.game}/export?format=svg"


@pytest.mark.parametrize(
    ("asked", "first", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=0-99", 0, 100),
        ("bytes=590-", 590, 600),
        ("bytes=590-5000", 590, 600),
        ("bytes=-10", 590, 600),
        ("bytes=-5000", 0, 600),
        (" Bytes = 5 - 6 ", 5, 7),
    ],
)
def test_a_part(table: Table, binary: str, asked: str, first: int, end: int) -> None:
    part = table.client.get(binary, headers={"Range": asked})
    assert (part.status_code, part.data) == (206, DATA[first:end])
    assert part.headers["Content-Range"] == f"bytes {first}-{end - 1}/600"
    assert part.content_length == end - first


@pytest.mark.parametrize("asked", ["", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,4-5", "lines=1-2", "x"])
def test_what_is_no_range_is_not_heeded(table: Table, binary: str, asked: str) -> None:
    whole = table.client.get(binary, headers={"Range": asked})
    assert (whole.status_code, whole.data, whole.content_length) == (200, DATA, 600)
    assert whole.headers["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize("asked", ["bytes=600-", "bytes=9999-10000", "bytes=-0"])
def test_a_part_beyond_the_end(table: Table, binary: str, asked: str) -> None:
    answer = table.client.get(binary, headers={"Range": asked})
    assert "600 bytes" in problem(answer, 416, "range-not-satisfiable")["detail"]
    assert answer.headers["Content-Range"] == "bytes */600"


def test_a_part_of_the_file_that_the_caller_has(table: Table, binary: str) -> None:
    tag = table.client.get(binary).headers["ETag"]
    assert not tag.startswith("W/")
    same = table.client.get(binary, headers={"Range": "bytes=0-1", "If-Range": tag})
    assert (same.status_code, same.data) == (206, DATA[:2])
    for other in ('"other"', f"W/{tag}", "Wed, 21 Oct 2015 07:28:00 GMT"):
        answer = table.client.get(binary, headers={"Range": "bytes=0-1", "If-Range": other})
        assert (answer.status_code, answer.data) == (200, DATA)
    known = table.client.get(binary, headers={"If-None-Match": tag})
    assert (known.status_code, known.headers["ETag"]) == (304, tag)
    assert table.client.head(binary, headers={"Range": "bytes=0-1"}).status_code == 200


def test_a_file_that_a_worker_makes(
    table: Table, binary: str, work: Work, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, "svg", msgspec.structs.replace(FORMATS["svg"], by_worker=True))
    monkeypatch.setattr(files, "PIECE", 64)
    ordered = table.client.get(binary)
    assert (ordered.status_code, ordered.json["kind"]) == (202, "write")
    assert ordered.headers["Retry-After"]
    # A repeated request does not do the work again.
    assert table.client.get(binary).headers["Location"] == ordered.headers["Location"]
    work()
    job = table.client.get(ordered.headers["Location"]).json
    assert (job["status"], job["result"]["bytes"]) == ("done", 600)
    for path in (binary, job["result"]["file"]):
        whole = table.client.get(path)
        assert (whole.status_code, whole.data, whole.content_length) == (200, DATA, 600)
        assert whole.headers["Driftlog-Head"] == table.get().json["head"]
        for first, end in ((0, 1), (63, 65), (64, 128), (100, 600), (599, 600)):
            part = table.client.get(path, headers={"Range": f"bytes={first}-{end - 1}"})
            assert (part.status_code, part.data) == (206, DATA[first:end])
    assert table.post(table.body("move")).status_code == 201
    assert table.client.get(binary).status_code == 202


def test_the_file_of_a_deleted_game_is_not_kept(
    table: Table, binary: str, work: Work, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, "svg", msgspec.structs.replace(FORMATS["svg"], by_worker=True))
    ordered = table.client.get(binary)
    assert table.client.delete(table.game).status_code == 204
    work()
    job = table.client.get(ordered.headers["Location"]).json
    assert (job["status"], job["result"]) == ("failed", None)
    assert table.client.get(binary).status_code == 410


def test_an_export_of_many_games_comes_in_parts(table: Table, work: Work) -> None:
    table.open()
    work()
    answer = table.client.post("/v1/exports", json={})
    work()
    path = f"/v1/exports/{answer.json['id']}/file"
    whole = table.client.get(path)
    part = table.client.get(path, headers={"Range": "bytes=-22", "If-Range": whole.headers["ETag"]})
    assert (part.status_code, part.data) == (206, whole.data[-22:])


@pytest.mark.parametrize("name", ["ndjson", "csv", "markdown"])
@pytest.mark.parametrize("most", [0, 1000])
def test_a_text_is_packed(table: Table, name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.plumbing.exported.MADE_FIRST", most)
    table.open()
    path = f"{table.game}/export?format={name}"
    plain, packed = table.client.get(path), table.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("gzip", "Accept, Accept-Encoding")
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert len(packed.data) < len(plain.data)


@pytest.mark.parametrize("name", ["csv", "markdown", "notation", "draws"])
def test_a_worker_plays_a_long_game_for_its_export(
    table: Table, work: Work, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.open()
    work()
    path = f"{table.game}/export?format={name}"
    short = table.client.get(path)
    monkeypatch.setattr("api.plumbing.exported.PLAYED_MOST", 0)
    monkeypatch.setattr("api.plumbing.exported.MADE_FIRST", 0)
    ordered = table.client.get(path)
    assert ordered.status_code == 202
    work()
    assert table.client.get(ordered.headers["Location"]).json["status"] == "done"
    made = table.client.get(path)
    assert (made.status_code, made.data, made.mimetype) == (200, short.data, short.mimetype)
    # An export without a replay is streamed, however long it is.
    assert table.client.get(f"{table.game}/export?format=ndjson").status_code == 200
