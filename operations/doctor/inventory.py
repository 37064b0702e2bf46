"""An inventory of all keys, read once."""

from __future__ import annotations

from typing import Self

import msgspec

from operations.backup.families import family_of
from store import Store, keys
from store.documents import decode_text
from store.errors import Corrupt, Damaged
from store.library.summaries import parse
from store.log import codec
from store.log.archive import is_name
from store.redis import connection

_BATCH = 1000
_TYPES = ("string", "list", "set", "zset", "hash", "stream")


class ListedEntry(msgspec.Struct, frozen=True):
    """The few members of a list entry that the checks need. With very many games, all members would fill the memory."""

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
    """Maps each game that has any key to the suffixes of its keys."""
    archived: set[str]
    """The games that are listed as archived."""
    files: dict[str, str]
    """Maps each archived game to the file with its log."""
    summaries: dict[str, ListedEntry | None]
    """Maps each game to its list entry; None if the entry is unreadable."""
    unknown: list[str]
    """Keys that belong to no family."""
    mistyped: list[str]
    """Keys that have the wrong type."""
    restoring: int
    """Number of temporary keys of an unfinished restore."""

    @classmethod
    def scan(cls, store: Store) -> Self:
        """Scan all keys of a store.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        found = cls(
            versions={},
            gone=set(),
            of_games={},
            archived=set(),
            files={},
            summaries={},
            unknown=[],
            mistyped=[],
            restoring=0,
        )
        for type_ in _TYPES:
            for raw in set(connection.scan(store.client, "*", type_)):
                found._sort(decode_text(raw), type_)
        if keys.ARCHIVED not in found.mistyped:
            found.archived = set(map(decode_text, connection.call(store.client, "SMEMBERS", keys.ARCHIVED)))
        if keys.SUMMARIES not in found.mistyped:
            with connection.translate_errors():
                for name, document in store.client.hscan_iter(keys.SUMMARIES, count=_BATCH):
                    found.summaries[decode_text(name)] = _parse_entry(document)
        found._read_metas(store)
        return found

    def _read_metas(self, store: Store) -> None:
        # Read these after the scan, because a scan misses keys that are created during it.
        ids = sorted({*self.of_games, *self.archived, *self.summaries})
        for first in range(0, len(ids), _BATCH):
            batch = ids[first : first + _BATCH]
            commands = [("HMGET", keys.meta(id_), "v", "gone_v", "archived") for id_ in batch]
            metas = connection.pipe(store.client, commands, is_lenient=True)
            for game_id, meta in zip(batch, metas, strict=True):
                version, gone, file = (b"", None, None) if isinstance(meta, Corrupt) else meta
                if version is not None:
                    self.versions[game_id] = _parse_version(version)
                    if file is not None:
                        self.files[game_id] = decode_text(file)
                elif gone is not None:
                    self.gone.add(game_id)

    @property
    def unreadable(self) -> list[str]:
        """The games whose version cannot be read."""
        return [game_id for game_id, version in self.versions.items() if version is None]

    @property
    def misplaced_games(self) -> list[str]:
        """The games whose log is in Redis although their meta names a file, or whose file has an impossible name."""
        return [
            game_id
            for game_id, file in self.files.items()
            if not is_name(game_id, file) or "events" in self.of_games.get(game_id, ())
        ]

    def _sort(self, name: str, type_: str) -> None:
        if name.endswith(keys.RESTORING):
            self.restoring += 1
            return
        family = family_of(name)
        if family is None:
            self.unknown.append(name)
        elif family.is_of_a_game:
            game_id, _, end = name[1:].partition("}:")
            self.of_games.setdefault(game_id, set()).add(end)
        if family is not None and family.type != type_:
            self.mistyped.append(name)


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
