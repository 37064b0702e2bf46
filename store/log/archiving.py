"""Games whose logs are archived: which are, how they come to be, and back into Redis.

A game's meta names the file that holds its log; its stream is gone then. Both change in one step, and only while the
game is at the version that the file holds, so at any moment the whole log is in one of the two. Whatever reads a log
finds it; whoever appends to it brings it back first.

A file outlives the return of its log to Redis: a server that loses its last second, or is put back to a backup, names
it again, and a copy of the server may name it still. It goes when an operator says so (`Archiving.tidy`).
"""

from __future__ import annotations

from collections.abc import Sequence

from store import keys
from store.errors import ArchiveUnavailable, StoreUnavailable
from store.log import codec
from store.log.archive import Archive
from store.log.aside import Aside
from store.log.codec import Entry
from store.log.scripts import ARCHIVE, RESTORE
from store.redis import connection
from store.redis.connection import Client, Script


class Archiving:
    """The archived logs of all games.

    Attributes:
        archive: the files.
        aside: what is wrong with them, for whoever may not wait.
    """

    def __init__(self, client: Client, archive: Archive, replicas: int = 0) -> None:
        """
        Args:
            replicas: how many have to have a log that was brought back before that counts.
        """
        self.archive = archive
        self.aside = Aside("the archive", self.fault)
        self._client = client
        self._replicas = replicas
        self._put = Script(client, ARCHIVE)
        self._restore = Script(client, RESTORE)

    def fault(self) -> str | None:
        """Why what is archived cannot be read, or nothing can be archived, as far as can be told; None where all is
        well, or there is no archive.
        """
        try:
            self.archive.check()
            if self.archive.place:
                self._check_place()
        except ArchiveUnavailable as error:
            return str(error)
        except StoreUnavailable:
            # Of what Redis does not tell now, it is told elsewhere that it does not answer.
            return None
        return None

    def count(self) -> int:
        """How many games are archived.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        return int(connection.call(self._client, "SCARD", keys.ARCHIVED))

    def log(self, game_id: str) -> list[Entry] | None:
        """The whole log of a game that is archived; None where it is not, or not any more.

        Raises:
            ArchiveUnavailable: its file cannot be read now.
            Damaged: its file is not the one that was written.
        """
        name = self.name(game_id)
        while name is not None:
            try:
                return self.archive.read(game_id, name)
            except ArchiveUnavailable:
                # Somebody may have brought it back meanwhile.
                now = self.name(game_id)
                if now == name:
                    raise
                name = now
        return None

    def name(self, game_id: str) -> str | None:
        """The file that holds the game's log; None where it is in Redis, or there is no such game."""
        name: bytes | None = connection.call(self._client, "HGET", keys.meta(game_id), "archived")
        return None if name is None else name.decode()

    def put(self, game_id: str, entries: Sequence[Entry]) -> bool:
        """Archive a game that stands as `entries`; False where it has gone on since, or is archived.

        Raises:
            As `Archive.write`.
        """
        restored, archived = self._moves(game_id)
        is_put = archived is None and self._move(game_id, entries, restored)
        self._list(game_id)
        return is_put

    def restore(self, game_id: str) -> bool:
        """Bring a game's log back into Redis; False where it is there.

        Raises:
            NotReplicated: too few replicas have it: it is there, and its file stays.
            As `log`.
        """
        name, entries = self.name(game_id), self.log(game_id)
        if name is None or entries is None:
            return False
        fields = [field for _, (_, e, _, h) in entries for field in (e, h)]
        # First: one that is on the list and not archived would never be looked at again.
        connection.call(self._client, "SREM", keys.ARCHIVED, game_id)
        where = [keys.events(game_id), keys.meta(game_id)]
        is_back, reached = self._restore.replicated(where, [name, *fields], self._replicas)
        if is_back:
            connection.require(reached, self._replicas)
        return bool(is_back)

    def tidy(self, game_id: str) -> int:
        """Delete the files of an archived game that are not in use; how many those were.

        A copy of this store on the same archive may have them in use: whoever asks for it knows that there is none.

        Raises:
            ArchiveUnavailable: they cannot be listed, or deleted.
        """
        name = self.name(game_id)
        unused = [] if name is None else [other for other in self.archive.names(game_id) if other != name]
        # Archived in the same file before and after they were listed: whoever is still writing one of them has begun
        # before the game comes back, and will be refused.
        if self.name(game_id) != name:
            return 0
        for other in unused:
            self.archive.drop(other)
        return len(unused)

    def _moves(self, game_id: str) -> tuple[bytes, bytes | None]:
        """How often a game was brought back, and the file that holds it."""
        restored, name = connection.call(self._client, "HMGET", keys.meta(game_id), "restored", "archived")
        return restored or b"0", name

    def _move(self, game_id: str, entries: Sequence[Entry], restored: bytes) -> bool:
        self._check_place()
        try:
            name = self.archive.write(game_id, entries)
        except ArchiveUnavailable:
            # Whoever has archived it meanwhile may have tidied up, and it may have been brought back since.
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
        """An archive that is away may look like one that is empty: a disk that is not mounted, a wrong address.

        Raises:
            ArchiveUnavailable: it lacks a game, one of those that are archived.
        """
        other: bytes | None = connection.call(self._client, "SRANDMEMBER", keys.ARCHIVED)
        name = None if other is None else self.name(other.decode())
        if name is not None and not self.archive.holds(name):
            raise ArchiveUnavailable(f"{self.archive.place} is not the one that was written before: it lacks {name}")

    def _list(self, game_id: str) -> None:
        """Have an archived game on the list; another process that was to do so may have been killed."""
        name = self.name(game_id)
        if name is not None:
            connection.call(self._client, "SADD", keys.ARCHIVED, game_id)
            if self.name(game_id) != name:
                connection.call(self._client, "SREM", keys.ARCHIVED, game_id)
