"""Hidden names are neither found nor shown in the list, but stay in every log."""

from __future__ import annotations

import pytest

from store import Store
from store.library.finding import Filter
from store.library.summaries import WITHHELD
from tests.playouts import playout

AT = "2026-11-22T20:00:00.000Z"


@pytest.fixture
def listed(store: Store) -> Store:
    for number in range(3):
        store.events.open(f"g{number}", playout(seed=number, seats=3), None)
        store.projections.project(f"g{number}")
    return store


def test_a_hidden_name_is_found_nowhere(listed: Store) -> None:
    find, tally = listed.projections.find, listed.projections.tally
    before = find(Filter()), find(Filter(q="ada")), tally("player", "ada"), tally("ruleset", "forbidden-island")
    events = listed.events.read("g1")
    hidden = listed.hiding.hide("ADA", at=AT, by="Eve")
    assert listed.hiding.hide("Ada", at="later", by=None) == hidden
    assert listed.hiding.all() == [hidden]

    assert [game.seats for game in find(Filter())[0]] == [(WITHHELD, "Bo", "Cleo")] * 3
    for wanted in (Filter(player="Ada"), Filter(q="ada"), Filter(q="a"), Filter(q="ad bo"), Filter(player=WITHHELD)):
        assert find(wanted) == ([], None)
    assert find(Filter(q=WITHHELD))[0] == []
    assert len(find(Filter(q="bo"))[0]) == 3
    assert tally("player", "Ada") == {}
    assert tally("player", "Bo")
    assert tally("ruleset", "forbidden-island") == before[3]
    assert listed.events.read("g1") == events
    listed.projections.rebuild()
    assert find(Filter(q="ada")) == ([], None)

    assert listed.hiding.show("aDa")
    assert not listed.hiding.show("Ada")
    assert (find(Filter()), find(Filter(q="ada")), tally("player", "ada")) == before[:3]


def test_another_player_of_the_same_word_is_still_found(store: Store) -> None:
    store.events.open("g", playout(seed=1, seats=3), None)
    store.projections.project("g")
    store.hiding.hide("Cleo", at=AT, by=None)
    assert [game.seats for game in store.projections.find(Filter(player="Bo"))[0]] == [("Ada", "Bo", WITHHELD)]
