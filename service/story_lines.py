"""The lines of a story: narrated events as a caller reads them."""

from __future__ import annotations

import msgspec

from engine.core.events import Event
from engine.core.language import ENGLISH, current_language
from engine.core.values import SEAT_IDS
from engine.kit.rules import AnyRules
from engine.play.beliefs import belief
from exports.narration import Narrated


class StoryLine(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A narrated event. Optional members that are None are absent from the JSON."""

    seq: int
    turn: int
    seat: str | None
    """The seat whose turn it is; None for turn 0."""
    type: str
    actor: str | None
    sentence: str
    is_undone: bool
    recorded_at: str
    occurred_at: str | None
    recorded_by: str | None = None
    note: str | None = None
    to: int | None = None
    """For an undo: the event to go back to."""
    about: int | None = None
    """For an annotation: the event that it is about."""
    text: str | None = None
    mark: str | None = None
    bookmark: str | None = None
    superseded_by: int | None = None
    """The later event that undid or replaced this one."""
    draws_again: int | None = None
    """The undone event whose draw this event repeats."""
    verdict: str | None = None
    rule: str | None = None
    reason: str | None = None


def _reason(narrated: Narrated, event: Event) -> str | None:
    """Return the reason for a verdict other than legal, in the current language. The log has the reason in English."""
    if event.reason is None or narrated.judgement is None or current_language() == ENGLISH:
        return event.reason
    return narrated.judgement.reason


def line(narrated: Narrated, event: Event, ruleset: AnyRules) -> StoryLine:
    """Return an event as a line of the story, with public data only."""
    said = narrated.remark.said if narrated.remark is not None else None
    return StoryLine(
        seq=event.seq,
        turn=event.turn,
        seat=SEAT_IDS[ruleset.active(belief.likeliest(narrated.before))] if narrated.before is not None else None,
        type=event.type,
        actor=event.actor,
        sentence=narrated.sentence,
        is_undone=narrated.is_undone,
        recorded_at=event.recorded_at,
        occurred_at=event.occurred_at,
        recorded_by=event.recorded_by,
        note=event.note,
        to=event.params["to"] if event.type == "undo" else None,
        about=narrated.remark.about if narrated.remark is not None else None,
        text=said.text if said is not None else None,
        mark=said.mark if said is not None else None,
        bookmark=said.bookmark if said is not None else None,
        superseded_by=narrated.superseded_by,
        draws_again=narrated.draws_again,
        verdict=event.verdict,
        rule=event.rule,
        reason=_reason(narrated, event),
    )
