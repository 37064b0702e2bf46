"""Backups for tests: of a store with every kind of data, and forged ones."""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
from collections.abc import Iterable
from pathlib import Path

import msgspec

from engine.core.events import Event
from operations.backup import lines, restoring, writing
from operations.backup.lines import Contents, Seal, SealedContent
from proofs import dsse
from proofs.keys import PrivateKey
from store import Store
from store.library.aliases import Alias, AssignedPlayer
from store.log.idempotency import IdempotencyKey
from tests.playouts import playout

ENDED = "01kaj5x9f3q8w7e2r4t6y8v0pz"
SEEDED = "01kaj5x9f3q8w7e2r4t6y8v0q0"
LONG = "01kaj5x9f3q8w7e2r4t6y8v0q1"
IDS = (ENDED, SEEDED, LONG)
KEY = IdempotencyKey("of a client", b"body")


@functools.cache
def logs() -> tuple[list[Event], list[Event], list[Event]]:
    """Return the log of each game in `IDS`."""
    return playout(seed=3), playout(seed=4, chance="seeded", limit=20), playout("forever-island", seed=1)


def fill(store: Store) -> None:
    """Store three games, one of them seeded and unfinished, with all data beside their logs."""
    store.signing.active()
    store.signing.rotate()
    ended, seeded, long = logs()
    store.events.open(ENDED, ended[:5], None)
    store.events.append(ENDED, (5, ended[4].hash), ended[5:], KEY)
    store.events.claim(KEY, SEEDED)
    store.events.open(SEEDED, seeded, "seed-4", KEY)
    store.events.open(LONG, long, None)
    store.audits.save(ENDED, "an-audit", {"verdict": "clean"})
    store.sharing.share(LONG, "2026-11-20T19:04:11.512Z")
    store.aliases.declare(Alias("Bo", "Boris", "2026-11-20T19:04:11.512Z"))
    store.aliases.seat(ENDED, "p1", AssignedPlayer("Ada (Berlin)", "2026-11-20T19:04:11.512Z"))


def make_backup(store: Store, path: Path) -> Path:
    """Write a backup of `store`, and return its path."""
    with path.open("wb") as file:
        assert writing.write(store, file, made_by="test").left_out == {}
    return path


def restore_backup(store: Store, path: Path) -> Contents:
    """Restore a backup into `store`, and return its contents."""
    contents = restoring.examine(path, None)
    restoring.restore(store, path, contents)
    return contents


def backed_up_data(store: Store) -> dict[bytes, object]:
    """Return all data that belongs into a backup, as stored in Redis."""
    reads = {
        "hash": "HGETALL",
        "list": "LRANGE",
        "set": "SMEMBERS",
        "stream": "XRANGE",
        "string": "GET",
        "zset": "ZRANGE",
    }
    found = {}
    for name in store.client.scan_iter():
        family = writing.families.family_of(name.decode())
        if family is not None and family.is_kept:
            more = {"LRANGE": (0, -1), "XRANGE": ("-", "+"), "ZRANGE": (0, -1, "WITHSCORES")}.get(
                reads[family.type], ()
            )
            found[name] = store.client.execute_command(reads[family.type], name, *more)
    return found


def read_lines(path: Path) -> list[bytes]:
    """Return the lines of a backup."""
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def write_lines(path: Path, content: Iterable[bytes]) -> Path:
    """Write lines to a file, with or without a seal."""
    path.write_bytes(gzip.compress(b"".join(content)))
    return path


def forge_backup(path: Path, content: list[bytes], key: PrivateKey) -> Path:
    """Write lines without a seal as a backup sealed by `key`, as its owner could forge it; return the file."""
    header = msgspec.json.decode(content[0])
    games = [msgspec.json.decode(line) for line in content if line.startswith(b'{"is":"game"')]
    told = SealedContent(
        made_at=header["made_at"],
        games=len(games),
        events=sum(game["version"] for game in games),
        sha256=hashlib.sha256(b"".join(content)).hexdigest(),
    )
    envelope = dsse.sign(lines.PAYLOAD_TYPE, msgspec.json.encode(told), key)
    return write_lines(path, [*content, msgspec.json.encode(Seal(envelope=envelope)) + b"\n"])


def examine_data(data: bytes) -> Contents:
    """Return the result of `lines.read` at the end of a file with `data`."""
    *_, last = lines.read(io.BytesIO(data))
    assert isinstance(last, Contents)
    return last
