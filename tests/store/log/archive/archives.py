"""Helpers for tests of archived logs."""

from __future__ import annotations

from pathlib import Path

from engine.core.events import Event
from store import Store, keys
from store.redis import connection
from tests.playouts import playout

GAME = playout(seed=3, seats=3)


def archive_game(store: Store, events: list[Event], game_id: str = "g") -> Path:
    """Record, project and archive a game; return its file."""
    store.events.open(game_id, events, None)
    store.projections.project(game_id)
    assert store.archive(game_id)
    name = store.archiving.name(game_id)
    assert name is not None
    return Path(place_of(store)) / name


def place_of(store: Store) -> str:
    return store.archiving.archive.place


def in_redis(store: Store, game_id: str = "g") -> bool:
    return bool(connection.call(store.client, "EXISTS", keys.events(game_id)))


def cold(store: Store) -> Store:
    """Return the same store as another process sees it, without caches."""
    return Store(store.client, place_of(store))
