"""Exports: 1,000 games of 120 events as NDJSON and as tables, and a game of 100,000 events as one file. In processes of
their own: processor time, and by how much the memory grew while the file was made; Redis's own not counted.

`python -m benchmarks.exporting URL FOLDER WHAT` is one of them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from ulid import ULID

from benchmarks.games import keen_games
from benchmarks.measure import UNPINNED, Settings
from benchmarks.replay import fill
from benchmarks.report import Row, at_most
from exports import FORMATS, Log
from service.logs import as_stored, log
from service.viewing import shown
from store import Store
from store.redis.embedded import Embedded
from tests.playouts import long_record, playout

GAMES = 1000
LENGTH = 120
KINDS = 50
"""How many of the games differ."""
LONG = 100_000
MOST = 50
"""MiB that a long game may take while its file is made."""
_FORGET_THE_PEAK = "5"
"""What Linux is told by `clear_refs` (proc(5))."""


class Cost(msgspec.Struct):
    """What a process took for it."""

    seconds: float
    mebibytes: float
    size: int


def measure(settings: Settings) -> Iterator[Row]:
    """Many games, then a long one."""
    yield from _many(settings)
    yield from _long(settings)


def _many(settings: Settings) -> Iterator[Row]:
    games, kinds = (20, 2) if settings.quick else (GAMES, KINDS)
    logs = [game.events[:LENGTH] for game in keen_games("forbidden-island", kinds, LENGTH)]
    logs = [log for log in logs if len(log) == LENGTH] or logs
    with Embedded(settings.folder / "exported", "events", durable=False) as server:
        store = Store.connect(server.url)
        for number in range(games):
            game = str(ULID()).lower()
            fill(store, game, logs[number % len(logs)])
            store.projections.project(game)
        what = f"{games:,} games of {LENGTH} events"
        read = _run(server.url, settings.folder, "read")
        events = _run(server.url, settings.folder, "events")
        lines = _run(server.url, settings.folder, "ndjson")
        yield Row(
            what=f"{what} as NDJSON ({lines.size / 1e6:.0f} MB)",
            ours=f"{lines.seconds:.2f} s",
            reference=f"{events.seconds:.2f} s read as events, {read.seconds:.2f} s undecoded",
            ratio=lines.seconds / events.seconds,
            goal=at_most(lines.seconds / events.seconds, 2, "×"),
            pinning=UNPINNED,
        )
        for name, goal in (("parquet", 10), ("sqlite", None)):
            cost = _run(server.url, settings.folder, name)
            yield Row(
                what=f"{what} as {name} ({cost.size / 1e6:.0f} MB)",
                ours=f"{cost.seconds:.1f} s, {cost.mebibytes:.0f} MiB",
                goal=None if goal is None else at_most(cost.seconds, goal, "s"),
                pinning=UNPINNED,
            )


def _long(settings: Settings) -> Iterator[Row]:
    events = long_record(1000 if settings.quick else LONG)
    with Embedded(settings.folder / "long", "events", durable=False) as server:
        store = Store.connect(server.url)
        fill(store, "long", events)
        store.projections.project("long")
        for name in ("sqlite", "markdown", "csv", "ndjson"):
            cost = _run(server.url, settings.folder, name)
            yield Row(
                what=f"a game of {len(events):,} events as {name} ({cost.size / 1e6:.0f} MB)",
                ours=f"{cost.seconds:.1f} s, {cost.mebibytes:.0f} MiB",
                goal=at_most(cost.mebibytes, MOST, "MiB"),
                pinning=UNPINNED,
            )


def _run(url: str, folder: Path, what: str) -> Cost:
    command = [sys.executable, "-m", "benchmarks.exporting", url, str(folder), what]
    return msgspec.json.decode(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, type=Cost)


def _carry_out(url: str, folder: Path, what: str) -> Cost:
    """Read all games, or write them as that format."""
    store = Store.connect(url)
    games = sorted(store.events.game_ids())
    # What is loaded once is no cost of any game.
    known = "ndjson" if what in _READ else what
    next(FORMATS[known].write(Log("g", playout())))
    _log(store, games[0], known)
    Path("/proc/self/clear_refs").write_text(_FORGET_THE_PEAK)
    before, began = _memory("VmRSS"), time.process_time()
    size = _READ[what](store, games) if what in _READ else _write(store, games, folder, what)
    return Cost(time.process_time() - began, (_memory("VmHWM") - before) / 1024, size)


def _read(store: Store, games: list[str]) -> int:
    pages = (page for game in games for page in store.events.entries(game, 1))
    return sum(len(part) for page in pages for _, fields in page for part in fields)


def _decode(store: Store, games: list[str]) -> int:
    return sum(len(page) for game in games for page in store.events.pages(game))


_READ = {"read": _read, "events": _decode}


def _write(store: Store, games: list[str], folder: Path, what: str) -> int:
    kind = FORMATS[what]
    if kind.gather is None or len(games) == 1:
        return sum(len(chunk) for game in games for chunk in kind.write(_log(store, game, what)))
    into = folder / f"gathered-{what}"
    into.mkdir()
    gathering = kind.gather(into)
    for game in games:
        gathering.add(_log(store, game, what))
    gathering.finish()
    return sum(path.stat().st_size for path in into.iterdir())


def _log(store: Store, game_id: str, what: str) -> Log:
    stored = as_stored(store, game_id, sees_all=False) if FORMATS[what].is_as_stored else None
    if stored is not None:
        return stored[0]
    game = store.games.latest(game_id)
    return log(store, game_id, game, FORMATS[what], shown(store, game_id, game, None))


def _memory(what: str) -> int:
    """KiB, as Linux tells it of this process."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    return int(told.split(f"{what}:", 1)[1].split(maxsplit=1)[0])


if __name__ == "__main__":
    address, place, kind_ = sys.argv[1:]
    print(msgspec.json.encode(_carry_out(address, Path(place), kind_)).decode())
