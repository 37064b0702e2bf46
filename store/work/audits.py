"""The reports of audits, stored with the games that they are about."""

from __future__ import annotations

from typing import Any

import msgspec

from store import keys
from store.log.scripts import KEEP
from store.redis import connection
from store.redis.connection import Client, Script


class Audits:
    """The audit reports of all games, as JSON documents."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._keep = Script(client, KEEP)

    def save(self, game_id: str, audit_id: str, report: Any) -> None:
        """Store a report, unless the game was deleted."""
        self._keep([keys.audits(game_id), keys.meta(game_id)], [audit_id, msgspec.json.encode(report)])

    def get(self, game_id: str, audit_id: str) -> Any | None:
        """Return the latest report with that id; None if there is none."""
        report = connection.call(self._client, "HGET", keys.audits(game_id), audit_id)
        return None if report is None else msgspec.json.decode(report)

    def of(self, game_id: str) -> dict[str, Any]:
        """Return all reports about a game, by audit id."""
        reports = connection.call(self._client, "HGETALL", keys.audits(game_id))
        return {id_.decode(): msgspec.json.decode(report) for id_, report in reports.items()}
