"""Steps of the rules that a table may forget, and go on without (see `Ruleset.skips`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

import msgspec

from engine.core.language import say
from engine.kit.actions import S


class DueStep(msgspec.Struct, frozen=True):
    """Something that the rules ask of a player before the game goes on."""

    id: str
    name: str
    """What players call it, as in 'Mia's Flood cards were left out'."""
    rule: str
    """The rulebook's heading that asks for it."""
    is_plural: bool = False

    def of(self, player: str) -> str:
        """The step of a player, as 'Mia's Flood cards'."""
        return say("{player}'s {step}", player=player, step=say(self.name))

    def left_out(self, player: str) -> str:
        """The sentence that says that it was left out, without its full stop."""
        if self.is_plural:
            return say("{player}'s {step} were left out", player=player, step=say(self.name))
        return say("{player}'s {step} was left out", player=player, step=say(self.name))


class Skip(msgspec.Struct, Generic[S], frozen=True):
    """The game goes on without a step that is due."""

    step: DueStep
    seat: int
    """Whose step it is."""
    state: S
    """The table without it."""

    def told(self, names: Sequence[str]) -> str:
        """The sentence that a player reads."""
        return f"{self.step.left_out(names[self.seat])}."
