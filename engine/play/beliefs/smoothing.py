"""Exact odds for each unseen draw in a counted belief, given all later events.

The hands of a row form a chain: each event draws cards into the row, takes cards from it, renews a used-up pile, or
rules out some of its hands. In the forward pass, the weights of a row count the drawing orders that lead to each hand.
The backward pass begins at the end of the line, with the weights that the other rows and the pile give to each hand.
Both passes together give the weight of each possible result of a draw (the forward–backward algorithm, as in
`engine.play.beliefs.tracing`, with hands in place of tables).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.core import effort
from engine.core.values import State
from engine.play.beliefs.belief import Pooled, level, worlds
from engine.play.beliefs.hands import Hand, cards_of, is_countable, mark, next_stage
from engine.play.beliefs.places import TOP, Fields, pool_of, rows_of
from engine.play.beliefs.pools import Pools, Ways, pools

Chances = dict[str, Fraction]

_BITS = 8


class TableKnowledge(NamedTuple):
    """The public knowledge about the rows and the pile after an event."""

    hands: list[set[Hand]]
    """The possible hands of each row, without marks."""
    stock: Hand
    """All cards in the rows and in the pile, sorted."""
    pile: Hand
    """The cards of the pile on one of the possible tables."""


class RowDeal(NamedTuple):
    """The cards that an event moved from the pile to a row: the number of unseen cards, and the seen cards."""

    unseen: int = 0
    seen: Hand = ()


class RowChange(NamedTuple):
    """The effect of an event on a row: cards lost, known cards gained, and the number of unknown cards drawn."""

    lost: Hand = ()
    gained: Hand = ()
    unseen: int = 0

    def fits(self, before: set[Hand], after: set[Hand]) -> bool:
        """Return True if this change leads from at least one hand in `before` to each hand in `after`."""
        lost, gained = Counter(self.lost), Counter(self.gained)
        left = (Counter(hand) - lost + gained for hand in before if not lost - Counter(hand))
        return after <= {tuple(sorted(hand.elements())) for hand in left}


class EventEffect(NamedTuple):
    """The effect of an event on all rows."""

    moves: list[RowChange]
    after: TableKnowledge
    old: Hand = ()
    """All cards in the rows when a used-up pile was renewed; empty if no pile was renewed."""
    is_renewed_last: bool = False
    """True if the pile was renewed after the moves."""


def table(fields: Fields, state: State) -> TableKnowledge:
    """Return the public knowledge about the rows and the pile of `state`."""
    known = level(state, fields)
    tables = [world.state for world in worlds(known)]
    rows, unknown = rows_of(tables[0], fields), TOP
    if isinstance(known, Pooled) and known.fields == fields:
        hands = [{cards_of(hand) for hand, _ in row} for row in known.rows]
        unknown = known.unknown_layers
    else:
        hands = [set(row) for row in zip(*(rows_of(one, fields) for one in tables), strict=True)]
    pile = pool_of(tables[0], fields, unknown)
    stock = sorted([*pile, *(card for hand in rows for card in hand)])
    return TableKnowledge(hands, tuple(stock), pile)


def step(
    before: TableKnowledge,
    after: TableKnowledge,
    deals: Mapping[int, RowDeal],
    count: int,
    named: Iterable[object],
    *,
    is_ordered: bool = False,
) -> EventEffect | None:
    """Return the effect of an event on the rows; None if it is unclear.

    Args:
        deals: the cards that came from the pile, by the row's index, for rows that got unseen cards.
        count: the number of the event's outcomes.
        named: the values that the event names, such as the card of a gift. These values are used if the hands alone
            leave the effect unclear.
        is_ordered: True if the cards of a row can go back on the pile, below cards that are not in the stock. Then the
            stock does not show which cards a row lost.
    """
    gone = Counter[str]() if is_ordered else Counter(before.stock) - Counter(after.stock)
    told = Counter([*(one for one in named if isinstance(one, str)), *gone.elements()])
    moves = []
    for row, (old, new) in enumerate(zip(before.hands, after.hands, strict=True)):
        move = _move(old, new, deals.get(row, RowDeal()), told)
        if move is None:
            return None
        moves.append(move)
    if not before.pile:
        return EventEffect(moves, after, before.stock if Counter(after.stock) - Counter(before.stock) else ())
    if len(after.pile) <= len(before.pile):
        return EventEffect(moves, after)
    # The pile was used up and renewed within the event, and nobody has drawn from the new pile yet.
    held = _sorted_cards(Counter(after.stock) - Counter(after.pile))
    return EventEffect(moves, after, held, is_renewed_last=True) if len(before.pile) == count else None


def _move(before: set[Hand], after: set[Hand], deal: RowDeal, told: Counter[str]) -> RowChange | None:
    one = Counter(min(after))
    if deal.unseen:
        is_clear = one.total() == len(min(before)) + len(deal.seen) + deal.unseen
        return RowChange((), deal.seen, deal.unseen) if is_clear else None
    if before == after:
        return RowChange()
    found = {(_sorted_cards(Counter(hand) - one), _sorted_cards(one - Counter(hand))) for hand in before}
    moves = [RowChange(lost, gained) for lost, gained in found if not (lost and gained)]
    moves = [move for move in moves if move.fits(before, after)]
    if len(moves) > 1:
        moves = [move for move in moves if not Counter([*move.lost, *move.gained]) - told]
    return moves[0] if len(moves) == 1 else None


def _sorted_cards(cards: Counter[str]) -> Hand:
    return tuple(sorted(cards.elements()))


class _Code:
    """Packs hands into integers, as `engine.play.beliefs.pools` does, with bits for the marks of each renewed pile.

    Args:
        first: the stock of the belief before the chain, with its marks.
        stocks: the stocks of all later tables.
    """

    def __init__(self, first: Hand, stocks: Iterable[Hand]) -> None:
        self.cards = sorted(set(cards_of(first)).union(*stocks))
        self._kinds = [*self.cards, *sorted(set(first) - set(cards_of(first)))]
        self._stage = next_stage(first)
        self.all_cards = (1 << _BITS * len(self.cards)) - 1
        self.guard = sum(0x80 << _BITS * at for at in range(len(self.cards)))

    def pack(self, hand: Iterable[str]) -> int:
        """Return a hand packed into one integer."""
        return sum(1 << _BITS * self._kinds.index(card) for card in hand)

    def hand(self, packed: int) -> Hand:
        """Return the hand that is packed in `packed`."""
        return tuple(kind for at, kind in enumerate(self._kinds) for _ in range(packed >> _BITS * at & 0x7F))

    def renew(self) -> int:
        """Add the marks of another renewed pile. Return the number of bits between a card and its mark."""
        shift = _BITS * len(self._kinds)
        self._kinds += [mark(self._stage, card) for card in self.cards]
        self._stage += 1
        return shift


class _Link(NamedTuple):
    """A step of a row's chain, with packed hands."""

    before: Ways
    after: Callable[[int], Iterable[tuple[int, str]]]
    """Function that returns the possible hands after the step, each with the unseen card that led to it."""
    number: int | None = None
    """The index of the event, if the step is an unseen draw."""


