"""Reports about games (audits and analyses), stored with the game, and the playouts of analyses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from store import keys
from store.documents import parser, readable, readable_one
from store.log.scripts import KEEP
from store.redis import connection
from store.redis.connection import Client, Script
from store.work.scripts import KEEP_NEWEST

KEPT_SECONDS = 7 * 24 * 3600
"""Seconds for which playouts are cached."""
CLAIM_SECONDS = 10
"""Seconds for which a claim of a slice lasts: meanwhile no other worker plays it."""
PAUSE_SECONDS = 0.05
"""Seconds between checks for the slices of another worker."""
_VERSION = ":version"
"""Suffix of the field with the version of a report."""
_parse = parser(object, "a report")
_parse_version = parser(int, "the version of a report")
_parse_rewards = parser(list[float], "the rewards of playouts")


class Reports:
    """The reports of one kind on all games, as JSON documents.

    Args:
        key: returns the key of a game's reports.
    """

    def __init__(self, client: Client, key: Callable[[str], str]) -> None:
        self._client, self._key = client, key
        self._keep = Script(client, KEEP)
        self._keep_newest = Script(client, KEEP_NEWEST)

    def save(self, game_id: str, report_id: str, report: Any) -> None:
        """Store a report, unless the game was deleted."""
        self._keep([self._key(game_id), keys.meta(game_id)], [report_id, msgspec.json.encode(report)])

    def save_newest(self, game_id: str, report_id: str, report: Any, version: int) -> None:
        """Store a report about a version of a game.

        Do nothing if a later version has a report, or the game was deleted.
        """
        fields: list[str | bytes | float] = [report_id, msgspec.json.encode(report), report_id + _VERSION, version]
        self._keep_newest([self._key(game_id), keys.meta(game_id)], fields)

    def newest(self, game_id: str, report_id: str) -> int:
        """Return the version of the game in the report from `save_newest`; 0 if there is none."""
        version = connection.call(self._client, "HGET", self._key(game_id), report_id + _VERSION)
        return readable_one(_parse_version, version) or 0

    def get(self, game_id: str, report_id: str) -> Any | None:
        """Return the latest report with that id; None if there is none, or it is damaged."""
        return readable_one(_parse, connection.call(self._client, "HGET", self._key(game_id), report_id))

    def of(self, game_id: str) -> dict[str, Any]:
        """Return all reports about a game, by id, without damaged ones."""
        reports = connection.call(self._client, "HGETALL", self._key(game_id)).items()
        return dict(readable(lambda one: (one[0].decode(), _parse(one[1])), reports))


class Playouts:
    """The rewards of playouts, cached for some days, and shared by all games and workers."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def each(self, names: Iterable[str]) -> Iterator[tuple[str, Sequence[float] | None]]:
        """Yield each name with its rewards. If they are None, the caller must compute the rewards and `put` them.

        If another worker is computing the rewards of a name, the name comes last. If that worker takes too long, the
        rewards are None.
        """
        left = list(names)
        while left:
            held = []
            for name in left:
                key = keys.playouts(name)
                found = connection.call(self._client, "GET", key)
                rewards = readable_one(_parse_rewards, found)
                if rewards is not None:
                    yield name, rewards
                # Damaged rewards are replaced.
                elif found or connection.call(self._client, "SET", key, b"", "NX", "EX", CLAIM_SECONDS):
                    yield name, None
                else:
                    held.append(name)
            if len(held) == len(left):
                time.sleep(PAUSE_SECONDS)
            left = held

    def put(self, name: str, rewards: Sequence[float]) -> None:
        """Cache rewards."""
        connection.call(self._client, "SET", keys.playouts(name), msgspec.json.encode(rewards), "EX", KEPT_SECONDS)
