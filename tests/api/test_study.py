"""The pages about one game."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from flask.testing import FlaskClient
from pypdf import PdfReader

from engine.core.errors import Malformed
from tests.api.table import Table

Work = Callable[[], None]


def page(table: Table, path: str = "", **query: object) -> str:
    answer = table.client.get(table.game.removeprefix("/v1") + path, query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.text


def pdf(table: Table, work: Work) -> str:
    where = table.game.removeprefix("/v1") + "/print.pdf"
    assert table.client.get(where).status_code == 202
    work()
    answer = table.client.get(where)
    assert (answer.status_code, answer.content_type) == (200, "application/pdf")
    assert answer.content_length == len(answer.data)
    return "\n".join(sheet.extract_text() for sheet in PdfReader(BytesIO(answer.data)).pages)


def description(text: str) -> str:
    found = re.search(r'<meta property="og:description" content="([^"]*)"', text)
    assert found is not None
    return found[1]


def test_replay__what_a_preview_of_its_link_says(table: Table) -> None:
    table.open()
    assert description(page(table)) == "In turn 1. The game continues."
    table.play_out()
    sentence = table.get("/story", after=2, limit=1).json["story"][0]["sentence"]

    assert description(page(table)).startswith("Lost in turn ")
    assert description(page(table, at=3)) == f"Turn 1, event 3: {sentence}".replace("'", "&#39;")
    assert description(page(table, at=9999)) == description(page(table))


def test_replay__spoiler_free_tells_no_end(table: Table) -> None:
    table.open()
    table.play_out()
    table.client.set_cookie("spoiler_free", "1")
    for text in (page(table), page(table, spoiler_free=1)):
        assert "lost" not in text.lower().split("</header>", 2)[1]
        assert "Lost" not in description(text)
    assert "lost in turn" in page(table, spoiler_free=0)


def test_transcript__of_a_game_that_is_not_set_up(table: Table, work: Work) -> None:
    table.open("observed")

    assert "The game has not been set up yet." in page(table, "/print")
    assert "being set up" in pdf(table, work)


def test_transcript__of_a_game_that_goes_on(table: Table) -> None:
    table.open()
    text = page(table, "/print")

    assert "waits for Ann" in text
    assert "drawn from a seed whose SHA-256 is" in text


def test_transcript__what_was_said_and_what_was_taken_back(table: Table) -> None:
    table.open()
    table.post({**table.body("draw_treasure_card"), "note": "Here we go."})
    table.post({"type": "annotate", "params": {"mark": "?!", "bookmark": "The <first>", "text": "Hm."}})
    table.act("draw_treasure_card")
    table.post({"type": "undo", "params": {"to": 4}})
    text = page(table, "/print")

    assert "Here we go." in text
    assert "?! The &lt;first&gt; Hm." in text
    assert "undo others or were undone" in text


def test_transcript__a_corrected_table_is_the_one_that_stands(table: Table, work: Work) -> None:
    table.open("observed")
    table.set_up()
    move = table.body("move")
    table.post(move)
    assert "data:image/svg+xml" not in page(table, "/print")
    table.post({"type": "amend", "params": {"seq": 3, "remove": True}})

    assert "data:image/svg+xml;base64," in page(table, "/print")
    assert "Turn 1: Ann" not in page(table, "/print")
    assert "Setup" in pdf(table, work)


def test_compare__of_games_that_are_not_set_up(table: Table, client: FlaskClient) -> None:
    table.open("observed")
    one = table.game.rpartition("/")[2]
    table.open()

    assert "Side by side" in page(table, f"/compare/{one}")


def test_compare__of_two_rulesets_there_is_nothing(table: Table, client: FlaskClient) -> None:
    table.open("observed", ruleset="forbidden-desert")
    one = table.game.rpartition("/")[2]
    table.open()
    answer = client.get(f"{table.game.removeprefix('/v1')}/compare/{one}")

    assert answer.status_code == 422
    assert "a different ruleset" in answer.text


def test_record__of_a_game_that_is_not_set_up_leads_to_its_set_up(table: Table) -> None:
    table.open("observed")
    path = table.game.removeprefix("/v1")
    answer = table.client.get(f"{path}/record")

    assert (answer.status_code, answer.headers["Location"]) == (302, f"{path}/setup")


def test_every_page_about_a_game(table: Table) -> None:
    table.open()
    table.play_out()
    for path in ("", "/record", "/watch", "/audit", "/print"):
        assert table.game in page(table, path)


def test_every_page_of_what_there_is_not(client: FlaskClient) -> None:
    for path in ("", "/watch", "/audit", "/print", "/compare/nothing"):
        answer = client.get(f"/games/nothing{path}")
        assert answer.status_code == 404
        assert answer.mimetype == "text/html"


def test_pdf__of_what_there_is_not_is_told_as_each_asks(client: FlaskClient) -> None:
    for accept, told in (("text/html,*/*;q=0.8", "text/html"), ("application/pdf", "application/problem+json")):
        answer = client.get("/games/nothing/print.pdf", headers={"Accept": accept})
        assert (answer.status_code, answer.mimetype) == (404, told)


def test_pdf__is_made_once_for_a_head_and_by_a_worker(table: Table, work: Work) -> None:
    table.open()
    where = table.game.removeprefix("/v1") + "/print.pdf"
    first, again = table.client.get(where), table.client.get(where)
    assert (first.status_code, first.json["kind"], first.json["status"]) == (202, "write", "queued")
    assert first.headers["Location"] == again.headers["Location"] == f"/v1/jobs/{first.json['id']}"
    assert int(first.headers["Retry-After"]) > 0
    work()
    job = table.client.get(first.headers["Location"]).json
    made = table.client.get(where)

    assert (job["status"], job["result"]["bytes"]) == ("done", len(made.data))
    assert table.client.get(job["result"]["file"]).data == made.data
    assert table.client.get(where).data == made.data
    table.post(table.body("move"))
    assert table.client.get(where).status_code == 202


def test_pdf__a_browser_waits_on_a_page(table: Table) -> None:
    table.open()
    where = table.game.removeprefix("/v1") + "/print.pdf"
    answer = table.client.get(where, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})

    assert (answer.status_code, answer.mimetype) == (202, "text/html")
    assert f'data-job="{table.client.get(where).json["id"]}"' in answer.text


def test_pdf__what_goes_wrong_is_told(table: Table, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Malformed("", "there is no ink")

    monkeypatch.setattr("exports.pdf.write", fail)
    table.open()
    where = table.game.removeprefix("/v1") + "/print.pdf"
    failed = table.client.get(where).headers["Location"]
    work()
    job = table.client.get(failed).json

    assert (job["status"], job["error"]) == ("failed", "/: there is no ink")
    assert table.client.get(where).headers["Location"] != failed
