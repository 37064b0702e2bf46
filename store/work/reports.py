"""Reports about games, stored with them: audits and analyses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from store import keys
from store.log.scripts import KEEP
from store.redis import connection
from store.redis.connection import Client, Script


class Reports:
    """The reports of one kind on all games, as JSON documents.

    Args:
        key: returns the key of a game's reports.
    """

    def __init__(self, client: Client, key: Callable[[str], str]) -> None:
        self._client, self._key = client, key
        self._keep = Script(client, KEEP)

    def save(self, game_id: str, report_id: str, report: Any) -> None:
        """Store a report, unless the game was deleted."""
        self._keep([self._key(game_id), keys.meta(game_id)], [report_id, msgspec.json.encode(report)])

    def get(self, game_id: str, report_id: str) -> Any | None:
        """Return the latest report with that id; None if there is none."""
        report = connection.call(self._client, "HGET", self._key(game_id), report_id)
        return None if report is None else msgspec.json.decode(report)

    def of(self, game_id: str) -> dict[str, Any]:
        """Return all reports about a game, by id."""
        reports = connection.call(self._client, "HGETALL", self._key(game_id))
        return {id_.decode(): msgspec.json.decode(report) for id_, report in reports.items()}
