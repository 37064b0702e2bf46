"""Measure pairs of our code and a reference, pinned to cores. Return medians."""

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
    """The extent of the measurements, and a folder for their files."""

    quick: bool
    """True to check only that the benchmark works. Its figures then mean nothing."""
    folder: Path

    @property
    def rounds(self) -> int:
        """The number of pairs to measure."""
        return 1 if self.quick else 7

    @property
    def seconds(self) -> float:
        """Approximate duration of one measurement of a rate."""
        return 0.05 if self.quick else 1.0


class Pair(msgspec.Struct, frozen=True):
    """Medians over all pairs; `ratio` is the median of the pairs' ratios."""

    ours: float
    reference: float
    ratio: float


def side_by_side(ours: Callable[[], float], reference: Callable[[], float], rounds: int) -> Pair:
    """Measure our code and the reference `rounds` times, one directly after the other, in alternating order."""
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


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the work per second, by `clock`. Each call of `work` returns the amount of work that it has done."""
    done, elapsed = 0, 0.0
    with freeze_objects():
        while elapsed < seconds:
            began = clock()
            done += work()
            elapsed += clock() - began
    return done / elapsed


@contextmanager
def freeze_objects() -> Iterator[None]:
    """In this block, exclude the benchmark's own objects from garbage collection. New objects are still collected."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` (0 to 1) of `values` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def cores() -> list[int]:
    """Return the cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


@contextmanager
def pin(core: int) -> Iterator[None]:
    """Pin this thread, and the processes that it starts, to the `core`-th available core.

    If there are fewer, use the last one.
    """
    before = os.sched_getaffinity(0)
    usable = sorted(before)
    os.sched_setaffinity(0, {usable[min(core, len(usable) - 1)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def machine() -> list[str]:
    """Return a description of the machine, as lines."""
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
