"""The number of Python functions that an append calls, which other load on the machine does not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from tests.api.table import Table, body_of
from tests.calls import MARGIN, count_calls

CALLS = 793
"""Functions that one append called at the last landing. Lower it when the number falls."""
TIMES = 6
"""Number of counted appends. The lowest count is compared, because garbage collection can run during any of them."""


def test_an_append_calls_no_more_functions_than_before(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Check the log only before the first append: how often it is checked depends on the duration of a check.
    monkeypatch.setattr("store.log.watching.SHARE", 1e-9)
    table.open()
    counted = [append(app, table, number) for number in range(TIMES)]
    assert min(counted) <= CALLS * MARGIN, counted


def append(app: Flask, table: Table, number: int) -> int:
    """Append the next draw, and return the number of Python functions that this called."""
    draw = next(one for one in table.actions() if one["type"].startswith("draw_"))
    request = EnvironBuilder(
        f"{table.game}/events", method="POST", json=body_of(draw), headers={"Idempotency-Key": f"draw-{number}"}
    ).get_environ()
    answered = ""

    def start(status: str, *_: Any) -> Callable[[bytes], object]:
        nonlocal answered
        answered = status
        return bytes

    calls = count_calls(lambda: list(app.wsgi_app(request, start)))
    assert answered.startswith("201")
    return calls
