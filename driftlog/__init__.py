"""Driftlog as a library: record, replay, audit and export games without a service.

`driftlog.kit` has what the author of a game imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driftlog.game import Game, LegalAction, Outcome

__all__ = ["Game", "LegalAction", "Outcome"]


def __getattr__(name: str) -> Any:
    # Not at import: `driftlog.kit` is imported by rulesets while the engine that a game runs on is still loading them.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from driftlog import game

    return getattr(game, name)
