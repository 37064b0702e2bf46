"""What holds for every test: where its files are, the command line's options, signals, Hypothesis without a clock."""

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

# The same code is judged alike each time; where EXPLORE is set, new examples are looked for.
settings.register_profile("driftlog", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=1_000)
settings.load_profile("explore" if os.environ.get("EXPLORE") else "driftlog")


MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes a folder in it that is this user's alone
"""Where files are in memory, as Linux has it."""
ROOM = 512 * 1024**2
"""Bytes that have to be free there; the tests need a tenth of them."""


def _outlive(_number: int, _frame: FrameType | None) -> None:
    """A signal that is to be survived."""


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--redis"):
        _run_on_redis()
    if config.getoption("cov_source", None):
        # Coverage slows the rules several times, and the limit of their time has tests of its own.
        os.environ.setdefault("DRIFTLOG_REQUEST_SECONDS", "20")
    # What is to be on disk before it is acknowledged is asked for thousands of times, and no test takes the power away.
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM and os.access(MEMORY, os.W_OK):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # In the background and under nohup these are ignored, and whatever is started goes on ignoring them, for ever. What
    # is heeded here, if only to outlive it, is not.
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _outlive)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt the collected tests from garbage collection: they are never freed, and it took a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _run_on_redis() -> None:
    """Have Redis be what is embedded, in place of what the service brings along."""
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
    group.addoption("--redis", action="store_true", help="run on redis-server, not on the Valkey that is embedded")
    group.addoption(
        "--update-golden", action="store_true", help="write the golden playthroughs anew, instead of comparing them"
    )
