"""The list in each order, page by page, and the number of games by state."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from engine.core.values import GameOutcome
from store import Store, keys
from store.errors import BadCursor
from store.library import finding, ordering
from store.library.finding import Filter
from store.library.ordering import ORDERS, Order, Standings, title
from store.library.projections import Summary
from store.library.summaries import RESULTS
from store.redis import connection

RULESETS = ("forbidden-island", "forbidden-desert", "a game of old")
FILTERS = (
    Filter(),
    Filter(player="ada"),
    Filter(ruleset="forbidden-desert"),
    Filter(result="won"),
    Filter(status="setup"),
    Filter(q="bo forb"),
    Filter(tag="liga"),
    Filter(game="01m7000005"),
    Filter(player="nobody"),
)


def random_summary(number: int, rng: random.Random) -> Summary:
    result: Any = rng.choice([*RESULTS, None, None])
    begun = rng.choice(["setup", "in_progress"])
    status = begun if result is None else ("abandoned" if result == "abandoned" else "finished")
    return Summary(
        id=f"01m7{number:06}",
        ruleset=rng.choice(RULESETS),
        ruleset_version="1",
        seats=tuple(rng.sample(["Ada", "Bo", "Cleo"], 2)),
        options={},
        status=status,
        version=7,
        turn=1,
        outcome=None if result is None else GameOutcome(result=result, reason="so", rule="", winners=()),
        chance="seeded",
        mode="strict",
        tags=("Liga",) if rng.random() < 0.3 else (),
        opened_at="2026-11-20T10:00:00.000Z",
        played=f"2026-{rng.randrange(1, 12):02}-20T10:00:00{rng.choice(['', '.000123'])}Z" if number % 3 else "",
        updated_at="2026-11-20T10:00:00.000Z",
        head="",
        seconds=rng.choice([0, 0, 60, 600, rng.randrange(9000)]),
    )


@pytest.fixture
def games(store: Store) -> Sequence[Summary]:
    """Write random games to the list, and return them, newest first."""
    rng = random.Random(0)
    found = [random_summary(number, rng) for number in range(60)]
    for game in rng.sample(found, len(found)):
        store.projections.write(game)
    return found[::-1]


def in_order(games: Sequence[Summary], order: Order) -> list[Summary]:
    """Sort games by the definition of the order; within a part, the newest come first."""
    parts = [*RESULTS, "in_progress", "setup"]
    by: dict[Order, Callable[[Summary], object]] = {
        "longest": lambda game: -game.seconds,
        "played_at": lambda game: -finding.opening(game.played_at),
        "outcome": lambda game: parts.index(game.result or game.status),
        "title": lambda game: title(game.ruleset).casefold(),
    }
    if order == "oldest":
        return sorted(games, key=lambda game: game.id)
    if order == "shortest":
        return sorted(games, key=lambda game: (game.seconds, game.id))
    key = by.get(order)
    return list(games) if key is None else sorted(games, key=key)  # type: ignore[arg-type]


def all_pages(store: Store, wanted: Filter, order: Order, limit: int) -> list[Summary]:
    found, cursor = store.projections.find(wanted, limit=limit, order=order)
    while cursor is not None:
        page, cursor = store.projections.find(wanted, cursor, limit, order)
        found += page
    return found


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("largest", [1000, 4])
def test_each_order_has_every_game_once(
    store: Store, games: Sequence[Summary], monkeypatch: pytest.MonkeyPatch, order: Order, largest: int
) -> None:
    monkeypatch.setattr(finding, "LARGEST_PAGE", largest)
    for wanted in FILTERS:
        fitting = [game for game in games if finding.fits(game, wanted)]
        assert all_pages(store, wanted, order, 7) == in_order(fitting, order), wanted


def test_a_cursor_is_for_one_order(store: Store, games: Sequence[Summary]) -> None:
    cursors = {order: store.projections.find(Filter(), limit=2, order=order)[1] for order in ORDERS}
    assert len(set(cursors.values())) == len(ORDERS)
    for order in ORDERS:
        for other, cursor in cursors.items():
            if other != order:
                with pytest.raises(BadCursor):
                    store.projections.find(Filter(), cursor, order=order)


def test_a_game_that_is_played_on_moves_in_the_order_of_length(store: Store, games: Sequence[Summary]) -> None:
    game = next(game for game in games if game.status == "in_progress")
    store.projections.write(msgspec.structs.replace(game, version=8, seconds=99_999))
    assert store.projections.find(Filter(), limit=1, order="longest")[0][0].id == game.id
    assert connection.call(store.client, "ZCARD", keys.LENGTH) == len(games)


def count_places(games: Sequence[Summary]) -> dict[tuple[str, str, str], int]:
    found: dict[tuple[str, str, str], int] = {}
    for game in games:
        place = (game.ruleset, game.status, game.result or "")
        found[place] = found.get(place, 0) + 1
    return found


def test_games_are_counted_as_they_stand(
    store: Store, games: Sequence[Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.projections.standings(Filter(ruleset="chess", result="won")) == Standings(count_places(games))
    ada = [game for game in games if finding.fits(game, Filter(player="ada"))]
    assert store.projections.standings(Filter(player="ADA", status="setup")) == Standings(count_places(ada))
    (one,) = store.projections.standings(Filter(game=games[0].id)).counts.values()
    assert one == 1
    monkeypatch.setattr(ordering, "COUNTED", 5)
    assert not store.projections.standings(Filter(player="ada")).is_whole
    assert store.projections.standings(Filter()).is_whole


def test_a_game_that_changes_or_goes_is_counted_no_more(store: Store, games: Sequence[Summary]) -> None:
    for game in games[1:]:
        store.projections.remove(game.id)
    assert store.projections.standings(Filter()).counts == count_places(games[:1])
    assert connection.call(store.client, "ZCARD", keys.PLAYERS) == 2
    outcome = GameOutcome(result="lost", reason="so", rule="", winners=())
    store.projections.write(msgspec.structs.replace(games[0], version=8, status="finished", outcome=outcome))
    assert list(store.projections.standings(Filter()).counts) == [(games[0].ruleset, "finished", "lost")]
    store.projections.remove(games[0].id)
    assert list(connection.scan(store.client, keys.LIST_PATTERN)) == []


def test_nothing_is_counted_by_a_name_that_is_hidden(store: Store, games: Sequence[Summary]) -> None:
    store.hiding.hide("Ada", at="2026-11-20T19:00:00Z", by=None)
    assert store.projections.standings(Filter(player="ada")).counts == {}
    assert store.projections.find(Filter(player="ada"), order="longest") == ([], None)
