"""Driftlog as a library: record, replay, audit and export games without a service.

`driftlog.kit` has everything that the author of a ruleset imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driftlog.game import Game, LegalAction, Outcome

__all__ = ["Game", "LegalAction", "Outcome"]


def __getattr__(name: str) -> Any:
    # Import late: rulesets import `driftlog.kit` while the engine, which `Game` needs, is still loading them.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from driftlog import game

    return getattr(game, name)
