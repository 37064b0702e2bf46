"""Checks of the lists of games and of logged plays: compare their indexes and statistics with their entries."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from engine.core.errors import EngineError
from engine.core.events import GENESIS
from engine.play.game import parse_header
from store import Store, keys
from store.documents import decode_text
from store.errors import Corrupt, StoreError, StoreUnavailable
from store.library.listing import Entries
from store.library.summaries import Summary
from store.log import codec
from store.log.codec import entries_of
from store.redis import connection
from store.redis.connection import Command

_BATCH = 200
_TALLIES = (keys.tally("", "").rstrip(":"), keys.tally_of_plays("", "").rstrip(":"))
_LOOKS = 3
"""Maximum number of times that a key is read. A key that changes during a read is read again."""


def mismatched_keys(store: Store, entries: Entries[Any]) -> list[str]:
    """Return the keys of the indexes and tallies of a list that do not match the entries of the list.

    A script writes an entry, its indexes and its tallies in one step. The function reads the indexes and tallies, then
    the entries, then the indexes and tallies again. An index or tally that has not changed must match the entries. A
    key that changes at each attempt is not checked.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    wrong: list[str] = []
    changing: set[str] | None = None
    for _ in range(_LOOKS):
        before, expected, after = _actual(store, entries), _expected_counts(store, entries), _actual(store, entries)
        names = {*before, *expected, *after} if changing is None else changing
        changing = {name for name in names if before.get(name) != after.get(name)}
        wrong += [name for name in names - changing if expected.get(name) != before.get(name)]
        if not changing:
            break
    return sorted(wrong)


def _actual(store: Store, entries: Entries[Any]) -> dict[str, int]:
    """Return the fingerprint of each stored index and tally that is not empty."""
    found = {}
    for name in map(decode_text, set(connection.scan(store.client, keys.LIST_PATTERN)) - keys.LASTING):
        is_other = keys.is_of_plays(name.encode()) != keys.is_of_plays(entries.key.encode())
        if is_other or name in {entries.key, keys.UNPLAYABLE}:
            continue
        if name.startswith(_TALLIES):
            counts = connection.call(store.client, "HGETALL", name)
            content = [(field, count) for field, count in counts.items() if count != b"0"]
        else:
            content = connection.call(store.client, "ZRANGE", name, 0, -1, "WITHSCORES")
        if content:
            found[name] = _fingerprint(content)
    return found


def _expected_counts(store: Store, entries: Entries[Any]) -> dict[str, int]:
    found: Counter[str] = Counter()
    registered: set[tuple[str, str]] = set()
    tallies: defaultdict[str, Counter[bytes]] = defaultdict(Counter)
    for id_, entry in itertools.chain.from_iterable(batch.items() for batch in _batches(store, entries)):
        places, counted = entries.standing(entry)
        for name, place in places.items():
            found[name] += _fingerprint([(id_, place.score)])
            if place.register is not None:
                registered.add((place.register, place.entry))
        for (name, field), times in counted.items():
            tallies[name][field.encode()] += times
    for register, entry in registered:
        found[register] += _fingerprint([(entry.encode(), 0.0)])
    for name, fields in tallies.items():
        found[name] += _fingerprint((field, b"%d" % times) for field, times in fields.items())
    return found


def _fingerprint(content: Iterable[Sequence[object]]) -> int:
    """Return a hash of members and their values, regardless of order. It takes less memory than the members."""
    return sum(hash((member, value)) for member, value in content)


def _batches(store: Store, entries: Entries[Any]) -> Iterator[dict[bytes, Any]]:
    ids = connection.call(store.client, "HKEYS", entries.key)
    for first in range(0, len(ids), _BATCH):
        batch = ids[first : first + _BATCH]
        found = {}
        for id_, document in zip(batch, connection.call(store.client, "HMGET", entries.key, *batch), strict=True):
            with suppress(Corrupt):
                if document is not None:
                    found[id_] = entries.parse(document)
        yield found


def mismatched_entries(store: Store) -> list[str]:
    """Return the games whose list entries differ from event 1 of their logs.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    found = []
    for batch in _batches(store, store.projections.entries):
        commands: list[Command] = [("XRANGE", keys.events(decode_text(id_)), "1-0", "1-0") for id_ in batch]
        headers = map(_header, connection.pipe(store.client, commands, is_lenient=True))
        pairs = zip(batch.items(), headers, strict=True)
        found += [decode_text(id_) for (id_, entry), header in pairs if header not in (None, _about(entry))]
    return sorted(found)


def _about(entry: Summary) -> tuple[object, ...]:
    return entry.ruleset, entry.ruleset_version, tuple(entry.seats), tuple(entry.tags), entry.fork


def _header(page: Sequence[codec.Entry] | Corrupt) -> tuple[object, ...] | None:
    """Return the facts that the list has, from the first entry of a log.

    Return None if the log is archived or cannot be read.
    """
    try:
        if isinstance(page, Corrupt):
            raise page
        for event in codec.decode(entries_of(page), GENESIS):
            told = parse_header(event)
            return told.ruleset, told.ruleset_version, tuple(told.names), tuple(told.tags), told.fork
    except StoreUnavailable:
        raise
    except (StoreError, EngineError):
        # The check `chains` reports damaged logs.
        return None
    return None
