"""Facts about a table of Forever Island."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from engine.play.corrections import facts
from tests.engine.games.forever_island.positions import RULES, atoll

NAMES = ("Ada", "Bo")
THREE = ("hog_1_a", "hog_2_a", "log_1_a")


def reported_facts(*documents: dict[str, Any]) -> tuple[Any, ...]:
    return facts.read(RULES, documents, 2, "")


def fact(kind: str, **fields: Any) -> dict[str, Any]:
    return {"fact": kind, **fields}


def after(state: Any, *documents: dict[str, Any]) -> Any:
    """Return the table after an adjustment to these facts."""
    return facts.whole(RULES, NAMES, state, reported_facts(*documents))


def unsound_reason(state: Any, *documents: dict[str, Any]) -> str:
    """Return the reason why no table can match these facts."""
    with pytest.raises(UnsoundTable) as error:
        after(state, *documents)
    return error.value.violations[0].message


def placing(**fields: Any) -> Any:
    """Return the initial placement, before anyone has placed."""
    return atoll(**{"turn": 0, "phase": "placement", "huts": ((), ()), **fields})
