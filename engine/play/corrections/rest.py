"""Replace facts about the rest ('all other tiles are dry') with facts about single subjects, as logs require."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from engine.core import effort
from engine.core.errors import DEFECTS, Malformed
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State, not_a_seat
from engine.kit.facts import AnyFact, CannotBe, Tableau, Told
from engine.kit.rest import Rest, is_rest, read_rest
from engine.kit.ruleset import AnyRuleset
from engine.play.corrections import facts


def read(
    ruleset: AnyRuleset, documents: Sequence[Any], seats: int, pointer: str
) -> tuple[tuple[AnyFact, ...], list[Rest]]:
    """Parse facts from JSON documents; return the facts about single subjects and those about the rest.

    Raises:
        Malformed: a fact is invalid; the error's pointer begins with `pointer`.
    """
    kinds = {kind.tag(): kind for kind in ruleset.facts}
    named: list[int] = []
    rests: list[Rest] = []
    for index, document in enumerate(documents):
        kind = kinds.get(str(document.get("fact"))) if isinstance(document, dict) else None
        if kind is None or not is_rest(kind, document):
            named.append(index)
            continue
        rest = read_rest(kind, document, f"{pointer}/{index}")
        for name, value in rest.about.items():
            if value in SEAT_INDEX and SEAT_INDEX[value] >= seats:
                raise Malformed(f"{pointer}/{index}/{name}", not_a_seat(seats, value))
        if any((one.kind, one.about) == (rest.kind, rest.about) and one != rest for one in rests):
            raise Malformed(
                f"{pointer}/{index}",
                say("this contradicts another fact about `rest` in the list"),
            )
        rests.append(rest)
    try:
        return facts.read(ruleset, [documents[index] for index in named], seats, pointer), rests
    except Malformed as error:
        raise Malformed(_move_pointer(error.pointer, pointer, named), error.message) from None


def _move_pointer(found: str, pointer: str, places: Sequence[int]) -> str:
    """Convert a pointer into the documents at the indexes `places` to a pointer into the list of all documents."""
    number, slash, below = found.removeprefix(f"{pointer}/").partition("/")
    return f"{pointer}/{places[int(number)]}{slash}{below}" if number.isdigit() else found


def spell_out(
    ruleset: AnyRuleset, rests: Sequence[Rest], states: Iterable[State], told: Sequence[AnyFact]
) -> list[AnyFact]:
    """Return a single fact for each subject that only a fact about the rest covers.

    The subjects come from all possible tables in `states`, after the facts `told` were applied. If two rests cover a
    subject, the first applies.
    """
    kinds = [kind for kind in ruleset.facts if any(rest.kind is kind for rest in rests)]
    named, said = {fact.subject for fact in told}, Told(told)
    found = dict[Any, AnyFact]()
    for state in states if rests else ():
        effort.spend(len(told))
        table = state
        with suppress(CannotBe, *DEFECTS):
            table = facts.put(state, said)
        for fact in Tableau(kinds, table):
            rest = next((one for one in rests if one.covers(fact)), None)
            if rest is not None and fact.subject not in named:
                found.setdefault(fact.subject, rest.instead(fact))
    return list(found.values())
