"""Adjust the record to match reported facts, which are then true on every possible table."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import DEFECTS, Malformed, UnsoundTable
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State, Violation, not_a_seat
from engine.kit.common_facts import TurnOf
from engine.kit.facts import AnyFact, CannotBe, Subject, Tableau, Told, seats_named
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Pooled, World, worlds
from engine.play.beliefs.pooling import refuse
from engine.play.beliefs.telling import agreeing, condition_belief
from engine.play.showing import BEYOND

MOST_ROUNDS = 4
"""Maximum number of rounds in which all facts are applied.

One round may not suffice: a fact can undo the change of another fact.
"""


Others = Callable[[Sequence[State], Sequence[AnyFact]], Sequence[AnyFact]]


class FactCorrection(msgspec.Struct, frozen=True):
    """Reported facts resolved against a state: the facts to apply, and the facts that they replace."""

    facts: tuple[AnyFact, ...]
    was: tuple[AnyFact | None, ...]
    """The fact that each of `facts` replaces: an equal fact if the players confirmed it; None if the replaced fact was
    unknown.
    """


def read(ruleset: AnyRuleset, documents: Sequence[Any], seats: int, pointer: str) -> tuple[AnyFact, ...]:
    """Parse facts from JSON documents, in the order of application.

    Raises:
        Malformed: a fact is invalid; the error's pointer begins with `pointer`.
    """
    found = ruleset.parse_facts(documents, pointer)
    for index, fact in enumerate(found):
        for field, seat in seats_named(fact):
            if SEAT_INDEX[seat] >= seats:
                raise Malformed(f"{pointer}/{index}/{field}", not_a_seat(seats, seat))
    return tuple(in_order(ruleset, found))


def in_order(ruleset: AnyRuleset, found: Iterable[AnyFact]) -> list[AnyFact]:
    """Return facts in the order in which they are applied."""
    order = {kind.tag(): place for place, kind in enumerate(ruleset.facts)}
    return sorted(found, key=lambda fact: order[fact.tag()])


def parse_stored(ruleset: AnyRuleset, told: Sequence[Any], was: Sequence[Any], seats: int) -> FactCorrection:
    """Parse a correction from a stored event.

    Raises:
        Malformed: a fact is malformed, or differs in its subject from the entry at the same position in `was`.
    """
    # Parse the facts one by one: `read` would sort them, but the two lists must stay parallel.
    facts = tuple(read(ruleset, [one], seats, "/params/facts")[0] for one in told)
    before = tuple(None if one is None else read(ruleset, [one], seats, "/params/was")[0] for one in was)
    for index, (fact, one) in enumerate(zip(facts, before, strict=True)):
        if one is not None and one.subject != fact.subject:
            raise Malformed(
                f"/params/was/{index}",
                "must be about the same thing as the fact at this position in `facts`",
            )
    return FactCorrection(facts, before)


def document(fact: AnyFact) -> dict[str, Any]:
    """Return a fact as a JSON document."""
    told: dict[str, Any] = msgspec.to_builtins(fact, order="sorted")
    return told


def as_stored(ruleset: AnyRuleset, fact: AnyFact | None, seats: int) -> dict[str, Any] | None:
    """Return a replaced fact in its stored form; None if there is no fact, or if the stored form cannot be parsed."""
    if fact is None:
        return None
    told = document(fact)
    try:
        read(ruleset, [told], seats, "/params/was")
    except Malformed:
        return None
    return told


def differing(ruleset: AnyRuleset, state: State, other: State, pointer: str) -> tuple[AnyFact, ...]:
    """Return the facts of `other`, a state from a client, that differ from `state`.

    Raises:
        Malformed: the facts of `other` cannot be computed, or they are invalid at this table.
    """
    try:
        changes = Tableau(ruleset.facts, state).changes(Tableau(ruleset.facts, other))
    except DEFECTS:
        raise Malformed(pointer, say("this table is impossible")) from None
    try:
        return read(ruleset, list(map(document, changes)), ruleset.seats(state), pointer)
    except Malformed as error:
        raise Malformed(pointer, error.message) from None


def carry_out(
    ruleset: AnyRuleset, names: Sequence[str], state: State, told: Sequence[AnyFact], *, is_whole: bool = False
) -> tuple[State, State]:
    """Return two tables: after the facts were applied, and after the rules have then completed that table.

    Raises:
        UnsoundTable: no possible table matches the facts.
    """
    everything = Told(told, is_whole=is_whole)
    with refusing():
        placed = put(state, everything)
        return placed, settle_table(ruleset, names, placed, everything)


def tableaux(ruleset: AnyRuleset, state: State) -> list[Tableau]:
    """Return the facts of each possible table."""
    return [Tableau(ruleset.facts, world.state) for world in worlds(state)]


def resolve(
    ruleset: AnyRuleset,
    names: Sequence[str],
    state: State,
    told: Sequence[AnyFact],
    *,
    others: Others | None = None,
    is_whole: bool = False,
) -> FactCorrection:
    """Resolve reported facts against `state`: find the facts to apply, and the facts that they replace.

    A fact that is already true is kept as evidence. If a fact is true only on some possible tables, the other tables
    are ruled out.

    Args:
        others: function that returns the facts that follow for the rest of the table. It gets the possible tables and
            the told facts.
        is_whole: True if the facts describe the whole table: anything that they omit is absent. If unknown cards make
            that impossible, these cards stay unknown. An example is 'Ann has 3 cards' with two of the cards named.

    Raises:
        UnsoundTable: no possible table matches the facts.
    """
    tables = [(world, Tableau(ruleset.facts, world.state)) for world in worlds(condition_belief(ruleset, state, told))]
    everything = _with_consequences(ruleset, tables[0][0].state, told)
    evidence = told
    if others is not None:
        rest = others([world.state for world, _ in tables], everything)
        everything = in_order(ruleset, [*everything, *rest])
        evidence = (*told, *rest) if len(everything) <= lifecycle.MOST_FACTS else told
    if not is_whole:
        return _resolve_tables(ruleset, names, tables, evidence, everything)
    every = [tableau for _, tableau in tables]
    try:
        return _resolve_tables(ruleset, names, tables, evidence, add_absences(everything, every), is_whole=True)
    except UnsoundTable:
        unsure = _unsure(every)
        if not unsure:
            raise
        return _resolve_tables(ruleset, names, tables, evidence, add_absences(everything, every, unsure))


def _with_consequences(ruleset: AnyRuleset, state: State, told: Sequence[AnyFact]) -> list[AnyFact]:
    subjects = {fact.subject for fact in told}
    implied = (*_of_turn(ruleset, state, told), *ruleset.consequences(state, Told(told)))
    derived = {fact.subject: fact for fact in implied if fact.subject not in subjects}.values()
    return in_order(ruleset, [*told, *derived])


def _of_turn(ruleset: AnyRuleset, state: State, told: Sequence[AnyFact]) -> list[AnyFact]:
    """Return the facts that change at the start of a seat's turn, if a reported fact gives the turn to another seat."""
    fact = next((fact for fact in told if isinstance(fact, TurnOf)), None)
    begun = None if fact is None or fact in fact.all(state) else ruleset.begin_turn(state, SEAT_INDEX[fact.seat])
    return [] if begun is None else Tableau(ruleset.facts, state).changes(Tableau(ruleset.facts, begun))


