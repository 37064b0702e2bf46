"""The turn index: per turn whose it was, its events, and a one-line account; and the sentences it is made of."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import msgspec

from engine import lifecycle
from engine.beliefs import Belief, likeliest, sure
from engine.events import SEAT_IDS, SEAT_INDEX, Event, Header, SeatId
from engine.fold import AnyRuleset, Rules
from engine.history import history
from engine.lines import Judgement, Line
from engine.ruleset import State


class Turn(msgspec.Struct, frozen=True):
    """One turn of the line that stands: what was undone has no part in it."""

    turn: int
    """0 is what comes before the first turn: opening and set-up."""
    seat: SeatId | None
    """Whose turn it is; None for turn 0."""
    first: int
    """The `seq` of its first event."""
    last: int
    """The `seq` of its last event."""
    account: str
    """What happened, in a line."""


class Told(msgspec.Struct, frozen=True):
    """An event, with the states around it and the sentence a player would say of it."""

    event: Event
    before: State | None
    after: State | None
    sentence: str

    @property
    def turn(self) -> int:
        """The turn in which it happened, on the line that stands; 0 before the first."""
        return self.before.turn if self.before is not None else 0


def tell(header: Header, events: Sequence[Event]) -> list[Told]:
    """Every event that stands, told in order; `events` is the whole log.

    Raises:
        EngineError: the log does not replay.
    """
    played = history(events)
    return tell_line(played.rules, header, events, played.standing)


def tell_line(
    rules: Rules, header: Header, events: Sequence[Event], line: Line, before: State | None = None
) -> list[Told]:
    """Event 1 and every event of `line`, told in order.

    What was amended is told as an event of its place, as it reads now.

    Args:
        events: the whole log.
        before: the state before the first of `line`, where that is a part of one.
    """
    told = [Told(events[0], None, None, sentence(rules, header, events[0], None, None))]
    for slot in line:
        entry, after = slot.entry, slot.after
        if entry is not None:
            event = events[slot.source - 1]
            if slot.place != slot.source or event.type in lifecycle.REWRITING:
                event = msgspec.structs.replace(
                    event,
                    seq=slot.place,
                    type=entry.type,
                    actor=entry.actor,
                    params=entry.params,
                    outcomes=entry.outcomes,
                    turn=before.turn if before is not None else 0,
                    note=getattr(entry, "note", None),
                    occurred_at=getattr(entry, "occurred_at", None),
                )
            told.append(
                Told(event, before, after, sentence(rules, header, event, before, after, judgement=slot.judgement))
            )
        before = after
    return told


def sentence(
    rules: Rules,
    header: Header,
    event: Event,
    before: State | None,
    after: State | None,
    *,
    judgement: Judgement | None = None,
) -> str:
    """What a player would say of `event`, which led from the state `before` to the one `after` it.

    Args:
        judgement: what the rules say of it there, if it is not simply legal.
    """
    if event.type == lifecycle.GAME_OPENED:
        return f"{_listed(header.names)} sit down to {rules.ruleset.name}."
    if event.type in lifecycle.KINDS:
        return _record_sentence(rules, header, event, after)
    assert before is not None
    seat = SEAT_INDEX[event.actor]
    if judgement is not None and not judgement.has_effect:
        return f"{_plainly(header, event)}, which could not be: {judgement.reason}"
    if None in event.outcomes:
        return f"{_plainly(header, event)}, and nobody saw what came up."
    action = rules.ruleset.parse(event.type, event.params)
    try:
        return action.describe(likeliest(before), seat, event.outcomes, header.names)  # type: ignore[arg-type]  # no None: see above
    except Exception:
        # Its words are made for what is legal, at a table that is known.
        if judgement is None and event.verdict in {None, "legal"} and not isinstance(before, Belief):
            raise
        return f"{_plainly(header, event)}."


def _plainly(header: Header, event: Event) -> str:
    """What was done in the words of its type: whatever the table looked like."""
    return f"{header.names[SEAT_INDEX[event.actor]]}: {event.type.replace('_', ' ')}"


def _record_sentence(rules: Rules, header: Header, event: Event, after: State | None) -> str:
    body = lifecycle.parse(event.type, event.actor, event.params)
    match body:
        case lifecycle.SetUp():
            assert after is not None
            return " ".join(sure(after, lambda state: rules.ruleset.describe_setup(state, header.names)))
        case lifecycle.Undo():
            return f"Back to the table as it was after event {body.to}."
        case lifecycle.Amend(remove=True):
            return f"Correction: event {body.seq} did not happen."
        case lifecycle.Amend(insert=None):
            return f"Correction: event {body.seq} was another one."
        case lifecycle.Amend():
            return f"Correction: something happened before event {body.seq}."
        case lifecycle.Reveal():
            return f"What nobody saw in event {body.seq} was {rules.ruleset.value_label(body.value)}."
        case lifecycle.Adjust():
            return f"The record is brought in line with the table: {body.reason}"
        case lifecycle.Annotate():
            said = [part for part in (body.mark, body.bookmark and f"[{body.bookmark}]", body.text) if part]
            return f"Note: {' '.join(said)}"
        case lifecycle.Abandon():
            return f"The game is abandoned: {body.reason}"
    return ending(rules, event.params["outcome"]["reason"])


def ending(rules: Rules, reason: str) -> str:
    """The sentence that says how a game ended."""
    return rules.ruleset.endings.get(reason, "The game was abandoned.")


def index(told: Iterable[Told], ruleset: AnyRuleset) -> list[Turn]:
    """The turns of a line that `tell` told."""
    turns: list[Turn] = []
    for number, group in itertools.groupby(told, key=lambda one: one.turn):
        ones = list(group)
        state = ones[-1].before if number else None
        turns.append(
            Turn(
                turn=number,
                seat=SEAT_IDS[ruleset.active(likeliest(state))] if state is not None else None,
                first=ones[0].event.seq,
                last=ones[-1].event.seq,
                account=" ".join(one.sentence for one in ones),
            )
        )
    return turns


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
