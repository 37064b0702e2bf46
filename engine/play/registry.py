"""The rulesets that are installed: a new game is one line in `engine.games`.

Versions of a ruleset stand side by side. A stored game is played by the version that it names; a new one by the newest.
"""

from __future__ import annotations

from engine.core.errors import UnknownRuleset
from engine.core.readiness import make_ready
from engine.games import RULESETS
from engine.kit.ruleset import AnyRuleset

_BY_VERSION: dict[tuple[str, str], AnyRuleset] = {}
_NEWEST: dict[str, AnyRuleset] = {}


def install(*added: AnyRuleset) -> None:
    """Add rulesets; within an id, the last is the newest. What is read into their types may be read by any thread."""
    _BY_VERSION.update({(rules.id, rules.version): rules for rules in added})
    _NEWEST.update({rules.id: rules for rules in added})
    make_ready()


def rulesets() -> list[AnyRuleset]:
    """The newest version of every ruleset, in the registry's order."""
    return list(_NEWEST.values())


def versions(id_: str) -> list[str]:
    """The versions of that ruleset, in the registry's order; none where it is not installed."""
    return [version for known, version in _BY_VERSION if known == id_]


def ruleset(id_: str, version: str | None = None) -> AnyRuleset:
    """The ruleset of that id, in that version (default: the newest).

    Raises:
        UnknownRuleset: it is not installed.
    """
    found = _NEWEST.get(id_) if version is None else _BY_VERSION.get((id_, version))
    if found is None:
        raise UnknownRuleset(id_, version)
    return found


install(*RULESETS)
