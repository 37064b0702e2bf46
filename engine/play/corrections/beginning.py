"""The first table of a record that begins in the middle of a game, from facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.errors import UnsoundTable
from engine.core.language import say
from engine.core.text import MOST_LISTED
from engine.core.values import State, Violation
from engine.kit.chance import Chance
from engine.kit.facts import AnyFact, Tableau, Told
from engine.kit.first_tables import Start, first_table, left_to_chance
from engine.kit.ruleset import AnyRuleset
from engine.play.corrections import facts, rest


def in_full(ruleset: AnyRuleset, seats: int, start: Start, documents: Sequence[Any], pointer: str) -> Sequence[Any]:
    """Return the documents of facts, with facts about the rest replaced by single facts.

    Raises:
        Malformed: a document is malformed.
    """
    told, rests = rest.read(ruleset, documents, seats, pointer)
    if not rests:
        return documents
    others = rest.spell_out(ruleset, rests, [first_table(start)], told)
    return list(map(facts.document, facts.in_order(ruleset, [*told, *others])))


def begin(ruleset: AnyRuleset, names: Sequence[str], start: Start, told: Sequence[AnyFact], chance: Chance) -> State:
    """Return the first table of a record that begins in the middle of a game.

    `told` must include everything that the setup leaves to chance. Everything else is as after a normal setup, or
    absent.

    Raises:
        UnsoundTable: no possible table matches the facts, or facts are missing.
    """
    first = first_table(start)
    by_chance = left_to_chance(ruleset.facts, first, first_table(start, is_last=True))
    everything = Told(facts.add_absences(told, [Tableau(ruleset.facts, first)]), is_whole=True)
    subjects = {fact.subject for fact in told}
    with facts.refusing():
        # If no fact of a kind is reported, the reported facts can contradict the values of an arbitrary table.
        is_whole = {kind.tag() for kind in by_chance} <= {fact.tag() for fact in told}
        placed = facts.put(first, everything) if is_whole else first
        table = Tableau(by_chance, placed)
        untold = {
            kind: [fact for fact in table if type(fact) is kind and fact.subject not in subjects] for kind in by_chance
        }
        if any(untold.values()):
            raise UnsoundTable(
                lifecycle.RULE, [_missing(names, kind, found) for kind, found in untold.items() if found]
            )
        return facts.settle_table(ruleset, names, ruleset.deal_unseen(placed, everything, chance), Told(told))


def _missing(names: Sequence[str], kind: type[AnyFact], untold: Sequence[AnyFact]) -> Violation:
    if not kind.about:
        return Violation(say("A fact of the kind `{kind}` is missing.", kind=kind.tag()))
    # Only the subjects of these facts are certain. Their values are those of an arbitrary table.
    about = [" ".join(str(fact.words(names)[name]) for name in kind.about) for fact in untold]
    told = {"kind": kind.tag(), "about": "; ".join(about[:MOST_LISTED]), "count": len(about) - MOST_LISTED}
    if len(about) > MOST_LISTED:
        message = say("Facts of the kind `{kind}` are missing: {about}; and {count} more.", **told)
    else:
        message = say("Facts of the kind `{kind}` are missing: {about}.", **told)
    one = {name: getattr(untold[0], name) for name in kind.about}
    if len({msgspec.structs.replace(fact, **one) for fact in untold}) < len(untold):
        message += " " + say("One fact about `rest` can describe everything that you do not name.")
    return Violation(message)
