"""Findings in a log that verifies: illegal events, impossible tables, and repeated draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.errors import DEFECTS
from engine.core.events import Event, Header
from engine.core.language import say
from engine.core.values import SEAT_INDEX, Effect, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import likeliest
from engine.play.corrections.adjusting import changes
from engine.play.line import Entry, Slot
from engine.play.rules import Rules
from engine.review.redraws import Redraw, drawn_results
from engine.review.report import Adjustment, Finding, HouseRuleUsed, Kind, Report, ShownFact
from engine.review.skipped import is_obsolete, is_unnoticed_end
from engine.review.turns import corrected_event, describe_entry
from engine.review.versions import sentence
from engine.review.words import capital, join_sentences, join_words


def against_the_rules(
    place: int, type_: str | None, before: State | None, judgement: Judgement | None, broken: Effect | None
) -> Finding | None:
    """Return the finding for an illegal event in effect; None if the event is legal.

    Args:
        type_: the type of the event; None if the place is empty.
        before: the state before the event.
        broken: the effect of a correction that broke the event; None if none did.
    """
    if judgement is None or judgement.verdict != "illegal":
        return None
    kind: Kind = "impossible_outcome" if broken == "outcome_impossible" else "illegal_action"
    if type_ == lifecycle.LEFT_OUT and judgement.has_effect:
        kind = "left_out"
    return Finding(place, _turn(before), kind, judgement.rule, judgement.reason)


def adjustment_findings(header: Header, place: int, before: State | None, params: dict[str, Any]) -> Iterator[Finding]:
    """Yield the finding for an adjustment that changed the table, in a strict game with seeded chance.

    In such a game the service knows the table, so the record of the table cannot be wrong.
    """
    if header.chance_at(place) == "seeded" and header.mode == "strict" and changes(params):
        message = say("The position was changed by hand: {reason}", reason=sentence(params["reason"]))
        yield Finding(place, _turn(before), "adjusted", lifecycle.RULE, message)


def describe_adjustment(place: int, params: dict[str, Any]) -> str:
    """Return the sentence about an adjustment."""
    told = {"seq": place, "reason": sentence(params["reason"])}
    if changes(params):
        return say("Event {seq} changes the table by hand: {reason}", **told)
    return say("Event {seq} confirms the table and changes nothing: {reason}", **told)


def attribute_finding(
    rules: Rules, events: Sequence[Event], finding: Finding, slot: Slot, before: State | None
) -> Finding:
    """Return `finding` with the seat, the sentence about the action, and the turn and phase at the time of the action.

    Args:
        events: the whole log.
        slot: the slot that the finding is about.
        before: the state before the slot, which can be partly unknown.
    """
    entry = slot.entry
    assert entry is not None
    actor = entry.params["seat"] if entry.type == lifecycle.LEFT_OUT else entry.actor
    if is_unnoticed_end(entry) or is_obsolete(slot):
        # Nobody noticed the end, or nobody skipped a step that was due, so no seat is responsible.
        actor = None
    told = describe_entry(rules, corrected_event(events[slot.source - 1], slot.number, entry, before), slot, before)
    if is_obsolete(slot):
        finding = msgspec.structs.replace(finding, message=told)
    player = None if before is None or actor is None else rules.header.names_at(before)[SEAT_INDEX[actor]]
    was_due = None if before is None else due(rules, likeliest(before), entry)
    text = rules.ruleset.rule_text(finding.rule) or None
    return msgspec.structs.replace(finding, actor=actor, player=player, told=told, rule_text=text, due=was_due)


def due(rules: Rules, before: State, entry: Entry) -> str | None:
    """Return the sentence that says whose turn it was, or who had to act first (for example, to discard).

    Return None if the actor could take an action of this kind then: turn order is not the problem.
    """
    ruleset, names, kind = rules.ruleset, rules.header.names_at(before), rules.ruleset.kind(entry.type)
    if kind is None or before.outcome is not None:
        return None
    with suppress(*DEFECTS):
        # Rules can fail on a table that they did not produce.
        if ruleset.legal(kind, before, SEAT_INDEX[entry.actor]):
            return None
    active, awaited, phase = ruleset.active(before), ruleset.awaiting(before), ruleset.phase_text(before.phase)
    if active in awaited or not awaited:
        told = {"player": names[active], "phase": phase}
        if active == SEAT_INDEX[entry.actor]:
            return say("At that moment, {player}'s turn was in this phase: {phase}.", **told)
        return say("It was {player}'s turn ({phase}).", **told)
    players = join_words([names[seat] for seat in awaited])
    return say("The game was waiting for {players}: {phase}.", players=players, phase=phase)


def explain_finding(finding: Finding) -> str:
    """Return a finding as text: the action, the reason, and the turn and phase at the time of the action."""
    told, message, due = finding.told, finding.message, finding.due
    if told is not None and message.startswith(told):
        told = None
    elif told is not None and message.rstrip(".") in told:
        message = ""
    elif told is not None and finding.kind != "left_out":
        # If the sentence about the turn names the player, it is the better reason.
        is_same = due is not None and message == say(OTHERS_TURN)
        reason = join_sentences([part for part in ("" if is_same else message, due) if part])
        return say("“{told}” By the rules, this was not possible: {reason}", told=sentence(told), reason=reason)
    text = join_sentences([part for part in (told, message, due) if part])
    return capital(text)


OTHERS_TURN = "It is another player's turn."
"""The reason that many rulesets give for an action out of turn."""


def in_order(report: Report) -> list[Finding | Adjustment]:
    """Return the findings and adjustments that a reader should check, in the order of the game, without duplicates."""
    found = [one for one in report.findings if one.kind != "adjusted"]
    changing = [one for one in report.adjustments if one.stands and one.changes]
    # An inserted event has a later number than the events after it.
    return sorted([*found, *changing], key=lambda one: (one.turn, one.seq))


def account(one: Finding | Adjustment) -> Iterator[str]:
    """Yield the lines about a finding or an adjustment: who did what and when, the facts, the effects."""
    turn = say("turn {number}", number=one.turn) if one.turn else say("before the first turn")
    period = capital(one.period or turn)
    where = say("{period} (event {event})", period=period, event=one.seq)
    if isinstance(one, Finding):
        told = explain_finding(one)
        by = f"{one.player}: " if one.player is not None and one.player not in told else ""
        yield f"{where}: {by}{join_sentences([told, _rule(one.rule, one.rule_text)])}"
        yield from _facts(say("At the table"), one.happened)
        yield from _facts(say("By the rules"), one.expected)
    else:
        name = one.recorded_by
        told = (
            say("The recorded table was changed by hand, to match the real one. The record does not say by whom.")
            if name is None
            else say("{name} changed the recorded table by hand, to match the real one.", name=name)
        )
        agreed = [say("Agreed: {names}.", names=", ".join(one.agreed))] if one.agreed else []
        yield " ".join((f"{where}: {told}", say("Reason: “{reason}”", reason=one.reason), *agreed))
        yield from _facts(say("Before"), one.before)
        yield from _facts(say("After"), one.after)
    if one.changed:
        yield say("What followed: {told}", told=" ".join(one.changed))
    if isinstance(one, Finding) and one.noticed_at is not None and one.noticed_at.period != one.period:
        yield say("Noticed in {period}.", period=one.noticed_at.period)


def _rule(heading: str, text: str | None) -> str:
    if text is None:
        return say("Rule: “{rule}”.", rule=say(heading))
    return say("Rule “{rule}”: {text}", rule=say(heading), text=text)


def house_rule(one: HouseRuleUsed) -> Iterator[str]:
    """Yield the lines about a house rule: its text, and the actions that it allowed."""
    yield say("The players agreed ({period}): “{text}”", text=one.text, period=one.period)
    if one.overrides is not None:
        yield say("This replaces the printed rule. {rule}", rule=_rule(one.overrides, one.rule_text))
    if not one.used:
        yield say("No action depended on this house rule.")
    for move in one.used:
        yield say("{period}: “{told}” Allowed by this house rule.", period=capital(move.period), told=move.message)


def _facts(heading: str, facts: Sequence[ShownFact]) -> Iterator[str]:
    if facts:
        yield f"{heading}: {' '.join(fact.message for fact in facts)}"


class Soundness:
    """Checks the states of a line in order, and finds the states with a new violation of an invariant."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self._check = ruleset.check_invariants
        self._known: set[str] = set()

    def read(self, place: int, before: State | None, after: State | None) -> Iterator[Finding]:
        """Yield a finding for each invariant that an event violates, if the invariant was true before."""
        if after is before or after is None:
            return
        # It is enough to check one possible table: they have the same components, and differ only in hidden parts.
        broken = self._check(likeliest(after))
        for one in broken:
            if one not in self._known:
                message = say("after this event “{one}” is violated", one=one)
                yield Finding(place, _turn(before), "unsound", lifecycle.RULE, message)
        self._known = set(broken)


def redraw_finding(ruleset: AnyRuleset, one: Redraw, first: Event, again: Event) -> Finding:
    """Return the finding for a draw that was undone, and that the service then drew again.

    Args:
        first, again: the events of the two draws in `one`.
    """
    type_, was = drawn_results(first)
    _, now = drawn_results(again)
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
