"""A tiny foreign ruleset: one top-level module without a board. All pages and exports work."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from api.plumbing import http
from exports import FORMATS
from service import languages
from store.cache import Cache
from tests.api.table import Table
from tests.installing import installed
from tests.quick import quick

SOURCE = """
from engine.kit.columns import Column, SeatColumn
from tests.engine.toy import Dice


class ParlourDice(Dice):
    id = "parlour-dice"
    name = "Parlour Dice"
    columns = (Column("goal", int, lambda state: state.goal, "What has to be reached."),)
    seat_columns = (SeatColumn("total", int, lambda state, seat: state.totals[seat], "What was thrown so far."),)
"""


@pytest.fixture
def parlour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "parlour_dice.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    languages.catalogue.cache_clear()
    # The list of rulesets is the same document as long as the process runs.
    monkeypatch.setattr(http, "_CONSTANT", Cache(8 * 1024 * 1024, lambda tagged: len(tagged[1])))
    with installed(importlib.import_module("parlour_dice").ParlourDice()):
        yield
    languages.catalogue.cache_clear()


def places(app: Flask, game: str, rules: str) -> Iterator[str]:
    """Yield every address of a page or document that needs only a game, a ruleset or a player."""
    known = {"game_id": game, "ruleset_id": rules, "name": "Ann", "ruleset": rules, "game": game, "id_": game}
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        is_endless = rule.rule.endswith(("/stream", "/live")) or rule.rule.startswith(("/s/", "/static", "/readyz"))
        if "GET" in (rule.methods or ()) and rule.arguments <= known.keys() and not is_endless:
            yield adapter.build(rule.endpoint, {name: known[name] for name in rule.arguments})


@pytest.mark.parametrize("is_over", quick([False, True], bool), ids=["goes on", "is over"])
def test_every_page_and_export_of_a_tiny_game(
    parlour: None, table: Table, app: Flask, work: Callable[[], None], *, is_over: bool
) -> None:
    table.open(ruleset="parlour-dice", options={"goal": 1 if is_over else 100})
    assert table.post({"type": "roll", "actor": "p1", "params": {"dice": 3}}).status_code == 201
    work()
    game = table.game.rpartition("/")[2]
    found = sorted(set(places(app, game, "parlour-dice")))
    assert f"/games/{game}" in found
    assert f"/v1/games/{game}/recap" in found
    for place in found:
        for language in ("en", "de"):
            headers = {"Accept": "text/html,application/json;q=0.9,*/*;q=0.8", "Accept-Language": language}
            assert table.client.get(place, headers=headers).status_code < 500, (place, language)
    for name in FORMATS:
        answer = table.client.get(f"{table.game}/export?format={name}")
        if answer.status_code == 202:
            work()
            job = table.client.get(answer.headers["Location"]).json
            assert job["status"] == "done", (name, job)
            answer = table.client.get(job["result"]["file"])
        assert answer.status_code == (422 if name == "bgstats" and not is_over else 200), (name, answer.text[:300])
    head, *_ = table.client.get(f"{table.game}/export?format=csv").text.splitlines()
    assert "params.dice" in head.split(",")
    for name in ("parquet", "sqlite", "csv", "json"):
        order = table.client.post("/v1/exports", json={"format": name}).json["id"]
        work()
        assert table.client.get(f"/v1/jobs/{order}").json["status"] == "done"
