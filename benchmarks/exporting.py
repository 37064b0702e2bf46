"""Exports: 1,000 games of 120 events as NDJSON and as tables, and a game of 100,000 events as one file.
Each export runs in its own process, `python -m benchmarks.exporting URL FOLDER WHAT`. The benchmark measures the
processor time of that process, and the growth of its memory while it writes the file; Redis is not counted.
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
from service.viewing import masking
from store import Store
from store.redis.embedded import Embedded
from tests.playouts import long_record, playout

GAMES = 1000
LENGTH = 120
KINDS = 50
"""Number of different games."""
LONG = 100_000
MOST = 50
"""The goal: maximum growth of memory for a long game, in MiB."""
_FORGET_THE_PEAK = "5"
"""The value for Linux's `clear_refs` that resets the peak of memory (proc(5))."""


class Cost(msgspec.Struct):
    """The processor time and the growth of memory of a process, and the size of its result."""

    seconds: float
    mebibytes: float
    size: int


def measure(settings: Settings) -> Iterator[Row]:
    """Measure the export of many games, then of a long game."""
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
    """Read or decode all games, or write them in the format `what`; return the cost."""
    store = Store.connect(url)
    games = sorted(store.events.game_ids())
    # Write a small game first, so that one-time costs are not measured.
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
    return log(store, game_id, game, FORMATS[what], masking(store, game_id, game, None))


def _memory(what: str) -> int:
    """Return a memory figure of this process in KiB, from Linux's /proc."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    return int(told.split(f"{what}:", 1)[1].split(maxsplit=1)[0])


if __name__ == "__main__":
    address, place, kind_ = sys.argv[1:]
    print(msgspec.json.encode(_carry_out(address, Path(place), kind_)).decode())
