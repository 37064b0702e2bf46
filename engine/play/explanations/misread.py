"""Explanations by a wrong entry: the action is legal if an earlier event has a different card, tile or place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core.events import Draft, Proposal
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State
from engine.kit.kernel import LegalAction
from engine.play.beliefs.belief import Belief
from engine.play.explanations.table import RefusedAction, is_action
from engine.play.line import Slot

MOST_PLACES = 12
"""Maximum number of earlier entries to check. Entries with the same result as the rejected action do not count."""
MOST_READINGS = 240
"""Maximum number of alternatives to try, over all entries."""
MOST_CANDIDATES = 40
"""Maximum number of alternative params of one action."""
ALIKE = 3
"""Maximum number of alternatives shown for one entry."""

Reading = tuple[float, Draft]
"""An alternative to an entry: its likelihood compared with the other alternatives, and its draft."""


def misread(refused: RefusedAction) -> Iterator[tuple[float, Proposal]]:
    """Yield alternatives to recent entries, each with its cost.

    With each alternative, all later entries and the rejected action are legal.
    """
    later: list[Slot] = []
    left = MOST_READINGS
    for slot, before in refused.recent():
        is_seen = not (isinstance(before, Belief) or isinstance(slot.after, Belief))
        if not is_action(slot) or slot.judgement is not None or not is_seen:
            return
        assert slot.entry is not None
        is_suspect = bool(refused.draft.outcomes) and slot.entry.outcomes == refused.draft.outcomes
        if is_suspect or len(later) < MOST_PLACES:
            alike = 0
            for share, reading in _readings(refused, slot.entry, before):
                if not left:
                    return
                left -= 1
                table = refused.play(before, reading)
                if table is not None and refused.leads_on(table, later):
                    yield _cost(share, len(later), is_suspect=is_suspect), _proposal(refused, slot, reading, before)
                    alike += 1
                if alike == ALIKE:
                    break
        later.insert(0, slot)


def _cost(share: float, age: int, *, is_suspect: bool) -> float:
    """Return the cost of an alternative. Likelier alternatives and newer entries cost less.

    Args:
        age: the number of later entries.
        is_suspect: True if the entry has the same result as the rejected action, which cannot be drawn twice.
    """
    return (1.9 if is_suspect else 2 + age / 50) - math.log(share) / 10


def _readings(refused: RefusedAction, entry: Any, before: State) -> list[Reading]:
    """List alternatives to an entry, likeliest first: other outcomes if there are outcomes, otherwise other params."""
    draft = Draft(type=entry.type, actor=entry.actor, params=entry.params, outcomes=entry.outcomes)
    found = _other_outcomes(refused, draft, before) if entry.outcomes else _other_params(refused, draft, before)
    return sorted(found, key=lambda one: one[0], reverse=True)


def _other_outcomes(refused: RefusedAction, draft: Draft, before: State) -> Iterator[Reading]:
    if len(draft.outcomes) > 1 or refused.rules.header.chance != "observed":
        return
    ruleset = refused.ruleset
    point = ruleset.chance_point(before, LegalAction(ruleset.parse(draft.type, draft.params), SEAT_INDEX[draft.actor]))
    assert point is not None
    for value, share in point.probabilities().items():
        if value != draft.outcomes[0]:
            yield float(share), msgspec.structs.replace(draft, outcomes=(value,))


def _other_params(refused: RefusedAction, draft: Draft, before: State) -> Iterator[Reading]:
    """Yield other legal params of the same action. Params with fewer differences are likelier."""
    kind = refused.ruleset.kind(draft.type)
    assert kind is not None
    if kind.hidden_params:
        return
    seat = SEAT_INDEX[draft.actor]
    choices = [
        msgspec.to_builtins(action)
        for action in itertools.islice(kind.candidates(before, seat), MOST_CANDIDATES)
        if action.refusal(before, seat) is None
    ]
    for params in choices:
        differing = sum(value != draft.params[name] for name, value in params.items())
        if differing:
            yield 1 / len(choices) / differing, msgspec.structs.replace(draft, params=params)


def _proposal(refused: RefusedAction, slot: Slot, reading: Draft, before: State) -> Proposal:
    names, seat = refused.rules.header.names_at(before), SEAT_INDEX[reading.actor]
    what, entered = (_label(refused, one, before) for one in (reading, slot.entry))
    told = {"turn": before.turn, "name": names[seat], "what": what, "entered": entered}
    message = say("Entered incorrectly in turn {turn}: {name}, {what} (the entry was: {entered}).", **told)
    amend = Draft(type="amend", params={"seq": slot.number, "event": msgspec.to_builtins(reading)})
    assert reading.actor is not None
    return Proposal("wrong_result", reading.actor, message, (amend, refused.draft))  # type: ignore[arg-type]  # a seat's id


def _label(refused: RefusedAction, entry: Any, before: State) -> str:
    if entry.outcomes:
        return ", ".join(refused.ruleset.value_label(value) for value in entry.outcomes if value is not None)
    return refused.label_of(refused.ruleset.parse(entry.type, entry.params), before)
