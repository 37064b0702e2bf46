"""What holds for every test: the options of the command line, and Hypothesis without a clock."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("driftlog", deadline=None, print_blob=True)
settings.load_profile("driftlog")


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
