"""Which keys there are, looked through once."""

from __future__ import annotations

from typing import Self

import msgspec

from operations.backup.families import family_of
from store import Store, keys
from store.errors import Corrupt
from store.library.summaries import parse
from store.redis import connection

_BATCH = 1000


class Listed(msgspec.Struct, frozen=True):
    """What is remembered of a game's entry in the list: of very many games there is no room for more."""

    version: int
    ruleset: str
    ruleset_version: str


class Inventory(msgspec.Struct):
    """What stands in a store, by games."""

    versions: dict[str, int]
    """Games that are there → the version that their meta tells."""
    gone: set[str]
    """Deleted ones, of which a tombstone is left."""
    of_games: dict[str, set[str]]
    """All games that any key is about → the ends of those keys' names."""
    summaries: dict[str, Listed | None]
    """What the list has; None where it cannot be read."""
    unknown: list[str]
    """Keys of no family."""
    restoring: int
    """Keys that a restore has written and not put in place."""

    @classmethod
    def taken(cls, store: Store) -> Self:
        """Look through a store.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        found = cls(versions={}, gone=set(), of_games={}, summaries={}, unknown=[], restoring=0)
        for raw in set(connection.scan(store.client, "*")):
            found._sort(raw.decode(errors="replace"))
        with connection.translated():
            for name, document in store.client.hscan_iter(keys.SUMMARIES, count=_BATCH):
                found.summaries[name.decode()] = _listed(document)
        # Asked for all: a scan misses what came while it went on.
        ids = sorted({*found.of_games, *found.summaries})
        for first in range(0, len(ids), _BATCH):
            batch = ids[first : first + _BATCH]
            metas = connection.pipe(store.client, [("HMGET", keys.meta(id_), "v", "gone_v") for id_ in batch])
            for game_id, (version, gone) in zip(batch, metas, strict=True):
                if version is not None:
                    found.versions[game_id] = int(version)
                elif gone is not None:
                    found.gone.add(game_id)
        return found

    def _sort(self, name: str) -> None:
        if name.endswith(keys.RESTORING):
            self.restoring += 1
            return
        family = family_of(name)
        if family is None:
            self.unknown.append(name)
        elif family.is_of_a_game:
            game_id, _, end = name[1:].partition("}:")
            self.of_games.setdefault(game_id, set()).add(end)


def _listed(document: bytes) -> Listed | None:
    try:
        entry = parse(document)
    except Corrupt:
        return None
    return Listed(entry.version, entry.ruleset, entry.ruleset_version)
