"""The tallies, held against the entries of the list that they count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from store import Store, keys
from store.library.listing import counts
from store.library.summaries import parse
from store.redis import connection
from store.redis.connection import Command

_BATCH = 200
_LOOKS = 3
"""How often a tally is looked at that changes meanwhile."""
_Counts = Mapping[bytes, int | None]
"""How often something was so, by its field; None where it is no number."""


def miscounted(store: Store) -> list[str]:
    """The tallies that do not say what the ended games in the list count for.

    An entry and the tallies that it counts in change together: so of a tally that is the same before and after the
    entries were read, these say all. One that changes each time says nothing.

    Raises:
        StoreUnavailable: Redis does not answer.
        Corrupt: an entry of the list cannot be read.
    """
    wrong: list[str] = []
    changing: set[str] | None = None
    for _ in range(_LOOKS):
        before = _kept(store)
        counted = _counted(store)
        after = _kept(store)
        names = {*before, *counted, *after} if changing is None else changing
        changing = {name for name in names if before.get(name) != after.get(name)}
        wrong += [name for name in names - changing if counted.get(name, {}) != before.get(name, {})]
        if not changing:
            break
    return sorted(wrong)


def _kept(store: Store) -> dict[str, _Counts]:
    """The tallies as they stand; what nothing counts for is left out."""
    names = sorted({name.decode() for name in connection.scan(store.client, keys.TALLY_PATTERN)})
    commands: list[Command] = [("HGETALL", name) for name in names]
    found = {
        name: {field: _number(count) for field, count in fields.items() if count != b"0"}
        for name, fields in zip(names, connection.pipe(store.client, commands), strict=True)
    }
    return {name: counts for name, counts in found.items() if counts}


def _number(count: bytes) -> int | None:
    try:
        return int(count)
    except ValueError:
        return None


def _counted(store: Store) -> dict[str, _Counts]:
    """The same, counted anew."""
    found: defaultdict[str, Counter[bytes]] = defaultdict(Counter)
    ids = [id_.decode() for id_ in connection.call(store.client, "HKEYS", keys.SUMMARIES)]
    for first in range(0, len(ids), _BATCH):
        documents = connection.call(store.client, "HMGET", keys.SUMMARIES, *ids[first : first + _BATCH])
        for entry in (parse(document) for document in documents if document is not None):
            for (name, field), times in counts(entry).items():
                found[name][field.encode()] += times
    return {name: counts for name, counts in found.items() if counts}
