"""The language of responses and pages: the browser's, unless the user chose another."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tests.api.table import Table

GERMAN = {"Accept-Language": "de-DE,de;q=0.9,en;q=0.8"}


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        *[(None, "en"), ("de-DE,de;q=0.9", "de"), ("fr,de;q=0.3", "de"), ("fr", "en"), ("en,de", "en"), ("*", "en")],
        # A regional variant is served in its base language.
        *[("en-GB,de;q=0.9", "en"), ("de-CH,fr;q=0.9,en;q=0.8", "de"), ("de;q=0,en-US;q=0.1", "en")],
    ],
)
def test_a_page_is_in_the_language_that_the_browser_asks_for(table: Table, asked: str | None, spoken: str) -> None:
    page = table.client.get("/start", headers={} if asked is None else {"Accept-Language": asked})
    assert f'<html lang="{spoken}">' in page.text
    assert page.headers.get("Content-Language") == (None if spoken == "en" else spoken)
    assert ("words.de.js" in page.text) == (spoken == "de")


def choose(client: FlaskClient, language: str, came_from: str | None) -> str:
    """Return the address to which a choice of language redirects."""
    answer = client.get(f"/language/{language}", headers={} if came_from is None else {"Referer": came_from})
    assert answer.status_code == 302
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.headers["Location"]


def test_who_chooses_a_language_comes_back_and_has_it_on_every_page(table: Table) -> None:
    assert choose(table.client, "de", "http://localhost/players?q=A") == "/players?q=A"
    cookie = table.client.get_cookie("language")
    assert cookie is not None
    assert (cookie.value, cookie.same_site, cookie.max_age) == ("de", "Lax", 365 * 24 * 60 * 60)
    assert '<html lang="de">' in table.client.get("/").text
    choose(table.client, "en", None)
    assert '<html lang="en">' in table.client.get("/", headers=GERMAN).text


@pytest.mark.parametrize(
    "came_from",
    [None, "", "https://elsewhere.example/games", "//elsewhere.example", "http://localhost//elsewhere.example/", "x"],
)
def test_the_choice_leads_nowhere_else(table: Table, came_from: str | None) -> None:
    assert choose(table.client, "de", came_from) == "/"


def test_a_language_that_nobody_speaks_is_not_there(table: Table) -> None:
    assert table.client.get("/language/tlh").status_code == 404


def test_what_led_to_the_choice_of_a_language_may_be_no_address(table: Table) -> None:
    assert choose(table.client, "de", "http://[::1") == "/"


def test_problems_are_told_in_the_language_and_typed_in_none(table: Table) -> None:
    told = table.client.get("/v1/games/nowhere", headers=GERMAN).json
    assert told is not None
    assert (told["type"], told["status"]) == ("/problems/not-found", 404)
    assert (told["title"], told["detail"]) == ("Nicht gefunden", "Nicht gefunden: diese Partie.")
    assert '<html lang="de">' in table.client.get(told["type"], headers=GERMAN).text


def test_a_ruleset_is_told_in_each_language_under_its_own_tag(table: Table) -> None:
    english = table.client.get("/v1/rulesets/forbidden-island")
    german = table.client.get("/v1/rulesets/forbidden-island", headers=GERMAN)
    assert english.headers["ETag"] != german.headers["ETag"]
    assert {"Accept-Language", "Cookie"} <= set(german.vary)
    assert english.json is not None
    assert german.json is not None
    for one, other in zip(english.json["actions"], german.json["actions"], strict=True):
        assert (one["type"], one["rule"], one["params"]) == (other["type"], other["rule"], other["params"])
    assert english.json["actions"][0]["title"] == "Move"
    assert german.json["actions"][0]["title"] != "Move"
    known = {"If-None-Match": german.headers["ETag"]}
    assert table.client.get("/v1/rulesets/forbidden-island", headers=known | GERMAN).status_code == 304
    assert table.client.get("/v1/rulesets/forbidden-island", headers=known).status_code == 200


@pytest.mark.parametrize("kind", ["markdown", "sheet", "svg"])
def test_exports_for_people_are_in_the_language(table: Table, kind: str) -> None:
    path = f"/v1/games/{table.open()['id']}/export?format={kind}"
    with table.client.get(path) as english, table.client.get(path, headers=GERMAN) as german:
        assert (english.status_code, german.status_code) == (200, 200)
        assert english.data != german.data


@pytest.mark.parametrize("kind", ["ndjson", "csv", "notation", "draws", "playthrough"])
def test_exports_for_programs_are_english(table: Table, kind: str) -> None:
    path = f"/v1/games/{table.open()['id']}/export?format={kind}"
    with table.client.get(path) as english, table.client.get(path, headers=GERMAN) as german:
        assert (english.status_code, german.status_code) == (200, 200)
        assert english.data == german.data


def test_what_scripts_say_is_kept_for_good(table: Table) -> None:
    page = table.client.get("/start", headers=GERMAN).text
    found = re.search(r'src="([^"]*words\.de\.js)"', page)
    assert found is not None
    script = table.client.get(found[1])
    assert "immutable" in script.headers["Cache-Control"]
    assert script.text.startswith("globalThis.catalogue = {words: {")
    assert "Rückgängig" in script.text
    assert found[1] in table.client.get("/worker.js").text
