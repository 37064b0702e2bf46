"""Run each test with a parameter `table` at every table of every registered ruleset, or at its module's `TABLES`.

`make test` uses enough tables to cover each choice once; `make test-long` uses all tables.
"""

from __future__ import annotations

import pytest

from driftlog.testing.tables import each_choice, tables
from tests.quick import quick


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "table" in metafunc.fixturenames:
        many = getattr(metafunc.module, "TABLES", None) or tables()
        found = quick(many, [*each_choice(), *getattr(metafunc.module, "TABLES", ())].__contains__)
        ids = [f"{table.ruleset}-{number}" for number, table in enumerate(many, 1)]
        metafunc.parametrize("table", found, ids=ids, scope="module")


@pytest.fixture(scope="session")
def playouts(request: pytest.FixtureRequest) -> int:
    """The number of random games to play at a table (`--playouts`)."""
    count: int = request.config.getoption("--playouts")
    return count
