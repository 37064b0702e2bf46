"""Bringing a backup into an empty store: all of it, or none of it.

Everything is written beside its place first, where nobody sees it (`families.beside`), and put in place once all of it
is there: first what all games share, then game after game. So

- what goes wrong while it is written leaves the store as it was; where that cannot be tidied up, the next restore does;
- what goes wrong while it is put in place is gone on with by the next restore, and no event is taken back that somebody
  has appended to a game in the meantime.

`{restore}:stage` says which of the two it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal
from uuid import uuid4

from operations.backup import families, lines
from operations.backup.chain import checked
from operations.backup.lines import Contents, Deleted, Game, Header, Key, NotABackup, Page
from proofs.keys import PublicKey
from store import Store, keys
from store.errors import StoreError
from store.log.scripts import PUT_IN_PLACE
from store.redis import connection
from store.redis.connection import Client, Command, Script

LOCK_SECONDS = 60
"""How long a restore that was killed keeps others out."""
_BATCH = 1000
_BATCH_BYTES = 4 << 20
_TOLD_EVENTS = 20_000

Stage = Literal["writing", "placing"]
Progressed = Callable[[str, int, int | None], None]
"""Told what is being done, how much of it is, and of how much."""


class NotEmpty(StoreError):
    """There are games in the store already."""


class TooLarge(StoreError):
    """A backup unpacks to more than the store may hold."""


class Restoring(StoreError):
    """Somebody else restores into the same store."""


class Unfinished(StoreError):
    """A restore did not come to its end; the message says what is in the store now, and what to do."""


def examine(
    path: Path, trusted: Collection[PublicKey] | None, progressed: Progressed | None = None, room: int | None = None
) -> Contents:
    """Judge a backup as a whole: its shape, every event against its hash, its seal. No store is needed.

    Args:
        trusted: one of these has to have sealed it; None: the service's own key, whichever that is.
        room: bytes that it may unpack to; None: any number.

    Raises:
        NotABackup: it is none, or not what it was; with the first that is wrong.
        TooLarge: it unpacks to more than `room`.
        OSError: it cannot be read.
    """
    size = events = told = 0
    with path.open("rb") as file:
        for item in checked(lines.read(file, trusted)):
            if isinstance(item, Contents):
                return item
            size += lines.size_of(item)
            if room is not None and size > room:
                raise TooLarge(f"it unpacks to more than the store may hold ({in_words(room)})")
            if isinstance(item, Page):
                events += len(item.entries)
                if progressed is not None and events - told >= _TOLD_EVENTS:
                    told = events
                    progressed("events checked", events, None)
    raise AssertionError("a backup ends with its seal")


def room_in(client: Client) -> int | None:
    """How many bytes a store may still take; None where it does not say."""
    rooms = [room for node in connection.nodes(client) if (room := _room(connection.info(node, "memory"))) is not None]
    return sum(rooms) if rooms else None


def _room(memory: dict[str, str]) -> int | None:
    most = int(memory.get("maxmemory", 0)) or int(memory.get("total_system_memory", 0))
    return max(0, most - int(memory.get("used_memory", 0))) if most else None


def stage(store: Store) -> Stage | None:
    """How far a restore got that did not come to its end; None where there is none."""
    begun = _begun(store.client)
    return None if begun is None else begun[0]


def restore(store: Store, path: Path, contents: Contents, progressed: Progressed | None = None) -> None:
    """Bring a backup into a store that has no games, whether a service runs on it or not.

    What another restore left behind is tidied up first. The signing keys of the backup take the place of the store's,
    and so does everything else that it holds.

    Args:
        contents: what `examine` found in it.

    Raises:
        NotEmpty: there are games.
        Restoring: somebody else restores.
        Unfinished: it did not come to its end.
        StoreUnavailable: Redis does not answer; nothing was written.
    """
    with _Lock(store.client) as lock:
        begun = _begun(store.client)
        if begun is not None and begun[0] == "placing":
            _place(store, lock, contents, progressed)
            if begun[1] == contents.sealed.sha256:
                return
        _clear(store.client)
        if next(store.events.game_ids(), None) is not None or connection.call(store.client, "SCARD", keys.DELETED):
            raise NotEmpty("there are games in this store, or were: a backup is restored into an empty one")
        try:
            _stage(store.client, "writing", contents)
            _write(store.client, lock, path, contents, progressed)
        except BaseException as error:
            _take_back(store.client, error)
            raise
        _stage(store.client, "placing", contents)
        _place(store, lock, contents, progressed)


def finish(store: Store) -> Stage | None:
    """End what a restore left behind: what it had only written is dropped, what it was putting in place is put there.

    Returns:
        How far it had come; None where there was nothing.

    Raises:
        Restoring: it still goes on.
        StoreUnavailable: Redis does not answer.
    """
    with _Lock(store.client) as lock:
        found = stage(store)
        if found == "placing":
            _place_all(store, lock, None)
        elif found == "writing":
            _clear(store.client)
    return found


class _Lock:
    """Keeps other restores out, as long as it is held on to."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._name = uuid4().hex
        self._until = 0.0

    def __enter__(self) -> _Lock:
        taken = connection.call(self._client, "SET", keys.RESTORE_LOCK, self._name, "NX", "EX", LOCK_SECONDS)
        if not taken:
            message = (
                f"another restore goes on there, or was killed less than {LOCK_SECONDS} seconds ago: try again then"
            )
            raise Restoring(message)
        self._until = time.monotonic() + LOCK_SECONDS / 4
        return self

    def __exit__(self, *_: object) -> None:
        # Where Redis does not answer it goes by itself.
        with suppress(StoreError):
            if self._is_ours():
                connection.call(self._client, "DEL", keys.RESTORE_LOCK)

    def hold(self) -> None:
        """Go on holding it.

        Raises:
            Restoring: somebody else has taken it.
        """
        if self._is_due():
            if not self._is_ours():
                raise Restoring("it stood still for so long that another restore may have begun")
            connection.call(self._client, "EXPIRE", keys.RESTORE_LOCK, LOCK_SECONDS)
            self._until = time.monotonic() + LOCK_SECONDS / 4

    def _is_due(self) -> bool:
        return time.monotonic() >= self._until

    def _is_ours(self) -> bool:
        held: bytes | None = connection.call(self._client, "GET", keys.RESTORE_LOCK)
        return held == self._name.encode()


