"""The protocol of computer players: programs that play a game to its end, so that its positions can be valued."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from engine.core.errors import EngineError
from engine.core.language import say
from engine.core.values import SEAT_IDS, GameOutcome
from engine.kit.actions import Action, S
from engine.kit.chance import RandomSource

P = ParamSpec("P")
T = TypeVar("T")

Proposal = tuple[Action[Any], int]
"""An action, and the seat that takes it."""


class Player(ABC, Generic[S]):
    """A program that plays all seats of a game.

    Its choices depend only on what everyone at the table can see: not on hidden cards, on the order of the cards in a
    layer of a pile, or on the process that runs it.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    """The version of the computer player. Values of different versions cannot be compared."""
    ruleset: str
    """The id of the ruleset that the computer player plays."""

    @abstractmethod
    def propose(self, state: S, rng: RandomSource) -> Sequence[Proposal]:
        """Return legal actions, best first, at least one while the game continues.

        Args:
            rng: the only source of random choices.
        """

    def ideas(self, state: S, rng: RandomSource) -> Sequence[Proposal]:
        """Return legal actions that a search should compare, best first; by default the proposals of `propose`."""
        return self.propose(state, rng)

    @property
    def outlook(self) -> Mapping[str, float]:
        """The trained weights of the `features`; if there are none, a search plays each game to its end."""
        return {}

    def features(self, state: S, seat: int) -> Mapping[str, float]:
        """Return at most 40 numbers about a table at the start of a turn, from which `seat`'s reward is estimated."""
        return {}

    def reward(self, outcome: GameOutcome, seat: int) -> float:
        """Return the value of a game's outcome for `seat`, from 0 to 1; by default 1 for winners and 0 for others."""
        return float(SEAT_IDS[seat] in outcome.winners)

    def sides(self, state: S) -> Sequence[tuple[int, ...]]:
        """Return the seats of each side, if one side wins and the others lose; by default, there is only one side."""
        return ()

    def can_be_played(self, state: S) -> str | None:
        """Return the reason why the computer player cannot play from `state`; None if it can."""
        return None


AnyPlayer = Player[Any]
"""A computer player of any game."""


class PlayerFailed(EngineError):
    """A computer player raised an error, proposed nothing or an illegal action, or did not end the game."""

    def __init__(self, player: AnyPlayer, reason: str) -> None:
        super().__init__(say("The computer player {player} failed: {reason}", player=player.name, reason=reason))


def ask(player: AnyPlayer, question: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Return the answer of a computer player's method.

    Raises:
        PlayerFailed: the method raised an error.
    """
    try:
        return question(*arguments, **named)
    except PlayerFailed:
        raise
    except (Exception, SystemExit) as error:  # a package may raise anything
        raise PlayerFailed(player, f"{type(error).__name__}: {error}") from error


class NotPlayable(EngineError):
    """No installed computer player can play this game; the message gives the reason."""
