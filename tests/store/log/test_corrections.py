"""A process's cache of a game's corrections is checked against the log."""

from __future__ import annotations

import pytest

from engine.core.events import Event
from engine.play.corrections.undo import superseded_events
from store import Store, keys
from store.errors import UnknownGame
from store.redis import connection
from tests.playouts import long_record
from tests.store.logs import position

LOG = long_record(200)


def test_as_of_any_event_and_as_the_log_grows(store: Store) -> None:
    store.events.open("g", LOG[:50], None)
    for version in (50, 20, 49, 1):
        assert store.corrections.superseded_events("g", version) == superseded_events(LOG, version)
    for first, last in ((50, 90), (90, 91), (91, 200)):
        store.events.append("g", position(LOG[:first]), LOG[first:last])
        for version in (last, first, last - 5):
            assert store.corrections.superseded_events("g", version) == superseded_events(LOG, version)


@pytest.mark.parametrize("other", [long_record(200, seed=1), long_record(150, seed=2)])
def test_a_log_that_was_brought_back_is_read_again(store: Store, other: list[Event]) -> None:
    store.events.open("g", LOG, None)
    assert store.corrections.superseded_events("g", 200) == superseded_events(LOG, 200)
    for name in (keys.events("g"), keys.meta("g")):
        connection.call(store.client, "DEL", name)
    store.events.open("g", other, None)
    assert store.corrections.superseded_events("g", len(other)) == superseded_events(other, len(other))


def test_a_game_that_there_is_not(store: Store) -> None:
    with pytest.raises(UnknownGame):
        store.corrections.superseded_events("nowhere", 1)
