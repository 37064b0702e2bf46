"""Unknown cards of a line with too many possible tables to list: the possible hands of each row are counted instead.

`engine.play.beliefs` explains the terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import and_
from typing import Any, NamedTuple, Protocol

from engine.core import effort
from engine.core.lifecycle import KINDS, SET_UP
from engine.core.values import SEAT_INDEX, State, Value
from engine.kit.chance import Chance
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, MixedPoint, Pooled, level, likeliest, worlds
from engine.play.beliefs.dealing import Deals, dealt_cards, unseen
from engine.play.beliefs.hands import Hand
from engine.play.beliefs.places import Fields, every_fields, has_sorts, hidden_of, is_ordered, rows_of
from engine.play.beliefs.pooling import add_renewed_pile, pool_rows
from engine.play.beliefs.smoothing import Chances, EventEffect, RowChain, RowDeal, TableKnowledge, step, table
from engine.play.beliefs.tracing import Place
from engine.play.line import Entry, Line, Slot


class SetupRules(Protocol):
    """The rules of a game, with a method that sets up the game."""

    ruleset: AnyRuleset

    def begin(self, entry: Entry, seq: int, chance: Chance) -> State: ...


class _Event(NamedTuple):
    step: EventEffect | None
    dealt: Deals
    before: TableKnowledge
    after: TableKnowledge


def points(rules: SetupRules, line: Line, only: int | None = None) -> dict[Place, MixedPoint]:
    """Return the possible values of each unknown card of `line`, by event and index of the outcome.

    Probabilities are exact, or marked as unknown. They are unknown for cards that were drawn before a correction of
    unknown cards, and if there are too many hands.

    Args:
        only: the index of a single event (default: all events).
    """
    found: dict[Place, MixedPoint] = {}
    for fields in every_fields(rules.ruleset):
        found |= (_points_in_sorts if has_sorts(fields) else _points)(rules, fields, line, only)
    for at, slot in enumerate(line):
        if only in {None, at}:
            found = _elsewhere(rules, slot, line[at - 1].after if at else None, found) | found
    return dict(sorted(found.items()))


def _elsewhere(
    rules: SetupRules, slot: Slot, before: State | None, known: Collection[Place]
) -> dict[Place, MixedPoint]:
    """Return the possible values of an event's unknown results that are not in `known`, such as a tile."""
    outcomes = slot.entry.outcomes if slot.entry is not None else ()
    if all(outcome is not None or (slot.number, position) in known for position, outcome in enumerate(outcomes)):
        return {}
    drawn = [point for _, run in _runs(rules, slot, before) for point in unseen(run, outcomes).values()]
    names = {point.position: point.name for point in drawn}
    return {
        (slot.number, at): _unweighed_point(
            name, at, sorted({option for point in drawn if point.position == at for option in point.options}, key=str)
        )
        for at, name in names.items()
    }


def _points(rules: SetupRules, fields: Fields, line: Line, only: int | None) -> dict[Place, MixedPoint]:
    events = _events(rules, fields, line)
    wanted = [at for at, event in enumerate(events) if event.dealt.unseen and only in {None, at}]
    odds: dict[tuple[int, int], list[Chances]] = {}
    start = _start(line, events, wanted)
    chain = _chain(rules, fields, line, events, start)
    last = _counted_belief(rules, fields, line[-1].after)
    if chain is not None and last is not None and last.is_exact and chain.agrees(last):
        for row in sorted({one.row for at in wanted for one in events[at].dealt.unseen if at >= start}):
            for number, chances in chain.chances(row):
                odds.setdefault((start + number, row), []).insert(0, chances)
    found = {}
    for at in wanted:
        event = events[at]
        for position, row, name in event.dealt.unseen:
            known = odds.get((at, row))
            if known:
                chances = known.pop(0)
                point = MixedPoint(name, position, tuple(chances), tuple(chances.values()))
            else:
                point = _unweighed_point(name, position, _drawn_cards(event, row))
            found[line[at].number, position] = point
    return found


def _points_in_sorts(rules: SetupRules, fields: Fields, line: Line, only: int | None) -> dict[Place, MixedPoint]:
    """Return the same as `points` if the cards are counted in sorts.

    The probabilities are unknown if a rule distinguished between cards of the row after the draw.
    """
    states = [None, *(slot.after for slot in line)]
    dealt = [
        (slot, one)
        for slot, before in zip(line, states, strict=False)
        for one in _deals_of(rules, fields, slot, before, ()).unseen
    ]
    rows = Counter(one.row for _, one in dealt)
    found = {}
    for slot, (position, row, name) in dealt:
        if only is None or slot is line[only]:
            cards, sort = _cards_in(fields, slot.after, row), _sort_of(states[-1], row, rows[row])
            if sort and set(sort) <= set(cards):
                point = MixedPoint(name, position, sort, (Fraction(1, len(sort)),) * len(sort))
            else:
                point = _unweighed_point(name, position, cards)
            found[slot.number, position] = point
    return found


def _sort_of(state: State | None, row: int, count: int) -> Hand:
    """Return the cards of the sort to which all `count` unseen cards of a row belong; empty if there is none."""
    if not isinstance(state, Pooled) or len(state.rows[row]) > 1:
        return ()
    ((hand, _),) = state.rows[row]
    return next((cards for name, cards in state.sorts if hand.count(name) == count), ())


def _cards_in(fields: Fields, state: State | None, row: int) -> list[str]:
    """Return the cards that a row may have, except the cards that it certainly has."""
    if isinstance(state, Pooled):
        sorts, hands = dict(state.sorts), [set(hand) for hand, _ in state.rows[row]]
    else:
        sorts, hands = {}, [set(rows_of(world.state, fields)[row]) for world in worlds(state)]
    certain = reduce(and_, hands).difference(sorts)
    return sorted({card for hand in hands for name in hand - certain for card in sorts.get(name, (name,))})


