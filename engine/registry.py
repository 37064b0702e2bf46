"""The rulesets that are installed: a new game is one line in `engine.games`."""

from __future__ import annotations

from typing import Any

from engine.errors import UnknownRuleset
from engine.games import RULESETS
from engine.ruleset import Ruleset

_BY_VERSION: dict[tuple[str, str], Ruleset[Any, Any]] = {(rules.id, rules.version): rules for rules in RULESETS}
_NEWEST: dict[str, Ruleset[Any, Any]] = {rules.id: rules for rules in RULESETS}


def rulesets() -> list[Ruleset[Any, Any]]:
    """The newest version of every ruleset, in the registry's order."""
    return list(_NEWEST.values())


def ruleset(id_: str, version: str | None = None) -> Ruleset[Any, Any]:
    """The ruleset of that id, in that version (default: the newest).

    Raises:
        UnknownRuleset: it is not installed.
    """
    found = _NEWEST.get(id_) if version is None else _BY_VERSION.get((id_, version))
    if found is None:
        raise UnknownRuleset(id_, version)
    return found
