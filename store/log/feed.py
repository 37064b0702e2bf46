"""The feed: the progress of all games, as a single ordered stream.

The feed contains no events, only their games and numbers. Any process that learns of an append may push its version to
the feed. Before anything else, a projection pushes the version of its game. A version that is already in the feed is
not added again. The newest `KEPT` entries are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from store import keys
from store.documents import readable
from store.errors import Corrupt
from store.log.codec import Entry, entries_of, projected_version_of
from store.log.scripts import PUSH
from store.redis import connection
from store.redis.connection import Client, Command, Script

KEPT = 50_000
"""Minimum number of stored entries."""
_ID = re.compile(r"[0-9]{1,19}-[0-9]{1,19}")
_AT_ONCE = 1000
BEGINNING = "0-0"
"""A place before the first entry."""


class FeedEntry(msgspec.Struct, frozen=True):
    """The progress of a game up to event `last`."""

    id: str
    """The id of the entry, which also gives its position (see `place`)."""
    game: str
    first: int
    """The first event of this game that an earlier entry does not cover."""
    last: int


def place(id_: str) -> tuple[int, int]:
    """Convert the id of an entry to a comparable position; raise a `ValueError` if the id is invalid."""
    if _ID.fullmatch(id_) is None:
        raise ValueError(id_)
    milliseconds, _, number = id_.partition("-")
    return int(milliseconds), int(number)


class Feed:
    """The feed of all games."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._push = Script(client, PUSH)

    def push(self, versions: Mapping[str, int]) -> None:
        """Add these versions of games to the feed, except versions that are in it already.

        If a game has no entry in the feed, only events that were not projected yet are added.
        """
        games = list(versions)
        for at in range(0, len(games), _AT_ONCE):
            batch = games[at : at + _AT_ONCE]
            commands: list[Command] = [("HGET", keys.turns(game), "v") for game in batch]
            commands.append(("SMISMEMBER", keys.DELETED, *batch))
            *projected, deleted = connection.pipe(self._client, commands, is_lenient=True)
            if isinstance(deleted, Corrupt):
                raise deleted
            told: list[str | int] = []
            for game, version, is_gone in zip(batch, projected, deleted, strict=True):
                if not is_gone:
                    told += (game, versions[game], projected_version_of(version))
            self._push([keys.FEED, keys.FED], [KEPT, keys.feed_channel(connection.database(self._client)), *told])

    def forget(self, game_id: str) -> None:
        """Remove a deleted game from the feed."""
        connection.call(self._client, "HDEL", keys.FED, game_id)
        at = BEGINNING
        while page := self.read(at, limit=_AT_ONCE):
            at = page[-1].id
            ids = [entry.id for entry in page if entry.game == game_id]
            if ids:
                connection.call(self._client, "XDEL", keys.FEED, *ids)

    def last(self) -> str:
        """Return the id of the newest entry; `BEGINNING` if there is none."""
        newest = connection.call(self._client, "XREVRANGE", keys.FEED, "+", "-", "COUNT", 1)
        return _last_id(newest) if newest else BEGINNING

    def first(self) -> str | None:
        """Return the id of the oldest stored entry; None if there is none."""
        oldest = connection.call(self._client, "XRANGE", keys.FEED, "-", "+", "COUNT", 1)
        return _last_id(oldest) if oldest else None

    def read(self, after: str, *, limit: int = 100, including: bool = False) -> list[FeedEntry]:
        """Return the entries after the entry with the id `after`, oldest first. Omit damaged entries.

        Args:
            including: True to include that entry.
        """
        start = after if including else f"({after}"
        while page := connection.call(self._client, "XRANGE", keys.FEED, start, "+", "COUNT", limit):
            found = readable(_parse, entries_of(page))
            if found:
                return found
            start = f"({_last_id(page)}"
        return []


def _last_id(reply: Sequence[tuple[bytes, Any]]) -> str:
    return str(entries_of(reply)[-1][0], "ascii")


def _parse(entry: Entry) -> FeedEntry:
    id_, fields = entry
    try:
        # The fields are in the order written by `PUSH`: game, first, last.
        return FeedEntry(id_.decode(), fields[1].decode(), int(fields[3]), int(fields[5]))
    except (ValueError, IndexError) as error:
        raise Corrupt("an entry of the feed cannot be parsed") from error
