"""How many games there may be, and how many of them one token may have opened.

A place is taken before a game's log begins, and kept or let go afterwards: whoever opens games at once cannot get past
the quota together. In all, the list is the truth; what is being opened, and not in it yet, is counted besides. A token
has a list of its own. A place that was taken by somebody who died goes after a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from store import keys
from store.errors import QuotaExceeded, StoreUnavailable, VersionConflict
from store.log.scripts import TAKE_PLACE
from store.quotas import Quotas
from store.redis import connection
from store.redis.connection import Client, Script

OPENING_SECONDS = 60
"""As long as a game may take from its place to the list: far longer than it does."""


class Openings:
    """The places of games.

    Args:
        count: how many games are in the list.
        exists: whether there is a game.
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
        """Open a game in the block. Its place is let go where there is no such game for sure, and else kept.

        Args:
            owner: the token that opens it; None: nobody in particular.

        Raises:
            QuotaExceeded: there is no place for it.
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
        """The game is there, and in the list."""
        commands: list[connection.Command] = []
        if self._quotas.games:
            commands.append(("ZREM", keys.OPENING, game_id))
        if owner is not None:
            commands.append(("ZADD", keys.opened_by(owner), "XX", 0, game_id))
        if commands:
            connection.pipe(self._client, commands)

    def give_back(self, game_id: str) -> None:
        """Let the place of a game go that was deleted, or is not opened after all; harmless where it has none."""
        owner = connection.call(self._client, "HGET", keys.OWNERS, game_id)
        commands: list[connection.Command] = [("ZREM", keys.OPENING, game_id)]
        if owner is not None:
            commands += [("ZREM", keys.opened_by(owner.decode()), game_id), ("HDEL", keys.OWNERS, game_id)]
        connection.pipe(self._client, commands)

    def _take_of_all(self, game_id: str) -> None:
        most = self._quotas.games
        if not most:
            return
        _, others, *stale = self._take([keys.OPENING], [game_id, 0, OPENING_SECONDS])
        if stale:
            connection.call(self._client, "ZREM", keys.OPENING, *stale)
        # In this order: a game that gets into the list meanwhile is counted twice rather than never.
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
            if not self._swept(stale, owner):
                self.give_back(game_id)
                raise QuotaExceeded("games_per_token", most, used)

    def _swept(self, stale: list[bytes], owner: str) -> bool:
        """Look after places that were taken long ago and never settled; whether there was any."""
        for game_id in map(bytes.decode, stale):
            if self._exists(game_id):
                self.settle(game_id, owner)
            else:
                self.give_back(game_id)
        return bool(stale)
