"""What a set-up asks of a table, ahead: from which pile each place is drawn, so that a phone can lay it out alone."""

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
    """What several places of a set-up come from, one after the other."""

    options: tuple[Value, ...]
    """At the first of its places."""
    returns: bool = False
    """Whether what came up can come up again: a die."""
    is_open: bool = False
    """Whether it depends on what comes up what else is asked for."""
    more: dict[Value, int] = {}
    """By what may come up at the first of its places: how many more places it brings with it. The others bring none."""


class SetupPlan(msgspec.Struct, frozen=True):
    """All that a set-up asks for, as far as that is known."""

    prompts: Sequence[SetupPrompt]
    piles: list[SetupPile]
    pile_of: list[int | None]
    """The pile of each prompt, by number; None where that is not known yet."""


def plan(ruleset: AnyRules, options: Any, names: Sequence[str], given: Sequence[Value | None]) -> SetupPlan:
    """What is asked for where `given` came up, of which as much counts as can have."""
    ahead = _Ahead(ruleset, options, names, given)
    ruleset.setup(options, len(names), ahead)
    prompts = ruleset.setup_prompts(options, names, given)
    known = ahead.pile_of[: len(prompts)]
    return SetupPlan(prompts, ahead.piles, [*known, *[None] * (len(prompts) - len(known))])


class _Ahead(Observed):
    """Takes what was given, and goes on with what asks for nothing more, so that the rest shows."""

    __slots__ = ("_asked", "_came", "_given", "_left", "_name", "pile_of", "piles")

    def __init__(self, ruleset: AnyRules, options: Any, names: Sequence[str], given: Sequence[Value | None]) -> None:
        super().__init__()
        self._given = given
        self._came: list[Value] = []
        self._name, self._left = "", Counter[Value]()
        """Of the last draw, and what it left."""
        self.piles: list[SetupPile] = []
        self.pile_of: list[int | None] = []
        self._asked: Callable[[], int] = lambda: len(ruleset.setup_prompts(options, names, self._came))

    def draw(self, name: str, options: Sequence[V], matters: object = None) -> V:
        """What was given; else the first that asks for no more than anything else does."""
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
        # What asks for nothing more when it comes up first does not later, unless it comes up again.
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
        """What asks for the least more; whether that depends on what comes up is noted in the pile.

        Args:
            is_fresh: whether it is the first of its places.
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
