"""The number of Python functions that an append calls, which other load on the machine does not change."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from tests.api.table import Table, body_of

CALLS = 793
"""Functions that one append called at the last landing. Lower it when the number falls."""
MARGIN = 1.03
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
    calls, answered = 0, ""

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    def start(status: str, *_: Any) -> Callable[[bytes], object]:
        nonlocal answered
        answered = status
        return bytes

    sys.setprofile(count)
    try:
        list(app.wsgi_app(request, start))
    finally:
        sys.setprofile(None)
    assert answered.startswith("201")
    return calls
