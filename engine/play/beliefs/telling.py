"""Read facts from a belief, and update a belief after a reported fact or a change to every possible table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.core.errors import Undetermined
from engine.core.lifecycle import RULE
from engine.core.values import SEAT_INDEX, State
from engine.kit.card_facts import CardsAt
from engine.kit.facts import AnyFact, Tableau
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, Pooled, World, shared_members, worlds
from engine.play.beliefs.covering import COVER
from engine.play.beliefs.hands import Hand, cards_of
from engine.play.beliefs.looks import Looks
from engine.play.beliefs.places import (
    TOP,
    Fields,
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
from engine.play.beliefs.pooling import in_sorts, recount, refuse, rest_of
from engine.play.beliefs.possible import agreeing as listed
from engine.play.beliefs.possible import differing
from engine.play.beliefs.shifting import with_changed_pile
from engine.play.beliefs.sorts import NONE, Sorts, refine_sorts

Changes = tuple[tuple[Hand, Hand], ...]
"""For each row, and at the end for the pile: the lost cards and the gained cards."""


def known_facts(ruleset: AnyRuleset, state: State, viewer: int | None = None) -> list[AnyFact]:
    """Return the facts that are true on every possible table, as `viewer` (None: the public) may see them."""
    first, *others = (
        {fact: None for kind in ruleset.facts for fact in kind.shown(world.state, viewer)} for world in worlds(state)
    )
    return [fact for fact in first if all(fact in other for other in others)]


def condition_belief(ruleset: AnyRuleset, state: State, told: Iterable[AnyFact]) -> State:
    """Return a counted belief without the hands that contradict the facts `told`; return any other state unchanged.

    A fact that contradicts every possible hand rules out no hand: it corrects the table instead.
    """
    for fact in told:
        if not isinstance(state, Pooled):
            break
        if has_sorts(state.fields):
            state = _locate_card(ruleset, state, fact)
            continue
        if not isinstance(fact, CardsAt) or fact.member != state.fields[0] or fact.about != ("seat", "card"):
            state = _without_rests(ruleset, state, fact, lambda table: table)
            continue
        seat, card = fact.subject[1]
        row = SEAT_INDEX[seat]
        maps = [{hand: int(weight) for hand, weight in hands} for hands in state.rows]
        left = {hand: weight for hand, weight in maps[row].items() if hand.count(card) == fact.content}
        if left and len(left) < len(maps[row]):
            maps[row] = left
            state = _recount_rows(ruleset, state, state.worlds[0].state, maps, state.stock, is_exact=state.is_exact)
    return state


def _without_rests(ruleset: AnyRuleset, belief: Belief, fact: AnyFact, complete: Callable[[Any], Any]) -> State:
    """Remove the tables that contradict `fact` from the last rest of a belief. If all contradict it, remove none.

    Args:
        complete: function that returns a table with its empty rows filled with cards.
    """
    if isinstance(belief, Pooled):
        if belief.beside is None:
            return belief
        hidden = hidden_of(belief.worlds[0].state, belief.fields)
        rest = _without_rests(
            ruleset, belief.beside, fact, lambda table: complete(with_hidden(table, belief.fields, hidden))
        )
        return belief if rest is belief.beside else belief.with_rest(rest)
    kinds = [type(fact)]
    left = {one.state: one.weight for one in belief.worlds if Tableau(kinds, complete(one.state)).holds(fact)}
    return rest_of(ruleset, left) if 0 < len(left) < len(belief.worlds) else belief


def _locate_card(ruleset: AnyRuleset, belief: Pooled, fact: AnyFact) -> State:
    """Rule out the places of a card that contradict `fact`, in a belief with sorts.

    If every place does, keep all places.
    """
    known = in_sorts(belief)
    cards = {*known.stock, *(card for cards in known.sorts.values() for card in cards)} - set(known.sorts)
    card = next((one for one in msgspec.structs.astuple(fact) if isinstance(one, str) and one in cards), None)
    if card is None:
        return belief
    rows, stock, sorts = refine_sorts(known, card.__eq__)
    true = {
        next(at for at, place in enumerate(_places(world.state, belief.fields)) if card in place)
        for world in belief.worlds
        if Tableau([type(fact)], world.state).holds(fact)
    }
    if len(true) != 1:
        return belief
    left = [
        {hand: weight for hand, weight in row.items() if (card in hand) == (at in true)} for at, row in enumerate(rows)
    ]
    return _recount_rows(ruleset, belief, belief.worlds[0].state, left, stock, sorts=sorts, is_exact=belief.is_exact)


def _places(table: Any, fields: Fields, unknown_layers: Collection[int] = TOP) -> list[Hand]:
    return [*rows_of(table, fields), pool_of(table, fields, unknown_layers)]


def agreeing(ruleset: AnyRuleset, belief: State, found: Sequence[tuple[int, State]]) -> State:
    """Return the belief after a change to every table of `belief`, as `engine.play.beliefs.possible.agreeing` does.

    If cards of a counted belief were moved, every possible hand after the move is kept, without probabilities.

    Args:
        found: each table after the change, with its weight.

    Raises:
        Undetermined: the tables after the change do not look alike.
        IllegalAction: the change depends on too many unknown cards.
    """
    if not isinstance(belief, Pooled):
        return listed(ruleset, found)
    states = [state for _, state in found]
    looks = Looks(ruleset)
    different = {looks.of(state)[0]: None for state in states}
    if len(different) > 1:
        raise Undetermined(RULE, differing(different))
    return _agreeing(ruleset, belief, states)


def _agreeing(ruleset: AnyRuleset, belief: Belief, states: Sequence[Any]) -> State:
    """Return the belief after every table of `belief` was changed to one of `states`, which look alike."""
    if not isinstance(belief, Pooled):
        found = Counter[State]()
        for world, state in zip(belief.worlds, states, strict=True):
            found[state] += world.weight
        return rest_of(ruleset, found)
    fields = belief.fields
    if belief.beside is not None:
        tables = worlds(belief.beside)
        rests = [without_cards(state, fields) for state in states]
        # The rest must change in the same way whatever the rows are.
        is_independent = all(rest == rests[at % len(tables)] for at, rest in enumerate(rests))
        rest = _agreeing(ruleset, belief.beside, rests[: len(tables)]) if is_independent else refuse()
        one = belief.with_rest(tables[0].state)
        states = [with_hidden(rests[0], fields, hidden_of(state, fields)) for state in states[: len(one.worlds)]]
        belief = msgspec.structs.replace(one, beside=rest if isinstance(rest, Belief) else None)
    same, after = (
        [hidden_of(one, fields) for one in some] for some in ([world.state for world in belief.worlds], states)
    )
    if after == same:
        first = states[0]
        same_cards = msgspec.structs.replace(
            belief,
            **shared_members(first),
            worlds=tuple(World(1, one) for one in states),
        )
        return same_cards if belief.beside is None else same_cards.with_rest(belief.beside)
    changes = _uniform_changes(belief, states)
    if has_sorts(fields):
        return _move_in_sorts(ruleset, belief, states, refuse() if changes is None else changes)
    # In an ordered pile, a card can come from several layers.
    if changes is not None and belief.is_exact and not (is_ordered(fields) and any(changes[-1])):
        rows, stock = _move_cards(
            [{hand: int(weight) for hand, weight in row} for row in belief.rows], belief.stock, changes
        )
        kept = with_changed_pile(rows, stock, *changes[-1])
        if kept is not None:
            return _recount_rows(ruleset, belief, states[0], *kept, is_exact=True)
    hands = [rows_of(state, fields) for state in states]
    stocks = {
        tuple(sorted([*pool_of(state, fields, belief.unknown_layers), *(card for hand in some for card in hand)]))
        for state, some in zip(states, hands, strict=True)
    }
    if len(stocks) > 1:
        refuse()
    rows = [dict.fromkeys(sorted(set(some)), 1) for some in zip(*hands, strict=True)]
    return _recount_rows(ruleset, belief, states[0], rows, stocks.pop(), is_exact=False)


def _move_in_sorts(ruleset: AnyRuleset, belief: Pooled, states: Sequence[State], changes: Changes) -> State:
    """Return a belief in sorts after known cards moved. They must have moved in the same way on each of its tables."""
    moved = {card for change in changes for cards in change for card in cards}
    rows, stock, sorts = refine_sorts(in_sorts(belief), lambda card: card if card in moved else None)
    after, stock = _move_cards(rows, stock, changes)
    return _recount_rows(ruleset, belief, states[0], after, stock, sorts=sorts, is_exact=belief.is_exact)


def _uniform_changes(belief: Pooled, states: Sequence[State]) -> Changes | None:
    """Return the cards that each row, and then the pile, lost and gained; None if the tables changed differently.

    Args:
        states: the tables of `belief` after the change.
    """
    found = set()
    for world, state in zip(belief.worlds, states, strict=True):
        both = (_places(one, belief.fields, belief.unknown_layers) for one in (world.state, state))
        found.add(tuple((_less(old, new), _less(new, old)) for old, new in zip(*both, strict=True)))
    return found.pop() if len(found) == 1 else None


def _move_cards(
    rows: Sequence[Mapping[Hand, int]], stock: Hand, changes: Changes
) -> tuple[list[dict[Hand, int]], Hand]:
    """Return the weighted hands of each row, and the stock, after cards were moved in the same way on every table."""
    for lost, gained in changes:
        stock = tuple(sorted((*_less(stock, lost), *gained)))
    after = [
        {tuple(sorted((*_less(hand, lost), *gained))): weight for hand, weight in row.items()}
        for row, (lost, gained) in zip(rows, changes, strict=False)
    ]
    return after, stock


def _less(cards: Hand, others: Hand) -> Hand:
    return tuple(sorted((Counter(cards) - Counter(others)).elements()))


def _recount_rows(
    ruleset: AnyRuleset,
    belief: Pooled,
    table: Any,
    rows: Sequence[Mapping[Hand, int]],
    stock: Hand,
    *,
    sorts: Sorts = NONE,
    is_exact: bool,
) -> State:
    """Return a belief in which these rows replace the rows of `table`. The other parts of `table` stay the same."""
    covered = len(cards_of(stock)) - sum(len(cards_of(next(iter(row)))) for row in rows)
    if covered:
        table = with_pile(table, belief.fields, (COVER,) * covered, belief.unknown_layers)
    table = with_rows(table, belief.fields, ())
    return recount(ruleset, belief.fields, table, rows, stock, sorts=sorts, is_exact=is_exact, beside=belief.beside)
