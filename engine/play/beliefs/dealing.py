"""Unseen cards that an event deals to rows, and the belief after a setup with too many possible tables to list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from engine.core.errors import EngineError, OutcomeRequired
from engine.core.values import ChancePoint, State, Value
from engine.kit.chance import Chance, Observed, V
from engine.kit.piles import Pile
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.covering import COVER
from engine.play.beliefs.places import Fields, fields_of, has_sorts, rows_of
from engine.play.beliefs.pooling import recount

Run = Callable[[Chance], Any]
"""A function that applies the event."""


class DealtCard(NamedTuple):
    """An unseen card dealt from a pile to a row."""

    position: int
    """The index of the outcome in the event."""
    row: int
    name: str
    """The name of the draw."""


class Deals(NamedTuple):
    """The cards that an event dealt to rows."""

    unseen: list[DealtCard]
    """The unseen cards, in the order of the outcomes."""
    seen: list[tuple[str, ...]]
    """For each row, the new cards that somebody saw, sorted."""


def dealt_cards(
    fields: Fields, before: Any, run: Run, reported: Sequence[Value | None], kinds: Collection[Value]
) -> Deals:
    """Return the cards that an event dealt to the rows.

    Args:
        before: one of the possible tables before the event; None if the event is the setup.
        kinds: the possible kinds of the unseen cards.
    """
    try:
        chance, state = _carry_out(run, reported, kinds)
    except EngineError:
        return Deals([], [])
    rows = rows_of(state, fields)
    return _deals(chance, [()] * len(rows) if before is None else rows_of(before, fields), rows)


def unseen(run: Run, reported: Sequence[Value | None]) -> dict[int, ChancePoint]:
    """Return the unseen draws of an event, by the index of the outcome; none if the event is impossible."""
    found: dict[int, ChancePoint] = {}
    with suppress(EngineError):
        found = _carry_out(run, reported, ())[0].points
    return found


def counted_belief(ruleset: AnyRuleset, run: Run, reported: Sequence[Value | None]) -> State | None:
    """Return the counted belief after a setup; None if the setup has unseen results other than cards in hands."""
    fields = fields_of(ruleset)
    if fields is None or has_sorts(fields) or None not in reported:
        return None
    hidden: list[Value] = []
    for kind in _kinds(run, reported):
        with suppress(EngineError):
            _carry_out(run, reported, [kind])
            hidden.append(kind)
    return _belief(ruleset, fields, run, reported, hidden) if hidden else None


def _kinds(run: Run, reported: Sequence[Value | None]) -> list[Value]:
    """Return the possible values of the first unseen outcome."""
    chance = Observed()
    chance.begin(0, tuple(reported[: reported.index(None)]))
    try:
        run(chance)
    except OutcomeRequired as required:
        return list(dict.fromkeys(required.point.options))
    return []


def _belief(
    ruleset: AnyRuleset, fields: Fields, run: Run, reported: Sequence[Value | None], hidden: Sequence[Value]
) -> State | None:
    chance, state = _carry_out(run, reported, hidden)
    rows, pile = (getattr(state, name) for name in fields)
    unseen, seen = _deals(chance, [()] * len(rows), rows)
    if len(unseen) < reported.count(None) or len(pile.layers) > 1:
        return None
    ways: list[Counter[tuple[str, ...]]] = []
    for row, hand in enumerate(seen):
        found = Counter({hand: 1})
        for _ in range(sum(one.row == row for one in unseen)):
            more: Counter[tuple[str, ...]] = Counter()
            for cards, weight in found.items():
                for kind in hidden:
                    more[tuple(sorted((*cards, str(kind))))] += weight
            found = more
        ways.append(found)
    stock = tuple(sorted(map(str, [*pile.cards(), *(card for hand in rows for card in hand)])))
    covered = {fields[0]: (), fields[1]: Pile.shuffled((COVER,) * len(pile))}
    return recount(ruleset, fields, msgspec.structs.replace(state, **covered), ways, stock)


class _Card(str):
    """A placeholder for an unknown card."""

    __slots__ = ("position",)
    position: int


class _Dealing(Observed):
    """Chance that returns the reported results, and one of `kinds` in place of each unseen result."""

    def __init__(self, reported: Sequence[Value | None], kinds: Collection[Value]) -> None:
        super().__init__()
        self.begin(0, tuple(reported))
        self.points: dict[int, ChancePoint] = {}
        """The unseen draws, by the index of the outcome."""
        self._kinds = kinds

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        position = self._position
        if position == len(self._reported) or self._reported[position] is not None:
            return super().draw(name, options, matters)
        self._position, self.points[position] = position + 1, ChancePoint(name, position, tuple(options))
        # A card that is reported later is still in the pile.
        later = self._reported[position:]
        left = [option for option in options if options.count(option) > later.count(option)] or options
        kind = next((kind for kind in self._kinds if kind in left), left[0])
        if not isinstance(kind, str):
            return options[options.index(kind)]
        card = _Card(kind)
        card.position = position
        return card  # type: ignore[return-value]  # it equals one of them


def _carry_out(run: Run, reported: Sequence[Value | None], kinds: Collection[Value]) -> tuple[_Dealing, Any]:
    chance = _Dealing(reported, kinds)
    state = run(chance)
    chance.finish()
    return chance, state


def _deals(chance: _Dealing, before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> Deals:
    unseen = [
        DealtCard(card.position, row, chance.points[card.position].name)
        for row, hand in enumerate(after)
        for card in hand
        if isinstance(card, _Card)
    ]
    seen = []
    for old, new in zip(before, after, strict=True):
        gained = Counter(str(card) for card in new if not isinstance(card, _Card)) - Counter(old)
        seen.append(tuple(sorted(gained.elements())))
    return Deals(sorted(unseen), seen)