def _resolve_tables(
    ruleset: AnyRuleset,
    names: Sequence[str],
    tables: Sequence[tuple[World, Tableau]],
    evidence: Sequence[AnyFact],
    told: Sequence[AnyFact],
    *,
    is_whole: bool = False,
) -> FactCorrection:
    """Resolve facts as `resolve` does, for these possible tables.

    Args:
        evidence: the reported facts, kept even if they change nothing.
        told: `evidence` and the facts derived from it. If they describe the whole table, facts about the absence of
            everything else are included.
    """
    tables, seen, changed = _sift_tables(tables, evidence, told)
    found, dropped, refused = [], [], None
    for world, before in tables:
        effort.spend(len(told))
        try:
            placed, _ = carry_out(ruleset, names, world.state, told, is_whole=is_whole)
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
            [_tableau_after(ruleset, names, table, put_right) for table in states]
            for states in ([table for table, _, _ in found], dropped)
        )
        is_enough = all(end is not None and all(map(end.holds, told)) for end in kept)
        if not is_enough or others.count(None) < len(others):
            put_right = list(told)
    was = [{before.now(fact) for _, before, _ in found} for fact in put_right]
    return FactCorrection(tuple(put_right), tuple(ones.pop() if len(ones) == 1 else None for ones in was))


def _sift_tables(
    tables: Sequence[tuple[World, Tableau]], evidence: Sequence[AnyFact], told: Sequence[AnyFact]
) -> tuple[Sequence[tuple[World, Tableau]], list[AnyFact], list[AnyFact]]:
    """Return the tables that remain possible, the facts that are true on these, and the facts true on no table."""
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


def _tableau_after(ruleset: AnyRuleset, names: Sequence[str], state: State, facts: Sequence[AnyFact]) -> Tableau | None:
    try:
        return Tableau(ruleset.facts, whole(ruleset, names, state, facts))
    except UnsoundTable:
        return None


def _unsure(tables: Sequence[Tableau]) -> set[Subject]:
    facts = {fact for tableau in tables for fact in tableau}
    return {fact.subject for fact in facts if not all(tableau.holds(fact) for tableau in tables)}


def add_absences(told: Sequence[AnyFact], tables: Sequence[Tableau], unsure: Container[Subject] = ()) -> list[AnyFact]:
    """Return the reported facts, and a fact about the absence of each other subject that is not in `unsure`."""
    subjects = {fact.subject for fact in told}
    others = {fact.subject: fact.absent for tableau in tables for fact in tableau if fact.subject not in subjects}
    return [*told, *(absent for at, absent in others.items() if absent is not None and at not in unsure)]


