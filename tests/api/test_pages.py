"""The frame of the pages: their files, their content policy, and their error pages."""

from __future__ import annotations

import gzip
import json
import re

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.pages.assets import FOR_GOOD, asset
from tests.api.table import Table, problem

HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_a_page_loads_from_this_service_only(table: Table) -> None:
    page = table.client.get("/")

    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "://" not in page.text
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.text)
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text):
        assert table.client.get(path).headers["Cache-Control"] == FOR_GOOD


def test_a_file_of_another_make_is_not_kept(table: Table) -> None:
    assert table.client.get("/static/old/driftlog.css").headers["Cache-Control"] == "no-cache"


def test_files_are_packed_where_the_browser_can_unpack(app: Flask, table: Table) -> None:
    with app.test_request_context():
        path = asset("driftlog.css")
    plain = table.client.get(path)
    assert "Content-Encoding" not in plain.headers

    for accepted, encoding, unpack in (("gzip", "gzip", gzip.decompress), ("br, gzip", "br", brotli.decompress)):
        packed = table.client.get(path, headers={"Accept-Encoding": accepted})
        assert packed.headers["Content-Encoding"] == encoding
        assert unpack(packed.data) == plain.data


def test_a_template_cannot_name_a_file_that_is_not_there(app: Flask) -> None:
    with app.test_request_context(), pytest.raises(LookupError, match=r"nothing\.css"):
        asset("nothing.css")


@pytest.mark.parametrize("path", ["/nowhere", "/static/x/nothing.js"])
def test_a_browser_is_told_as_a_page_that_there_is_nothing(table: Table, path: str) -> None:
    page = table.client.get(path, headers=HTML)

    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "Not found" in page.text


def test_a_program_is_told_as_a_problem(table: Table) -> None:
    problem(table.client.get("/nowhere"), 404, "not-found")
    problem(table.client.get("/v1/nowhere", headers=HTML), 404, "not-found")


def test_what_a_script_imports_is_asked_for_beside_it(table: Table) -> None:
    table.open()
    for path, script in ((table.game.removeprefix("/v1"), "replay.js"), ("/start/forbidden-island", "start.js")):
        page = table.client.get(path).text
        asked = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
        assert len(asked) == len(set(asked)) > 0
        modules = {module for link in asked for module in re.findall(r'from "\./([^"]+)"', table.client.get(link).text)}
        assert all(any(link.endswith(f"/{module}") for link in asked) for module in modules)
        assert script not in {link.rsplit("/", 1)[1] for link in asked}


def test_what_comes_up_without_a_network_is_told_whole(client: FlaskClient) -> None:
    worker = client.get("/worker.js")
    assert (worker.mimetype, worker.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    shell = re.search(r"^const SHELL = (.*);$", worker.text, re.MULTILINE)
    assert shell is not None
    addresses = json.loads(shell[1])
    names = {address.split("/", 3)[3] for address in addresses}
    assert {
        "record/main.js",
        "record/later.js",
        "setup.js",
        "setup/main.js",
        "early.js",
        "base.css",
        "record.css",
    } <= names
    for address in addresses:
        assert client.get(address).headers["Cache-Control"].endswith("immutable"), address


def test_what_comes_up_without_a_network_looks_as_with_one(table: Table) -> None:
    worker = table.client.get("/worker.js").text
    for chance, page in (("observed", "setup"), ("seeded", "record")):
        table.open(chance)
        shown = table.client.get(f"{table.game.removeprefix('/v1')}/{page}").text
        files = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', shown)
        assert len(files) > 1
        assert [file for file in files if file not in worker] == []


def test_the_app_has_what_a_phone_asks_of_one(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.data)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).mimetype == icon["type"]
