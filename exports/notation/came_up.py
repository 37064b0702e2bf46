"""What came up, as it is written: taken value by value as the rules ask for it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.values import ChancePoint, Value
from engine.play.game import Game
from exports.notation.language import Language
from exports.notation.resolving import exact_outcome, pick
from exports.notation.scanning import Misread
from exports.notation.syntax import Said
from exports.notation.words import Names, begins, either
from exports.notation.writing import set_up_groups

MOST_NAMED = 12
"""Values that could have come up, where they are told."""


class Queue:
    """What is written to have come up, taken one by one."""

    def __init__(self, said: Sequence[Said], names: Names) -> None:
        self._said = list(said)
        self._names = names

    def next(self, given: list[Value | None]) -> Said | None:
        """What is written for the next place; None where nothing is."""
        return self._said.pop(0) if self._said else None

    def left(self) -> Said | None:
        """What has not been asked for."""
        return self._said[0] if self._said else None

    def value(self, given: list[Value | None], point: ChancePoint, own: Language) -> Value | None:
        """What came up at `point`; None where nobody wrote it.

        Raises:
            Misread: it cannot have come up, or may be several things.
        """
        said = self.next(given)
        if said is None or said.is_unknown:
            return None
        options = list(dict.fromkeys(point.options))
        try:
            exact = exact_outcome(said.tokens, self._names)
        except Misread:
            exact = None
        if exact in options:
            return exact
        called = {option: [str(option).replace("_", " "), own.ruleset.value_label(option)] for option in options}
        try:
            found: Value = pick(said.tokens, called, list)
        except Misread as error:
            what = point.name.replace("_", " ")
            raise Misread(
                error.line, error.column, f"{error.message} What can come up for the {what}: {_some(called)}"
            ) from None
        return found


class Grouped(Queue):
    """What is written of a set-up, part by part, in whatever order the parts stand."""

    def __init__(self, said: Sequence[Said], game: Game, names: Names) -> None:
        super().__init__(said, names)
        self._game = game
        self._is_grouped = any(one.group for one in said)

    def next(self, given: list[Value | None]) -> Said | None:
        if not self._is_grouped:
            return super().next(given)
        groups = set_up_groups(self._game.header, self._game.ruleset, tuple(given))
        asked = groups[len(given)] if len(given) < len(groups) else (groups[-1] if groups else "")
        for index, one in enumerate(self._said):
            if one.group == asked or (one.group and begins(one.group, asked)) or (not one.group and not asked):
                return self._said.pop(index)
        return None


def _some(called: dict[Value, list[str]]) -> str:
    names = [names[-1] for names in called.values()]
    return f"{either(names)}." if len(names) <= MOST_NAMED else f"one of {len(names)}."
