"""Restore a backup into an empty store: all of it, or nothing.

Everything is first written under temporary names (`families.beside`). When the data is complete, its keys are renamed:
first the shared data, then game after game. So

- after an error while writing, the store is as before, and the next restore deletes any remaining temporary keys;
- after an error while renaming, the next restore completes the renaming, and events that were appended between the two
  restores are kept.

The key `{restore}:stage` contains the current stage: writing or renaming.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal
from uuid import uuid4

from operations.backup import families, lines
from operations.backup.chain import verify
from operations.backup.lines import BackupHeader, Contents, DeletedLine, EventPage, GameLine, Key, NotABackup
from proofs.keys import PublicKey
from store import Store, keys
from store.errors import StoreError
from store.log.scripts import PUT_IN_PLACE
from store.redis import connection
from store.redis.connection import Client, Command, Script

LOCK_SECONDS = 60
"""Seconds for which the lock of a restore that was killed prevents other restores."""
_BATCH = 1000
_BATCH_BYTES = 4 << 20
_TOLD_EVENTS = 20_000

Stage = Literal["writing", "placing"]
Progressed = Callable[[str, int, int | None], None]
"""Called with the current step, the completed amount and the total."""


class NotEmpty(StoreError):
    """The store already has games."""


class BackupTooLarge(StoreError):
    """The unpacked backup is larger than the store's limit."""


class Restoring(StoreError):
    """Another restore into the same store is running."""


class Unfinished(StoreError):
    """A restore did not finish; the message describes the state of the store and the next step."""


def examine(
    path: Path, trusted: Collection[PublicKey] | None, progressed: Progressed | None = None, room: int | None = None
) -> Contents:
    """Check a whole backup: its format, every event's hash, and the seal. No store is needed.

    Args:
        trusted: the trusted keys, one of which must have signed the seal; None: any signing key in the backup.
        room: maximum unpacked bytes; None: no limit.

    Raises:
        NotABackup: the file is invalid or was changed; the message has the first error.
        BackupTooLarge: the file unpacks to more than `room` bytes.
        OSError: the file cannot be read.
    """
    size = events = told = 0
    with path.open("rb") as file:
        for item in verify(lines.read(file, trusted)):
            if isinstance(item, Contents):
                return item
            size += lines.size_of(item)
            if room is not None and size > room:
                raise BackupTooLarge(f"the unpacked backup is larger than the memory of the store ({in_words(room)})")
            if isinstance(item, EventPage):
                events += len(item.entries)
                if progressed is not None and events - told >= _TOLD_EVENTS:
                    told = events
                    progressed("events checked", events, None)
    raise AssertionError("a backup must end with its seal")


def room_in(client: Client) -> int | None:
    """Return the free memory of a store in bytes; None if the server does not report its memory."""
    rooms = [room for node in connection.nodes(client) if (room := _room(connection.info(node, "memory"))) is not None]
    return sum(rooms) if rooms else None


def _room(memory: dict[str, str]) -> int | None:
    most = int(memory.get("maxmemory", 0)) or int(memory.get("total_system_memory", 0))
    return max(0, most - int(memory.get("used_memory", 0))) if most else None


def stage(store: Store) -> Stage | None:
    """Return the stage that an unfinished restore has reached; None if there is none."""
    begun = _unfinished_stage(store.client)
    return None if begun is None else begun[0]


