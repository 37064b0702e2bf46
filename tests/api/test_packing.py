"""Pages and pictures are packed where the browser can unpack them; JSON and its entity tags stay."""

from __future__ import annotations

import gzip

from tests.api.table import Table

GZIP = {"Accept-Encoding": "gzip"}


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


def test_what_is_small_or_no_page_stays(table: Table) -> None:
    table.open()
    assert "Content-Encoding" not in table.get("/actions").headers
    share = table.client.post(f"{table.game}/shares").json
    assert "Content-Encoding" not in table.client.get(f"{table.game}/actions", headers=GZIP).headers
    assert table.client.get(f"{share['url']}/qr.svg", headers=GZIP).headers["Content-Encoding"] == "gzip"
