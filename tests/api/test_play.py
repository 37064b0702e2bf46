"""The page and the file that import a finished game into BG Stats."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Callable

from exports.bgstats import ADDRESS
from tests.api.table import Table, problem


def test_the_page_has_the_link_and_its_code(table: Table) -> None:
    table.open()
    table.play_out()
    here = table.game.removeprefix("/v1")

    page = table.client.get(f"{here}/play")

    assert page.status_code == 200
    (address,) = re.findall(rf'href="({re.escape(ADDRESS)}[^"]+)"', page.text)
    assert len(html.unescape(address)) < 1800
    assert "<svg" in page.text.split('aria-label="QR code of the link to BG Stats"')[1].split("</figure>")[0]
    assert f'href="{table.game}/export?format=bgstats"' in page.text
    assert f'href="{here}/play"' in table.client.get(here).text
    assert f'href="{here}/play"' not in table.client.get(f"{here}?spoiler_free=1").text


def test_names_that_are_too_long_for_a_code_have_the_link_and_the_file(table: Table) -> None:
    table.open(players=4, seats=[{"name": name * 60} for name in "ÄÉÖÜ"])
    table.play_out()

    page = table.client.get(f"{table.game.removeprefix('/v1')}/play")

    assert page.status_code == 200
    assert "too long for a QR code" in page.text
    assert ADDRESS in page.text


def test_a_game_that_goes_on_has_none(table: Table) -> None:
    table.open()
    here = table.game.removeprefix("/v1")

    document = problem(table.get("/export", format="bgstats"), 422, "invalid")

    assert [error["pointer"] for error in document["errors"]] == ["/format"]
    assert "has not ended" in document["detail"]
    refused = table.client.get(f"{here}/play", headers={"Accept": "text/html"})
    assert refused.status_code == 422
    assert "<p>The game has not ended: there is no play to log yet.</p>" in refused.text
    assert f"{here}/play" not in table.client.get(here).text


def test_plays_of_many_games_are_one_file(table: Table, work: Callable[[], None]) -> None:
    table.open(tags=["location: The Anchor"])
    table.play_out()
    table.open()
    job = table.client.post("/v1/exports", json={"format": "bgstats"}).json["id"]
    work()

    archive = zipfile.ZipFile(io.BytesIO(table.client.get(f"/v1/exports/{job}/file").data))

    assert archive.namelist() == ["plays.bgsplay", "manifest.json"]
    file = json.loads(archive.read("plays.bgsplay"))
    assert (len(file["plays"]), [place["name"] for place in file["locations"]]) == (1, ["The Anchor"])
    goes_on, ended = json.loads(archive.read("manifest.json"))["games"]
    assert (goes_on["status"], ended["status"]) == ("failed", "done")
    assert "has not ended" in goes_on["error"]
