"""Explanations by an effect or a step that players missed.

They can have missed a reshuffle, the end of the game, or a step that a correction removes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.events import Draft, Proposal
from engine.core.language import say
from engine.core.values import SEAT_IDS, State
from engine.kit.steps import Skip
from engine.play import omissions
from engine.play.beliefs.belief import Belief
from engine.play.corrections import amends
from engine.play.explanations.table import RefusedAction, is_action
from engine.play.line import Chain, Line, Slot
from engine.play.rules import Rules

MOST_PLACES = 16
"""Maximum number of earlier entries to check."""


def find_missed(refused: RefusedAction, then: Sequence[Draft] = ()) -> Iterator[tuple[float, Proposal]]:
    """Find the latest entry whose automatic effect explains the action if the players missed that effect.

    Args:
        then: the events to record instead of the action, if the action is a slip, too.
    """
    later: list[Slot] = []
    if refused.rules.header.chance != "observed":
        return
    for slot, _ in refused.recent():
        if isinstance(slot.after, Belief) or slot.after is None or len(later) == MOST_PLACES:
            return
        for skip in omissions.overlooks(refused.ruleset, slot.after) if is_action(slot) else ():
            if refused.leads_on(skip.state, later, then):
                yield 0.95 + len(later) / 40, _proposal(refused, skip, later, then or (refused.draft,))
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
        if rules.find_refusal(skip.state, draft) is None:
            assert state.outcome is not None
            ending = rules.ruleset.standing(state, rules.header.names_at(state))
            message = say("Nobody noticed the end of the game in turn {turn}: {ending}", turn=state.turn, ending=ending)
            found.append(Proposal("unnoticed_end", SEAT_IDS[skip.seat], message, (_skip_draft(skip), draft)))
    return tuple(found)


def play_on(rules: Rules, state: State) -> Draft | None:
    """Return the event that continues a game after an ending that nobody noticed; None if the game cannot continue."""
    if state.outcome is None or rules.header.chance != "observed":
        return None
    return next(map(_skip_draft, omissions.overlooks(rules.ruleset, state)), None)


def skip_ending(rules: Rules, draft: Draft, line: Line) -> Proposal | None:
    """Return the proposal to record a correction together with a step that the players then skipped.

    Return None if no skipped step explains the first later event that the correction breaks.
    """
    amend = lifecycle.parse(draft.type, draft.actor, draft.params)
    assert isinstance(amend, lifecycle.Amend)
    index, before, own = amends.place(line, amend, is_seeded=rules.header.chance == "seeded")
    kind = None if own is None or own.outcomes else rules.ruleset.kind(own.type)
    if kind is not None and kind.asks_chance:
        # The result must not be drawn before the amend is accepted.
        return None
    after = before if own is None else rules.replay(before, own, 0, sound_only=True)[0]
    start = index if amend.insert is not None else index + 1
    anew = _with(rules, line, index, start, Slot(amend.seq, 0, own, after))
    known = {slot.number for slot in line if slot.broken is not None}
    broken = (at for at in range(index + 1, len(anew)) if anew[at].broken is not None and anew[at].number not in known)
    first = next(broken, None)
    steps = [] if first is None else _missing(rules, anew, first)
    if first is None or not steps:
        return None
    is_next = all(slot.entry is None for slot in anew[index + 1 : first])
    if amend.remove and is_next and len(steps) == 1:
        drafts = [_amend(draft, {"seq": amend.seq, "event": steps[0][0]})]
    else:
        drafts = [_amend(draft, draft.params | {"accept_broken": True})]
        drafts += [_amend(draft, {"seq": anew[first].number, "insert": step}) for step, _ in steps]
    message = " ".join(message for _, message in steps)
    return Proposal("skipped_step", steps[0][0].params["seat"], message, tuple(drafts))


def _missing(rules: Rules, line: Line, first: int) -> list[tuple[Draft, str]]:
    """Return the skipped steps before index `first`, with their sentences, if they leave fewer events broken."""
    after, follower = line[first - 1].after, line[first].entry
    assert follower is not None
    missing = rules.find_left_out(after, follower)
    if missing is None:
        return []
    steps = [
        (Draft(type=lifecycle.LEFT_OUT, params={"seat": one.seat, "step": one.step}), one.message)
        for one in missing.left_out
    ]
    for step, _ in steps:
        after = rules.replay(after, step, 0, sound_only=True)[0]
    repaired = _with(rules, line, first, first, Slot(0, 0, steps[-1][0], after))
    return steps if _count_broken(repaired) < _count_broken(line) else []


def _with(rules: Rules, line: Line, index: int, start: int, slot: Slot) -> Chain:
    is_strict = rules.header.mode == "strict"
    return amends.write_anew(rules, line, index, start, slot, sound_only=True, keeps_turn=is_strict)[0]


def _count_broken(line: Line) -> int:
    return sum(slot.broken is not None for slot in line)


def _amend(draft: Draft, params: dict[str, Any]) -> Draft:
    return msgspec.structs.replace(draft, params=msgspec.to_builtins(params))


def _skip_draft(skip: Skip[Any]) -> Draft:
    return Draft(type=lifecycle.LEFT_OUT, params={"seat": SEAT_IDS[skip.seat], "step": skip.step.id})


def _proposal(refused: RefusedAction, skip: Skip[Any], later: list[Slot], then: Sequence[Draft]) -> Proposal:
    left_out = _skip_draft(skip)
    if later:
        insert = {"seq": later[0].number, "insert": msgspec.to_builtins(left_out)}
        left_out = Draft(type="amend", params=insert)
    message = skip.describe(refused.rules.header.names_at(skip.state))
    return Proposal("missed_reshuffle", SEAT_IDS[skip.seat], message, (left_out, *then))
