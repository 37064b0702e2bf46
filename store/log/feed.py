"""The feed: how far which game has come, in one order for the whole library.

What happens in a game stands in its log alone; the feed only says where to look. Whoever hears of an append may push it
here, and what is projected was pushed before: each version of a game is told once, and none is left out. The newest
`KEPT` entries are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from store import keys
from store.log.codec import entries_of
from store.log.scripts import PUSH
from store.redis import connection
from store.redis.connection import Client, Command, Script

KEPT = 50_000
"""Entries; Redis may keep some more."""
_ID = re.compile(r"[0-9]{1,19}-[0-9]{1,19}")
_AT_ONCE = 1000
BEGINNING = "0-0"
"""Before the first entry."""


class Entry(msgspec.Struct, frozen=True):
    """That a game has come to its event `last`."""

    id: str
    """Its place in the feed, see `place`."""
    game: str
    first: int
    """The first event that the feed had not told of yet."""
    last: int


def place(id_: str) -> tuple[int, int]:
    """Where an entry stands, so that places can be compared.

    Raises:
        ValueError: it is no id.
    """
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
        """Tell that games have come to these versions; what was told before is not told again.

        Of a game that was there before there was a feed, what is projected is not told.

        Raises:
            StoreUnavailable: Redis does not answer; push them again.
        """
        games = list(versions)
        for at in range(0, len(games), _AT_ONCE):
            batch = games[at : at + _AT_ONCE]
            commands: list[Command] = [("HGET", keys.turns(game), "v") for game in batch]
            *projected, deleted = connection.pipe(self._client, [*commands, ("SMISMEMBER", keys.DELETED, *batch)])
            told: list[str | int] = []
            for game, version, is_gone in zip(batch, projected, deleted, strict=True):
                if not is_gone:
                    told += (game, versions[game], int(version or 0))
            self._push([keys.FEED, keys.FED], [KEPT, keys.grown(connection.database(self._client)), *told])

    def forget(self, game_id: str) -> None:
        """Have it tell nothing of a game that was deleted."""
        connection.call(self._client, "HDEL", keys.FED, game_id)
        at = BEGINNING
        while page := self.read(at, limit=_AT_ONCE):
            at = page[-1].id
            ids = [entry.id for entry in page if entry.game == game_id]
            if ids:
                connection.call(self._client, "XDEL", keys.FEED, *ids)

    def last(self) -> str:
        """The id of the newest entry; `BEGINNING` where there is none."""
        newest = connection.call(self._client, "XREVRANGE", keys.FEED, "+", "-", "COUNT", 1)
        return _entries(newest)[0].id if newest else BEGINNING

    def first(self) -> str | None:
        """The id of the oldest entry that is kept; None where there is none."""
        oldest = connection.call(self._client, "XRANGE", keys.FEED, "-", "+", "COUNT", 1)
        return _entries(oldest)[0].id if oldest else None

    def read(self, after: str, *, limit: int = 100, including: bool = False) -> list[Entry]:
        """The entries after the one of that id, oldest first.

        Args:
            including: whether that one is wanted, too.
        """
        start = after if including else f"({after}"
        return _entries(connection.call(self._client, "XRANGE", keys.FEED, start, "+", "COUNT", limit))


def _entries(reply: Sequence[tuple[bytes, Any]]) -> list[Entry]:
    # Their fields in the order in which `PUSH` gives them: game, first, last.
    return [
        Entry(id_.decode(), fields[1].decode(), int(fields[3]), int(fields[5])) for id_, fields in entries_of(reply)
    ]
