"""Build a counted belief from the tables that a rule led to (see `engine.play.beliefs.running`).

The hands get marks (`engine.play.beliefs.hands`) if the pile was renewed, or if their joint weights are not products of
one weight per row. With the marks, the weights stay exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from engine.core.values import State
from engine.kit.piles import Pile
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, Pooled
from engine.play.beliefs.covering import COVER, known_cards
from engine.play.beliefs.hands import (
    Hand,
    cards_of,
    closing,
    factor_weights,
    is_countable,
    link_rows,
    next_stage,
    whole,
)
from engine.play.beliefs.places import Hidden, has_sorts, hidden_of, is_ordered, rows_of, with_hidden, with_rows
from engine.play.beliefs.pooling import on_rest, recount, refuse
from engine.play.beliefs.pools import Pools, Read, Ways, pools
from engine.play.beliefs.possible import CERTAIN, MOST_WORLDS, Weight
from engine.play.beliefs.returning import merge_unknown, piles

BEFORE = "\ue002"
"""Prefix of an entry that is added to each hand that a rule has read.

The entry lists the cards of the hand that were known before the rule ran.
"""

Tables = Sequence[tuple[Weight, Any]]
"""Tables with their weights."""


class Collapse:
    """Builds the belief after an event from the resulting tables. The belief before the event is counted.

    Args:
        before: the rows and the pile before the rules ran, with all cards face down.
        read: the kinds of cards that the rules read in each row.
        rest: the rest of the table after the event, with empty rows.
    """

    def __init__(self, ruleset: AnyRuleset, belief: Pooled, before: Hidden, read: Read, rest: State) -> None:
        self._ruleset, self._belief, self._before, self._read = ruleset, belief, before, read
        self._rest, self._beside = rest, rest if isinstance(rest, Belief) else None
        self._fields, self._pile = belief.fields, belief.fields[1]
        self._pools, self._sorts = pools(belief.rows, belief.stock), dict(belief.sorts)

    def of(self, found: Tables, stocks: Mapping[State, Counter[str]]) -> State:
        """Return the belief that contains the tables `found`.

        Args:
            stocks: for each of these tables, all cards in its rows and its pile, without the cards that are known to be
                in the pile.
        """
        fields, first = self._belief.fields, found[0][1]
        if len(found) == 1 and not self._read and hidden_of(first, fields) == self._before:
            # No card has moved.
            return self._belief.with_rest(self._rest)
        if is_ordered(fields) and not any(rows_of(first, fields)):
            return self._belief_after_return(found, stocks[first])
        stock = stocks[first]
        cards, is_exact, is_renewed = tuple(sorted(stock.elements())), self._belief.is_exact, False
        template, *others = {with_rows(state, fields, ()) for _, state in found}
        if others or any(stocks[state] != stock for _, state in found):
            template, cards = self._merge_tables(found, stocks)
            is_renewed = self._is_renewed(found)
            is_exact = is_exact and is_renewed
        if is_exact:
            rows, marked = self._weighted_hands(found, cards, is_renewed=is_renewed)
            if is_countable(rows, marked):
                return recount(self._ruleset, fields, template, rows, marked, sorts=self._sorts, beside=self._beside)
        told = zip(*(self._known_cards(state) for _, state in found), strict=True)
        rows = [
            dict.fromkeys(map(cards_of, self._grow(row, dict.fromkeys(hands, CERTAIN))), 1)
            for row, hands in enumerate(told)
        ]
        if self._sorts:
            # If cards are counted in sorts, probabilities must stay exact: all cards of a sort are equally likely.
            refuse()
        return recount(self._ruleset, fields, template, rows, cards_of(cards), is_exact=False, beside=self._beside)

    def _belief_after_return(self, found: Tables, left: Counter[str]) -> State:
        """Return the belief after all cards that a player was looking at went back on their pile.

        Args:
            left: the cards in the rows and in the pile.
        """
        state, *others = (state for _, state in found)
        left, known = Counter(left), {}
        for row, hands in enumerate(self._pools.rows):
            if len(hands) == 1:
                known[f"{COVER}{row}"] = self._pools.hand(next(iter(hands)))
                left -= Counter(known[f"{COVER}{row}"])
        # In each unknown place, every remaining card must be equally likely.
        free = {(card,) for card in left}
        is_exact = self._belief.is_exact
        for row, hands in enumerate(self._pools.rows):
            is_free = is_exact and set(map(self._pools.hand, hands)) == free and len(set(hands.values())) == 1
            if others or not (is_free or f"{COVER}{row}" in known):
                refuse()
        layers = [
            tuple(one for card in layer for one in known.get(card, (COVER if card.startswith(COVER) else card,)))
            for layer in getattr(state, self._pile).layers
        ]
        every = list(islice(piles(layers, COVER, left), MOST_WORLDS + 1))
        if len(every) > MOST_WORLDS or not is_exact:
            none: list[dict[Hand, int]] = [{(): 1} for _ in self._pools.rows]
            stock = tuple(sorted(left.elements()))
            template = with_hidden(state, self._fields, ((), Pile(tuple(merge_unknown(layers, COVER)))))
            return recount(self._ruleset, self._fields, template, none, stock, is_exact=is_exact, beside=self._beside)
        tables = [(weight, with_hidden(state, self._fields, ((), pile))) for weight, pile in every]
        return on_rest(self._ruleset, self._fields, tables, self._rest)

    def _merge_tables(self, found: Tables, stocks: Mapping[State, Counter[str]]) -> tuple[Any, Hand]:
        """Return two things: the table with empty rows and a face-down pile, and all cards of its rows and its pile."""
        templates, every = set(), set()
        for _, state in found:
            pile = getattr(state, self._pile)
            covers = Pile.shuffled((COVER,) * len(pile))
            templates.add(with_hidden(state, self._fields, ((), covers)))
            every.add(tuple(sorted((stocks[state] + known_cards(pile.cards())).elements())))
        if len(templates) > 1 or len(every) > 1:
            refuse()
        return templates.pop(), every.pop()

    def _known_cards(self, state: Any) -> tuple[Hand, ...]:
        """Return the known cards of each row, and an entry (`BEFORE`) with the cards that were known before."""
        told = []
        for hand, covers in zip(rows_of(state, self._fields), self._before[0], strict=True):
            known = tuple(card for card in hand if not card.startswith(COVER))
            if tuple(card for card in hand if card.startswith(COVER)) != covers[len(_split(known)[1]) :]:
                refuse()
            told.append(known)
        return tuple(told)

    def _is_renewed(self, found: Tables) -> bool:
        """Return True if the pile was used up, and all cards of the new pile are known."""
        piles = [getattr(state, self._pile) for _, state in found]
        return not self._pools.pile_size and not any(
            len(pile.layers) > 1 or any(card.startswith(COVER) for card in pile.cards()) for pile in piles
        )

    def _weighted_hands(self, found: Tables, cards: Hand, *, is_renewed: bool) -> tuple[list[dict[Hand, int]], Hand]:
        """Return the weighted hands of each row after a rule was applied, and the stock: `cards` with marks."""
        stock = self._belief.stock
        stage = next_stage(stock) if is_renewed and not has_sorts(self._fields) else None
        if stage is not None:
            cards = tuple(sorted([*cards, *closing(cards_of(stock), stage)[len(cards_of(stock)) :]]))
        joint: dict[tuple[Hand, ...], Fraction] = {}
        for weight, state in found:
            # The weight of each order of the new pile follows from its cards.
            pile = Counter(getattr(state, self._pile).cards()) if is_renewed else Counter()
            told = self._known_cards(state)
            joint[told] = joint.get(told, 0) + Fraction(weight) * math.prod(map(math.factorial, pile.values()))
        maps = factor_weights(joint)
        if maps is None or self._are_more(joint, maps, cards, stage):
            maps, cards = link_rows(joint, cards)
        return [whole(self._grow(row, one, stage)) for row, one in enumerate(maps)], cards

    def _are_more(
        self,
        joint: Mapping[tuple[Hand, ...], Fraction],
        maps: Sequence[dict[Hand, Fraction]],
        stock: Hand,
        stage: int | None,
    ) -> bool:
        """Return True if the weights of the rows allow tables that are not in `joint`."""
        if math.prod(map(len, maps)) == len(joint):
            return False
        hidden = [row for row in range(len(maps)) if row not in self._read]
        none: dict[Hand, Fraction] = {(): CERTAIN}
        before = [self._grow(row, none, stage) if row in hidden else none for row in range(len(maps))]
        left = Pools(list(map(whole, before)), stock)
        came = [
            {
                hand: left.stocked_hands({hand: 1} if row in hidden else whole(self._grow(row, {hand: CERTAIN}, stage)))
                for hand in hands
            }
            for row, hands in enumerate(maps)
        ]

        def are_more(hands: tuple[Hand, ...], used: Ways, known: int) -> bool:
            if len(hands) == len(maps):
                return hands not in joint and left.is_possible(used, hidden)
            for hand, ways in came[len(hands)].items():
                both = known + left.pack(_split(hand)[0])
                if left.fits(both) and are_more((*hands, hand), left.join(used, ways), both):
                    return True
            return False

        return are_more((), {0: 1}, 0)

    def _grow(self, row: int, came: Mapping[Hand, Fraction], stage: int | None = None) -> dict[Hand, int]:
        """Return the possible hands of a row after a rule was applied, with all their marks.

        Args:
            came: the weight of each change of the row's known cards, in the form that `_known_of_rows` returns.
            stage: the number that the new marks carry if the pile was renewed; None otherwise.
        """
        found: dict[Hand, int] = {}
        known, parts = self._pools, self._pools.parts(row, self._read.get(row, frozenset()))
        told = [(*_split(hand), weight) for hand, weight in came.items()]
        every = [parts[known.pack(before)] for _, before, _ in told]
        # The weight of this change, divided among the earlier hands that contain the known cards.
        shares = [weight / sum(ways.values()) for (_, _, weight), ways in zip(told, every, strict=True)]
        scale = math.lcm(*(share.denominator for share in shares))
        for (more, before, _), sources, share in zip(told, every, shares, strict=True):
            part, each = known.pack(before), share.numerator * (scale // share.denominator)
            for hand, ways in sources.items():
                old = known.hand(hand)
                marks = () if stage is None else closing(old, stage)[len(old) :]
                after = tuple(sorted((*known.hand(hand - part), *marks, *more)))
                found[after] = found.get(after, 0) + each * ways
        return found


def _split(told: Hand) -> tuple[Hand, Hand]:
    """Split a row from `_known_of_rows` into the cards that are known now, and the cards that were known before."""
    if not told or not told[-1].startswith(BEFORE):
        return told, ()
    before = told[-1][len(BEFORE) :]
    return told[:-1], tuple(before.split("\n")) if before else ()
