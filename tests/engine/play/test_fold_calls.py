"""The number of Python functions that a fold calls for each event."""

from __future__ import annotations

from functools import partial

import pytest

from engine.play.fold import history
from tests.calls import MARGIN, count_calls
from tests.playouts import playout

CALLS = {
    "forbidden-island": 20.6,
    "forbidden-island-archaens": 21.7,
    "forbidden-desert": 22.0,
    "forever-island": 15.2,
    "forgotten-waters": 32.1,
}
"""Functions that a fold called for each event at the last landing. Lower a number when it falls."""


@pytest.mark.parametrize("ruleset_id", CALLS)
def test_a_fold_calls_no_more_functions_than_before(ruleset_id: str) -> None:
    logs = [playout(ruleset_id, seed, seats=3) for seed in range(4)]
    calls = sum(count_calls(partial(history, log)) for log in logs)
    assert calls / sum(map(len, logs)) <= CALLS[ruleset_id] * MARGIN
