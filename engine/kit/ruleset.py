"""A ruleset: the rules of a game and its presentation, which the author of a game writes as one class.

The author has to read the pages of the two protocols, `engine.kit.rules` and `engine.kit.presentation`, and that of
actions, `engine.kit.actions`. Everything else (recording, replay, legal actions, audit, exports) is the kernel's, and
the same for all games; what it makes of a ruleset is in `engine.kit.kernel`.
"""

from __future__ import annotations

from typing import Any

from engine.kit.actions import Action, Refusal, S
from engine.kit.kernel import O
from engine.kit.presentation import Presentation
from engine.kit.rules import Rules

__all__ = ["Action", "AnyRuleset", "Refusal", "Ruleset"]


class Ruleset(Rules[S, O], Presentation[S]):
    """A game."""


AnyRuleset = Ruleset[Any, Any]
"""A ruleset of whatever game."""
