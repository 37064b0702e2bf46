"""Write a backup of a store that remains in use.

The copy of a game is consistent. The version and the other keys of the game are read in one step. The events up to that
version are read later, because events never change. Data shared by all games is read last, so that it is never older
than the games.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import BinaryIO, cast

import msgspec

from operations.backup import families
from operations.backup.chain import HashChain, check_key
from operations.backup.families import KeyFamily
from operations.backup.lines import (
    FORMAT,
    LONGEST,
    OF_LOG,
    BackupHeader,
    DeletedLine,
    GameLine,
    Key,
    Kind,
    NotABackup,
    SealedContent,
    Writer,
    event_line,
)
from schemas.times import now
from store import Store, keys
from store.access.signing import signer
from store.errors import Corrupt, Damaged, GameDeleted, UnknownGame
from store.log.scripts import COPY
from store.redis import connection
from store.redis.connection import Client, Script

IN_MEMORY = 8 << 20
"""Maximum bytes of a game to buffer in memory; larger games are buffered on disk."""
_SCANNED = 1000
_ENDS = ("}:meta", "}:events")


class BackupResult(msgspec.Struct, frozen=True):
    """The result of writing a backup."""

    sealed: SealedContent
    left_out: dict[str, str]
    """Damaged games and keys, which the backup omits, with the reasons."""


def write(
    store: Store, file: BinaryIO, *, made_by: str, progressed: Callable[[int, int], None] | None = None
) -> BackupResult:
    """Write a backup of everything in `store`.

    Args:
        made_by: the version of Driftlog.
        progressed: called with the number of games written so far and the total number of games.

    Raises:
        StoreUnavailable: Redis does not answer.
        Corrupt: the list of games or the signing keys are damaged.
        OSError: the file cannot be written.
    """
    # If the store has never signed anything, create a key, because the seal needs one.
    store.signing.active()
    writer = Writer(file, BackupHeader(driftlog=made_by, format=FORMAT, made_at=now()))
    copy = Script(store.client, COPY)
    ids = _game_ids(store.client)
    left_out: dict[str, str] = {}
    there: set[bytes] = set()
    for done, id_ in enumerate(ids, 1):
        try:
            if _write_game(store, copy, writer, id_, left_out):
                there.add(id_.encode())
        except (Corrupt, UnknownGame, ValueError) as error:
            left_out[id_] = str(error)
        if progressed is not None:
            progressed(done, len(ids))
    ring: list[bytes] = []
    for key in _library(store.client, there, left_out):
        writer.key(key)
        if key.name == keys.SIGNING:
            ring = key.values
    return BackupResult(writer.seal(signer(ring)), left_out)


def _game_ids(client: Client) -> list[str]:
    """Return the ids of all games, including deleted ones.

    While a cluster migrates slots, a scan may skip keys. So the ids are also read from the list of games.
    """
    known = (name.partition("}")[0][1:] for name in _names(client) if name.endswith(_ENDS))
    listed = (name.decode() for page in _scan(client, "HSCAN", keys.SUMMARIES) for name in page[::2])
    archived = (name.decode() for name in connection.call(client, "SMEMBERS", keys.ARCHIVED))
    return sorted({*known, *listed, *archived})


def _write_game(store: Store, copy: Script, writer: Writer, id_: str, left_out: dict[str, str]) -> bool:
    if families.GAME_ID.fullmatch(id_) is None:
        raise Corrupt(f"{id_!r} is not the id of a game")
    try:
        _write_log(store, copy, writer, id_, left_out)
    except (UnknownGame, Corrupt, ValueError):
        # A game that was deleted during the backup is not damaged.
        if store.events.exists(id_):
            raise
        match store.events.absent(id_):
            case GameDeleted() as gone:
                writer.write_deleted(DeletedLine(id=id_, version=gone.version, head=gone.head, at=gone.at, by=gone.by))
            case Damaged() as damaged:
                raise damaged from None
        return False
    return True


def _write_log(store: Store, copy: Script, writer: Writer, id_: str, left_out: dict[str, str]) -> None:
    beside = families.companion_keys(id_)
    meta, *contents = copy([keys.meta(id_), *beside], [])
    fields = dict(zip((field.decode() for field in meta[::2]), meta[1::2], strict=True))
    if "v" not in fields or "head" not in fields:
        raise store.events.absent(id_)
    game = GameLine(
        id=id_,
        version=int(fields["v"]),
        head=fields["head"].hex(),
        seed=fields["seed"].decode() if "seed" in fields else None,
        more={field: value for field, value in fields.items() if field not in OF_LOG},
    )
    chain = HashChain(game)
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as events:
        for page in store.events.entries(id_, 1, game.version):
            chain.add(page)
            for entry in page:
                line = event_line(entry)
                if len(line) > LONGEST or line.count(b"\n") > 1:
                    raise Damaged(None, "an event has an invalid format")
                events.write(line)
        chain.close()
        events.seek(0)
        writer.game(game, cast("BinaryIO", events))
    for name, (type_, expires_at, values) in zip(beside, contents, strict=True):
        if not values:
            continue
        key = Key(name=name, type=type_.decode(), values=values, expires_at=expires_at or None)
        try:
            check_key(key, game)
        except NotABackup as error:
            # Omit it, because a restore would refuse the whole file.
            left_out[name] = str(error)
        else:
            writer.key(key)


def _library(client: Client, there: set[bytes], left_out: dict[str, str]) -> Iterator[Key]:
    """Yield the data shared by all games.

    The signing keys are read last, so that every key that was used before is included.

    Args:
        there: the games that were written. If such a game has been deleted meanwhile, the backup omits the deletion.
        left_out: receives the damaged keys, with the reasons.
    """
    found = {name: family for name in _names(client) if (family := families.of_library(name)) is not None}
    for name in sorted(found, key=lambda name: (name == keys.SIGNING, name)):
        try:
            for key in _copy_key(client, name, found[name]):
                if name != keys.DELETED:
                    yield key
                elif gone := [id_ for id_ in key.values if id_ not in there]:
                    yield msgspec.structs.replace(key, values=gone)
        except Corrupt as error:
            left_out[name] = str(error)


def _names(client: Client) -> Iterator[str]:
    for name in connection.scan(client, "*"):
        yield name.decode(errors="replace")


def _copy_key(client: Client, name: str, family: KeyFamily) -> Iterator[Key]:
    expires_at = connection.call(client, "PTTL", name)
    at = int(datetime.now(UTC).timestamp() * 1000) + expires_at if expires_at > 0 else None
    pages: Iterable[list[bytes]]
    match family.type:
        case "list":
            pages = [connection.call(client, "LRANGE", name, 0, -1)]
        case "string":
            value = connection.call(client, "GET", name)
            pages = [[]] if value is None else [[value]]
        case "set":
            pages = _scan(client, "SSCAN", name)
        case "zset":
            pages = _scan(client, "ZSCAN", name)
        case _:
            pages = _scan(client, "HSCAN", name)
    for values in pages:
        if values:
            yield Key(name=name, type=cast("Kind", family.type), values=values, expires_at=at)


def _scan(client: Client, command: str, name: str) -> Iterator[list[bytes]]:
    cursor = b"0"
    while True:
        reply = connection.call(client, command, name, cursor, "COUNT", _SCANNED)
        cursor, found = _unpack_reply(reply)
        yield found
        if int(cursor) == 0:
            return


def _unpack_reply(reply: tuple[bytes, object]) -> tuple[bytes, list[bytes]]:
    """Return the cursor and the members of a reply. The client may have converted the members to a dict or to pairs."""
    cursor, members = reply
    if isinstance(members, dict):
        return cursor, [part for pair in members.items() for part in pair]
    flat: list[bytes] = []
    for member in cast("list[bytes | tuple[bytes, float]]", members):
        flat += [member] if isinstance(member, bytes) else [member[0], repr(member[1]).encode()]
    return cursor, flat
