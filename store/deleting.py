"""Deletion of a game. Only a tombstone remains, with the game's head, the time of deletion and the user.

The deletion is recorded first, so that it can be finished after an interruption (`unfinished`). Then one step replaces
all keys with the game's hash tag, including the log, by the tombstone. From then on, no process finds or restores the
game. Other data about the game is deleted afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.core.language import marked
from store import keys
from store.documents import decode_text, parser
from store.log.scripts import DELETE, NOTE_DELETION
from store.redis import connection
from store.redis.connection import Script

if TYPE_CHECKING:
    from store import Store

_BATCH = 1000
WHY = marked("the game was deleted")
"""Error of a job about a deleted game."""


class _Order(msgspec.Struct, frozen=True):
    at: str
    by: str | None


_parse = parser(_Order, "the order of a deletion")


class Deletions:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._client = store.client
        self._note = Script(store.client, NOTE_DELETION)
        self._delete = Script(store.client, DELETE)

    def delete(self, game_id: str, *, at: str, by: str | None) -> None:
        """Delete a game: from then on nobody can read, find or continue it. Call `finish` for the slower part.

        Args:
            at: time of the deletion, RFC 3339.
            by: the user's name; None if unknown.

        Raises:
            UnknownGame: there is no such game; `GameDeleted` if the game has already been deleted.
            StoreUnavailable: if the deletion has begun, it is finished later.
            NotReplicated: the game is deleted, but on too few replicas, so a failover may restore it.
        """
        self._store.events.head(game_id)
        order = _Order(at, by)
        self._note([keys.DELETING, keys.DELETED], [game_id, msgspec.json.encode(order)])
        self._carry_out(game_id, order)

    def list_unfinished(self) -> list[str]:
        """Return the ids of the games whose deletion is unfinished."""
        return sorted(decode_text(game_id) for game_id in connection.call(self._client, "HKEYS", keys.DELETING))

    def finish(self, game_id: str) -> bool:
        """Finish a deletion, scanning the files of all workers; return False if this game has no unfinished deletion.

        Raises:
            StoreUnavailable, ArchiveUnavailable: the deletion is still unfinished.
        """
        document = connection.call(self._client, "HGET", keys.DELETING, game_id)
        if document is None:
            return False
        # An earlier version may have stored only `DELETING`.
        self._note([keys.DELETING, keys.DELETED], [game_id, document])
        self._carry_out(game_id, _parse(document))
        self._store.jobs.forget(game_id, WHY)
        self._store.files.forget(game_id)
        self._drop_archived(game_id)
        connection.call(self._client, "HDEL", keys.DELETING, game_id)
        return True

    def are_among(self, game_ids: list[str]) -> bool:
        """Return True if any of these games was deleted."""
        batches = (game_ids[first : first + _BATCH] for first in range(0, len(game_ids), _BATCH))
        return any(1 in connection.call(self._client, "SMISMEMBER", keys.DELETED, *batch) for batch in batches)

    def is_to_go(self, file: str) -> bool:
        """Return True if the file must be deleted, because it contains a game that is being deleted."""
        return self._store.files.tells_of(file, self.list_unfinished())

    def _drop_archived(self, game_id: str) -> None:
        archive = self._store.archiving.archive
        has_files = connection.call(self._client, "HGET", keys.meta(game_id), "gone_files")
        # An archiving process that was killed may have left files that the game's meta does not name.
        if has_files or archive.place:
            for name in archive.names(game_id):
                archive.drop(name)
            connection.call(self._client, "HDEL", keys.meta(game_id), "gone_files")

    def _carry_out(self, game_id: str, order: _Order) -> None:
        hints = keys.append_channel(connection.database(self._client))
        self._store.events.unlist_beginning(game_id)
        is_gone, reached = self._delete.run_replicated(
            [keys.meta(game_id), *keys.of_game(game_id)],
            [order.at, order.by or "", hints, game_id],
            self._store.replicas,
        )
        self._store.games.forget(game_id)
        self._store.projections.remove(game_id)
        self._store.aliases.forget(game_id)
        connection.call(self._client, "SREM", keys.ARCHIVED, game_id)
        self._store.sharing.forget(game_id)
        self._store.tokens.withdraw_all(game_id)
        self._store.webhooks.forget(game_id)
        self._store.feed.forget(game_id)
        self._store.openings.give_back(game_id)
        if is_gone:
            connection.require(reached, self._store.replicas)
