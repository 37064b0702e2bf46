"""Texts over REST are in the requested language, and the record is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from api.library import imports as long_work
from store import Store
from store.work.jobs import WITHDRAWN
from tests.api.table import Table, problem

Work = Callable[[], None]
GERMAN = {"Accept-Language": "de-AT, de;q=0.9, en;q=0.5"}


def order_audit(table: Table, headers: dict[str, str]) -> str:
    """Return the address of the report of a new audit."""
    return table.client.post(table.game + "/audits", headers=headers).headers["Location"]


def test_an_audit_is_in_the_language_of_whoever_ordered_it(table: Table, work: Work) -> None:
    table.open()
    where = order_audit(table, GERMAN)
    # A repeated request returns the same job. A request in another language starts a new job.
    assert order_audit(table, GERMAN) == where
    other = order_audit(table, {})
    assert other != where
    work()
    german, english = (table.client.get(place).json for place in (where, other))
    assert german["message"].startswith("Die Aufzeichnung ist gültig")
    assert english["message"].startswith("The record is valid")
    assert german["verdict"] == english["verdict"]


def test_the_turns(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    german, english = (table.client.get(f"{table.game}/turns", headers=asked) for asked in (GERMAN, {}))
    assert german.json["turns"][0]["account"].startswith("Ann und Bob beginnen eine Partie Die verbotene Insel.")
    assert english.json["turns"][0]["account"].startswith("Ann and Bob start a game")
    assert [one["last"] for one in german.json["turns"]] == [one["last"] for one in english.json["turns"]]
    assert german.headers["Content-Language"] == "de"


def test_a_refusal(table: Table) -> None:
    table.open("observed")
    found = problem(table.post({"type": "draw_treasure_card", "actor": "p1"}, headers=GERMAN), 422, "illegal-action")
    assert (found["rule"], found["message"]) == ("Keeping the record", "Baut die Partie zuerst auf.")


def test_long_work_that_fails(table: Table, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "IMPORTED_AT_ONCE", 1)
    table.open()
    log = table.get("/export", format="ndjson").get_data(as_text=True).replace("Ann", "Ada")
    post: dict[str, Any] = {"data": log.encode(), "content_type": "application/x-ndjson"}
    places = [table.client.post("/v1/imports", **post, headers=asked).headers["Location"] for asked in (GERMAN, {})]
    work()
    german, english = (table.client.get(place).json for place in places)
    assert german["error"] == "Ereignis 1: der Hash passt nicht zum Inhalt des Ereignisses"
    assert english["error"] == "event 1: the hash does not match the contents of the event"


def test_what_was_noted_before_a_language_was_known(table: Table, store: Store) -> None:
    table.open()
    job = store.jobs.create("audit", {"game": table.game.rsplit("/", 1)[1]})
    store.jobs.update(job.id, status="failed", error=WITHDRAWN)
    told = table.client.get(f"/v1/jobs/{job.id}", headers=GERMAN).json
    assert told["error"] == "der Token, der es angefordert hat, wurde widerrufen"


def test_games_are_found_by_what_they_are_called(table: Table) -> None:
    table.open()

    def count_matches(text: str, headers: dict[str, str]) -> int:
        return len(table.client.get("/v1/games", query_string={"q": text}, headers=headers).json["games"])

    assert (
        count_matches("verbotene insel", GERMAN)
        == count_matches("Ann insel", GERMAN)
        == count_matches("Forbidden Island", GERMAN)
        == 1
    )
    assert (
        count_matches("verbotene wüste", GERMAN)
        == count_matches("Zoe insel", GERMAN)
        == count_matches("verbotene insel", {})
        == 0
    )
