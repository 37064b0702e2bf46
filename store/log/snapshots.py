"""Snapshots of long games: cached states, which can be deleted at any time."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from engine.core.errors import EngineError
from engine.play import snapshots
from engine.play.game import Game
from store import keys
from store.errors import Corrupt
from store.log.scripts import KEEP
from store.redis import connection
from store.redis.connection import Client, Script

SNAPSHOT_EVERY = 250
"""Number of events between two snapshots."""

FASTEST = 1
"""The compression level. Even at this level, the many tables of a counted belief shrink to about 2 %."""


class Snapshots:
    """The snapshots of all games, each identified by its last event."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._keep = Script(client, KEEP)

    def save(self, game_id: str, *games: Game) -> None:
        """Store snapshots of `games`. Omit deleted games."""
        if games:
            fields = [word for game in games for word in (game.version, _pack(game))]
            self._keep([keys.snapshots(game_id), keys.meta(game_id)], fields)

    def seqs(self, game_id: str) -> list[int]:
        """Return the events after which there is a snapshot, in order."""
        (fields,) = connection.pipe(self._client, [("HKEYS", keys.snapshots(game_id))], is_lenient=True)
        return sequence(fields)

    def nearest(self, game_id: str, at: int) -> Game | None:
        """Return the newest snapshot up to event `at` that this engine can read; None if there is none."""
        for seq in reversed(self.seqs(game_id)):
            if seq <= at:
                game = parse(connection.call(self._client, "HGET", keys.snapshots(game_id), seq))
                if game is not None:
                    return game
        return None

    def drop(self, game_id: str) -> None:
        """Delete the snapshots of a game."""
        connection.call(self._client, "DEL", keys.snapshots(game_id))


def sequence(fields: Sequence[bytes] | Corrupt) -> list[int]:
    """Convert the field names of a snapshot hash to numbers, in order. Omit damaged names."""
    return [] if isinstance(fields, Corrupt) else sorted(int(field) for field in fields if field.isdigit())


def parse(document: bytes | None) -> Game | None:
    """Return the game in a snapshot; None if there is none, it is damaged, or a different engine wrote it."""
    if document is None:
        return None
    try:
        # Earlier releases did not compress snapshots.
        return snapshots.load(document if document.startswith(b"{") else zlib.decompress(document))
    except (EngineError, zlib.error):
        return None


def _pack(game: Game) -> bytes:
    return zlib.compress(snapshots.dump(game), FASTEST)
