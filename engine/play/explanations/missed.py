"""Explanations by a missed automatic effect: a reshuffle, a rise of the water, the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.events import Draft, Proposal
from engine.core.language import say
from engine.core.values import SEAT_IDS, State
from engine.kit.steps import Skip
from engine.play import omissions
from engine.play.beliefs.belief import Belief
from engine.play.explanations.table import Refused, is_action
from engine.play.line import Slot
from engine.play.rules import Rules

MOST_PLACES = 8
"""Maximum number of earlier entries to check."""


def missed(refused: Refused) -> Iterator[tuple[float, Proposal]]:
    """Find the latest entry with an automatic effect without which the action and all later entries are legal."""
    later: list[Slot] = []
    if refused.rules.header.chance != "observed":
        return
    for slot, _ in refused.recent():
        if isinstance(slot.after, Belief) or slot.after is None or len(later) == MOST_PLACES:
            return
        for skip in omissions.overlooks(refused.ruleset, slot.after) if is_action(slot) else ():
            if refused.leads_on(skip.state, later):
                yield 0.95 + len(later) / 20, _proposal(refused, skip, later)
                return
        later.insert(0, slot)


def unnoticed_end(rules: Rules, state: State, draft: Draft) -> tuple[Proposal, ...]:
    """Return the explanations of an action after the end of the game: nobody noticed the end."""
    kind = rules.ruleset.kind(draft.type)
    if rules.header.chance != "observed" or kind is None or kind.hidden_params:
        return ()
    found = []
    for skip in omissions.overlooks(rules.ruleset, state):
        effort.spend()
        if rules.refused(skip.state, draft) is None:
            assert state.outcome is not None
            ending = rules.ruleset.standing(state, rules.header.names_at(state))
            message = say("Nobody noticed the end of the game in turn {turn}: {ending}", turn=state.turn, ending=ending)
            found.append(Proposal("unnoticed_end", SEAT_IDS[skip.seat], message, (_left_out(skip), draft)))
    return tuple(found)


def play_on(rules: Rules, state: State) -> Draft | None:
    """Return the event that continues a game after an ending that nobody noticed; None if the game cannot continue."""
    if state.outcome is None or rules.header.chance != "observed":
        return None
    return next(map(_left_out, omissions.overlooks(rules.ruleset, state)), None)


def _left_out(skip: Skip[Any]) -> Draft:
    return Draft(type=lifecycle.LEFT_OUT, params={"seat": SEAT_IDS[skip.seat], "step": skip.step.id})


def _proposal(refused: Refused, skip: Skip[Any], later: list[Slot]) -> Proposal:
    left_out = _left_out(skip)
    if later:
        insert = {"seq": later[0].number, "insert": msgspec.to_builtins(left_out)}
        left_out = Draft(type="amend", params=insert)
    message = skip.told(refused.rules.header.names_at(skip.state))
    return Proposal("missed_reshuffle", SEAT_IDS[skip.seat], message, (left_out, refused.draft))
