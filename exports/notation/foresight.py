"""Compare the possible meanings of a doubtful line with the lines around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from engine.play.game import Game
from exports.notation.filling import Guess
from exports.notation.guessing import Guesser
from exports.notation.handwriting import Handwriting, take_apart
from exports.notation.syntax import Line
from exports.notation.words import Names

_NEXT = 4
"""The number of following lines that are compared."""
_SWAPPED = 0.1
"""The decrease in score for assuming that two lines are swapped."""


class Start(NamedTuple):
    """The record before a line."""

    line: Line
    game: Game
    current: int | None
    """The seat that acted last."""
    last: int
    """The last event that is an action."""
    items: int
    """The number of results of the reading."""
    questions: int
    """The number of questions of the reading."""
    labels: dict[str, int]


class Foresight:
    """Reads a doubtful line together with the lines around it."""

    def __init__(self, guesser: Guesser, names: Names) -> None:
        self._guesser = guesser
        self._names = names

    def sort(self, guesses: Sequence[Guess], later: Sequence[str]) -> list[Guess]:
        """Return guesses in a new order: the guess that fits the following lines best comes first."""
        if len(guesses) < 2:
            return list(guesses)
        return sorted(guesses, key=lambda one: -one.total - self._rate(one, later[max(one.swapped, 0) :]))

    def guess_swapped_with_next(self, line: Handwriting, text: str, current: int | None) -> list[Guess]:
        """Return a guess that the next line, `text`, happened before this line.

        It is returned if both lines are clear in that order.
        """
        return self._guess_swapped(take_apart(text, self._names), line, current, None, swapped=1)

    def guess_swapped_with_previous(self, line: Handwriting, start: Start) -> list[Guess]:
        """Return a guess that this line happened before the previous line.

        It is returned if both lines are clear in that order.

        Args:
            start: the record before the previous line.
        """
        previous = take_apart(start.line.text, self._names)
        return self._guess_swapped(line, previous, start.current, start.game, swapped=-1)

    def _guess_swapped(
        self, first: Handwriting, second: Handwriting, current: int | None, game: Game | None, *, swapped: int
    ) -> list[Guess]:
        if not (first.segments and second.segments) or (first.turn, second.turn) != (None, None):
            return []
        for before in self._clear(first, current, game):
            for guess in self._clear(second, before.actor, before.game):
                return [
                    msgspec.structs.replace(
                        guess,
                        drafts=before.drafts + guess.drafts,
                        events=before.events + guess.events,
                        unknown=before.unknown + guess.unknown,
                        total=(before.total + guess.total) / 2 - _SWAPPED,
                        is_doubtful=True,
                        swapped=swapped,
                    )
                ]
        return []

    def _clear(self, line: Handwriting, current: int | None, game: Game | None) -> list[Guess]:
        """Return the best meaning of a line, if it is clear.

        An illegal action is only clear if the line itself calls it illegal.
        """
        found = self._guesser.guesses(line, current, None, game, only_legal=not line.is_illegal)[:1]
        return [one for one in found if one.is_clear]

    def _rate(self, guess: Guess, later: Sequence[str]) -> float:
        total = 0.0
        for text in later[:_NEXT]:
            line = take_apart(text, self._names)
            current = line.actor if line.actor is not None else guess.actor if line.turn is None else None
            found = self._guesser.guesses(line, current, None, guess.game, only_legal=True) if line.segments else []
            if found:
                guess = found[0]
                total += guess.total / len(line.segments)
        return total
