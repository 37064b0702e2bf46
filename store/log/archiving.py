"""Archive the logs of games, and move archived logs back to Redis.

An archived log is in a file. One script in Redis stores the name of the file in the game's meta, and deletes the
stream. The script does nothing if events were appended after the file was written. So the whole log is always either
in Redis or in the file. Readers read an archived log from the file. Writers first move the log back to Redis.

The file remains after the log was moved back, because earlier data of the server may still refer to the file. Such data
returns when a crash loses the last second of writes, or when the operator restores a backup. A copy of the server may
also use the file. The operator deletes unused files (`Archiving.tidy`).
"""

from __future__ import annotations

from collections.abc import Sequence

from store import keys
from store.documents import decode_text
from store.errors import ArchiveUnavailable, Damaged, StoreUnavailable
from store.log import codec
from store.log.archive import Archive
from store.log.codec import Entry
from store.log.fault_monitor import FaultMonitor
from store.log.scripts import ARCHIVE, RESTORE
from store.redis import connection
from store.redis.connection import Client, Script

_LOOKS = 5
"""Maximum number of files to look for when checking that an archive is the one used before."""


class Archiving:
    """The archived logs of all games.

    Attributes:
        archive: the files.
        fault_monitor: has the last known fault of the archive, for callers that cannot wait.
    """

    def __init__(self, client: Client, archive: Archive, replicas: int = 0) -> None:
        self.archive = archive
        self.fault_monitor = FaultMonitor("the archive", self.fault)
        self._client = client
        self._replicas = replicas
        self._put = Script(client, ARCHIVE)
        self._restore = Script(client, RESTORE)

    def fault(self) -> str | None:
        """Return the last known reason why the archive cannot be used; None if it can be used."""
        try:
            self.archive.check()
            if self.archive.place:
                self._check_place()
        except ArchiveUnavailable as error:
            return str(error)
        except StoreUnavailable:
            # Other checks report that Redis does not answer.
            return None
        return None

    def count(self) -> int:
        """Return the number of archived games."""
        return int(connection.call(self._client, "SCARD", keys.ARCHIVED))

    def log(self, game_id: str) -> list[Entry] | None:
        """Return the complete log of an archived game; None if it is not archived."""
        name = self.name(game_id)
        while name is not None:
            try:
                return self.archive.read(game_id, name)
            except ArchiveUnavailable:
                # Another process may have moved the log back after the first read.
                now = self.name(game_id)
                if now == name:
                    if self._has_lost(game_id, name):
                        raise Damaged(None, f"its archived file {name} is missing") from None
                    raise
                name = now
        return None

    def _has_lost(self, game_id: str, name: str) -> bool:
        """Return True if the archive can be read, but does not have the file.

        If the archive has none of the other known files either, it is probably not mounted. Then return False.
        """
        if self.archive.holds(name):
            return False
        is_in_redis = connection.call(self._client, "EXISTS", keys.events(game_id))
        return (
            is_in_redis
            or self.archive.has_folder_of(game_id)
            or any(map(self.archive.holds, self._some_names(game_id)))
        )

    def _some_names(self, besides: str | None = None) -> list[str]:
        """Return the names of the files of some archived games, except `besides`."""
        games = connection.call(self._client, "SRANDMEMBER", keys.ARCHIVED, _LOOKS)
        names = [self.name(game_id) for game_id in map(decode_text, games) if game_id != besides]
        return [name for name in names if name is not None]

    def name(self, game_id: str) -> str | None:
        """Return the file with the game's log; None if the log is in Redis, or there is no such game."""
        name: bytes | None = connection.call(self._client, "HGET", keys.meta(game_id), "archived")
        return None if name is None else decode_text(name)

    def put(self, game_id: str, entries: Sequence[Entry]) -> bool:
        """Archive a game whose log is `entries`.

        Return False if the log has grown, or was archived by another process.
        """
        restored, archived = self._moves(game_id)
        is_put = archived is None and self._move(game_id, entries, restored)
        self._list(game_id)
        return is_put

    def restore(self, game_id: str) -> bool:
        """Move a game's log back to Redis; return False if the log is already in Redis.

        Raises:
            NotReplicated: too few replicas have the log; it is in Redis, and its file stays.
        """
        name, entries = self.name(game_id), self.log(game_id)
        if name is None or entries is None:
            return False
        fields = [field for _, (_, e, _, h) in entries for field in (e, h)]
        # Change the list first: otherwise a game in Redis might stay listed as archived, and would never be archived
        # again.
        connection.call(self._client, "SREM", keys.ARCHIVED, game_id)
        where = [keys.events(game_id), keys.meta(game_id)]
        is_back, reached = self._restore.run_replicated(where, [name, *fields], self._replicas)
        if is_back:
            connection.require(reached, self._replicas)
        return bool(is_back)

    def tidy(self, game_id: str) -> int:
        """Delete the unused files of an archived game; return the number of deleted files.

        Call this only if no copy of this store uses the same archive, because a copy may need these files.
        """
        name = self.name(game_id)
        unused = [] if name is None else [other for other in self.archive.names(game_id) if other != name]
        # The game's meta still has the file that it had before the listing, so all other files are unused. A process
        # may still be writing one of them. But that process began before the log was last moved back, so it cannot
        # archive the log.
        if self.name(game_id) != name:
            return 0
        for other in unused:
            self.archive.drop(other)
        return len(unused)

    def _moves(self, game_id: str) -> tuple[bytes, bytes | None]:
        """Return how often the game's log was moved back to Redis, and the name of the file that has the log now."""
        restored, name = connection.call(self._client, "HMGET", keys.meta(game_id), "restored", "archived")
        return restored or b"0", name

    def _move(self, game_id: str, entries: Sequence[Entry], restored: bytes) -> bool:
        self._check_place()
        try:
            name = self.archive.write(game_id, entries)
        except ArchiveUnavailable:
            # Meanwhile another process may have archived the log, deleted unused files, and moved the log back.
            if self._moves(game_id) == (restored, None):
                raise
            return False
        head = bytes.fromhex(codec.hash_of(entries[-1]))
        words: list[str | bytes | float] = [len(entries), head, name, restored]
        is_put = bool(self._put([keys.events(game_id), keys.meta(game_id), keys.snapshots(game_id)], words))
        if not is_put:
            self.archive.drop(name)
        return is_put

    def _check_place(self) -> None:
        """Check that the archive is mounted and has the right address. A wrong archive would look like an empty one."""
        names = self._some_names()
        if names and not any(map(self.archive.holds, names)):
            raise ArchiveUnavailable(
                f"{self.archive.place} is not the archive that was used before: it does not have {names[0]}"
            )

    def _list(self, game_id: str) -> None:
        """Mark a game as archived in the list. The process that archived it may have been killed before it did so."""
        name = self.name(game_id)
        if name is not None:
            connection.call(self._client, "SADD", keys.ARCHIVED, game_id)
            if self.name(game_id) != name:
                connection.call(self._client, "SREM", keys.ARCHIVED, game_id)
