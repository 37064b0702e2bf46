"""The plan of a late page: its places and values, in the form of a setup plan."""

from __future__ import annotations

from typing import Any

from engine.core.values import ChancePoint
from engine.kit.presentation import AnyPresentation
from engine.kit.setup_page import SetupPage, SetupPart
from service.chance import chance_document


def late_plan(rules: AnyPresentation, page: SetupPage) -> dict[str, Any]:
    """Return the `places` of a late page, and for each part the pile with its values, as `setup_document` does."""
    parts = [part for step in page.steps for part in step.parts]
    places = [place for pile, part in enumerate(parts) for place in _places(part, pile)]
    return {"places": places, "piles": [_pile(rules, part) for part in parts]}


def _places(part: SetupPart, pile: int) -> list[dict[str, Any]]:
    spaces = part.report.spaces if part.report else ()
    return [
        {"group": part.group, "label": name, "at": spaces[index] if spaces else None, "pile": pile}
        for index, name in enumerate(part.names)
    ]


def _pile(rules: AnyPresentation, part: SetupPart) -> dict[str, Any]:
    stock, returns = (part.report.stock, part.report.returns) if part.report else ((), True)
    outcomes = chance_document(ChancePoint("", 0, stock), rules)["outcomes"]
    return {"returns": returns, "is_open": False, "outcomes": outcomes}
