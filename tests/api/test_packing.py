"""Responses are compressed if the client accepts it. Entity tags differ by encoding."""

from __future__ import annotations

import gzip

import brotli

from tests.api.table import Table

GZIP = {"Accept-Encoding": "gzip"}
BROTLI = {"Accept-Encoding": "gzip, br"}


def test_a_page_is_packed(table: Table) -> None:
    plain, packed = table.client.get("/start"), table.client.get("/start", headers=GZIP)
    assert gzip.decompress(packed.data) == plain.data
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == "Accept-Encoding"
    assert "Content-Encoding" not in table.client.get("/start", headers={"Accept-Encoding": "gzip;q=0"}).headers


def test_a_picture_is_packed_and_still_known_by_its_tag(table: Table) -> None:
    table.open()
    path = f"{table.game}/board.svg"
    plain, packed = table.client.get(path), table.client.get(path, headers=GZIP)
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] == f"W/{plain.headers['ETag']}"
    again = table.client.get(path, headers={**GZIP, "If-None-Match": packed.headers["ETag"]})
    assert again.status_code == 304


def test_a_long_document_is_packed_and_its_tag_can_be_given_back(table: Table) -> None:
    table.open()
    path = f"{table.game}/actions"
    plain, packed = table.client.get(path), table.client.get(path, headers=GZIP)
    assert gzip.decompress(packed.data) == plain.data
    assert (plain.headers["ETag"], packed.headers["ETag"]) == ('"2"', '"2-gzip"')
    for tag in (plain.headers["ETag"], packed.headers["ETag"]):
        again = table.client.get(path, headers={**GZIP, "If-None-Match": tag})
        assert (again.status_code, again.headers["ETag"]) == (304, tag)
    body = table.body("move")
    assert table.post(body, headers={"If-Match": packed.headers["ETag"]}).status_code == 201
    assert table.post(body, headers={"If-Match": packed.headers["ETag"]}).status_code == 412


def test_brotli_is_preferred__and_has_its_own_tag(table: Table) -> None:
    table.open()
    path = f"{table.game}/actions"
    plain, small, smaller = (table.client.get(path, headers=headers) for headers in ({}, GZIP, BROTLI))
    assert brotli.decompress(smaller.data) == plain.data
    assert (smaller.headers["Content-Encoding"], smaller.headers["ETag"]) == ("br", '"2-br"')
    assert len(smaller.data) < len(small.data)
    again = table.client.get(path, headers={**BROTLI, "If-None-Match": '"2-br"'})
    assert (again.status_code, again.headers["ETag"]) == (304, '"2-br"')
    assert table.post(table.body("move"), headers={"If-Match": '"2-br"'}).status_code == 201
    assert table.post(table.body("move"), headers={"If-Match": '"2-br"'}).status_code == 412


def test_a_document_without_a_tag_is_packed(table: Table) -> None:
    table.open()
    path = table.game + "/events"
    plain, packed = table.client.get(path), table.client.get(path, headers=GZIP)
    assert gzip.decompress(packed.data) == plain.data
    assert "ETag" not in packed.headers


def test_what_is_small_or_known_by_its_version_stays(table: Table) -> None:
    table.open()
    for path in ("", "/state"):
        answer = table.client.get(table.game + path, headers=GZIP)
        assert len(answer.data) > 1024
        assert ("Content-Encoding" in answer.headers, answer.headers["ETag"]) == (False, '"2"')
    assert "Content-Encoding" not in table.client.get("/healthz", headers=GZIP).headers


def test_an_answer_to_a_post_stays(table: Table) -> None:
    table.open()
    posted = table.client.post(f"{table.game}/forks", json={"at": 2}, headers=GZIP)
    assert (len(posted.data) > 1024, "Content-Encoding" in posted.headers) == (True, False)
    share = table.client.post(f"{table.game}/shares").json
    assert table.client.get(f"{share['url']}/qr.svg", headers=GZIP).headers["Content-Encoding"] == "gzip"
