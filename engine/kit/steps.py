"""Steps of the rules that players can skip (see `Ruleset.skips`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

import msgspec

from engine.core import lifecycle
from engine.core.language import marked, plural, say
from engine.kit.actions import Action, S


class DueStep(msgspec.Struct, frozen=True):
    """A step that a player must take before the game continues."""

    id: str
    name: str
    """The name for players, such as 'Flood cards' or 'weather roll'."""
    rule: str
    """The rulebook heading that requires the step."""
    missed: str | None = None
    """The sentence about a player who skips the step, without a full stop: '{player} did not roll for weather'.

    Not needed if the step draws cards.
    """
    duty: str | None = None
    """The sentence about the player who must take the step, without a full stop: '{player} had to roll for weather'.

    Not needed if the step draws cards.
    """
    has_result: bool = True
    """False if nothing is drawn, rolled or decided in this step, so that skipping it does not change the table."""
    cards: Callable[[int], str] | None = None
    """Function from a number to the name for that many cards, if the step draws cards: 'Flood card', 'Flood
    cards'."""

    def is_part(self, kind: type[Action[Any]]) -> bool:
        """Return True if an action with a random result can belong to this step.

        For example, an excavation does not belong to the step of drawing storm cards.
        """
        return self.cards is None or kind.rule == self.rule

    def of(self, player: str) -> str:
        """Return the words for the step of a player, such as 'Mia's Flood cards'."""
        return say("{player}'s {step}", player=player, step=say(self.name))

    def left_out(self, player: str) -> str:
        """Return the sentence for a skipped step, without its full stop."""
        if self.missed is not None:
            return say(self.missed, player=player)
        if self.cards is not None:
            name = say(self.name)
            if name == self.cards(1):
                return say("{player} did not draw the {card} that was due", player=player, card=name)
            return say("{player} did not draw the {cards} that were due", player=player, cards=name)
        return say("{player} skipped this step: {step}", player=player, step=say(self.name))

    def due(self, player: str, count: int) -> str:
        """Return the sentence about the player who must take the step, without its full stop.

        Args:
            count: the number of cards to draw, if the step draws cards.
        """
        if self.duty is not None:
            return say(self.duty, player=player)
        if self.cards is not None:
            return say("{player} had to draw {cards}", player=player, cards=self.what(count))
        return say("{player} had to take this step: {step}", player=player, step=say(self.name))

    def what(self, count: int) -> str:
        """Return the name of the step; for a step that draws cards, with their number: '2 Flood cards'."""
        return say(self.name) if self.cards is None else f"{count} {self.cards(count)}"

    def not_drawn(self, player: str, count: int) -> str:
        """Return the sentence for a step in which no card was drawn, although `count` cards were due."""
        assert self.cards is not None
        cards = self.cards(count)
        if count == 1:
            return say("{player} did not draw the {card}.", player=player, card=cards)
        if count == 2:
            return say("{player} drew neither of the 2 {cards}.", player=player, cards=cards)
        return say("{player} drew none of the {count} {cards}.", player=player, count=count, cards=cards)

    def once_more(self, player: str, result: str) -> str:
        """Return the sentence for a step that was taken again after it was complete.

        Args:
            result: the card that was drawn, if the step consists of drawing cards.
        """
        if self.cards is None:
            return say("{player} made one {step} too many.", player=player, step=say(self.name))
        return say("{player} drew one {card} too many ({result}).", player=player, card=self.cards(1), result=result)

    def by_other(self, by: str, player: str) -> str:
        """Return the sentence about a card of this step that `by` drew, although `player` had to draw it."""
        assert self.cards is not None
        told = {"by": by, "player": player, "card": self.cards(1)}
        return say("{by} drew one {card} that {player} had to draw.", **told)


def due_cards(id_: str, one: str, rule: str) -> DueStep:
    """Return a step in which cards are drawn; `one` is the English name of such a card."""
    several = f"{one}s"
    return DueStep(id_, several, rule, cards=lambda count: plural(count, one, several))


def due_act(id_: str, name: str, rule: str, act: str, *, has_result: bool = True) -> DueStep:
    """Return a step in which a player has to do something; `act` are the English words: 'roll for weather'."""
    missed, duty = f"{{player}} did not {act}", f"{{player}} had to {act}"
    return DueStep(id_, name, rule, missed, duty, has_result)


class Skip(msgspec.Struct, Generic[S], frozen=True):
    """A way to continue the game without a step that is due."""

    step: DueStep
    seat: int
    """The seat that skips the step."""
    state: S
    """The table after the step is skipped."""
    count: int = 1
    """The number of cards that were due, if the step draws cards."""

    def describe(self, names: Sequence[str]) -> str:
        """Return the sentence for players."""
        return f"{self.step.left_out(names[self.seat])}."


ENDING = DueStep("ending", "end of the game", lifecycle.RULE, missed=marked("Nobody noticed that the game had ended"))
"""The end of the game as a step, if the rules can continue after it (see `Rules.overlooks`)."""
