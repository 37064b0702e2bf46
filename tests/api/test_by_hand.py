"""A game that an adjustment wins: every place that gives the result says so."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import Store, keys
from store.redis import connection
from tests.api.table import TREASURES, Table
from tests.api.test_audits import run_audit

Work = Callable[[], None]


@pytest.fixture
def won(table: Table) -> Any:
    """Play three events and an adjustment, and return the response to the final event."""
    table.open(chance="observed")
    table.set_up()
    facts: list[dict[str, Any]] = [{"fact": "captured", "treasure": one} for one in sorted(TREASURES)]
    facts += [{"fact": "stands_on", "seat": seat, "tile": "fools_landing"} for seat in ("p1", "p2")]
    facts += [{"fact": "has_cards", "seat": "p1", "card": "helicopter_lift", "count": 1}]
    answer = table.post({"type": "adjust", "params": {"facts": facts, "reason": "We had them all."}})
    assert answer.status_code == 201, answer.text
    return table.post({"type": "lift_off", "actor": "p1", "params": {}}).json


def test_a_win_by_an_adjustment_says_so_wherever_its_outcome_is_told(table: Table, won: Any) -> None:
    outcome = {"result": "won", "winners": ["p1", "p2"], "by_hand": True}
    for told in (
        won["outcome"],
        table.get().json["outcome"],
        table.client.get("/v1/games").json["games"][0]["outcome"],
    ):
        assert told.items() >= outcome.items()
    closed = table.log()[-1]
    assert "by_hand" not in closed["params"]["outcome"]


def test_figures_count_it_apart(table: Table, won: Any) -> None:
    figures = table.client.get("/v1/players/Ann").json
    assert {name: figures[name] for name in ("games", "won", "lost", "by_hand")} == {
        "games": 1,
        "won": 0,
        "lost": 0,
        "by_hand": 1,
    }
    assert figures["streak"] == {"result": "by_hand", "games": 1}
    assert figures["rulesets"][0]["by_hand"] == 1
    for page in ("/players/Ann", "/rulesets/forbidden-island"):
        assert "Decided by manual changes, and not counted as won or lost: 1 game." in table.client.get(page).text


def test_exports_say_so(table: Table, won: Any, tmp_path: Path) -> None:
    assert "won (decided by hand)" in table.get("/export", format="markdown").text
    rows = list(csv.DictReader(io.StringIO(table.get("/export", format="csv").text)))
    assert {row["by_hand"] for row in rows} == {"true"}
    text = table.get("/export", format="notation").data
    assert b'[ByHand "yes"]' in text
    made = table.client.post("/v1/imports", data=text, content_type="text/x-driftlog").json
    unclear = [item for item in made["items"] if item["status"] != "understood"]
    assert (made["outcome"]["by_hand"], unclear) == (True, [])
    data = tmp_path / "game.sqlite"
    data.write_bytes(table.get("/export", format="sqlite").data)
    with sqlite3.connect(data) as tables:
        assert tables.execute("SELECT result, by_hand FROM games").fetchall() == [("won", 1)]


def test_its_audit_is_not_clean(table: Table, won: Any, work: Work) -> None:
    report = run_audit(table, work)
    assert (report["verdict"], report["findings"]) == ("findings", [])
    assert (report["level"]["by_the_rules"], report["level"]["adjusted"]) == (False, 1)
    assert report["notes"][-1] == "The position was changed by hand once. This decided the result."


def test_a_note_after_the_end_changes_nothing_of_it(table: Table, won: Any) -> None:
    assert table.post({"type": "annotate", "params": {"text": "Hm."}}).json["outcome"]["by_hand"] is True


def test_an_undo_takes_it_back(table: Table, won: Any) -> None:
    table.post({"type": "undo", "params": {"to": 2}})
    assert table.get().json["outcome"] is None
    assert table.client.get("/v1/games").json["games"][0]["outcome"] is None


def test_a_cold_read_takes_it_from_the_list(table: Table, won: Any, store: Store) -> None:
    """Only a list entry of an earlier release needs another read of the log."""
    game_id = table.game.rsplit("/", 1)[-1]
    reads: list[tuple[Any, ...]] = []

    def read(document: bytes) -> int:
        connection.call(store.client, "HSET", keys.SUMMARIES, game_id, document)
        cold = Store(store.client)
        found = cold.events.read
        reads.clear()
        cold.events.read = lambda *given, **named: reads.append(given) or found(*given, **named)  # type: ignore[method-assign, func-returns-value]
        outcome = cold.games.get(game_id).outcome
        assert outcome is not None
        assert outcome.by_hand
        return len(reads)

    listed = connection.call(store.client, "HGET", keys.SUMMARIES, game_id)
    earlier = {name: value for name, value in json.loads(listed).items() if name != "is_settled"}
    now = read(listed)
    assert read(json.dumps(earlier).encode()) == now + 1
    assert read(b"garbage") == now + 1
