"""What calls for a look in a record that verifies: played against the rules, unsound, or drawn again."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import Effect, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import likeliest
from engine.review.redraws import Redrawn, drawn_by
from engine.review.report import Finding, Kind


def against_the_rules(
    place: int, type_: str | None, before: State | None, judgement: Judgement | None, broken: Effect | None
) -> Finding | None:
    """What stands in a place of the line although the rules forbid it; None where they do not.

    Args:
        type_: of what stands there; None where nothing does.
        before: the state before it.
        broken: how a correction broke it.
    """
    if judgement is None or judgement.verdict != "illegal":
        return None
    kind: Kind = "impossible_outcome" if broken == "outcome_impossible" else "illegal_action"
    if type_ == lifecycle.LEFT_OUT and judgement.has_effect:
        kind = "left_out"
    return Finding(place, _turn(before), kind, judgement.rule, judgement.reason)


class Soundness:
    """Reads the states of a line in order, and finds what a table cannot look like: told where it begins."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self._check = ruleset.check_invariants
        self._known: set[str] = set()

    def read(self, place: int, before: State | None, after: State | None) -> Iterator[Finding]:
        """What does not hold after what stands there, and held before it."""
        if after is before or after is None:
            return
        # Tables that nobody saw differ in what does not show: components are conserved in each.
        broken = self._check(likeliest(after))
        for one in broken:
            if one not in self._known:
                yield Finding(
                    place, _turn(before), "unsound", lifecycle.RULE, say("after it “{one}” does not hold", one=one)
                )
        self._known = set(broken)


def drawn_again(ruleset: AnyRuleset, one: Redrawn, first: Event, again: Event) -> Finding:
    """What the service drew, what was taken back then, and drawn once more.

    Args:
        first, again: the events that `one` names.
    """
    type_, was = drawn_by(first)
    _, now = drawn_by(again)
    kind = ruleset.kind(type_)
    assert kind is not None
    came_up, instead = (", ".join(map(ruleset.value_label, values)) for values in (was, now))
    message = say(
        "Event {first} had drawn {came_up}, and event {by} took it back: drawn again, it is {instead}.",
        first=one.first,
        came_up=came_up,
        by=one.by,
        instead=instead,
    )
    return Finding(one.again, again.turn, "drawn_again", kind.rule, message)


def _turn(before: State | None) -> int:
    return before.turn if before is not None else 0