class RowChain:
    """The possible hands of each row along a line, starting from a belief.

    Args:
        steps: the effect of each event after that belief.
    """

    def __init__(self, first: Pooled, steps: Sequence[EventEffect]) -> None:
        self._code = code = _Code(first.stock, (step.after.stock for step in steps))
        self._links: list[list[_Link]] = [[] for _ in first.rows]
        self._rows: list[Ways] = [{code.pack(hand): int(weight) for hand, weight in row} for row in first.rows]
        stock, marks = cards_of(first.stock), list(first.stock[len(cards_of(first.stock)) :])
        for number, step in enumerate(steps):
            shift = code.renew() if step.old else 0
            marks += code.hand(code.pack(step.old) << shift) if step.old else ()
            if shift and not step.is_renewed_last:
                self._renew(shift)
            for row, move in enumerate(step.moves):
                self._move(row, move, step.after.hands[row], number)
            if shift and step.is_renewed_last:
                self._renew(shift)
            stock = step.after.stock
        rows = [{code.hand(hand): weight for hand, weight in row.items()} for row in self._rows]
        cards = tuple(sorted([*stock, *marks]))
        self._pools = Pools(rows, cards) if all(rows) and is_countable(rows, cards) else None

    def agrees(self, last: Pooled) -> bool:
        """Return True if each hand has the same probability in the chain and in `last`, the belief after the chain."""
        if self._pools is None:
            return False
        known = pools(last.rows, last.stock)
        return all(
            _shares(self._pools.row_weights(row)) == _shares(known.row_weights(row)) for row in range(len(self._rows))
        )

    def chances(self, row: int) -> Iterator[tuple[int, Chances]]:
        """Yield each unseen draw of a row, latest first: the index of its event, and the probability of each card."""
        known, code = self._pools, self._code
        assert known is not None
        likelihoods = {code.pack(known.hand(hand)): known.likelihood(row, hand) for hand in known.rows[row]}
        for before, after, number in reversed(self._links[row]):
            weights: Counter[str] = Counter()
            earlier: Ways = {}
            effort.spend(1 + len(before) // effort.AT_A_TIME)
            for hand, ways in before.items():
                for one, card in after(hand):
                    if one in likelihoods:
                        weights[card] += ways * likelihoods[one]
                        earlier[hand] = earlier.get(hand, 0) + likelihoods[one]
            likelihoods = earlier
            if number is not None:
                total = weights.total()
                yield number, {card: Fraction(weight, total) for card, weight in sorted(weights.items()) if weight}

    def _renew(self, shift: int) -> None:
        cards = self._code.all_cards
        for row in range(len(self._rows)):
            self._link(row, lambda hand: [(hand + ((hand & cards) << shift), "")])

    def _move(self, row: int, move: RowChange, possible: set[Hand], number: int) -> None:
        code = self._code
        guard, lost, gained = code.guard, code.pack(move.lost), code.pack(move.gained)
        if move.lost or move.gained:
            self._link(row, lambda hand: [(hand - lost + gained, "")] if (hand | guard) - lost & guard == guard else [])
        kinds = [(card, code.pack([card])) for card in sorted({card for hand in possible for card in hand})]
        for _ in range(move.unseen):
            self._link(row, lambda hand: [(hand + one, card) for card, one in kinds], number)
        cards = set(map(code.pack, possible))
        self._rows[row] = {hand: ways for hand, ways in self._rows[row].items() if hand & code.all_cards in cards}

    def _link(self, row: int, after: Callable[[int], Iterable[tuple[int, str]]], number: int | None = None) -> None:
        before, found = self._rows[row], dict[int, int]()
        effort.spend(1 + len(before) // effort.AT_A_TIME)
        for hand, ways in before.items():
            for one, _ in after(hand):
                found[one] = found.get(one, 0) + ways
        self._links[row].append(_Link(before, after, number))
        self._rows[row] = found


def _shares(weights: Mapping[Hand, int]) -> dict[Hand, Fraction]:
    total = sum(weights.values())
    return {hand: Fraction(weight, total) for hand, weight in weights.items()}
