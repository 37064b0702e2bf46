"""Plan of a setup: the pile from which each result is drawn. With it, a phone can record a setup offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.core.values import Value
from engine.kit.chance import Observed, V
from engine.kit.options import SetupPrompt
from engine.kit.rules import AnyRules


class SetupPile(msgspec.Struct):
    """A pile from which several prompts of a setup draw in sequence."""

    options: tuple[Value, ...]
    """The possible results of the pile's first prompt; equal components are separate entries."""
    returns: bool = False
    """True if a result can be repeated, as with a die."""
    is_open: bool = False
    """True if the number of prompts depends on the results."""
    more: dict[Value, int] = {}
    """The number of additional prompts after certain results of the pile's first prompt."""


class SetupPlan(msgspec.Struct, frozen=True):
    """The whole setup, as far as it is known after some results."""

    prompts: Sequence[SetupPrompt]
    piles: list[SetupPile]
    pile_of: list[int | None]
    """The index in `piles` of each prompt's pile; None if the pile is not known yet."""


def plan(ruleset: AnyRules, options: Any, names: Sequence[str], given: Sequence[Value | None]) -> SetupPlan:
    """Return the plan after the results `given`; impossible results are ignored."""
    ahead = _Ahead(ruleset, options, names, given)
    ruleset.setup(options, len(names), ahead)
    prompts = ruleset.setup_prompts(options, names, given)
    known = ahead.pile_of[: len(prompts)]
    return SetupPlan(prompts, ahead.piles, [*known, *[None] * (len(prompts) - len(known))])


class _Ahead(Observed):
    """Finds the remaining draws: takes the given results, then those with the fewest further draws."""

    __slots__ = ("_asked", "_came", "_given", "_left", "_name", "pile_of", "piles")

    def __init__(self, ruleset: AnyRules, options: Any, names: Sequence[str], given: Sequence[Value | None]) -> None:
        super().__init__()
        self._given = given
        self._came: list[Value] = []
        self._name, self._left = "", Counter[Value]()
        """The name of the last draw, and the remaining results after that draw."""
        self.piles: list[SetupPile] = []
        self.pile_of: list[int | None] = []
        self._asked: Callable[[], int] = lambda: len(ruleset.setup_prompts(options, names, self._came))

    def draw(self, name: str, options: Sequence[V], matters: object = None) -> V:
        """Return the given result, or else the first option that leads to the fewest further draws."""
        among = Counter[Value](options)
        is_fresh = not self.piles
        if not is_fresh and among == self._left:
            pile = self.piles[-1]
        elif not is_fresh and name == self._name and among == self._left + Counter(self._came[-1:]):
            pile = self.piles[-1]
            pile.returns = True
        else:
            pile, is_fresh = SetupPile(tuple(options)), True
            self.piles.append(pile)
        self.pile_of.append(len(self.piles) - 1)
        # The first draw has shown that all options lead to the same number of draws, so later draws take any option.
        fewest = (
            self._fewest(options, pile, is_fresh=is_fresh) if is_fresh or pile.is_open or pile.returns else options[0]
        )
        position = len(self._came)
        given = self._given[position] if position < len(self._given) else None
        drawn = fewest if given is None or given not in options else options[options.index(given)]
        self._came.append(drawn)
        self._name, self._left = name, among - Counter([drawn])
        return drawn

    def _fewest(self, options: Sequence[V], pile: SetupPile, *, is_fresh: bool) -> V:
        """Return the option that leads to the fewest further draws, and update `more` and `is_open` of the pile.

        Args:
            is_fresh: True for the first draw from the pile.
        """
        asked: dict[V, int] = {}
        for one in dict.fromkeys(options):
            self._came.append(one)
            asked[one] = self._asked()
            self._came.pop()
        fewest = min(asked, key=asked.__getitem__)
        if is_fresh:
            pile.more = {one: count - asked[fewest] for one, count in asked.items() if count > asked[fewest]}
        pile.is_open |= len(set(asked.values())) > 1
        return fewest
