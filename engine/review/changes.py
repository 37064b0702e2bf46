"""Changes of a record's details, as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import UNSET

from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.events import Header, Seat
from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, State
from engine.kit.options import in_line, spell_out
from engine.kit.rules import AnyRules
from engine.play.corrections.details import Change
from engine.review.dates import long_date
from engine.review.playing_time import moment

Spelled = Callable[[str], str]
"""Function from a name or text to its form in a sentence, which is escaped for Markdown if needed."""

_POLICIES = {
    "refuse": marked("Illegal actions are rejected."),
    "ask": marked("Illegal actions are recorded after you confirm them."),
    "accept": marked("Illegal actions are recorded."),
}


def at_table(header: Header, state: State | None, spelled: Spelled = str) -> Header:
    """Return `header` with the players at the table as of `state`, because players can change during a game.

    Args:
        spelled: returns the display form of a name; the names in `header` must already have it.
    """
    if state is None or not state.details.people:
        return header
    return msgspec.structs.replace(header, seats=tuple(Seat(spelled(names[-1])) for names in state.details.people))


def describe_change(ruleset: AnyRules, header: Header, change: Change, spelled: Spelled = str) -> str:
    """Return the sentence about a change of details.

    Args:
        header: the header, with the players at the table before the change.
        spelled: returns the display form of a name or text.
    """
    match change:
        case lifecycle.SeatLeft():
            left = say("{name} leaves the table.", name=header.names[SEAT_INDEX[change.seat]])
            return left if change.reason is None else f"{left} {say('Reason: {reason}', reason=spelled(change.reason))}"
        case lifecycle.SeatJoined():
            other = header.names[SEAT_INDEX[change.seat]]
            return say("{name} takes over the seat of {other}.", name=spelled(change.name), other=other)
        case lifecycle.HouseRule():
            return say("House rule: {text}", text=spelled(change.text))
    return " ".join(_details(ruleset, header, change, spelled))


def _details(ruleset: AnyRules, header: Header, change: lifecycle.DetailsChanged, spelled: Spelled) -> Iterator[str]:
    if change.title is not UNSET:
        yield (
            say("The game is called “{title}”.", title=spelled(change.title))
            if change.title
            else say("The game has no title now.")
        )
    if change.tags is not UNSET:
        yield say("Tags: {tags}.", tags=", ".join(map(spelled, change.tags)) or say("none"))
    if change.played_at is not UNSET:
        if change.played_at is None:
            yield say("The date of play is now taken from the events.")
        else:
            yield say("It was played on {day}.", day=long_date(moment(change.played_at).date()))
    if change.place is not UNSET:
        told = say("It was played at {place}.", place=spelled(change.place)) if change.place else None
        yield told or say("The place of the game was removed.")
    if change.if_illegal is not UNSET:
        yield say(_POLICIES[change.if_illegal])
    if change.options is not UNSET:
        names = dict(zip(header.seat_ids, header.names, strict=True))
        said = spell_out(params_schema(ruleset.options), change.options, names)
        yield say(
            "Options: {options}.",
            options=in_line(said, lambda choice: choice if choice in header.names else spelled(choice)) or say("none"),
        )
