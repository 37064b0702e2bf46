"""The games of a ruleset by month."""

from __future__ import annotations

from typing import Literal

import pytest

from engine.core.values import SEAT_IDS, GameOutcome
from service import over_time
from service.over_time import Month, of_ruleset
from store import Store
from store.library.projections import Summary
from tests.api.table import Table

PLAYED: tuple[tuple[str, Literal["won", "lost"], int, int, str], ...] = (
    ("2026-09", "won", 30, 2, "Novice"),
    ("2026-10", "lost", 40, 2, "Elite"),
    ("2026-10", "won", 60, 3, "Elite"),
    ("2026-10", "won", 50, 3, "Novice"),
)
"""Month, result, minutes, players, difficulty."""


@pytest.fixture(autouse=True)
def games(store: Store) -> None:
    """Store the games of `PLAYED`, oldest first."""
    for number, (month, result, minutes, players, difficulty) in enumerate(PLAYED):
        seats = SEAT_IDS[:players]
        winners = seats if result == "won" else ()
        store.projections.write(
            Summary(
                id=f"01m7{number:06}",
                ruleset="forbidden-island",
                ruleset_version="1",
                seats=("Ann", "Bob", "Cyd")[:players],
                options={},
                status="finished",
                version=7,
                turn=1,
                outcome=GameOutcome(result=result, reason="left", rule="", winners=winners),
                chance="seeded",
                mode="strict",
                tags=(),
                opened_at=f"{month}-20T10:00:00.000Z",
                updated_at=f"{month}-20T12:00:00.000Z",
                head="",
                chosen={"Difficulty": difficulty},
                counted=((f"all\t\t{result}",),),
                seconds=minutes * 60,
            )
        )


def test_months_with_how_they_went_and_how_long_it_took(store: Store) -> None:
    told = of_ruleset(store, "forbidden-island", players=None, value=None)
    assert told.months == [Month("2026-09", 1, 1, 0, 30), Month("2026-10", 3, 2, 1, 50)]
    assert (told.tables, told.title, told.values) == ([2, 3], "Difficulty", ["Elite", "Novice"])
    assert of_ruleset(store, "forbidden-desert", players=None, value=None).months == []


def test_only_of_games_that_are_alike(store: Store) -> None:
    alone = of_ruleset(store, "forbidden-island", players=3, value="Elite")
    assert alone.months == [Month("2026-10", 1, 1, 0, 60)]
    assert alone.tables == [2, 3]
    mine = of_ruleset(store, "forbidden-island", players=None, value=None, game_id="01m7000000")
    assert [month.games for month in mine.months] == [1]


def test_of_many_games_the_newest_are_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_time, "LOOKED_BACK", 2)
    told = of_ruleset(store, "forbidden-island", players=None, value=None)
    assert ([month.games for month in told.months], told.is_whole) == ([2], False)


def test_the_page_of_a_ruleset_tells_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    page = table.client.get("/rulesets/forbidden-island").text
    assert "Over time" in page
    assert page.index('<th scope="row">Sep 2026</th>') < page.index('<th scope="row">Oct 2026</th>')
    assert '<td class="number">50 minutes</td>' in page
    novice = table.client.get("/rulesets/forbidden-island?value=Novice&players=3").text
    assert '<option value="Novice" selected>Novice</option>' in novice
    assert "<option selected>3</option>" in novice
    assert '<th scope="row">Sep 2026</th>' not in novice
    assert "No finished game matches" in table.client.get("/rulesets/forbidden-island?players=9").text
    assert table.client.get("/rulesets/forbidden-island?players=many").status_code == 400
    monkeypatch.setattr(over_time, "LOOKED_BACK", 2)
    assert "Based on the newest 500 finished games" in table.client.get("/rulesets/forbidden-island").text
    assert "Over time" not in table.client.get("/rulesets/forever-island").text