def _begun(client: Client) -> tuple[Stage, str] | None:
    """How far a restore got that did not come to its end, and the digest of its file."""
    found, digest = connection.call(client, "HMGET", keys.RESTORE_STAGE, "stage", "digest")
    return None if found is None else (found.decode(), digest.decode())


def _stage(client: Client, stage_: Stage, contents: Contents) -> None:
    connection.call(client, "HSET", keys.RESTORE_STAGE, "stage", stage_, "digest", contents.sealed.sha256)


def _write(client: Client, lock: _Lock, path: Path, contents: Contents, progressed: Progressed | None) -> None:
    """Write everything beside its place."""
    game: Game | None = None
    done = size = 0
    commands: list[Command] = []
    with path.open("rb") as file:
        for item in lines.read(file):
            lock.hold()
            size += lines.size_of(item)
            match item:
                case Header():
                    continue
                case Game():
                    game, done = item, done + 1
                    commands.append(_meta(game))
                    if progressed is not None:
                        progressed("games", done, contents.sealed.games)
                case Page():
                    assert game is not None
                    name = families.beside(keys.events(game.id))
                    commands += [("XADD", name, id_, *fields) for id_, fields in item.entries]
                case Deleted() | Key():
                    commands += _added(item)
                case Contents():
                    if item.sealed != contents.sealed:
                        raise NotABackup("it was changed while it was restored")
            if len(commands) >= _BATCH or size >= _BATCH_BYTES:
                connection.pipe(client, commands)
                commands, size = [], 0
    connection.pipe(client, commands)


def _meta(game: Game) -> Command:
    fields: list[str | bytes | float] = ["v", game.version, "head", bytes.fromhex(game.head)]
    if game.seed is not None:
        fields += ["seed", game.seed]
    for name, value in game.more.items():
        fields += [name, value]
    return ("HSET", families.beside(keys.meta(game.id)), *fields)


