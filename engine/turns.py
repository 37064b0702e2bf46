"""The turn index: per turn whose it was, its events, and a one-line account; and the sentences it is made of."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import msgspec

from engine import lifecycle
from engine.chance import Recorded
from engine.events import SEAT_IDS, SEAT_INDEX, Event, Header, SeatId
from engine.fold import AnyRuleset, Rules
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
    """An event that stands, with the states around it and the sentence a player would say of it."""

    event: Event
    before: State | None
    after: State | None
    sentence: str


def standing(events: list[Event]) -> list[Event]:
    """The events that have not been undone, in order; an undo itself is not among them."""
    line: list[Event] = []
    at = len(events)
    while at > 0:
        event = events[at - 1]
        if event.type == "undo":
            at = event.params["to"]
        else:
            line.append(event)
            at -= 1
    return line[::-1]


def tell(header: Header, events: list[Event]) -> list[Told]:
    """Every event that stands, told in order; `events` is the whole log.

    Raises:
        EngineError: the log does not replay.
    """
    rules = Rules(header)
    states: list[State | None] = [None, None]
    rules.fold(states, events[1:], Recorded())
    told: list[Told] = []
    for event in standing(events):
        before, after = states[event.seq - 1], states[event.seq]
        told.append(Told(event, before, after, sentence(rules, header, event, before, after)))
    return told


def sentence(rules: Rules, header: Header, event: Event, before: State | None, after: State | None) -> str:
    """What a player would say of `event`, which led from the state `before` to the one `after` it."""
    match event.type:
        case lifecycle.GAME_OPENED:
            return f"{_listed(header.names)} sit down to {rules.ruleset.name}."
        case lifecycle.SET_UP:
            assert after is not None
            return " ".join(rules.ruleset.describe_setup(after, header.names))
        case "undo":
            return f"Back to the table as it was after event {event.params['to']}."
        case "annotate":
            return f"Note: {event.params['text']}"
        case "abandon":
            return f"The game is abandoned: {event.params['reason']}"
        case lifecycle.GAME_CLOSED:
            return ending(rules, event.params["outcome"]["reason"])
    assert before is not None
    action = rules.ruleset.parse(event.type, event.params)
    return action.describe(before, SEAT_INDEX[event.actor], event.outcomes, header.names)


def ending(rules: Rules, reason: str) -> str:
    """The sentence that says how a game ended."""
    return rules.ruleset.endings.get(reason, "The game was abandoned.")


def index(told: Iterable[Told], ruleset: AnyRuleset) -> list[Turn]:
    """The turns of a line that `tell` told."""
    turns: list[Turn] = []
    for number, group in itertools.groupby(told, key=lambda one: one.event.turn):
        ones = list(group)
        state = ones[-1].before if number else None
        turns.append(
            Turn(
                turn=number,
                seat=SEAT_IDS[ruleset.active(state)] if state is not None else None,
                first=ones[0].event.seq,
                last=ones[-1].event.seq,
                account=" ".join(one.sentence for one in ones),
            )
        )
    return turns


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
