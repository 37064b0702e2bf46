"""Run each test with a parameter `table` at every table of every registered ruleset, or at its module's `TABLES`.

`make test` uses enough tables to cover each choice once; `make test-long` uses all tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from driftlog.testing.tables import each_choice, tables
from engine.play.registry import ruleset
from tests.quick import quick


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "table" in metafunc.fixturenames:
        many = getattr(metafunc.module, "TABLES", None) or tables()
        found = quick(many, [*each_choice(), *getattr(metafunc.module, "TABLES", ())].__contains__)
        ids = [f"{table.ruleset}-{number}" for number, table in enumerate(many, 1)]
        metafunc.parametrize("table", found, ids=ids, scope="module")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests of rules (`@pytest.mark.rules`) for rulesets without rules, and kinds of chance that games lack."""
    here = [item for item in items if isinstance(item, pytest.Function) and Path(__file__).parent in item.path.parents]
    left_out = {item for item in here if not _applies(item)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def _applies(item: pytest.Function) -> bool:
    params = item.callspec.params if hasattr(item, "callspec") else {}
    found = next((params[name] for name in ("rules", "ruleset", "table", "seating") if name in params), None)
    id_ = getattr(found, "id", None) or getattr(found, "ruleset", found)
    rules = ruleset(id_) if isinstance(id_, str) else None
    if rules is None:
        return True
    is_possible = params.get("chance", "observed") in rules.sources
    return is_possible and (rules.checks_rules or item.get_closest_marker("rules") is None)


@pytest.fixture(scope="session")
def playouts(request: pytest.FixtureRequest) -> int:
    """The number of random games to play at a table (`--playouts`)."""
    count: int = request.config.getoption("--playouts")
    return count