def restore(store: Store, path: Path, contents: Contents, progressed: Progressed | None = None) -> None:
    """Restore a backup into a store without games, with or without a running service.

    The restore first deletes the temporary keys of an earlier, unfinished restore. The signing keys and all other data
    in the backup replace those in the store.

    Args:
        contents: the result of `examine`.

    Raises:
        NotEmpty: the store has games.
        Restoring: another restore is running.
        Unfinished: the restore did not finish.
        StoreUnavailable: Redis does not answer; nothing was written.
    """
    with _Lock(store.client) as lock:
        begun = _unfinished_stage(store.client)
        if begun is not None and begun[0] == "placing":
            _place(store, lock, contents, progressed)
            if begun[1] == contents.sealed.sha256:
                return
        _clear(store.client)
        if next(store.events.game_ids(), None) is not None or connection.call(store.client, "SCARD", keys.DELETED):
            raise NotEmpty("this store has, or had, games: restore into an empty store")
        try:
            _stage(store.client, "writing", contents)
            _write(store.client, lock, path, contents, progressed)
        except BaseException as error:
            _take_back(store.client, error)
            raise
        _stage(store.client, "placing", contents)
        _place(store, lock, contents, progressed)


def finish(store: Store) -> Stage | None:
    """Clean up after an unfinished restore: delete its temporary keys, or complete its renaming.

    Returns:
        The stage that the unfinished restore had reached; None if there was no such restore.

    Raises:
        Restoring: a restore is still running.
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
    """A lock that prevents other restores. The holder must renew it while its restore runs."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._name = uuid4().hex
        self._until = 0.0

    def __enter__(self) -> _Lock:
        taken = connection.call(self._client, "SET", keys.RESTORE_LOCK, self._name, "NX", "EX", LOCK_SECONDS)
        if not taken:
            message = f"another restore is running, or was killed less than {LOCK_SECONDS} seconds ago: try again later"
            raise Restoring(message)
        self._until = time.monotonic() + LOCK_SECONDS / 4
        return self

    def __exit__(self, *_: object) -> None:
        # If Redis does not answer, the lock expires.
        with suppress(StoreError):
            if self._is_ours():
                connection.call(self._client, "DEL", keys.RESTORE_LOCK)

    def hold(self) -> None:
        """Renew the lock.

        Raises:
            Restoring: another restore has taken the lock.
        """
        if self._is_due():
            if not self._is_ours():
                raise Restoring("the restore paused for too long, and another may have started: run it again")
            connection.call(self._client, "EXPIRE", keys.RESTORE_LOCK, LOCK_SECONDS)
            self._until = time.monotonic() + LOCK_SECONDS / 4

    def _is_due(self) -> bool:
        return time.monotonic() >= self._until

    def _is_ours(self) -> bool:
        held: bytes | None = connection.call(self._client, "GET", keys.RESTORE_LOCK)
        return held == self._name.encode()


def _unfinished_stage(client: Client) -> tuple[Stage, str] | None:
    """Return the stage of an unfinished restore, and the digest of its backup file; None if there is none."""
    found, digest = connection.call(client, "HMGET", keys.RESTORE_STAGE, "stage", "digest")
    return None if found is None else (found.decode(), digest.decode())


def _stage(client: Client, stage_: Stage, contents: Contents) -> None:
    connection.call(client, "HSET", keys.RESTORE_STAGE, "stage", stage_, "digest", contents.sealed.sha256)


def _write(client: Client, lock: _Lock, path: Path, contents: Contents, progressed: Progressed | None) -> None:
    game: GameLine | None = None
    done = size = 0
    commands: list[Command] = []
    with path.open("rb") as file:
        for item in lines.read(file):
            lock.hold()
            size += lines.size_of(item)
            match item:
                case BackupHeader():
                    continue
                case GameLine():
                    game, done = item, done + 1
                    commands.append(_meta(game))
                    if progressed is not None:
                        progressed("games", done, contents.sealed.games)
                case EventPage():
                    assert game is not None
                    name = families.temporary_name(keys.events(game.id))
                    commands += [("XADD", name, id_, *fields) for id_, fields in item.entries]
                case DeletedLine() | Key():
                    commands += _tombstone(item) if isinstance(item, DeletedLine) else _values(item)
                case Contents():
                    if item.sealed != contents.sealed:
                        raise NotABackup("the backup was changed while it was being restored")
            if len(commands) >= _BATCH or size >= _BATCH_BYTES:
                connection.pipe(client, commands)
                commands, size = [], 0
    connection.pipe(client, commands)


