"""Sensible players sail The Bell Below; how often they come home, `python -m tests.voyages` says."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.play.registry import ruleset
from tests.voyages.tally import COLUMNS, LOSSES, row, sail, table

PAGE = Path(__file__).parents[2] / "docs" / "scenario-packs.md"
VOYAGES = ((3, 0), (3, 1), (3, 2), (4, 0), (6, 0))
"""Players and seed."""
sailed = cache(sail)


def test_it_ends_both_ways() -> None:
    assert {sailed(*voyage).is_won for voyage in VOYAGES} == {True, False}


@pytest.mark.parametrize(("seats", "seed"), VOYAGES)
def test_a_voyage_uses_the_locks_and_the_story_cards_and_seldom_reads_twice(seats: int, seed: int) -> None:
    voyage = sailed(seats, seed)
    assert voyage.unlocked >= 1
    assert len(voyage.stories) >= 2
    assert voyage.read_again * 5 <= len(voyage.end.entries)
    assert ruleset("forgotten-waters").check_invariants(voyage.end) == []


def test_the_same_seed_is_the_same_voyage_and_mistakes_make_another() -> None:
    assert sail(3, 0) == sailed(3, 0) != sail(3, 0, error=2.0)


def test_the_table_has_a_column_for_all_that_is_counted() -> None:
    shown = row(3, [sailed(3, 0), sailed(3, 1), sailed(3, 2)])
    assert len(shown) == len(COLUMNS)
    ended: Any = dict(zip(COLUMNS, shown, strict=True))
    assert sum(int(ended[column]) for column in ("won", *LOSSES)) == 3
    assert table([shown]).count("\n") == 3


def test_the_table_in_the_guide_is_one_of_a_balanced_scenario() -> None:
    """8 to 16 of 25 tables of each size come home, and nothing is to blame for more than two thirds of the rest."""
    _, _, *rest = PAGE.read_text(encoding="utf-8").split(table([]).splitlines()[0])[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in rest[: rest.index("")]]
    assert [cells[0] for cells in rows] == ["3", "4", "5", "6", "7"]
    for cells in rows:
        ended = dict(zip(COLUMNS, cells, strict=True))
        won, losses = int(ended["won"]), [int(ended[reason]) for reason in LOSSES]
        assert 8 * 4 <= won <= 16 * 4
        assert won + sum(losses) == 100
        assert max(losses) * 3 <= sum(losses) * 2
