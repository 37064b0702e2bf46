"""Settings of all tests: folders, command-line options, signals, Hypothesis without a clock."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Generator
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import settings

# The examples are the same in each run; EXPLORE makes Hypothesis search for new ones.
settings.register_profile("driftlog", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=1_000)
settings.load_profile("explore" if os.environ.get("EXPLORE") else "driftlog")


MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes a private folder in it
"""Folder of files in memory on Linux."""
ROOM = 512 * 1024**2
"""Minimum free bytes in `MEMORY`; the tests need a tenth of them."""


def _outlive(_number: int, _frame: FrameType | None) -> None:
    """Ignore a signal."""


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--redis"):
        _run_on_redis()
    if config.getoption("cov_source", None):
        # Coverage makes the rules several times slower. The limit has its own tests.
        os.environ.setdefault("DRIFTLOG_REQUEST_SECONDS", "20")
    # Thousands of writes wait for the disk, but no test cuts the power.
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM and os.access(MEMORY, os.W_OK):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # In the background and under nohup these signals are ignored, and child processes would inherit that. A handler is
    # not inherited.
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _outlive)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt the collected tests from garbage collection, which took a quarter of the time and freed none of them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _run_on_redis() -> None:
    """Embed the installed Redis instead of the bundled server."""
    from store.redis import embedded
    from tests.store.finding import NoRedis, find

    try:
        redis_server = find()
    except NoRedis as missing:
        pytest.exit(f"NOT TESTED ON REDIS. {missing}", returncode=0)
    vars(embedded)["_bundled_binary"] = lambda: redis_server


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("driftlog")
    group.addoption(
        "--playouts",
        type=int,
        default=15,
        metavar="N",
        help="random games for each table (ruleset, seats, options) of the conformance suite (default: %(default)s)",
    )
    group.addoption("--redis", action="store_true", help="run on redis-server instead of the embedded Valkey")
    group.addoption(
        "--update-golden", action="store_true", help="write the golden playthroughs instead of comparing them"
    )
