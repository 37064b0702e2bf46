"""The list of games, and all by which they are found, held against the logs: a batch of games at a time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from engine.core.errors import EngineError
from engine.core.events import GENESIS
from engine.play.game import opened
from store import Store, keys
from store.errors import StoreError, StoreUnavailable
from store.library.listing import places
from store.library.summaries import Summary, parse
from store.log import codec
from store.log.codec import entries_of
from store.redis import connection
from store.redis.connection import Command

_BATCH = 200
_LOOKS = 3
"""How often an entry is looked at before it is wrong: a worker may be writing it."""
_NO_INDEXES = frozenset({*(key.encode() for key in (keys.SUMMARIES, keys.VOCABULARY, keys.PLAYERS)), *keys.LASTING})


class Misplaced(msgspec.Struct):
    """What is not where it belongs."""

    games: list[str]
    """Games that some index lacks, or whose entries in the list are not what their logs say of them."""
    indexes: list[str]
    """Indexes in which games stand that do not belong there."""


def misplaced(store: Store, game_ids: Sequence[str]) -> Misplaced:
    """Hold the indexes against the entries of the list, and these against the first event of each log.

    Args:
        game_ids: those that have an entry which can be read.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    found = Misplaced([], [])
    standing = 0
    for first in range(0, len(game_ids), _BATCH):
        batch = game_ids[first : first + _BATCH]
        standing += sum(len(places(entry)) for entry in _entries(store, batch).values())
        for _ in range(_LOOKS):
            batch = _wrong(store, batch)
        found.games += batch
    # Each stands where it should: where as many stand as should, no other does.
    scanned = set(connection.scan(store.client, keys.LIST_PATTERN)) - _NO_INDEXES
    indexes = sorted(name for name in scanned if not keys.is_of_plays(name))
    names = [name.decode() for name in indexes if not name.startswith(keys.TALLY_PATTERN.rstrip("*").encode())]
    counts = connection.pipe(store.client, [("ZCARD", name) for name in names])
    if found.games or sum(counts) != standing:
        found.indexes = [name for name in names if _has_strays(store, name)]
    return found


def _wrong(store: Store, game_ids: Sequence[str]) -> list[str]:
    entries = _entries(store, game_ids)
    told = _headers(store, list(entries))
    asked: dict[str, list[Command]] = {
        id_: [
            *(("ZSCORE", name, id_) for name in places(entry)),
            *(("ZSCORE", one.register, one.entry) for one in places(entry).values() if one.register is not None),
        ]
        for id_, entry in entries.items()
    }
    scores = iter(connection.pipe(store.client, itertools.chain.from_iterable(asked.values())))
    is_found = {id_: None not in list(itertools.islice(scores, len(commands))) for id_, commands in asked.items()}
    return [id_ for id_, entry in entries.items() if not is_found[id_] or told[id_] not in (None, _about(entry))]


def _has_strays(store: Store, name: str) -> bool:
    with connection.translated():
        members = iter(store.client.zscan_iter(name, count=_BATCH))
        while batch := [member.decode() for member, _ in itertools.islice(members, _BATCH)]:
            for _ in range(_LOOKS):
                entries = _entries(store, batch)
                batch = [id_ for id_ in batch if id_ not in entries or name not in places(entries[id_])]
            # One that is just being deleted goes from one after the other.
            if any(connection.call(store.client, "ZSCORE", name, id_) is not None for id_ in batch):
                return True
    return False


def _entries(store: Store, game_ids: Sequence[str]) -> dict[str, Summary]:
    """The entries of games in the list, of those that have one."""
    if not game_ids:
        return {}
    documents = connection.call(store.client, "HMGET", keys.SUMMARIES, *game_ids)
    return {id_: parse(found) for id_, found in zip(game_ids, documents, strict=True) if found is not None}


def _about(entry: Summary) -> tuple[object, ...]:
    return entry.ruleset, entry.ruleset_version, tuple(entry.seats), tuple(entry.tags), entry.fork


def _headers(store: Store, game_ids: Sequence[str]) -> dict[str, tuple[object, ...] | None]:
    """The same as the first event of each game tells it; None where it is archived, or cannot be read."""
    commands: list[Command] = [("XRANGE", keys.events(id_), "1-0", "1-0") for id_ in game_ids]
    return dict(zip(game_ids, map(_header, connection.pipe(store.client, commands)), strict=True))


def _header(page: Sequence[codec.Entry]) -> tuple[object, ...] | None:
    try:
        for event in codec.decode(entries_of(page), GENESIS):
            told = opened(event)
            return told.ruleset, told.ruleset_version, tuple(told.names), tuple(told.tags), told.fork
    except StoreUnavailable:
        raise
    except (StoreError, EngineError):
        # What is wrong with a log, `chains` says.
        return None
    return None
