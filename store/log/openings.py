"""Limits on the number of games, in total and per token.

A place is reserved before a game's log is created, and confirmed or released afterwards. So requests at the same time
cannot exceed a limit. The total counts the listed games, and the games that are being opened. Each token has its own
list. The places of a crashed process expire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from store import keys
from store.documents import decode_text
from store.errors import QuotaExceeded, StoreUnavailable, VersionConflict
from store.log.scripts import TAKE_PLACE
from store.quotas import Quotas
from store.redis import connection
from store.redis.connection import Client, Script

OPENING_SECONDS = 60
"""Seconds after which a reserved place expires if no game is listed for it. Opening a game takes far less."""


class Openings:
    """Reserves places for games that are being opened, so that no limit is exceeded.

    Args:
        count: returns the number of listed games.
        exists: returns True if a game exists.
    """

    def __init__(
        self, client: Client, quotas: Quotas, *, count: Callable[[], int], exists: Callable[[str], bool]
    ) -> None:
        self._client = client
        self._quotas = quotas
        self._count = count
        self._exists = exists
        self._take = Script(client, TAKE_PLACE)

    @contextmanager
    def place(self, game_id: str, owner: str | None) -> Iterator[None]:
        """Reserve a place for the game that the block opens.

        If the block fails, the place is released, unless the game may exist.

        Args:
            owner: the id of the token that opens the game; None: no token.

        Raises:
            QuotaExceeded: a limit is reached.
        """
        self._take_of_all(game_id)
        if owner is not None:
            self._take_of_owner(game_id, owner)
        try:
            yield
        except (StoreUnavailable, VersionConflict):
            raise
        except BaseException:
            self.give_back(game_id)
            raise

    def settle(self, game_id: str, owner: str | None) -> None:
        """Confirm the place of a game that is now in the list."""
        commands: list[connection.Command] = []
        if self._quotas.games:
            commands.append(("ZREM", keys.OPENING, game_id))
        if owner is not None:
            commands.append(("ZADD", keys.opened_by(owner), "XX", 0, game_id))
        if commands:
            connection.pipe(self._client, commands)

    def give_back(self, game_id: str) -> None:
        """Release the place, if any, of a game that was deleted or not opened."""
        owner = connection.call(self._client, "HGET", keys.OWNERS, game_id)
        commands: list[connection.Command] = [("ZREM", keys.OPENING, game_id)]
        if owner is not None:
            commands += [("ZREM", keys.opened_by(decode_text(owner)), game_id), ("HDEL", keys.OWNERS, game_id)]
        connection.pipe(self._client, commands)

    def _take_of_all(self, game_id: str) -> None:
        most = self._quotas.games
        if not most:
            return
        _, others, *stale = self._take([keys.OPENING], [game_id, 0, OPENING_SECONDS])
        if stale:
            connection.call(self._client, "ZREM", keys.OPENING, *stale)
        # Count the list last. Then a game that is listed during this function is counted twice, not missed.
        used = self._count() + others - len(stale)
        if used >= most:
            self.give_back(game_id)
            raise QuotaExceeded("games", most, used)

    def _take_of_owner(self, game_id: str, owner: str) -> None:
        most = self._quotas.games_per_token
        connection.call(self._client, "HSET", keys.OWNERS, game_id, owner)
        while True:
            is_taken, used, *stale = self._take([keys.opened_by(owner)], [game_id, most, OPENING_SECONDS])
            if is_taken:
                return
            if not self._sweep(stale, owner):
                self.give_back(game_id)
                raise QuotaExceeded("games_per_token", most, used)

    def _sweep(self, stale: list[bytes], owner: str) -> bool:
        """Confirm or release expired places; return True if there were any."""
        for game_id in map(decode_text, stale):
            if self._exists(game_id):
                self.settle(game_id, owner)
            else:
                self.give_back(game_id)
        return bool(stale)