def _minimal(changed: Sequence[AnyFact], found: Sequence[tuple[State, Tableau, Tableau]]) -> list[AnyFact]:
    """Return a small set of facts with the same effect on each possible table as all reported facts.

    The set contains `changed`, and necessary side effects, such as one card less in the hand from which a card was
    taken.

    Args:
        found: for each possible table: the state, its facts, and the facts after all reported ones were applied.
    """
    facts = list(changed)
    for state, before, after in found:
        so_far, subjects = before, {fact.subject for fact in facts}
        with suppress(CannotBe):
            so_far = Tableau(before.kinds, put(state, Told(facts)))
        # Keep only side effects that are the same in all possible tables.
        facts += [
            fact
            for fact in so_far.changes(after)
            if fact.subject not in subjects and all(other.holds(fact) for _, _, other in found)
        ]
    return facts


def apply_correction(ruleset: AnyRuleset, names: Sequence[str], state: State, correction: FactCorrection) -> State:
    """Return the state after a correction.

    Raises:
        UnsoundTable: the correction is impossible on every table, or a fact that it should replace is not true.
        Undetermined: the resulting table depends on an unknown result.
    """
    found, refused = [], None
    # Confirmed facts rule out the possible tables in which they are false.
    seen = (fact for fact, was in zip(correction.facts, correction.was, strict=True) if fact == was)
    state = condition_belief(ruleset, state, seen)
    for world in worlds(state):
        effort.spend(len(correction.facts))
        try:
            found.append((world.weight, _correct_table(ruleset, names, world.state, correction)))
        except UnsoundTable as error:
            # The facts rule this table out.
            refused = refused or error
    if refused is not None and not found:
        raise refused
    if refused is not None and isinstance(state, Pooled):
        # A counted belief has only a sample of its tables. The rest of the sample does not show what is still possible.
        refuse()
    return agreeing(ruleset, state, found)


def _correct_table(ruleset: AnyRuleset, names: Sequence[str], state: State, correction: FactCorrection) -> State:
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
def refusing() -> Iterator[None]:
    """Convert errors about impossible tables to `UnsoundTable`."""
    try:
        yield
    except CannotBe as error:
        raise UnsoundTable(lifecycle.RULE, [Violation(say(error.message), error.rule)]) from None
    except DEFECTS:
        # Rules can fail on a table that they did not produce.
        raise UnsoundTable(lifecycle.RULE, [Violation(say(BEYOND))]) from None


def whole(ruleset: AnyRuleset, names: Sequence[str], state: State, told: Sequence[AnyFact]) -> State:
    """Return the table after the facts were applied and the rules have completed it.

    Raises:
        UnsoundTable: no possible table matches the facts.
    """
    return carry_out(ruleset, names, state, told)[1]


def settle_table(ruleset: AnyRuleset, names: Sequence[str], placed: State, told: Told) -> State:
    """Return a table to which facts were applied, after the rules have completed it.

    Raises:
        UnsoundTable: the rules cannot continue from the table, or not all facts are true afterwards.
    """
    after: State = ruleset.settled(placed, told)
    tableau = Tableau(ruleset.facts, after)
    broken = [fact for fact in told if not tableau.holds(fact)]
    if broken:
        raise _contradiction_error(names, tableau, told, broken)
    violations = ruleset.check_invariants(after)
    if violations:
        raise UnsoundTable(lifecycle.RULE, [Violation(say("This violates “{one}”.", one=one)) for one in violations])
    if after.outcome is None and next(ruleset.legal_actions(after), None) is None:
        message = say("No action would be possible then, although the game is not over.")
        raise UnsoundTable(lifecycle.RULE, [Violation(message)])
    return after


def put(state: State, told: Told) -> State:
    """Apply facts to `state` one after the other. If facts conflict, some are not true afterwards.

    Raises:
        CannotBe: the table is impossible.
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
                # Try again in the next round: a later fact may free the component.
                refused = refused or error
    if refused is not None:
        raise refused
    return state


def _contradiction_error(names: Sequence[str], tableau: Tableau, told: Told, broken: Sequence[AnyFact]) -> UnsoundTable:
    """Return the error for facts that contradict other facts, with the facts that are true instead."""
    violations = []
    for fact in broken:
        now = tableau.now(fact)
        holds = "" if now is None else now.sentence(names)
        beside = " " + say("With the other facts, this is possible: “{fact}”", fact=holds) if holds else ""
        violations.append(Violation(say("This is impossible: “{fact}”", fact=fact.sentence(names)) + beside))
    instead = [now for fact in told if (now := tableau.now(fact)) is not None]
    return UnsoundTable(lifecycle.RULE, violations, [document(fact) for fact in instead])
