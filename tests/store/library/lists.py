"""The contents of the list, as tests compare them."""

from __future__ import annotations

from store import Store, keys
from store.redis import connection


def players(store: Store) -> list[tuple[str, int]]:
    return [(one.name, one.games) for one in store.projections.players()[0]]


def everything(store: Store) -> dict[str, object]:
    """Return all contents of the list, its indexes and its statistics."""
    found: dict[str, object] = {}
    for name in sorted(connection.scan(store.client, keys.LIST_PATTERN)):
        if name not in keys.LASTING:
            kind = connection.call(store.client, "TYPE", name)
            read = ("HGETALL", name) if kind == b"hash" else ("ZRANGE", name, 0, -1, "WITHSCORES")
            found[name.decode()] = connection.call(store.client, *read)
    return found
