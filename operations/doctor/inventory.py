"""An inventory of all keys, read once."""

from __future__ import annotations

from typing import Self

import msgspec

from operations.backup.families import family_of
from store import Store, keys
from store.errors import Corrupt, Damaged
from store.library.summaries import parse
from store.log import codec
from store.redis import connection

_BATCH = 1000
_KEY_OF_A_GAME = f"{{{'?' * 26}}}:*"
_FOREIGN_TYPES = ("string", "list", "set", "zset")
"""The types that no key of a game has."""


class ListedEntry(msgspec.Struct, frozen=True):
    """The few members of a list entry that the checks need. With very many games, all members would fill memory."""

    version: int
    ruleset: str
    ruleset_version: str


class Inventory(msgspec.Struct):
    """The keys of a store, by game."""

    versions: dict[str, int | None]
    """Maps each existing game to the version in its meta; None if that is unreadable."""
    gone: set[str]
    """The deleted games, of which only a tombstone is left."""
    of_games: dict[str, set[str]]
    """Maps each game with any key to the suffixes of its keys."""
    archived: set[str]
    """The games that are listed as archived."""
    summaries: dict[str, ListedEntry | None]
    """Maps each game to its list entry; None if the entry is unreadable."""
    unknown: list[str]
    """Keys that belong to no family."""
    mistyped: list[str]
    """Keys of games that have the wrong type."""
    restoring: int
    """Number of temporary keys of an unfinished restore."""

    @classmethod
    def taken(cls, store: Store) -> Self:
        """Scan all keys of a store.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        archived = {game_id.decode() for game_id in connection.call(store.client, "SMEMBERS", keys.ARCHIVED)}
        found = cls(
            versions={}, gone=set(), of_games={}, archived=archived, summaries={}, unknown=[], mistyped=[], restoring=0
        )
        for raw in set(connection.scan(store.client, "*")):
            found._sort(raw.decode(errors="replace"))
        for type_ in _FOREIGN_TYPES:
            names = (raw.decode(errors="replace") for raw in connection.scan(store.client, _KEY_OF_A_GAME, type_))
            found.mistyped += (name for name in names if (family := family_of(name)) and family.is_of_a_game)
        with connection.translate_errors():
            for name, document in store.client.hscan_iter(keys.SUMMARIES, count=_BATCH):
                found.summaries[name.decode()] = _parse_entry(document)
        # Read the list again at the end, because a scan misses keys that are created during it.
        ids = sorted({*found.of_games, *found.archived, *found.summaries})
        for first in range(0, len(ids), _BATCH):
            batch = ids[first : first + _BATCH]
            commands = [("HMGET", keys.meta(id_), "v", "gone_v") for id_ in batch]
            metas = connection.pipe(store.client, commands, is_lenient=True)
            for game_id, meta in zip(batch, metas, strict=True):
                version, gone = (b"", None) if isinstance(meta, Corrupt) else meta
                if version is not None:
                    found.versions[game_id] = _parse_version(version)
                elif gone is not None:
                    found.gone.add(game_id)
        return found

    @property
    def unreadable(self) -> list[str]:
        """The games whose version cannot be read."""
        return [game_id for game_id, version in self.versions.items() if version is None]

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


def _parse_version(stored: bytes) -> int | None:
    try:
        return codec.version_of(stored)
    except Damaged:
        return None


def _parse_entry(document: bytes) -> ListedEntry | None:
    try:
        entry = parse(document)
    except Corrupt:
        return None
    return ListedEntry(entry.version, entry.ruleset, entry.ruleset_version)
