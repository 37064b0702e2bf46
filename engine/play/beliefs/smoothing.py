"""What unseen draws were, where hands are counted: exact odds for each, by all that was recorded since.

A row of counted hands is a chain: each event draws a card into it, takes cards from it, or rules some of its hands out.
The weights of a row count the drawing orders that lead to each hand, so they are the forward pass of this chain. The
backward pass begins with what the other hands and the pile leave possible now. Both together weigh each card that a
draw may have been (the forward–backward algorithm, as in `engine.play.beliefs.tracing`, with hands in place of tables).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Pooled, worlds
from engine.play.beliefs.pooling import pooled
from engine.play.beliefs.pools import Hand, pools

Hands = dict[Hand, int]
"""The possible hands of a row, each with its weight."""

Chances = dict[str, Fraction]


class Move(msgspec.Struct, frozen=True):
    """What an event may have done to a row: cards that left it, cards that came to it, and one more that nobody saw."""

    lost: Hand = ()
    gained: Hand = ()
    has_drawn: bool = False

    def after(self, hand: Hand, drawn: Sequence[str]) -> Iterator[tuple[Hand, str | None]]:
        """Yield what `hand` may be then, with the card that was drawn unseen: one of `drawn`."""
        left = Counter(hand)
        left.subtract(self.lost)
        if min(left.values(), default=0) >= 0:
            cards = [*left.elements(), *self.gained]
            for card in drawn if self.has_drawn else (None,):
                yield tuple(sorted([*cards, card] if card is not None else cards)), card


def counted(ruleset: AnyRuleset, state: State | None) -> Pooled | None:
    """Return a table with its hands counted; None if they cannot be, and before the game is set up."""
    return state if isinstance(state, Pooled) else pooled(ruleset, worlds(state))


def row_drawn_to(before: Pooled, after: Pooled) -> int | None:
    """Return the row that has one more card after an event; None if it is not one alone."""
    sizes = zip(before.rows, after.rows, strict=True)
    grown = [row for row, (old, new) in enumerate(sizes) if len(new[0][0]) == len(old[0][0]) + 1]
    return grown[0] if len(grown) == 1 else None


def drawn(before: Pooled, after: Pooled, row: int) -> list[str]:
    """Return the cards that may have come to a row, by what was known right after it."""
    hands, known = set(dict(before.rows[row])), set(dict(after.rows[row]))
    draw = Move(has_drawn=True)
    return sorted(
        {card for hand in hands for one, card in draw.after(hand, sorted(set(before.stock))) if card and one in known}
    )


def smoothed(
    tables: Sequence[Pooled], row: int, unseen: Container[int], named: Sequence[Collection[Any]]
) -> dict[int, Chances]:
    """Return the probability of each card that came to a row unseen, by the number of the table after the draw.

    Draws before an event that may have done several things to the row are left out.

    Args:
        tables: those before the first of the draws and after each event since.
        unseen: the numbers of the tables after the draws.
        named: what the event before each table names, such as the card of a gift. Where the hands alone do not tell
            what an event did, it tells.
    """
    last = tables[-1]
    ways = _row(last, row)
    joint = pools(last.rows, last.stock).row_weights(row)
    likelihoods: dict[Hand, Fraction] = {hand: Fraction(weight, ways[hand]) for hand, weight in joint.items()}
    found: dict[int, Chances] = {}
    for number in range(len(tables) - 1, 0, -1):
        before, after = _row(tables[number - 1], row), _row(tables[number], row)
        if before == after and number not in unseen:
            continue
        kinds = sorted(set(tables[number - 1].stock))
        moves = [Move(has_drawn=True)] if number in unseen else _moves(before, after)
        moves = [move for move in moves if _leads(before, after, move, kinds)]
        if len(moves) > 1:
            gone = Counter(tables[number - 1].stock) - Counter(tables[number].stock)
            told = [*named[number], *gone]
            moves = [move for move in moves if all(card in told for card in (*move.lost, *move.gained))]
        if len(moves) != 1:
            break
        chances: Chances = defaultdict(Fraction)
        earlier: dict[Hand, Fraction] = defaultdict(Fraction)
        for hand, weight in before.items():
            for one, card in moves[0].after(hand, kinds):
                if one in likelihoods:
                    earlier[hand] += likelihoods[one]
                    chances[card or ""] += weight * likelihoods[one]
        likelihoods = earlier
        if number in unseen:
            total = sum(chances.values())
            found[number] = {card: chance / total for card, chance in sorted(chances.items())}
    return found


def _row(table: Pooled, row: int) -> Hands:
    return {hand: int(weight) for hand, weight in table.rows[row]}


def _moves(before: Hands, after: Hands) -> set[Move]:
    """Return what may have led from some hands to others, if nothing was drawn unseen."""
    one = Counter(next(iter(after)))
    found = set()
    for hand in before:
        lost, gained = Counter(hand) - one, one - Counter(hand)
        if not (lost and gained):
            found.add(Move(tuple(sorted(lost.elements())), tuple(sorted(gained.elements()))))
    return found


def _leads(before: Hands, after: Hands, move: Move, kinds: Sequence[str]) -> bool:
    """Return True if a move leads from the weights of a row to those of the same row later."""
    found: defaultdict[Hand, int] = defaultdict(int)
    for hand, weight in before.items():
        for one, _ in move.after(hand, kinds):
            found[one] += weight
    scales = {Fraction(found[hand], weight) for hand, weight in after.items()}
    return len(scales) == 1 and 0 not in scales
