"""The turns of a game (with player, events and summary), and the sentences about events."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import Unclear
from engine.core.events import Event, Header
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Judgement, SeatId, State
from engine.kit.rules import AnyRules
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import Belief, likeliest, overview, sure
from engine.play.corrections import facts
from engine.play.corrections.details import Change
from engine.play.fold import history
from engine.play.judge import SPENT
from engine.play.line import Entry, Line, Slot, with_before
from engine.play.rules import Rules
from engine.review.changes import Spelled, at_table, describe_change
from engine.review.words import event_name, join_sentences, join_words, more


class Turn(msgspec.Struct, frozen=True):
    """One turn of the mainline, without undone events."""

    turn: int
    """The number of the turn. Turn 0 is everything before the first turn: opening and setup."""
    seat: SeatId | None
    """The seat whose turn it is; None for turn 0."""
    first: int
    """The `seq` of the turn's first event."""
    last: int
    """The `seq` of the turn's last event."""
    summary: str = msgspec.field(name="account")
    """One-line summary of the events."""
    level: int | None = None
    """The value of the ruleset's curve after the turn; None if the ruleset has no curve, or before the setup."""
    deeds: dict[str, dict[str, int]] = {}
    """The number of actions, by seat and type."""


class NarratedEvent(msgspec.Struct, frozen=True):
    """An event, with the state before it, the state after it, and the sentence about it."""

    event: Event
    before: State | None
    after: State | None
    sentence: str

    @property
    def turn(self) -> int:
        """The turn of the event, on the line in effect; 0 before the first."""
        return self.before.turn if self.before is not None else 0


def narrate(header: Header, events: Sequence[Event]) -> list[NarratedEvent]:
    """Return every event in effect with its sentence, in order; `events` is the whole log.

    Raises:
        EngineError: the log cannot be replayed.
    """
    played = history(events)
    return narrate_line(played.rules, header, events, played.mainline)


def narrate_line(
    rules: Rules,
    header: Header,
    events: Sequence[Event],
    line: Line,
    before: State | None = None,
    *,
    spelled: Spelled = str,
) -> list[NarratedEvent]:
    """Return event 1 and every event of `line` with their sentences, in order.

    An amended event has the number of its place, and its current contents.

    Args:
        events: the whole log.
        before: the state before the first slot, if `line` is only a part of a line.
        spelled: as in `sentence`.
    """
    narrated = [NarratedEvent(events[0], None, None, sentence(rules, header, events[0], None, None))]
    for was, slot in with_before(effort.each(line), before):
        if slot.entry is not None:
            event = corrected_event(events[slot.source - 1], slot.number, slot.entry, was)
            told = sentence(rules, header, event, was, slot.after, judgement=slot.judgement, spelled=spelled)
            narrated.append(NarratedEvent(event, was, slot.after, told))
    return narrated


def corrected_event(event: Event, place: int, entry: Entry, before: State | None) -> Event:
    """Return a corrected event: it has the number of its place, and the contents of `entry`.

    Args:
        event: the event that contains `entry`.
        before: the state before the place.
    """
    if place == event.seq and event.type not in lifecycle.REWRITING:
        return event
    return msgspec.structs.replace(
        event,
        seq=place,
        type=entry.type,
        actor=entry.actor,
        params=entry.params,
        outcomes=entry.outcomes,
        turn=before.turn if before is not None else 0,
        note=entry.note,
        occurred_at=entry.occurred_at,
    )


