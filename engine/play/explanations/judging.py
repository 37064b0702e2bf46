"""Handle an illegal action: reject the action with all its explanations, or record it with the first explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.details import IfIllegal
from engine.core.errors import IllegalAction, Malformed
from engine.core.events import Draft, Proposal
from engine.core.language import say
from engine.core.values import State, not_a_seat
from engine.play.corrections import amends
from engine.play.explanations.search import TAKEN_ALONE, TAKEN_FIRST, explain
from engine.play.explanations.table import is_action
from engine.play.line import Line, index_of
from engine.play.rules import Rules


def check_explanation(rules: Rules, draft: Draft, line: Callable[[], Line]) -> None:
    """Reject an invalid or forbidden explanation in a draft, or in the event of an amend.

    Args:
        line: function that returns the events in effect before the draft; no events if only the newest state is known.

    Raises:
        Malformed: with the pointer to the explanation or its member.
    """
    if draft.type != "amend":
        _check(rules, draft, line, "/explanation")
        return
    amend = lifecycle.parse(draft.type, draft.actor, draft.params)
    assert isinstance(amend, lifecycle.Amend)
    if amend.draft is not None and amend.draft.explanation:
        where = "event" if amend.event is not None else "insert"
        _check(rules, amend.draft, lambda: _before(line(), amend), f"/params/{where}/explanation")


def _before(line: Line, amend: lifecycle.Amend) -> Line:
    return line[: index_of(line, amend.seq)] if line else line


def _check(rules: Rules, draft: Draft, line: Callable[[], Line], pointer: str) -> None:
    explanation = draft.explanation
    if not explanation:
        return
    kind, seats = rules.ruleset.kind(draft.type), rules.header.seat_ids
    if kind is None or kind.hidden_params:
        raise Malformed(pointer, say("an event of this type cannot have an explanation"))
    if explanation.seat not in seats:
        raise Malformed(f"{pointer}/seat", not_a_seat(len(seats)))
    if draft.actor in seats and (explanation.kind == "other_player") == (explanation.seat == draft.actor):
        message = (
            say("with `other_player`, this must be a different seat from the actor's")
            if explanation.kind == "other_player"
            else say("with this kind of explanation, this must be the actor's seat")
        )
        raise Malformed(f"{pointer}/seat", message)
    events = line() if explanation.events else ()
    known = {
        slot.number
        for slot in events
        if slot.entry is not None and (is_action(slot) or slot.entry.type == lifecycle.LEFT_OUT)
    }
    for index, seq in enumerate(explanation.events):
        if events and seq not in known:
            message = say("must be the number of an earlier action or skipped step in effect")
            raise Malformed(f"{pointer}/events/{index}", message)
        if seq in explanation.events[:index]:
            raise Malformed(f"{pointer}/events/{index}", say("this event is already in the list"))


def without_idle_explanation(rules: Rules, state: State | None, draft: Draft) -> Draft:
    """Return `draft` without its explanation if the action is legal."""
    if (
        not draft.explanation
        or draft.explanation.kind == "other_player"
        or rules.find_refusal(state, draft) is not None
    ):
        return draft
    return msgspec.structs.replace(draft, explanation=msgspec.UNSET)


def resolve_amend(rules: Rules, draft: Draft, if_illegal: IfIllegal, line: Callable[[], Line]) -> Draft:
    """Return the amend to record, as `resolve_draft` does for other drafts. The event in the amend is judged.

    If the event is accepted, it gets an explanation that needs no other event. In a strict record, an illegal event
    must have such an explanation.

    Raises:
        IllegalAction: the event is illegal and not accepted; the error has explanations, each as an amend.
        Malformed: the amend is invalid.
    """
    amend = lifecycle.parse(draft.type, draft.actor, draft.params)
    assert isinstance(amend, lifecycle.Amend)
    events = line()
    if amend.draft is None or not events:
        return draft
    index, before, own = amends.place(events, amend, is_seeded=rules.header.chance == "seeded")
    if before is None or own is None or own.explanation:
        return draft

    def around(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
        *added, last = drafts

        def within(one: lifecycle.Amend) -> Draft:
            return msgspec.structs.replace(draft, params=msgspec.to_builtins(one))

        # Later events may be legal only after the last of the explanation's events.
        inserted = (
            one if one.type == "amend" else within(lifecycle.Amend(amend.seq, insert=one, accept_broken=True))
            for one in added
        )
        return (*inserted, within(amend.bringing(last)))

    def judge(if_illegal: IfIllegal) -> tuple[Draft, ...]:
        return resolve_draft(rules, before, own, if_illegal, lambda: events[:index])

    try:
        *added, found = judge(if_illegal)
        if (added or found == own) and rules.header.mode == "strict":
            judge("ask")
    except IllegalAction as refused:
        refused.explanations = tuple(
            msgspec.structs.replace(one, drafts=around(one.drafts)) for one in refused.explanations or ()
        )
        raise
    return draft if added or found == own else around((found,))[0]


def resolve_draft(
    rules: Rules, state: State | None, draft: Draft, if_illegal: IfIllegal, line: Callable[[], Line]
) -> tuple[Draft, ...]:
    """Return the events to record for `draft`.

    For an illegal draft that `if_illegal` accepts, these are the events of the cheapest explanation, if there is any.

    Args:
        line: returns the events in effect before the draft.

    Raises:
        IllegalAction: the draft is illegal and not accepted; the error has its explanations.
        Malformed: the type or the params are invalid.
    """
    refused = None if draft.explanation else rules.find_refusal(state, draft)
    if refused is None:
        return (draft,)
    assert state is not None
    left_out = rules.find_left_out(state, draft)
    proposals = explain(rules, state, draft, left_out, line)
    if if_illegal == "accept":
        return accepted_drafts(draft, proposals)
    # Set for clients that know only the older member `left_out`.
    told = left_out if left_out is not None and rules.header.mode == "as_played" else refused
    told.explanations = proposals
    raise told


def accepted_drafts(draft: Draft, proposals: Sequence[Proposal]) -> tuple[Draft, ...]:
    """Return the events of the first explanation that needs no answer from the user; if there is none, the draft."""
    taken = (one for one in proposals if one.kind in (TAKEN_FIRST if one is proposals[0] else TAKEN_ALONE))
    found = next((one.drafts for one in taken), (draft,))
    return tuple(msgspec.structs.replace(one, occurred_at=draft.occurred_at) for one in found)
