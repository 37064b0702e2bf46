"""Facts about a table of Forgotten Waters."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.facts import Tableau, Told
from engine.play.corrections import facts
from tests.engine.games.playing import rules_of

NAMES = ("Ada", "Bo", "Cleo")
EVENT_STARS = ("a1", "a2", "e1", "b1", "e2")


def reported_facts(state: WatersState, *documents: dict[str, Any], is_whole: bool = False) -> Told:
    return Told(facts.read(rules_of(state), documents, 3, ""), is_whole=is_whole)


def after(state: WatersState, *documents: dict[str, Any]) -> Any:
    """Return the table after an adjustment to these facts."""
    return facts.whole(rules_of(state), NAMES, state, list(reported_facts(state, *documents)))


def unsound_reason(state: WatersState, *documents: dict[str, Any]) -> str:
    with pytest.raises(UnsoundTable) as error:
        after(state, *documents)
    return error.value.violations[0].message


def there(state: WatersState) -> list[dict[str, Any]]:
    """Return all facts that hold."""
    return [facts.document(fact) for fact in Tableau(rules_of(state).facts, state)]


def adjust_to(state: WatersState, other: WatersState) -> Any:
    """Return `state` after an adjustment to all facts of `other`."""
    rules = rules_of(state)
    photograph = list(Tableau(rules.facts, other))
    correction = facts.resolve(rules, NAMES, state, photograph, is_whole=True)
    found = facts.apply_correction(rules, NAMES, state, correction)
    assert set(Tableau(rules.facts, found)) == set(photograph)
    return found


def with_pile(state: WatersState, *tokens: tuple[str, str], **fields: Any) -> WatersState:
    """Return `state` with navigation tokens moved from the pile to spaces."""
    pile = state.navigation_pile
    for _, token in tokens:
        pile = pile.without(token)
    return replace(state, tokens=tuple(sorted((*state.tokens, *tokens))), navigation_pile=pile, **fields)


def planning(*choosing: str) -> dict[str, Any]:
    return {"fact": "now_is", "phase": "planning", "choosing": list(choosing)}
