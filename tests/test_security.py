"""Each row of SECURITY.md names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROWS = re.findall(r"^\|(?! ---)(.*)\|$", (ROOT / "SECURITY.md").read_text(), re.MULTILINE)[1:]


def functions(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def test_every_row_names_tests_that_exist() -> None:
    assert len(ROWS) >= 20
    for row in ROWS:
        *_, named = row.split("|")
        tests = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", named)
        assert tests, row
        for file, name in tests:
            assert (ROOT / file).is_file(), row
            assert not name or name in functions(ROOT / file), (file, name)
