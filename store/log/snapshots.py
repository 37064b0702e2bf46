"""Snapshots of long games: a cache of folds, always disposable."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.errors import EngineError
from engine.play import snapshots
from engine.play.game import Game
from store import keys
from store.log.scripts import KEEP
from store.redis import connection
from store.redis.connection import Client, Script

SNAPSHOT_EVERY = 250
"""Events."""


class Snapshots:
    """The snapshots of all games, by the event that they were taken after."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._keep = Script(client, KEEP)

    def save(self, game_id: str, *games: Game) -> None:
        """Keep the game as it was at each of `games`; of one that is deleted nothing."""
        if games:
            fields = [word for game in games for word in (game.version, snapshots.dump(game))]
            self._keep([keys.snapshots(game_id), keys.meta(game_id)], fields)

    def seqs(self, game_id: str) -> list[int]:
        """The events after which there is a snapshot, in order."""
        return sequence(connection.call(self._client, "HKEYS", keys.snapshots(game_id)))

    def nearest(self, game_id: str, at: int) -> Game | None:
        """The newest snapshot that is no newer than event `at` and that this engine can read, if any."""
        for seq in reversed(self.seqs(game_id)):
            if seq <= at:
                game = parse(connection.call(self._client, "HGET", keys.snapshots(game_id), seq))
                if game is not None:
                    return game
        return None

    def drop(self, game_id: str) -> None:
        """Forget the snapshots of a game."""
        connection.call(self._client, "DEL", keys.snapshots(game_id))


def sequence(fields: Sequence[bytes]) -> list[int]:
    """The names of a snapshot hash's fields as numbers, in order."""
    return sorted(map(int, fields))


def parse(document: bytes | None) -> Game | None:
    """The game of a snapshot; None where there is none, or another engine wrote it."""
    if document is None:
        return None
    try:
        return snapshots.load(document)
    except EngineError:
        return None
