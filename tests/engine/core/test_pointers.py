"""The line of a value in a JSON document."""

from __future__ import annotations

import pytest

from engine.core.pointers import line_of

TEXT = """{
  "name": "a, b: {",
  "pages": [
    {"id": "one"},
    {
      "id": "two"}]
}"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [("", 1), ("/name", 2), ("/pages", 3), ("/pages/0/id", 4), ("/pages/1", 5), ("/pages/1/id", 6)],
)
def test_the_line_is_that_of_the_value(pointer: str, line: int) -> None:
    assert line_of(TEXT, pointer) == line


def test_a_missing_member_is_on_the_line_of_its_object() -> None:
    assert line_of(TEXT, "/pages/1/title") == 5


def test_a_missing_entry_is_on_the_line_of_its_list() -> None:
    assert line_of(TEXT, "/pages/7") == 3
