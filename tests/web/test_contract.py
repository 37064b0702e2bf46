"""What the scripts of the pages are checked against is the contract."""

from __future__ import annotations

from tests.web.contract import TYPES, types


def test_the_types_of_the_scripts_are_made_from_the_contract() -> None:
    assert TYPES.read_text("utf-8") == types(), "run `make openapi`"
