"""The feed: a single ordered stream with each version of each game once."""

from __future__ import annotations

import pytest

from store import Store, keys
from store.log import feed
from store.log.hints import FeedGrown
from store.redis import connection
from tests.playouts import playout


def feed_entries(store: Store) -> list[tuple[str, int, int]]:
    return [(one.game, one.first, one.last) for one in store.feed.read(feed.BEGINNING)]


def test_each_version_is_told_once(store: Store) -> None:
    store.feed.push({"g1": 2})
    store.feed.push({"g1": 5, "g2": 1})
    store.feed.push({"g1": 4, "g2": 1})
    store.feed.push({})
    assert feed_entries(store) == [("g1", 1, 2), ("g1", 3, 5), ("g2", 1, 1)]


def test_what_is_projected_was_told(store: Store) -> None:
    """If hints are lost, the missing events are found later, when the lagging projections are updated."""
    events = playout(limit=9)
    store.events.open("g1", events[:4], seed=None)
    store.projections.project("g1")
    store.events.append("g1", (4, events[3].hash), events[4:])
    store.projections.project("g1")
    store.projections.project("g1")
    store.projections.rebuild()
    assert feed_entries(store) == [("g1", 1, 4), ("g1", 5, 9)]


def test_a_game_that_was_there_before_the_feed_is_not_told_anew(store: Store) -> None:
    events = playout(limit=9)
    store.events.open("g1", events[:4], seed=None)
    store.projections.project("g1")
    connection.call(store.client, "DEL", keys.FEED, keys.FED)
    store.feed.push({"g1": 5})
    assert feed_entries(store) == [("g1", 5, 5)]


def test_from_a_place_on(store: Store) -> None:
    assert (store.feed.first(), store.feed.last()) == (None, feed.BEGINNING)
    for version in range(1, 6):
        store.feed.push({"g1": version})
    ids = [one.id for one in store.feed.read(feed.BEGINNING)]
    assert (store.feed.first(), store.feed.last()) == (ids[0], ids[-1])
    assert [one.last for one in store.feed.read(ids[1])] == [3, 4, 5]
    assert [one.last for one in store.feed.read(ids[1], including=True, limit=2)] == [2, 3]
    assert sorted(ids, key=feed.place) == ids


def test_nothing_is_told_of_a_deleted_game(store: Store) -> None:
    for game in ("g1", "g2"):
        store.events.open(game, playout(limit=2), seed=None)
    store.feed.push({"g1": 1, "g2": 1})
    store.deletions.delete("g1", at="2026-11-20T00:00:00Z", by=None)
    store.feed.push({"g1": 3, "g2": 2})
    assert feed_entries(store) == [("g2", 1, 1), ("g2", 2, 2)]
    assert store.client.hgetall(keys.FED) == {b"g2": b"2"}


@pytest.mark.parametrize("wrong", ["", "x", "1", "1-", "-1", "1-2-3", "1-2\n", "١-٢"])
def test_what_is_no_place(wrong: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        feed.place(wrong)


def test_it_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "KEPT", 10)
    store.feed.push({f"g{number}": 1 for number in range(2500)})
    assert int(connection.call(store.client, "XLEN", keys.FEED)) < 500


def test_that_it_has_grown_is_hinted_at(store: Store) -> None:
    hints = store.hints()
    heard = hints.listen()
    assert next(heard) is None
    store.events.open("g1", playout(limit=1), seed=None)
    assert next(heard) == ("g1", 1)
    store.feed.push({"g1": 1})
    assert next(heard) == FeedGrown()
    hints.stop()
