"""How it is measured: pinned to named cores, pair by pair, medians."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import msgspec

UNPINNED = "unpinned"
_NAMED = ("redis", "hiredis", "msgspec", "flask", "flask-smorest", "marshmallow", "gunicorn", "chess", "eventsourcing")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How much is measured, and where files may be put."""

    quick: bool
    """See that it works: the figures mean nothing."""
    folder: Path

    @property
    def rounds(self) -> int:
        """How many pairs are measured."""
        return 1 if self.quick else 7

    @property
    def seconds(self) -> float:
        """How long one measurement of a rate lasts, about."""
        return 0.05 if self.quick else 1.0


class Pair(msgspec.Struct, frozen=True):
    """Medians over all pairs; `ratio` is that of the pairs' own ratios."""

    ours: float
    reference: float
    ratio: float


def side_by_side(ours: Callable[[], float], reference: Callable[[], float], rounds: int) -> Pair:
    """Measure both `rounds` times, one right after the other, each first in turn."""
    pairs: list[tuple[float, float]] = []
    for number in range(rounds):
        if number % 2:
            theirs, own = reference(), ours()
        else:
            own, theirs = ours(), reference()
        pairs.append((own, theirs))
    return Pair(
        statistics.median(own for own, _ in pairs),
        statistics.median(theirs for _, theirs in pairs),
        statistics.median(own / theirs for own, theirs in pairs),
    )


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much of what `work` does it does in a second: it says how much that was each time."""
    done, elapsed = 0, 0.0
    with undisturbed():
        while elapsed < seconds:
            began = time.perf_counter()
            done += work()
            elapsed += time.perf_counter() - began
    return done / elapsed


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the collector off what the benchmark itself holds; what comes meanwhile is collected as ever."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` (0 to 1) of `values` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def cores() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Keep this thread, and what it starts meanwhile, on its `core`-th core, as far as there are so many."""
    before = os.sched_getaffinity(0)
    usable = sorted(before)
    os.sched_setaffinity(0, {usable[min(core, len(usable) - 1)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def machine() -> list[str]:
    """What it was measured on, a line each."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    memory = next((int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return [
        f"{len(cores())} × {model}, {memory / 2**20:.0f} GiB, {platform.system()} {platform.release()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        ", ".join(f"{name} {version(name)}" for name in _NAMED),
    ]


def _lines(path: str) -> list[str]:
    file = Path(path)
    return file.read_text().splitlines() if file.exists() else []
