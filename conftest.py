"""What holds for every test: the options of the command line, signals, and Hypothesis without a clock."""

from __future__ import annotations

import signal
from types import FrameType

import pytest
from hypothesis import settings

settings.register_profile("driftlog", deadline=None, print_blob=True)
settings.load_profile("driftlog")


def _outlive(_number: int, _frame: FrameType | None) -> None:
    """A signal that is to be survived."""


def pytest_configure() -> None:
    # In the background and under nohup these are ignored, and whatever is started goes on ignoring them, for ever. What
    # is heeded here, if only to outlive it, is not.
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _outlive)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("driftlog")
    group.addoption(
        "--playouts",
        type=int,
        default=40,
        metavar="N",
        help="random games for each table (ruleset, seats, options) of the conformance suite (default: %(default)s)",
    )
    group.addoption(
        "--update-golden", action="store_true", help="write the golden playthroughs anew, instead of comparing them"
    )