def sentence(
    rules: Rules,
    header: Header,
    event: Event,
    before: State | None,
    after: State | None,
    *,
    judgement: Judgement | None = None,
    spelled: Spelled = str,
) -> str:
    """Return a player's sentence for `event`, which led from the state `before` to `after`.

    Args:
        judgement: the judgement on the event; None if it is simply legal.
        spelled: returns the display form of a name or text that is not in `header`.
    """
    header = at_table(header, before, spelled)
    if event.type == lifecycle.GAME_OPENED:
        return say("{names} start a game of {game}.", names=join_words(header.names), game=say(rules.ruleset.name))
    if event.type == lifecycle.LEFT_OUT:
        return _describe_skip(rules, header, event, judgement)
    if event.type in lifecycle.KINDS:
        return _record_sentence(rules, header, event, after, spelled)
    assert before is not None
    seat = SEAT_INDEX[event.actor]
    if judgement is not None and not judgement.has_effect:
        return say(
            "{name} does this against the rules: {action}. {reason}",
            name=header.names[seat],
            action=event_name(rules.ruleset, event.type),
            reason=judgement.reason,
        )
    if None in event.outcomes:
        return say("{told}. Nobody saw the result.", told=plainly(rules, header, event))
    action = rules.ruleset.parse(event.type, event.params)
    # An early record may name an unknown seat.
    names = (*header.names, *SEAT_IDS[len(header.names) :])
    table = rules.ruleset.set_aside(likeliest(before)) if event.sets_aside else likeliest(before)
    try:
        described = action.describe(table, seat, event.outcomes, names)  # type: ignore[arg-type]  # no None: see above
    except Unclear:
        # Use `describe` only for legal actions on a known table.
        if judgement is None and event.verdict in {None, "legal"} and not isinstance(before, Belief):
            raise
        return f"{plainly(rules, header, event)}."
    assert after is not None
    return f"{described} {rules.ruleset.aftermath(likeliest(before), likeliest(after), header.names)}".rstrip()


def describe_entry(rules: Rules, event: Event, slot: Slot, before: State | None) -> str:
    """Return the players' sentence about the entry of `slot`. It does not depend on the verdict.

    Args:
        event: the event as corrected, from `corrected_event`.
        before: the state before the slot.
    """
    judgement = slot.judgement
    if event.type not in lifecycle.KINDS and judgement is not None and not judgement.has_effect:
        return f"{plainly(rules, at_table(rules.header, before), event)}."
    return sentence(rules, rules.header, event, before, slot.after, judgement=judgement)


def plainly(rules: Rules, header: Header, event: Entry) -> str:
    """Return a sentence that is true for every possible table: it has only the player and the type of the action."""
    name = header.names[SEAT_INDEX[event.actor]]
    return say("{name} does this: {action}", name=name, action=event_name(rules.ruleset, event.type))


def _describe_skip(rules: Rules, header: Header, event: Event, judgement: Judgement | None) -> str:
    """Return the sentence about a skipped step, such as 'Mia did not draw the Flood cards due', with the reason."""
    params = event.params
    described = rules.ruleset.step(params["step"]).left_out(header.names[SEAT_INDEX[params["seat"]]])
    if judgement is not None and not judgement.has_effect:
        # The step was due before a correction broke the entry.
        return say("The record says: {told}. After a correction, that step was not due any more.", told=described)
    return f"{described}: {params['reason']}" if params.get("reason") else f"{described}."


def _record_sentence(rules: Rules, header: Header, event: Event, after: State | None, spelled: Spelled) -> str:
    body = lifecycle.parse(event.type, event.actor, event.params)
    match body:
        case lifecycle.SetUp():
            assert after is not None
            return " ".join(describe_beginning(rules.ruleset, event.params, after, header.names))
        case lifecycle.Undo():
            return say("Back to the table as it was after event {seq}.", seq=body.to)
        case lifecycle.Amend():
            return _describe_amend(body)
        case lifecycle.Reveal():
            value = rules.ruleset.value_label(body.value)
            return say("The unknown result of event {seq} was {value}.", seq=body.seq, value=value)
        case lifecycle.Adjust():
            return _put_right(rules, header, body)
        case lifecycle.Annotate():
            # The service itself writes only one kind of note.
            text = say(SPENT) if body.text == SPENT else body.text
            said = [part for part in (body.mark, body.bookmark and f"[{body.bookmark}]", text) if part]
            return say("Note: {text}", text=" ".join(said))
        case lifecycle.Abandon():
            return say("The game is abandoned: {reason}", reason=body.reason)
    if isinstance(body, Change):
        return describe_change(rules.ruleset, header, body, spelled)
    return rules.ruleset.ending(event.params["outcome"]["reason"])


def _describe_amend(amend: lifecycle.Amend) -> str:
    if amend.remove:
        return say("Correction: event {seq} did not happen.", seq=amend.seq)
    if amend.insert is None:
        return say("Correction: event {seq} was recorded wrongly.", seq=amend.seq)
    return say("Correction: something happened before event {seq}.", seq=amend.seq)


