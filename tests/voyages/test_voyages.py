"""Players sail The Bell Below; `python -m tests.voyages` measures how often they win."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.games.forgotten_waters.scenario.pack import ActionSpace
from engine.games.forgotten_waters.scenario.packs import PACKS
from engine.games.forgotten_waters.state import replace
from engine.kit.chance import Sampled
from engine.play.registry import ruleset
from tests.voyages import reader
from tests.voyages.tally import COLUMNS, LOSSES, row, sail, table

PAGE = Path(__file__).with_name("README.md")
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
    assert voyage.read_again * 4 <= len(voyage.end.entries)
    assert ruleset("forgotten-waters").check_invariants(voyage.end) == []


def test_the_same_seed_is_the_same_voyage_and_mistakes_make_another() -> None:
    assert sail(3, 0) == sailed(3, 0) != sail(3, 0, error=2.0)


def test_the_table_has_a_column_for_all_that_is_counted() -> None:
    shown = row(3, [sailed(3, 0), sailed(3, 1), sailed(3, 2)])
    assert len(shown) == len(COLUMNS)
    ended: Any = dict(zip(COLUMNS, shown, strict=True))
    assert sum(int(ended[column]) for column in ("won", *LOSSES)) == 3
    assert table([shown]).count("\n") == 3


def test_players_do_not_know_the_text_or_effects_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("forgotten-waters")
    chance = Sampled(random.Random("glance"))
    chance.begin(2, ())
    state: Any = rules.setup(rules.parse_options({}, 5), 5, chance)
    legal = [one for one in rules.legal_actions(state) if one.action.type == "choose_action"]
    assert len(legal) > 3
    chosen = reader.choose(state, legal, random.Random(1))
    pages = tuple(replace(page, actions=tuple(map(_unread, page.actions))) for page in state.pack.pages)
    monkeypatch.setitem(PACKS, "the_bell_below", replace(state.pack, pages=pages))
    assert state.pack.action[state.page, 1].effects == ()
    assert reader.choose(state, legal, random.Random(1)) == chosen


def _unread(action: ActionSpace) -> ActionSpace:
    return replace(action, effects=(), text="")


def test_the_table_in_the_guide_is_one_of_a_balanced_scenario() -> None:
    """35 to 60 % of the tables of each size win, and no loss is more than two thirds of the losses."""
    _, _, *rest = PAGE.read_text(encoding="utf-8").split(table([]).splitlines()[0])[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in rest[: rest.index("")]]
    assert [cells[0] for cells in rows] == ["3", "4", "5", "6", "7"]
    for cells in rows:
        ended = dict(zip(COLUMNS, cells, strict=True))
        games, won, losses = int(ended["games"]), int(ended["won"]), [int(ended[reason]) for reason in LOSSES]
        assert games >= 100
        assert 0.35 <= won / games <= 0.6
        assert won + sum(losses) == games
        assert max(losses) * 3 <= sum(losses) * 2
