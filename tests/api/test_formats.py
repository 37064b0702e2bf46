"""The list of formats, and a format that this service cannot write."""

from __future__ import annotations

import tomllib

import msgspec
import pytest
from flask.testing import FlaskClient

from exports import FORMATS
from exports.csv import columns
from tests.api.table import Table, problem
from tests.cli.service import ROOT


def test_the_list_has_what_each_format_declares(client: FlaskClient) -> None:
    answer = client.get("/v1/export-formats")

    assert answer.status_code == 200
    assert [one["format"] for one in answer.json["formats"]] == list(FORMATS)
    by_name = {one["format"]: one for one in answer.json["formats"]}
    assert by_name["ndjson"] == {
        "format": "ndjson",
        "media_type": "application/x-ndjson",
        "extension": "ndjson",
        "comes_back": True,
        "many": True,
        "loses": "The signed head, which shows if adjustments by hand decided the result.",
    }
    assert [name for name, one in by_name.items() if not one["loses"]] == ["json"]


def test_a_format_whose_library_is_not_there(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(FORMATS["csv"]), "is_installed", property(lambda kind: kind.name != "csv"))
    table.open()
    assert (
        "driftlog[csv]"
        in problem(table.client.get(f"{table.game}/export?format=csv"), 501, "format-not-installed")["detail"]
    )
    problem(table.client.post("/v1/exports", json={"format": "csv"}), 501, "format-not-installed")
    problem(table.client.get(f"{table.game}/export", headers={"Accept": "text/csv"}), 406, "not-acceptable")


def test_a_service_without_parquet_leads_to_sqlite(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(FORMATS["parquet"]), "is_installed", property(lambda kind: kind.name != "parquet"))
    answer = table.client.post("/v1/exports", json={"format": "parquet"})
    assert problem(answer, 501, "format-not-installed")["detail"].endswith(
        "install driftlog[parquet], or use the format sqlite."
    )


def test_a_service_without_the_extra_writes_no_pdf(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    printed = table.game.removeprefix("/v1")
    assert "As PDF" in table.client.get(f"{printed}/print").text
    monkeypatch.setattr(type(FORMATS["pdf"]), "is_installed", property(lambda kind: kind.name != "pdf"))
    assert "As PDF" not in table.client.get(f"{printed}/print").text
    for path in (f"{printed}/print.pdf", f"{table.game}/export?format=pdf"):
        answer = table.client.get(path, headers={"Accept": "application/json"})
        assert "driftlog[pdf]" in answer.text, path
        assert answer.status_code == 501, path


def test_what_a_format_needs_is_an_extra_of_its_name() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for kind in FORMATS.values():
        assert (kind.needs is None) == (kind.name not in extras), kind.name


def test_many_games_are_not_written_in_every_format(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "csv", msgspec.structs.replace(FORMATS["csv"], many=False))
    document = problem(table.client.post("/v1/exports", json={"format": "csv"}), 422, "invalid")
    assert [error["pointer"] for error in document["errors"]] == ["/format"]


def test_columns_of_a_csv(table: Table) -> None:
    table.open()
    here = f"{table.game}/export?format=csv"
    narrow, game, wide = (table.client.get(here + more) for more in ("", "&columns=game", "&columns=all"))
    assert narrow.data == game.data
    assert narrow.headers["ETag"] != wide.headers["ETag"]
    heads = [answer.data.split(b"\r\n", 1)[0].decode().split(",") for answer in (narrow, wide)]
    assert set(heads[0]) < set(heads[1])
    assert tuple(heads[1]) == columns()
    refused = problem(table.client.get(f"{table.game}/export?format=json&columns=all"), 400, "malformed")
    assert "Use csv, or omit this parameter" in refused["detail"]