def describe_beginning(
    ruleset: AnyRuleset, params: Mapping[str, Any], table: State, names: Sequence[str]
) -> Sequence[str]:
    """Return a description of the table at the start of the record, as a list of sentences.

    Args:
        params: the params of the `set_up`. If they have a position, the game began before the record, and no setup is
            described.
    """
    if not params.get("position"):
        return sure(table, lambda state: ruleset.describe_setup(state, names))
    whose = names[ruleset.active(likeliest(table))]
    return [
        say("The record begins in the middle of a game, in turn {turn} ({name}).", turn=table.turn, name=whose),
        *(f"{label}: {text}." for label, text in overview(ruleset, table, names).items()),
    ]


MOST_SAID = 8
"""Maximum number of facts to list for an adjustment. An adjustment of the whole table has many more."""


def _put_right(rules: Rules, header: Header, adjust: lifecycle.Adjust) -> str:
    agreed = [header.names[SEAT_INDEX[seat]] for seat in adjust.agreeing]
    why = [say("Agreed by {names}.", names=join_words(agreed))] if agreed else []
    why.append(say("Reason: {reason}", reason=adjust.reason))
    if adjust.patch is not None:
        return " ".join([say("The recorded table was adjusted to match the real one."), *why])
    correction = facts.parse_stored(rules.ruleset, adjust.facts or (), adjust.was or (), len(header.seats))
    pairs = list(zip(correction.facts, correction.was, strict=True))
    changed, confirmed = ([fact for fact, was in pairs if (fact == was) is is_same] for is_same in (False, True))
    said = [
        " ".join([label, *(fact.sentence(header.names) for fact in told)])
        for label, told in ((say("Adjusted:"), changed[:MOST_SAID]), (say("Confirmed:"), confirmed[:MOST_SAID]))
        if told
    ]
    said += more(sum(max(0, len(told) - MOST_SAID) for told in (changed, confirmed)))
    return " ".join([*(said or [say("The record was compared with the table and is correct.")]), *why])


def index(narrated: Iterable[NarratedEvent], ruleset: AnyRules, known: Sequence[Turn] = ()) -> list[Turn]:
    """Return the turns of narrated events. The first events may continue the last turn of `known`.

    A late step counts for the turn in which it was due.
    """
    turns = list(known)
    for number, group in itertools.groupby(narrated, key=lambda one: one.turn):
        ones = list(group)
        state = ones[-1].before if number else None
        begun = turns.pop() if turns and turns[-1].turn == number else None
        turns.append(
            Turn(
                turn=number,
                seat=SEAT_IDS[ruleset.active(likeliest(state))] if state is not None else None,
                first=ones[0].event.seq if begun is None else begun.first,
                last=ones[-1].event.seq,
                summary=join_sentences([*([begun.summary] if begun else ()), *map(_sentence_of, ones)]),
                level=_level(ruleset, ones[-1].after),
                deeds=begun.deeds if begun else {},
            )
        )
        for one in ones:
            _count(turns, one.event)
    return turns


def _sentence_of(one: NarratedEvent) -> str:
    told = one.sentence
    return say("{told} This was done late, for an earlier turn.", told=told) if _due(one.event) else told


def _count(turns: list[Turn], event: Event) -> None:
    """Count an action of a seat in the last turn, or a late step in the turn in which it was due."""
    if event.actor is not None:
        due = _due(event) or event.seq
        at = next((at for at in reversed(range(len(turns))) if turns[at].first <= due), 0)
        done = turns[at].deeds.get(event.actor, {})
        done = {**done, event.type: done.get(event.type, 0) + 1}
        turns[at] = msgspec.structs.replace(turns[at], deeds={**turns[at].deeds, event.actor: done})


def _due(event: Event) -> int | None:
    """Return the `seq` of the skipped step that was done late in `event`; None if the event is not a late step."""
    explanation = event.explanation
    return explanation.events[0] if explanation and explanation.kind == "late_step" and explanation.events else None


def _level(ruleset: AnyRules, state: State | None) -> int | None:
    return None if ruleset.curve is None or state is None else ruleset.curve.value(likeliest(state))