def _meta(game: GameLine) -> Command:
    fields: list[str | bytes | float] = ["v", game.version, "head", bytes.fromhex(game.head)]
    if game.seed is not None:
        fields += ["seed", game.seed]
    for name, value in game.more.items():
        fields += [name, value]
    return ("HSET", families.temporary_name(keys.meta(game.id)), *fields)


def _tombstone(game: DeletedLine) -> Iterator[Command]:
    fields = ("gone_v", game.version, "gone_head", bytes.fromhex(game.head), "gone_at", game.at, "gone_by")
    yield ("HSET", families.temporary_name(keys.meta(game.id)), *fields, game.by or "")
    yield ("SADD", families.temporary_name(keys.DELETED), game.id)


def _values(key: Key) -> Iterator[Command]:
    name, values = families.temporary_name(key.name), key.values
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
    """After `error`, delete everything that the restore has written, so that the store is as before.

    Raises:
        Unfinished: always, if `error` came from the store or the file, or if the store could not be cleaned up.
    """
    if isinstance(error, Restoring):
        # Delete nothing, because the temporary keys may belong to the other restore.
        return
    try:
        _clear(client)
    except StoreError:
        raise Unfinished(
            f"{_message(error)}. Nothing was restored, but temporary data is still in the store. To delete it, run "
            "`driftlog restore` or `driftlog doctor --mend` once Redis answers"
        ) from error
    if isinstance(error, (StoreError, OSError)):
        raise Unfinished(f"{_message(error)}. The store was not changed") from error


def _message(error: BaseException) -> str:
    return str(error).rstrip(".")


def _clear(client: Client) -> None:
    for name in _temporary_keys(client, "*"):
        connection.call(client, "UNLINK", name)
    connection.call(client, "DEL", keys.RESTORE_STAGE)


def _place(store: Store, lock: _Lock, contents: Contents, progressed: Progressed | None) -> None:
    total = contents.sealed.games
    # Tombstones are renamed like games, but the seal counts only games.
    told = None if progressed is None else lambda done: progressed("games restored", min(done, total), total)
    try:
        _place_all(store, lock, told)
    except StoreError as error:
        raise Unfinished(
            f"{_message(error)}. The restore stopped near its end, and nothing is lost. To complete it, run `driftlog "
            "restore` with the same file again, or `driftlog doctor --mend`, once Redis answers"
        ) from error


def _place_all(store: Store, lock: _Lock, told: Callable[[int], None] | None) -> None:
    client = store.client
    put, channel = Script(client, PUT_IN_PLACE), keys.append_channel(connection.database(client))
    # Rename shared data first, so that the restored key signs all new heads.
    for name in set(connection.scan(client, f"{{*}}:*{keys.RESTORING}")):
        place = name.decode().removesuffix(keys.RESTORING)
        if families.of_library(place) is not None:
            connection.call(client, "RENAME", name, place)
    store.plays.rebuild(lock.hold)
    for done, name in enumerate(_temporary_keys(client, "meta"), 1):
        lock.hold()
        game_id = name.decode()[1:].partition("}")[0]
        names = [keys.meta(game_id), keys.events(game_id), *families.companion_keys(game_id)]
        put([*names, *map(families.temporary_name, names)], [channel, game_id])
        if told is not None:
            told(done)
    _clear(client)


def _temporary_keys(client: Client, end: str) -> Iterator[bytes]:
    """Yield the temporary keys with the suffix `end`. The caller may delete keys during the iteration."""
    is_left = True
    while is_left:
        is_left = False
        for name in connection.scan(client, f"{{*}}:{end}{keys.RESTORING}"):
            is_left = True
            yield name


def in_words(size: int) -> str:
    """Return a number of bytes in GiB or MiB, for people."""
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"
