"""The rulesets that are installed: a new game is one line in `engine.games`.

Versions of a ruleset stand side by side. A stored game is played by the version that it names; a new one by the newest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.errors import UnknownRuleset
from engine.games import RULESETS
from engine.ruleset import Ruleset

_BY_VERSION: dict[tuple[str, str], Ruleset[Any, Any]] = {}
_NEWEST: dict[str, Ruleset[Any, Any]] = {}


def install(*added: Ruleset[Any, Any]) -> None:
    """Add rulesets; within an id, the last is the newest."""
    _BY_VERSION.update({(rules.id, rules.version): rules for rules in added})
    _NEWEST.update({rules.id: rules for rules in added})


@contextmanager
def installed(*added: Ruleset[Any, Any]) -> Iterator[None]:
    """Add rulesets, until the block ends."""
    by_version, newest = dict(_BY_VERSION), dict(_NEWEST)
    install(*added)
    try:
        yield
    finally:
        _BY_VERSION.clear()
        _BY_VERSION.update(by_version)
        _NEWEST.clear()
        _NEWEST.update(newest)


def rulesets() -> list[Ruleset[Any, Any]]:
    """The newest version of every ruleset, in the registry's order."""
    return list(_NEWEST.values())


def versions(id_: str) -> list[str]:
    """The versions of that ruleset, in the registry's order; none where it is not installed."""
    return [version for known, version in _BY_VERSION if known == id_]


def ruleset(id_: str, version: str | None = None) -> Ruleset[Any, Any]:
    """The ruleset of that id, in that version (default: the newest).

    Raises:
        UnknownRuleset: it is not installed.
    """
    found = _NEWEST.get(id_) if version is None else _BY_VERSION.get((id_, version))
    if found is None:
        raise UnknownRuleset(id_, version)
    return found


install(*RULESETS)
