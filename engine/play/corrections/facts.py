"""The record brought in line with what a table says: facts that hold from then on, in every table that there may be."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import DEFECTS, Malformed, UnsoundTable
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State, Violation, not_a_seat
from engine.kit.chance import Chance, Chosen
from engine.kit.facts import AnyFact, CannotBe, Subject, Tableau, Told, seats_named
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import World, worlds
from engine.play.beliefs.telling import agreeing, conditioned
from engine.play.showing import BEYOND

MOST_ROUNDS = 4
"""How often facts are put one after the other, until all of them hold: what one takes another may have brought."""


class Correction(msgspec.Struct, frozen=True):
    """What a table told, resolved against a state: what changes, and what was there."""

    facts: tuple[AnyFact, ...]
    was: tuple[AnyFact | None, ...]
    """In the place of each: what held before. The same: it was seen to be so. None: that depended on what nobody
    saw."""


def known(ruleset: AnyRuleset, state: State, viewer: int | None = None) -> list[AnyFact]:
    """Every fact that holds whatever nobody saw, as `viewer` (None: the public) may see it."""
    first, *others = (
        {fact: None for kind in ruleset.facts for fact in kind.shown(world.state, viewer)} for world in worlds(state)
    )
    return [fact for fact in first if all(fact in other for other in others)]


def read(ruleset: AnyRuleset, documents: Sequence[Any], seats: int, pointer: str) -> tuple[AnyFact, ...]:
    """The facts that these JSON documents tell, in the order in which they are put.

    Raises:
        Malformed: with the place, below `pointer`.
    """
    found = ruleset.parse_facts(documents, pointer)
    for index, fact in enumerate(found):
        for field, seat in seats_named(fact):
            if SEAT_INDEX[seat] >= seats:
                raise Malformed(f"{pointer}/{index}/{field}", not_a_seat(seats, seat))
    order = {kind.tag(): place for place, kind in enumerate(ruleset.facts)}
    return tuple(sorted(found, key=lambda fact: order[fact.tag()]))


def stored(ruleset: AnyRuleset, told: Sequence[Any], was: Sequence[Any], seats: int) -> Correction:
    """A correction as an event has it.

    Raises:
        Malformed: it cannot be read, or what was is not about the same.
    """
    # One by one: they stand in the order in which they were put, and so do those that were there.
    facts = tuple(read(ruleset, [one], seats, "/params/facts")[0] for one in told)
    before = tuple(None if one is None else read(ruleset, [one], seats, "/params/was")[0] for one in was)
    for index, (fact, one) in enumerate(zip(facts, before, strict=True)):
        if one is not None and one.subject != fact.subject:
            raise Malformed(f"/params/was/{index}", "it is not about the same as the fact in its place")
    return Correction(facts, before)


def document(fact: AnyFact) -> dict[str, Any]:
    """A fact as a JSON document."""
    told: dict[str, Any] = msgspec.to_builtins(fact, order="sorted")
    return told


def kept(ruleset: AnyRuleset, fact: AnyFact | None, seats: int) -> dict[str, Any] | None:
    """What was there, as it is stored beside what replaced it; None where it is beyond what can be told, or depended on
    what nobody saw.
    """
    if fact is None:
        return None
    told = document(fact)
    try:
        read(ruleset, [told], seats, "/params/was")
    except Malformed:
        return None
    return told


def differing(ruleset: AnyRuleset, state: State, other: State, pointer: str) -> tuple[AnyFact, ...]:
    """The facts that hold in `other`, a state that somebody wrote, of all that differs there.

    Raises:
        Malformed: they cannot be told at this table.
    """
    try:
        changes = Tableau(ruleset.facts, state).changes(Tableau(ruleset.facts, other))
    except DEFECTS:
        raise Malformed(pointer, say("no table can look like this")) from None
    try:
        return read(ruleset, list(map(document, changes)), ruleset.seats(state), pointer)
    except Malformed as error:
        raise Malformed(pointer, error.message) from None


def carried_out(
    ruleset: AnyRuleset, names: Sequence[str], state: State, told: Sequence[AnyFact], *, is_whole: bool = False
) -> tuple[State, State]:
    """A table with what is told put, and the same as the rules go on from it.

    Raises:
        UnsoundTable: no table is like that.
    """
    everything = Told(told, is_whole=is_whole)
    with _refusing():
        placed = put(state, everything)
        return placed, _settled(ruleset, names, placed, everything)


def tableaux(ruleset: AnyRuleset, state: State) -> list[Tableau]:
    """All that holds in each of the tables that there may be."""
    return [Tableau(ruleset.facts, world.state) for world in worlds(state)]


def resolve(
    ruleset: AnyRuleset, names: Sequence[str], state: State, told: Sequence[AnyFact], *, is_whole: bool = False
) -> Correction:
    """What becomes of `state` where a table tells `told`: the facts that change, and what was there.

    A fact that holds already is kept as evidence. If it holds in some of the possible tables only, the others are
    ruled out.

    Args:
        is_whole: whether that is all there is to tell: what is not told is not there. Where that cannot be so, what
            nobody saw is not known as before: 'Ann has 3 cards', and two of them are named.

    Raises:
        UnsoundTable: no table is like that.
    """
    tables = [(world, Tableau(ruleset.facts, world.state)) for world in worlds(conditioned(ruleset, state, told))]
    everything = _with_consequences(ruleset, tables[0][0].state, told)
    if not is_whole:
        return _resolved(ruleset, names, tables, told, everything)
    every = [tableau for _, tableau in tables]
    try:
        return _resolved(ruleset, names, tables, told, _completed(everything, every), is_whole=True)
    except UnsoundTable:
        unsure = _unsure(every)
        if not unsure:
            raise
        return _resolved(ruleset, names, tables, told, _completed(everything, every, unsure))


def _with_consequences(ruleset: AnyRuleset, state: State, told: Sequence[AnyFact]) -> list[AnyFact]:
    """What is told and what the rules derive from it, in the order in which it is put."""
    subjects = {fact.subject for fact in told}
    derived = [fact for fact in ruleset.consequences(state, Told(told)) if fact.subject not in subjects]
    order = {kind.tag(): place for place, kind in enumerate(ruleset.facts)}
    return sorted([*told, *derived], key=lambda fact: order[fact.tag()])


def _resolved(
    ruleset: AnyRuleset,
    names: Sequence[str],
    tables: Sequence[tuple[World, Tableau]],
    evidence: Sequence[AnyFact],
    told: Sequence[AnyFact],
    *,
    is_whole: bool = False,
) -> Correction:
    """As `resolve`, of these tables.

    Args:
        evidence: the facts that the table named: kept even if they change nothing.
        told: the same, those that follow from them, and those that complete a photograph.
    """
    tables, seen, changed = _sifted(tables, evidence, told)
    found, dropped, refused = [], [], None
    for world, before in tables:
        effort.spend(len(told))
        try:
            placed, _ = carried_out(ruleset, names, world.state, told, is_whole=is_whole)
        except UnsoundTable as error:
            dropped.append(world.state)
            refused = refused or error
        else:
            found.append((world.state, before, Tableau(ruleset.facts, placed)))
    if not found:
        assert refused is not None
        raise refused
    put_right = [fact for fact in told if fact in seen or (fact in changed and not fact.is_derived)]
    if is_whole or len(put_right) < len(told):
        put_right = _minimal(put_right, found)
        kept, others = (
            [_led_to(ruleset, names, table, put_right) for table in states]
            for states in ([table for table, _, _ in found], dropped)
        )
        is_enough = all(end is not None and all(map(end.holds, told)) for end in kept)
        if not is_enough or others.count(None) < len(others):
            put_right = list(told)
    was = [{before.now(fact) for _, before, _ in found} for fact in put_right]
    return Correction(tuple(put_right), tuple(ones.pop() if len(ones) == 1 else None for ones in was))


def _sifted(
    tables: Sequence[tuple[World, Tableau]], evidence: Sequence[AnyFact], told: Sequence[AnyFact]
) -> tuple[Sequence[tuple[World, Tableau]], list[AnyFact], list[AnyFact]]:
    """The tables that are still possible, the facts that are seen to hold in them, and those that hold in none."""
    seen: list[AnyFact] = []
    changed: list[AnyFact] = []
    for fact in told:
        effort.spend(len(tables))
        holding = [one for one in tables if one[1].holds(fact)]
        if not holding:
            changed.append(fact)
        elif len(holding) < len(tables) or fact in evidence:
            tables = holding
            seen.append(fact)
    return tables, seen, changed


def _led_to(ruleset: AnyRuleset, names: Sequence[str], state: State, facts: Sequence[AnyFact]) -> Tableau | None:
    """What holds on a table once these facts were put; None where they cannot be."""
    try:
        return Tableau(ruleset.facts, whole(ruleset, names, state, facts))
    except UnsoundTable:
        return None


def _unsure(tables: Sequence[Tableau]) -> set[Subject]:
    """Of what the tables that there may be tell different things."""
    facts = {fact for tableau in tables for fact in tableau}
    return {fact.subject for fact in facts if not all(tableau.holds(fact) for tableau in tables)}


def _completed(told: Sequence[AnyFact], tables: Sequence[Tableau], unsure: Container[Subject] = ()) -> list[AnyFact]:
    """What is told, and that nothing else is there that can be told; less what is `unsure`."""
    subjects = {fact.subject for fact in told}
    others = {fact.subject: fact.absent for tableau in tables for fact in tableau if fact.subject not in subjects}
    return [*told, *(absent for at, absent in others.items() if absent is not None and at not in unsure)]


def _minimal(changed: Sequence[AnyFact], found: Sequence[tuple[State, Tableau, Tableau]]) -> list[AnyFact]:
    """The facts that by themselves make each of these tables into the other one, such as the hand from which a card
    that somebody has came.

    Args:
        found: a state, its tableau, and that with all put that was told.
    """
    facts = list(changed)
    for state, before, after in found:
        so_far, subjects = before, {fact.subject for fact in facts}
        with suppress(CannotBe):
            so_far = Tableau(before.kinds, put(state, Told(facts)))
        # Not what is hidden, and another thing in each table.
        facts += [
            fact
            for fact in so_far.changes(after)
            if fact.subject not in subjects and all(other.holds(fact) for _, _, other in found)
        ]
    return facts


def corrected(ruleset: AnyRuleset, names: Sequence[str], state: State, correction: Correction) -> State:
    """The state after a correction.

    Raises:
        UnsoundTable: in no table can that be so, or what it replaces is not there any more.
        Undetermined: what the board looks like then depends on what nobody saw.
    """
    found, refused = [], None
    # What was there in some of the possible hands is evidence against the others.
    seen = (fact for fact, was in zip(correction.facts, correction.was, strict=True) if fact == was)
    state = conditioned(ruleset, state, seen)
    for world in worlds(state):
        effort.spend(len(correction.facts))
        try:
            found.append((world.weight, _corrected(ruleset, names, world.state, correction)))
        except UnsoundTable as error:
            # A table that cannot be so is none of those there may be.
            refused = refused or error
    if refused is not None and not found:
        raise refused
    return agreeing(ruleset, state, found)


def _corrected(ruleset: AnyRuleset, names: Sequence[str], state: State, correction: Correction) -> State:
    before = Tableau(ruleset.facts, state)
    gone = [
        was.no_longer(names)
        for fact, was in zip(correction.facts, correction.was, strict=True)
        if was is not None and (was == fact or was.moves_things) and not before.holds(was)
    ]
    if gone:
        raise UnsoundTable(lifecycle.RULE, [Violation(message) for message in gone])
    return whole(ruleset, names, state, correction.facts) if correction.facts else state


@contextmanager
def _refusing() -> Iterator[None]:
    """Raises `UnsoundTable` for whatever cannot be."""
    try:
        yield
    except CannotBe as error:
        raise UnsoundTable(lifecycle.RULE, [Violation(say(error.message), error.rule)]) from None
    except DEFECTS:
        # A table that no rule ever made may fail whatever looks at it.
        raise UnsoundTable(lifecycle.RULE, [Violation(say(BEYOND))]) from None


def whole(ruleset: AnyRuleset, names: Sequence[str], state: State, told: Sequence[AnyFact]) -> State:
    """`state` with what is told put, and the turn machine whole again: a legal action or an end follows.

    Raises:
        UnsoundTable: no table is like that.
    """
    return carried_out(ruleset, names, state, told)[1]


def begun(
    ruleset: AnyRuleset, names: Sequence[str], start: Callable[[Chance], State], told: Sequence[AnyFact], chance: Chance
) -> State:
    """The table with which a record begins that starts in the middle of a game, as it is told.

    What the set-up leaves to chance has to be told; what is not told besides is as after a set-up, or not there.

    Args:
        start: sets the game up.

    Raises:
        UnsoundTable: no table is like that, or it is not told enough.
        OutcomeRequired, ImpossibleOutcome: as `chance` says, for what is told to be there and not what.
    """
    first, last = (start(_begun(Chosen(is_last=is_last))) for is_last in (False, True))
    by_chance = {
        kind.tag()
        for kind in ruleset.facts
        if kind.none is None and not kind.is_derived and set(kind.all(first)) != set(kind.all(last))
    }
    everything = Told(_completed(told, [Tableau(ruleset.facts, first)]), is_whole=True)
    subjects = {fact.subject for fact in told}
    with _refusing():
        placed = put(first, everything)
        untold = [
            Violation(say("Not told: {fact}", fact=" ".join([fact.tag(), *map(str, fact.subject[1])])))
            for fact in Tableau(ruleset.facts, placed)
            if fact.tag() in by_chance and fact.subject not in subjects
        ]
        if untold:
            raise UnsoundTable(lifecycle.RULE, untold)
        return _settled(ruleset, names, ruleset.deal_unseen(placed, everything, chance), Told(told))


def _begun(chance: Chance) -> Chance:
    chance.begin(0, ())
    return chance


def _settled(ruleset: AnyRuleset, names: Sequence[str], placed: State, told: Told) -> State:
    after: State = ruleset.settled(placed, told)
    tableau = Tableau(ruleset.facts, after)
    broken = [fact for fact in told if not tableau.holds(fact)]
    if broken:
        raise _unheld(names, tableau, told, broken)
    violations = ruleset.check_invariants(after)
    if violations:
        raise UnsoundTable(lifecycle.RULE, [Violation(say("“{one}” would not hold.", one=one)) for one in violations])
    if after.outcome is None and next(ruleset.legal_actions(after), None) is None:
        message = say("Nobody could do anything then, and the game is not over.")
        raise UnsoundTable(lifecycle.RULE, [Violation(message)])
    return after


def put(state: State, told: Told) -> State:
    """`state` with what is told put, one after the other; where that cannot all be so, some of it does not hold.

    Raises:
        CannotBe: no table is like that.
    """
    kinds = list(dict.fromkeys(type(fact) for fact in told if not fact.is_derived))
    refused = None
    for _ in range(MOST_ROUNDS):
        tableau, refused = Tableau(kinds, state), None
        missing = [fact for fact in told if not (fact.is_derived or tableau.holds(fact))]
        for fact in missing:
            try:
                state = fact.put(state, told)
            except CannotBe as error:
                # What it needs may come from what is put after it.
                refused = refused or error
    if refused is not None:
        raise refused
    return state


def _unheld(names: Sequence[str], tableau: Tableau, told: Told, broken: Sequence[AnyFact]) -> UnsoundTable:
    """What is said where something that was told does not hold beside the rest, and what does."""
    violations = []
    for fact in broken:
        now = tableau.now(fact)
        holds = "" if now is None else now.sentence(names)
        beside = " " + say("Beside the rest that is told, this holds: {fact}", fact=holds) if holds else ""
        violations.append(Violation(say("This cannot be: {fact}", fact=fact.sentence(names)) + beside))
    instead = [now for fact in told if (now := tableau.now(fact)) is not None]
    return UnsoundTable(lifecycle.RULE, violations, [document(fact) for fact in instead])
