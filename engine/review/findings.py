"""Findings in a record that verifies: against the rules, unsound, or drawn again."""

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
from engine.review.levels import SLIPS
from engine.review.redraws import Redrawn, drawn_by
from engine.review.report import Finding, Kind
from engine.review.skipped import is_unnoticed_end
from engine.review.turns import as_it_reads, told_of
from engine.review.versions import sentence
from engine.review.words import listed


def against_the_rules(
    place: int, type_: str | None, before: State | None, judgement: Judgement | None, broken: Effect | None
) -> Finding | None:
    """Return the finding for an event that is in effect against the rules; None if it is legal.

    Args:
        type_: of the event; None if there is none.
        before: the state before it.
        broken: the way a correction broke it.
    """
    if judgement is None or judgement.verdict != "illegal":
        return None
    kind: Kind = "impossible_outcome" if broken == "outcome_impossible" else "illegal_action"
    if type_ == lifecycle.LEFT_OUT and judgement.has_effect:
        kind = "left_out"
    return Finding(place, _turn(before), kind, judgement.rule, judgement.reason)


def changed_by_hand(header: Header, place: int, before: State | None, params: dict[str, Any]) -> Iterator[Finding]:
    """Find an adjustment that changed the table of a strict game dealt by the service.

    There the record cannot differ from a table.
    """
    if header.chance_at(place) == "seeded" and header.mode == "strict" and changes(params):
        message = say("The table was changed by hand: {reason}", reason=sentence(params["reason"]))
        yield Finding(place, _turn(before), "adjusted", lifecycle.RULE, message)


def adjusted(place: int, params: dict[str, Any]) -> str:
    """Return the sentence that tells an adjustment."""
    told = {"seq": place, "reason": sentence(params["reason"])}
    if changes(params):
        return say("Event {seq} changes the table by hand: {reason}", **told)
    return say("Event {seq} confirms the table and changes nothing: {reason}", **told)


def attributed(rules: Rules, events: Sequence[Event], finding: Finding, slot: Slot, before: State | None) -> Finding:
    """`finding` with who did it, what it was, and what the game was at then.

    Args:
        events: the whole log.
        slot: the place that it is about, whose state `before` may be unknown in part.
    """
    entry = slot.entry
    assert entry is not None
    actor = entry.params["seat"] if entry.type == lifecycle.LEFT_OUT else entry.actor
    if is_unnoticed_end(entry):
        # Nobody noticed it: no player is to blame.
        actor = None
    told = told_of(rules, as_it_reads(events[slot.source - 1], slot.number, entry, before), slot, before)
    due = None
    if before is not None and before.outcome is None:
        due = _due(rules, likeliest(before))
    return msgspec.structs.replace(finding, actor=actor, told=told, due=due)


def _due(rules: Rules, before: State) -> str:
    """Return whose turn it was, or who had to act if that was someone else: to answer an offer, or to discard."""
    ruleset, names = rules.ruleset, rules.header.names_at(before)
    active, awaited, phase = ruleset.active(before), ruleset.awaiting(before), ruleset.said_of_phase(before.phase)
    if active in awaited or not awaited:
        return say("It was {player}'s turn, at this step: {phase}.", player=names[active], phase=phase)
    players = listed([names[seat] for seat in awaited])
    return say("The game was waiting for {players}: {phase}.", players=players, phase=phase)


def explained(finding: Finding) -> str:
    """Return the action, the reason for the finding, and the state of the game then, in sentences."""
    told, message = finding.told, finding.message
    if told is not None and message.startswith(told):
        told = None
    elif told is not None and message.rstrip(".") in told:
        message = ""
    return " ".join(part for part in (told, message, finding.due) if part)


def noticed(finding: Finding) -> str:
    """Return when a slip was noticed, in a sentence; nothing for other findings."""
    if finding.kind not in SLIPS or finding.told is None:
        return ""
    at = finding.noticed_at
    return "" if at is None else say("Noticed: turn {turn}.", turn=at.turn)


class Soundness:
    """Checks the states of a line in order, and finds the first impossible table."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self._check = ruleset.check_invariants
        self._known: set[str] = set()

    def read(self, place: int, before: State | None, after: State | None) -> Iterator[Finding]:
        """Yield the invariants that hold before an event and not after it."""
        if after is before or after is None:
            return
        # Possible tables differ only in hidden parts: components are conserved in each.
        broken = self._check(likeliest(after))
        for one in broken:
            if one not in self._known:
                yield Finding(
                    place,
                    _turn(before),
                    "unsound",
                    lifecycle.RULE,
                    say("after this event “{one}” is violated", one=one),
                )
        self._known = set(broken)


def drawn_again(ruleset: AnyRuleset, one: Redrawn, first: Event, again: Event) -> Finding:
    """Return the finding for a draw of the service that was undone and drawn again.

    Args:
        first, again: the events that `one` names.
    """
    type_, was = drawn_by(first)
    _, now = drawn_by(again)
    kind = ruleset.kind(type_)
    assert kind is not None
    came_up, instead = (", ".join(map(ruleset.value_label, values)) for values in (was, now))
    message = say(
        "Event {first} drew {came_up}. Event {by} undid it, and the new draw is {instead}.",
        first=one.first,
        came_up=came_up,
        by=one.by,
        instead=instead,
    )
    return Finding(one.again, again.turn, "drawn_again", kind.rule, message)


def _turn(before: State | None) -> int:
    return before.turn if before is not None else 0
