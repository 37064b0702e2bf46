"""Tallies count each finished game once, whatever happens to it."""

from __future__ import annotations

import pytest

from engine.core.values import GameOutcome
from store import Store, keys
from store.errors import Corrupt
from store.library.finding import Filter
from store.library.tallies import game_result, seat_result
from store.redis import connection
from tests.playouts import playout

FIRST, SECOND = playout(seed=0, options={"difficulty": "elite"}), playout(seed=1, seats=3)
ISLAND = "forbidden-island"


def test_an_ended_game_counts_for_its_ruleset_and_its_players(store: Store) -> None:
    for game_id, events in (("a", FIRST), ("b", SECOND)):
        store.events.open(game_id, events, None)
        store.projections.project(game_id)
    tally = store.projections.tally("ruleset", ISLAND)
    assert tally["all", "", "lost"] == 2
    assert (tally["Difficulty", "Elite", "lost"], tally["Difficulty", "Novice", "lost"]) == (1, 1)
    assert (tally["players", "2", "lost"], tally["players", "3", "lost"]) == (1, 1)
    assert sum(count for (group, *_), count in tally.items() if group == "Adventurer") == 5
    ((newest, _), _) = store.projections.find(Filter(result="lost"))
    name = newest.seats[0]
    assert store.projections.tally("player", name.upper())[ISLAND, "all", "", "lost"] == 2
    assert store.projections.find(Filter(result="won")) == ([], None)
    assert newest.chosen == {"Difficulty": "Novice"}
    assert [list(part) for part in newest.parts] == [["Adventurer"]] * 3


def test_a_game_that_goes_on_counts_for_nothing(store: Store) -> None:
    store.events.open("a", FIRST[:9], None)
    store.projections.project("a")
    assert store.projections.tally("ruleset", ISLAND) == {}


def test_a_game_that_is_opened_again_counts_no_more(store: Store) -> None:
    store.events.open("a", FIRST, None)
    store.projections.project("a")
    before = store.projections.tally("ruleset", ISLAND)
    store.projections.rebuild()
    assert store.projections.tally("ruleset", ISLAND) == before
    # An older log was restored from a backup.
    for name in (keys.events("a"), keys.meta("a")):
        connection.call(store.client, "DEL", name)
    store.events.open("a", FIRST[:9], None)
    store.projections.project("a")
    assert store.projections.tally("ruleset", ISLAND) == {}
    assert store.projections.find(Filter(result="lost")) == ([], None)


@pytest.mark.parametrize(
    ("result", "winners", "of_game", "of_seats"),
    [
        ("won", ("p1", "p2"), "won", ["won", "won"]),
        ("lost", (), "lost", ["lost", "lost"]),
        ("won", ("p2",), "decided", ["lost", "won"]),
        ("draw", (), "draw", ["draw", "draw"]),
        ("abandoned", (), "abandoned", ["abandoned", "abandoned"]),
    ],
)
def test_how_it_ended(result: str, winners: tuple[str, ...], of_game: str, of_seats: list[str]) -> None:
    outcome = GameOutcome(result=result, winners=winners, reason="r", rule="R")  # type: ignore[arg-type]
    assert game_result(outcome, 2) == of_game
    assert [seat_result(outcome, seat) for seat in range(2)] == of_seats


def test_what_is_no_tally_is_said_to_be_corrupt(store: Store) -> None:
    connection.call(store.client, "HSET", keys.tally("ruleset", "x"), "all", "many")
    with pytest.raises(Corrupt):
        store.projections.tally("ruleset", "x")