def _tombstone(game: Deleted) -> Iterator[Command]:
    fields = ("gone_v", game.version, "gone_head", bytes.fromhex(game.head), "gone_at", game.at, "gone_by")
    yield ("HSET", families.beside(keys.meta(game.id)), *fields, game.by or "")
    yield ("SADD", families.beside(keys.DELETED), game.id)


def _added(item: Deleted | Key) -> Iterator[Command]:
    return _tombstone(item) if isinstance(item, Deleted) else _values(item)


def _values(key: Key) -> Iterator[Command]:
    name, values = families.beside(key.name), key.values
    match key.type:
        case "hash":
            yield ("HSET", name, *values)
        case "list":
            yield ("RPUSH", name, *values)
        case "set":
            yield ("SADD", name, *values)
        case "zset":
            yield ("ZADD", name, *(part for pair in zip(values[1::2], values[::2], strict=True) for part in pair))
        case "string":
            yield ("SET", name, values[0])
    if key.expires_at is not None:
        yield ("PEXPIREAT", name, key.expires_at)


def _take_back(client: Client, error: BaseException) -> None:
    """Leave the store as it was, after `error`.

    Raises:
        Unfinished: that is not possible, or not now.
    """
    if isinstance(error, Restoring):
        # What stands there may be the other's.
        return
    try:
        _clear(client)
    except StoreError:
        raise Unfinished(
            f"{_said(error)}. The store has nothing of the backup in place; what was written is out of sight, and goes "
            "with the next `driftlog restore` or `driftlog doctor --mend` once Redis answers"
        ) from error
    if isinstance(error, (StoreError, OSError)):
        raise Unfinished(f"{_said(error)}. The store is as it was") from error


def _said(error: BaseException) -> str:
    return str(error).rstrip(".")


def _clear(client: Client) -> None:
    """Drop what was written beside its place."""
    for name in _beside(client, "*"):
        connection.call(client, "UNLINK", name)
    connection.call(client, "DEL", keys.RESTORE_STAGE)


def _place(store: Store, lock: _Lock, contents: Contents, progressed: Progressed | None) -> None:
    """Put everything in place.

    Raises:
        Unfinished: it did not come to its end.
    """
    total = contents.sealed.games
    # Tombstones are put in place among the games, and none of the games that the seal counts.
    told = None if progressed is None else lambda done: progressed("games in place", min(done, total), total)
    try:
        _place_all(store, lock, told)
    except StoreError as error:
        raise Unfinished(
            f"{_said(error)}. All of the backup is in the store, and not all of it in place: run `driftlog restore` "
            "with the same file again, or `driftlog doctor --mend`, once Redis answers; nothing is lost"
        ) from error


def _place_all(store: Store, lock: _Lock, told: Callable[[int], None] | None) -> None:
    client = store.client
    put, channel = Script(client, PUT_IN_PLACE), keys.appended(connection.database(client))
    # The keys that sign are among what comes first: what is signed from now on is signed by them.
    for name in set(connection.scan(client, f"{{*}}:*{keys.RESTORING}")):
        place = name.decode().removesuffix(keys.RESTORING)
        if families.of_library(place) is not None:
            connection.call(client, "RENAME", name, place)
    store.plays.rebuild(lock.hold)
    for done, name in enumerate(_beside(client, "meta"), 1):
        lock.hold()
        game_id = name.decode()[1:].partition("}")[0]
        names = [keys.meta(game_id), keys.events(game_id), *families.kept_beside(game_id)]
        put([*names, *map(families.beside, names)], [channel, game_id])
        if told is not None:
            told(done)
    _clear(client)


def _beside(client: Client, end: str) -> Iterator[bytes]:
    """The keys of that end which stand beside their places, for whoever has each of them be gone."""
    is_left = True
    while is_left:
        is_left = False
        for name in connection.scan(client, f"{{*}}:{end}{keys.RESTORING}"):
            is_left = True
            yield name


def in_words(size: int) -> str:
    """Bytes, as people say it."""
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"
