"""A backup of 1,000 games of 120 events, made and restored by `driftlog` in processes of its own; beside it the same
events read from Redis and packed by gzip, with nothing checked. All of it in processor time, Redis's own not counted.

`python -m benchmarks.backups URL FILE` is the reference.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ulid import ULID

from benchmarks.measure import UNPINNED, Settings
from benchmarks.replay import fill
from benchmarks.report import Row, at_most
from store import Store
from store.embedded import Embedded
from tests.playouts import long_record

GAMES = 1000
LENGTH = 120
KINDS = 50
"""How many of the games differ."""
_MIB = 1 << 20


def measure(settings: Settings) -> Iterator[Row]:
    """Written, judged, restored, and looked through."""
    games, kinds = (20, 2) if settings.quick else (GAMES, KINDS)
    logs = [long_record(LENGTH, seed) for seed in range(kinds)] * (games // kinds)
    what, file = f"{games:,} games of {LENGTH} events", settings.folder / "backup"
    with Embedded(settings.folder / "kept", "events", durable=True) as server:
        store = Store.connect(server.url)
        for log in logs:
            fill(store, str(ULID()).lower(), log)
        disk = _on_disk(store, server)
        plain, _ = _run(server.url, "-m", "benchmarks.backups", server.url, str(settings.folder / "plain"))
        took, memory = _driftlog(server.url, "backup", str(file))
        checked, _ = _driftlog(server.url, "doctor", "--all")
    events = games * LENGTH
    yield Row(
        what=f"backup, {what}",
        ours=f"{took:.1f} s, {memory} MiB, {file.stat().st_size / events:.0f} B an event",
        reference=f"{plain:.1f} s read and gzip",
        ratio=took / plain,
        pinning=UNPINNED,
    )
    with Embedded(settings.folder / "restored", "events", durable=True) as server:
        took, memory = _driftlog(server.url, "restore", str(file))
    yield Row(
        what=f"restore, {what}",
        ours=f"{took:.1f} s, {memory} MiB",
        reference=f"{plain:.1f} s read and gzip",
        ratio=took / plain,
        pinning=UNPINNED,
    )
    judged, memory = _driftlog("", "restore", "--check", str(file))
    yield Row(what=f"restore --check, {what}", ours=f"{judged:.1f} s, {memory} MiB", pinning=UNPINNED)
    yield Row(what=f"doctor --all, {what}", ours=f"{checked:.1f} s", pinning=UNPINNED)
    yield Row(
        what=f"append-only file per event, {what}, written anew",
        ours=f"{disk / events:.0f} B",
        goal=at_most(disk / events, 200, "B"),
        pinning=UNPINNED,
    )


def _on_disk(store: Store, server: Embedded) -> int:
    """Bytes of the append-only file once it has been written anew."""
    store.client.bgrewriteaof()
    while any(store.client.info("persistence")[f"aof_rewrite_{state}"] for state in ("in_progress", "scheduled")):
        time.sleep(0.05)
    return sum(path.stat().st_size for path in server.folder.rglob("*.*.*") if path.suffix in (".aof", ".rdb"))


def _driftlog(url: str, *words: str) -> tuple[float, int]:
    return _run(url, "-m", "cli.main", *words)


def _run(url: str, *words: str) -> tuple[float, int]:
    """How many seconds of a processor a command took, and how many MiB at the most."""
    environment = {**os.environ, "DRIFTLOG_REDIS_URL": url}
    process = subprocess.Popen([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 // _MIB


def main(url: str, file: str) -> None:
    """Read all events, and pack them."""
    store = Store.connect(url)
    with gzip.open(Path(file), "wb", 6) as packed:
        for game_id in store.events.game_ids():
            for page in store.events.entries(game_id, 1):
                packed.writelines(part for _, fields in page for part in (fields[1], fields[3]))


if __name__ == "__main__":
    main(*sys.argv[1:])
