"""What calls for a look in a record that verifies: played against the rules, unsound, or drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header
from engine.core.language import say
from engine.core.values import Effect, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest
from engine.play.corrections.adjusting import changes
from engine.play.line import Slot
from engine.play.rules import Rules
from engine.review.redraws import Redrawn, drawn_by
from engine.review.report import Finding, Kind
from engine.review.turns import as_it_reads, told_of
from engine.review.versions import sentence
from engine.review.words import listed


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


def changed_by_hand(header: Header, place: int, before: State | None, params: dict[str, Any]) -> Iterator[Finding]:
    """Find an adjustment that changed the table of a game that the service deals and that is played by the rules.

    There the record cannot differ from a table.
    """
    if header.chance_at(place) == "seeded" and header.mode == "strict" and changes(params):
        yield Finding(place, _turn(before), "adjusted", lifecycle.RULE, adjusted(place, params))


def adjusted(place: int, params: dict[str, Any]) -> str:
    """Return the sentence that tells an adjustment."""
    told = {"seq": place, "reason": sentence(params["reason"])}
    if changes(params):
        return say("Event {seq} brings the table in line by hand: {reason}", **told)
    return say("Event {seq} compares the record with the table, and changes nothing: {reason}", **told)


def attributed(rules: Rules, events: Sequence[Event], finding: Finding, slot: Slot, before: State | None) -> Finding:
    """`finding` with who did it, what it was, and what the game was at then.

    Args:
        events: the whole log.
        slot: the place that it is about, whose state `before` may be unknown in part.
    """
    entry = slot.entry
    assert entry is not None
    actor = entry.params["seat"] if entry.type == lifecycle.LEFT_OUT else entry.actor
    told = told_of(rules, as_it_reads(events[slot.source - 1], slot.number, entry, before), slot, before)
    due = None
    if before is not None and before.outcome is None:
        due = _due(rules, likeliest(before))
    return msgspec.structs.replace(finding, actor=actor, told=told, due=due)


def _due(rules: Rules, before: State) -> str:
    """Whose turn it was, or whom the game waited for where that was another: who answers an offer, who discards."""
    ruleset = rules.ruleset
    active, awaited, phase = ruleset.active(before), ruleset.awaiting(before), ruleset.said_of_phase(before.phase)
    if active in awaited or not awaited:
        return say("It was {player}'s turn: {phase}.", player=rules.header.names[active], phase=phase)
    players = listed([rules.header.names[seat] for seat in awaited])
    return say("The game was waiting for {players}: {phase}.", players=players, phase=phase)


def explained(finding: Finding) -> str:
    """Return what was done, why that is a finding, and what the game was at then, in sentences."""
    return " ".join(dict.fromkeys(part for part in (finding.told, finding.message, finding.due) if part))


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