def without(point: MixedPoint, value: Value) -> MixedPoint:
    """Return `point` without the option `value`, and with unknown probabilities."""
    return _unweighed_point(point.name, point.position, [option for option in point.options if option != value])


def _unweighed_point(name: str, position: int, options: Sequence[Value]) -> MixedPoint:
    weights = (Fraction(1, len(options)),) * len(options) if options else ()
    return MixedPoint(name, position, tuple(options), weights, is_exact=False)


def _drawn_cards(event: _Event, row: int) -> list[str]:
    """Return the cards that the event may have dealt to a row, using only what was known right after the event."""
    before, after = event.before.hands[row], event.after.hands[row]
    cards = sorted({card for hand in after for card in hand})
    unseen, seen = event.dealt
    if sum(one.row == row for one in unseen) > 1:
        return cards
    return [card for card in cards if any(tuple(sorted((*hand, *seen[row], card))) in after for hand in before)]


def _events(rules: SetupRules, fields: Fields, line: Line) -> list[_Event]:
    found: list[_Event] = []
    before: TableKnowledge | None = None
    hidden, after = None, None
    for at, slot in enumerate(line):
        assert slot.after is not None
        cards = _hidden_parts(fields, slot.after)
        if after is None or cards != hidden:
            effort.spend()
            hidden, after = cards, table(fields, slot.after)
        state = None if before is None else line[at - 1].after
        before = before or TableKnowledge([{()} for _ in after.hands], after.stock, after.stock)
        kinds = sorted({card for hands in after.hands for hand in hands for card in hand})
        deals = _deals_of(rules, fields, slot, state, kinds)
        rows = Counter(one.row for one in deals.unseen)
        came = {row: RowDeal(number, deals.seen[row]) for row, number in rows.items()}
        outcomes = () if slot.entry is None else slot.entry.outcomes
        named = [*outcomes, *(() if slot.entry is None else slot.entry.params.values())]
        effect = step(before, after, came, len(outcomes), named, is_ordered=is_ordered(fields))
        found.append(_Event(effect, deals, before, after))
        before = after
    return found


def _deals_of(rules: SetupRules, fields: Fields, slot: Slot, before: State | None, kinds: Collection[str]) -> Deals:
    """Return the cards that an event dealt to players' hands and other rows; empty if all of these cards are known.

    Args:
        kinds: the kinds of cards that rows can contain after the event.
    """
    runs = _runs(rules, slot, before)
    if slot.entry is None or not runs:
        return Deals([], [])
    return dealt_cards(fields, *runs[0], slot.entry.outcomes, kinds)


def _runs(rules: SetupRules, slot: Slot, before: State | None) -> list[tuple[Any, Callable[[Chance], Any]]]:
    """Return the tables before an event, each with a function that applies the event; none if all results are known.

    The event is legal on these tables. If it is legal on none, the list has the likeliest table.
    """
    entry, is_idle = slot.entry, slot.judgement is not None and not slot.judgement.has_effect
    if entry is None or None not in entry.outcomes or is_idle or (entry.type in KINDS and entry.type != SET_UP):
        return []
    if entry.type == SET_UP:
        return [(None, partial(rules.begin, entry, slot.number))]
    action, seat = rules.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
    every = [world.state for world in worlds(before)]
    legal = [table for table in every if action.refusal(table, seat) is None] or [likeliest(before)]
    return [(table, partial(action.apply, table, seat)) for table in legal]


def _hidden_parts(fields: Fields, state: State) -> Hashable:
    known = level(state, fields)
    if isinstance(known, Pooled) and known.fields == fields:
        return known.rows, known.stock
    return tuple(hidden_of(world.state, fields) for world in worlds(known))


def _start(line: Line, events: Sequence[_Event], wanted: Sequence[int]) -> int:
    """Return the index of the event at which the chain of a row begins.

    Every event from this index on has a known effect. If the table is fully known before the first event of `wanted`,
    the chain begins at the last such table.
    """
    begin = next((at + 1 for at in reversed(range(len(events))) if events[at].step is None), 0)
    first = next((at for at in wanted if at >= begin), begin)
    known = (at for at in range(first, begin, -1) if not isinstance(line[at - 1].after, Belief))
    return next(known, begin)


def _chain(rules: SetupRules, fields: Fields, line: Line, events: Sequence[_Event], start: int) -> RowChain | None:
    """Return the chain of the rows from event `start` on; None if the probabilities before that event are unknown."""
    if start == len(events):
        return None
    if start == 0:
        before, after = events[0].before, events[0].after
        table = line[0].after
        assert table is not None
        none = tuple((((), "1"),) for _ in before.hands)
        first = Pooled(turn=table.turn, phase=table.phase, worlds=(), fields=fields, rows=none, stock=after.stock)
    else:
        counted = _counted_belief(rules, fields, line[start - 1].after)
        if counted is None or not counted.is_exact:
            return None
        first = add_renewed_pile(counted)
    return RowChain(first, [event.step for event in events[start:] if event.step is not None])


def _counted_belief(rules: SetupRules, fields: Fields, state: State | None) -> Pooled | None:
    """Return the counted belief for a state; None if its cards cannot be counted."""
    known = level(state, fields)
    if isinstance(known, Pooled) and known.fields == fields:
        return known
    tables = worlds(known)
    return None if tables[0].state is None else pool_rows(rules.ruleset, fields, tables)
