"""Replace facts about the rest ('all other tiles are dry') with facts about single subjects, as logs require."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from engine.core import effort, lifecycle
from engine.core.canonical import below
from engine.core.errors import DEFECTS, Malformed
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State, not_a_seat
from engine.kit.facts import AnyFact, CannotBe, Tableau, Told
from engine.kit.rest import Rest, is_rest, read_rest
from engine.kit.ruleset import AnyRuleset
from engine.kit.several import listed_members, spread
from engine.play.corrections import facts


def read(
    ruleset: AnyRuleset, documents: Sequence[Any], seats: int, pointer: str
) -> tuple[tuple[AnyFact, ...], list[Rest]]:
    """Parse facts from JSON documents; return the facts about single subjects and those about the rest.

    Raises:
        Malformed: a fact is invalid; the error's pointer begins with `pointer`.
    """
    reported = _spread(ruleset, documents, pointer)
    named: list[_ReportedFact] = []
    rests: list[Rest] = []
    for one in reported:
        if one.kind is None or not is_rest(one.kind, one.document):
            named.append(one)
            continue
        rest = _read_rest(one.kind, one, seats, pointer)
        if any((other.kind, other.about) == (rest.kind, rest.about) and other != rest for other in rests):
            raise Malformed(
                below(pointer, one.number),
                say("this contradicts another fact about `rest` in the list"),
            )
        rests.append(rest)
    try:
        return facts.read(ruleset, [one.document for one in named], seats, pointer), rests
    except Malformed as error:
        number, slash, member = error.pointer.removeprefix(f"{pointer}/").partition("/")
        moved = named[int(number)].pointer(pointer, slash + member) if number.isdigit() else error.pointer
        raise Malformed(moved, error.message) from None


class _ReportedFact(NamedTuple):
    """A fact in a report, as JSON; `place` is its position in the lists of a fact about several subjects."""

    number: int
    document: Any
    kind: type[AnyFact] | None
    place: int = 0
    listed: Sequence[str] = ()

    def pointer(self, pointer: str, member: str) -> str:
        """Return the pointer into the report for the pointer `member` into this fact."""
        place = f"/{self.place}" if member.removeprefix("/") in self.listed else ""
        return f"{pointer}/{self.number}{member}{place}"


def _spread(ruleset: AnyRuleset, documents: Sequence[Any], pointer: str) -> list[_ReportedFact]:
    """Return the reported facts, with a fact about several subjects replaced by one for each.

    Raises:
        Malformed: the lists of a fact do not match, or the facts are too many.
    """
    kinds = {kind.tag(): kind for kind in ruleset.facts}
    found: list[_ReportedFact] = []
    for index, document in enumerate(documents):
        kind = kinds.get(str(document.get("fact"))) if isinstance(document, dict) else None
        listed = listed_members(kind, document) if kind is not None else []
        if kind is None or not listed:
            found.append(_ReportedFact(index, document, kind))
            continue
        singles = spread(kind, document, below(pointer, index))
        found += (_ReportedFact(index, one, kind, place, listed) for place, one in enumerate(singles))
        if len(found) > lifecycle.MOST_FACTS:
            raise Malformed(pointer, say("must have at most {count} facts", count=lifecycle.MOST_FACTS))
    return found


def _read_rest(kind: type[AnyFact], one: _ReportedFact, seats: int, pointer: str) -> Rest:
    try:
        rest = read_rest(kind, one.document, "")
        _check_seats(rest, seats)
    except Malformed as error:
        raise Malformed(one.pointer(pointer, error.pointer), error.message) from None
    return rest


def _check_seats(rest: Rest, seats: int) -> None:
    for name, value in rest.about.items():
        if value in SEAT_INDEX and SEAT_INDEX[value] >= seats:
            raise Malformed(f"/{name}", not_a_seat(seats, value))


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
