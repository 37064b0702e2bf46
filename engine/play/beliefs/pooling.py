"""Build counted beliefs (`engine.play.beliefs.belief.Pooled`) from listed tables or from rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import cycle, islice
from typing import Any, NoReturn

import msgspec

from engine.core.errors import IllegalAction
from engine.core.language import say
from engine.core.lifecycle import RULE
from engine.core.values import State
from engine.kit.piles import Pile
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, Pooled, World, levels, shared_members, worlds
from engine.play.beliefs.covering import COVER
from engine.play.beliefs.hands import (
    Hand,
    as_row,
    cards_of,
    closing,
    factor_weights,
    has_marks,
    is_countable,
    link_rows,
    next_stage,
    scale_weights,
    sorted_cards,
    whole,
)
from engine.play.beliefs.looks import Looks
from engine.play.beliefs.places import (
    TOP,
    Fields,
    Hidden,
    every_fields,
    fields_of,
    has_sorts,
    hidden_of,
    is_ordered,
    pool_of,
    rows_of,
    with_hidden,
    with_pile,
    with_rows,
    without_cards,
)
from engine.play.beliefs.pools import Pools, pools
from engine.play.beliefs.possible import MOST_WORLDS, TooManyTables, Weight
from engine.play.beliefs.possible import agreeing as listed
from engine.play.beliefs.returning import are_exchangeable, merge_layers, unknown_layers
from engine.play.beliefs.sorts import NONE, Holdings, Sorts, coarsen_sorts, count, examples, refine_sorts

FEW = 100
"""A counted belief becomes a listed belief again if it has at most this many tables."""
MOST_ACROSS = 1
"""Maximum number of tables that can stay listed while their pile is renewed."""
SHORT = 3
"""Maximum size of a pile that is about to be used up. With such a pile, a belief is counted even if it has few tables,
because its weights are hard to factor after the pile is used up.
"""


def add_renewed_pile(belief: Pooled) -> Pooled:
    """Return the belief. If its pile was just renewed, add the cards of the new pile to the stock."""
    rows, pile = belief.rows, getattr(belief.worlds[0].state, belief.fields[1])
    if is_ordered(belief.fields) or not belief.is_exact or len(pile.layers) != 1 or pools(rows, belief.stock).pile_size:
        return belief
    stage = next_stage(belief.stock)
    stock = tuple(sorted([*closing(belief.stock, stage), *pile.cards()]))
    closed = tuple(tuple((closing(hand, stage), weight) for hand, weight in row) for row in rows)
    return msgspec.structs.replace(belief, rows=closed, stock=stock)


def running_out(ruleset: AnyRuleset, tables: Sequence[World]) -> Pooled | None:
    """Return the counted belief of these tables if their pile will soon be used up; None otherwise."""
    fields = fields_of(ruleset)
    if fields is None or has_sorts(fields) or len(tables) <= MOST_ACROSS:
        return None
    if len(getattr(tables[0].state, fields[1])) > SHORT:
        return None
    known = pool_rows(ruleset, fields, tables)
    is_kept = known is not None and known.beside is None and known.is_exact and not has_marks(known.stock)
    return known if is_kept else None


def _is_pile_known(fields: Fields, tables: Sequence[World]) -> bool:
    """Return True if all tables have the same pile, because it was just renewed or will be renewed next."""
    first, *others = (getattr(table.state, fields[1]) for table in tables)
    return len(first.layers) < 2 and all(pile == first for pile in others)


def pool_tables(ruleset: AnyRuleset, tables: Sequence[World]) -> Pooled | None:
    """Return the counted belief of these tables; None if no rows are independent of the rest of the tables."""
    first = tables[0].state
    if first is None:
        return None
    every = [
        pool_rows(ruleset, fields, tables) for fields in every_fields(ruleset) if first != without_cards(first, fields)
    ]
    known = [one for one in every if one is not None]
    return min(known, key=lambda one: one.beside is not None, default=None)


def count_many(ruleset: AnyRuleset, state: State) -> State:
    """Return the belief, counted if it lists many tables, because each rule then runs on few tables.

    Return the belief as it is if its cards cannot be counted exactly, or if a look at a pile would count them slowly.
    """
    if isinstance(state, Pooled) or len(worlds(state)) <= FEW:
        return state
    known = pool_tables(ruleset, worlds(state))
    is_counted = known is not None and not is_ordered(known.fields) and all(level.is_exact for level in levels(known))
    return known if known is not None and is_counted else state


def split(
    tables: Sequence[tuple[Weight, State]], fields: Fields
) -> tuple[dict[Hidden, tuple[Weight, State]], dict[State, tuple[Weight, State]]] | None:
    """Split tables into a part with the rows and their pile, and the rest; None if the two parts are not independent.

    Return two dictionaries, which map each possible part to its weight and an example table. The example for rows has
    the first rest, and the example for a rest has the first rows.
    """
    joint: dict[State, dict[Hidden, tuple[Weight, State]]] = {}
    for weight, state in tables:
        joint.setdefault(without_cards(state, fields), {})[hidden_of(state, fields)] = weight, state
    first = next(iter(joint.values()))
    start = next(iter(first))
    is_split = all(
        one.keys() == first.keys()
        and all(one[part][0] * first[start][0] == first[part][0] * one[start][0] for part in one)
        for one in joint.values()
    )
    return (first, {rest: one[start] for rest, one in joint.items()}) if is_split else None


def pool_rows(ruleset: AnyRuleset, fields: Fields, tables: Sequence[World]) -> Pooled | None:
    """Combine tables into a counted belief with rows in `fields`. Return None if their rest depends on the rows."""
    parts = split([(world.weight, world.state) for world in tables], fields)
    looks = Looks(ruleset)
    # All tables of the second part have the same rows, so if they look different, the rests differ visibly.
    if parts is None or len({looks.of(table)[0] for _, table in parts[1].values()}) > 1:
        return None
    hidden, rests = parts
    known = _pool_rows(fields, [World(int(weight), state) for weight, state in hidden.values()])
    if known is None or len(rests) == 1:
        return known
    return known.with_rest(rest_of(ruleset, {rest: weight for rest, (weight, _) in rests.items()}))


def rest_of(ruleset: AnyRuleset, tables: Mapping[State, Weight]) -> State:
    """Return the belief that consists of these tables, which have no rows. For a single table, return its state.

    If there are many tables, the belief counts cards.

    Raises:
        TooManyTables: there are too many tables, and their cards cannot be counted.
    """
    first = next(iter(tables))
    if len(tables) == 1:
        return first
    every = tuple(World(weight, state) for state, weight in scale_weights(tables).items())
    known = pool_tables(ruleset, every) if len(every) > FEW else None
    if known is not None and any(len(row) > 1 for row in known.rows):
        return known
    if len(every) > MOST_WORLDS:
        raise TooManyTables
    return Belief(**shared_members(first), worlds=every)


def _pool_rows(fields: Fields, tables: Sequence[World]) -> Pooled | None:
    """Return the counted belief of tables that differ only in the rows and their pile."""
    if is_ordered(fields):
        tables = merge_layers(tables, fields[1])
    joint: dict[tuple[Hand, ...], Fraction] = {}
    piles: dict[tuple[Hand, ...], list[tuple[int, Pile[str]]]] = {}
    stocks, templates, is_layered = set(), set(), False
    unknown = unknown_layers(tables, fields[1]) if is_ordered(fields) else TOP
    is_known = len(tables) > 1 and not (is_ordered(fields) or has_sorts(fields)) and _is_pile_known(fields, tables)
    for world in tables:
        hands, pile = rows_of(world.state, fields), getattr(world.state, fields[1])
        cards = () if is_known else pool_of(world.state, fields, unknown)
        orders = math.prod(map(math.factorial, Counter(cards).values()))
        joint[hands] = joint.get(hands, Fraction(0)) + world.weight * orders
        piles.setdefault(hands, []).append((world.weight, pile))
        stocks.add(sorted_cards((*hands, cards)))
        # All orders are equally likely only if the pile is a single layer.
        is_layered = is_layered or (len(pile.layers) > 1 and not is_ordered(fields))
        template = world.state if is_known else with_pile(world.state, fields, (COVER,) * len(cards), unknown)
        templates.add(with_rows(template, fields, ()))
    if len(stocks) > 1 or len(templates) > 1:
        return None
    if unknown != TOP and not all(are_exchangeable(some, unknown, COVER) for some in piles.values()):
        return None
    template, stock = templates.pop(), stocks.pop()
    if not is_layered:
        maps, cards = factor_weights(joint), stock
        if maps is None or not Pools(list(map(whole, maps)), stock).has_tables(len(joint)):
            maps, cards = link_rows(joint, stock)
        rows = list(map(whole, maps))
        if is_countable(rows, cards):
            return counted_hands(fields, template, rows, cards)
    possible = (sorted(set(hands)) for hands in zip(*joint, strict=True))
    return counted_hands(fields, template, [dict.fromkeys(hands, 1) for hands in possible], stock, is_exact=False)


def recount(
    ruleset: AnyRuleset,
    fields: Fields,
    template: Any,
    rows: Sequence[Mapping[Hand, int]],
    stock: Hand,
    *,
    sorts: Sorts = NONE,
    is_exact: bool = True,
    beside: Belief | None = None,
) -> State:
    """Return the belief for these rows: listed if it has few tables with known probabilities, otherwise counted."""
    known, few = Pools(rows, stock), FEW if is_exact else 1
    if has_marks(stock):
        few = 1
    elif known.pile_size <= SHORT and not has_sorts(fields):
        few = min(few, MOST_ACROSS)
    if beside is not None:
        few = 1 if isinstance(beside, Pooled) else max(few // len(beside.worlds), 1)
    if len(covered_layers(template, fields)) > 1:
        # Do not list tables: their hands do not determine which card is in which layer.
        few = 0
    every = list(islice(known.tables(known.all_rows), few + 1))
    if len(every) > few or sum(count(sorts, _places(known, one)) for one in every if sorts) > few:
        counted = counted_hands(fields, template, rows, stock, sorts=sorts, is_exact=is_exact)
        return counted if beside is None else counted.with_rest(beside)
    if sorts:
        rows, stock, _ = refine_sorts(Holdings(rows, stock, sorts), str)
        return recount(ruleset, fields, template, rows, stock, is_exact=is_exact, beside=beside)
    found = [(known.weight(known.all_rows, one), _table(fields, template, known, one)) for one in every]
    return listed(ruleset, found) if beside is None else on_rest(ruleset, fields, found, beside)


def on_rest(ruleset: AnyRuleset, fields: Fields, found: Sequence[tuple[int, Any]], rest: State) -> State:
    """Return the belief with the rows and the pile of each table in `found`, and with the independent `rest`."""
    if isinstance(rest, Pooled):
        below = rest.beside or without_cards(rest.worlds[0].state, rest.fields)
        return rest.with_rest(on_rest(ruleset, fields, found, below))
    hidden = [(weight, hidden_of(table, fields)) for weight, table in found]
    return listed(
        ruleset,
        [
            (weight * one.weight, with_hidden(one.state, fields, cards))
            for weight, cards in hidden
            for one in worlds(rest)
        ],
    )


def in_sorts(belief: Pooled) -> Holdings:
    """Return the weighted hands of a belief, its stock and its sorts."""
    rows = [{hand: int(weight) for hand, weight in row} for row in belief.rows]
    return Holdings(rows, belief.stock, dict(belief.sorts))


def counted_hands(
    fields: Fields,
    template: Any,
    rows: Sequence[Mapping[Hand, int]],
    stock: Hand,
    *,
    sorts: Sorts = NONE,
    is_exact: bool = True,
) -> Pooled:
    """Return the counted belief for these rows.

    Args:
        template: a table with empty rows. Its pile has the real cards if they are known, otherwise face-down cards.
    """
    layers = getattr(template, fields[1]).layers
    is_covered = {card.startswith(COVER) for layer in layers for card in layer}
    if True in is_covered and (False in is_covered or len(layers) > 1) and not is_ordered(fields):
        refuse()
    if has_sorts(fields):
        rows, stock, sorts = coarsen_sorts(Holdings(rows, stock, sorts))
    known = Pools(rows, stock)
    tables = known.ensemble()
    possible = [{known.hand(hand) for hand in hands} for hands in zip(*tables, strict=True)]
    left = (
        whole({hand: weight for hand, weight in row.items() if cards_of(hand) in some and known.is_held(number, hand)})
        for number, (row, some) in enumerate(zip(rows, possible, strict=True))
    )
    return Pooled(
        fields=fields,
        **shared_members(template),
        worlds=tuple(World(1, one) for one in _sample(fields, template, known, tables, sorts)),
        rows=tuple(map(as_row, left)),
        stock=stock,
        is_exact=is_exact,
        unknown_layers=covered_layers(template, fields),
        sorts=tuple(sorted(sorts.items())),
    )


def covered_layers(table: Any, fields: Fields) -> tuple[int, ...]:
    """Return the indexes of the layers with face-down cards if the rows are ordered.

    If no layer has face-down cards, return the index of the top layer.
    """
    if not is_ordered(fields):
        return TOP
    layers = getattr(table, fields[1]).layers
    return tuple(at for at, layer in enumerate(layers) if layer[0].startswith(COVER)) or TOP


def _places(known: Pools, hands: Sequence[int]) -> list[Hand]:
    return [*map(known.hand, hands), known.pile(hands)]


def _sample(
    fields: Fields, template: Any, known: Pools, tables: Sequence[Sequence[int]], sorts: Sorts
) -> Iterator[Any]:
    """Yield a table for each of `tables`.

    Yield more if the hands have sorts, or if the pile has several unknown layers.
    """
    if sorts:
        for hands in tables:
            for *rows, pile in examples(sorts, _places(known, hands)):
                yield with_rows(with_pile(template, fields, pile) if pile else template, fields, tuple(rows))
        return
    count = len(tables)
    if len(covered_layers(template, fields)) > 1:
        count = max(count, known.pile_size)
    for shift, hands in zip(range(count), cycle(tables), strict=False):
        yield _table(fields, template, known, hands, shift)


def _table(fields: Fields, template: Any, known: Pools, hands: Sequence[int], shift: int = 0) -> Any:
    """Return `template` with these hands as its rows, and the remaining cards of the stock as its pile.

    Args:
        shift: the number of cards by which the remaining cards are rotated, if the pile has several unknown layers.
    """
    unknown = covered_layers(template, fields)
    if known.pile_size:
        cards = known.pile(hands)
        at = shift % len(cards) if len(unknown) > 1 else 0
        template = with_pile(template, fields, cards[at:] + cards[:at], unknown)
    return with_rows(template, fields, tuple(map(known.hand, hands)))


def refuse() -> NoReturn:
    """Reject a change that depends on too many unknown cards."""
    message = say(
        "This depends on unknown cards, and there are too many of them to compute the effect. Reveal some of "
        "them first."
    )
    raise IllegalAction(RULE, message)
