"""Search for explanations: try every kind of mistake, and return the cheapest that explain the action."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import IsLeftOut
from engine.core.events import Draft, Explanation, Proposal
from engine.core.language import say
from engine.core.values import SEAT_IDS, State
from engine.play.beliefs.belief import likeliest
from engine.play.explanations.misread import misread
from engine.play.explanations.missed import missed
from engine.play.explanations.table import Refused, is_action
from engine.play.line import Line, Slot
from engine.play.rules import Rules
from engine.play.slips import once_too_often

MOST = 3
"""Maximum number of explanations to return."""
TAKEN_ALONE = frozenset({"skipped_step", "late_step", "swapped_steps", "one_too_many"})
"""Kinds that are recorded without asking the user: they keep the action, its player, and all earlier events."""

Found = tuple[float, Proposal]
"""An explanation with its cost; unlikely ones cost more."""


def explain(
    rules: Rules, state: State, draft: Draft, left_out: IsLeftOut | None, line: Callable[[], Line]
) -> tuple[Proposal, ...]:
    """Return the possible explanations of a rejected action, cheapest first. If a house rule helps, that is the last.

    Args:
        state: the table at which the action was rejected.
        left_out: the skipped steps that would make the action legal, if there are any.
        line: returns the events in effect before the action.
    """
    refused = Refused(rules, state, draft, line)
    searched = _searched(refused, _late, _other_player, _too_many, missed, misread)
    found = _cheapest(itertools.chain(_skipped(refused, left_out), searched))
    return (*found, _house_rule(refused)) if _can_be_allowed(refused) else found


def _can_be_allowed(refused: Refused) -> bool:
    """Return True if a house rule would make the action possible. Only the action's own effect is checked."""
    if refused.is_hidden:
        return False
    is_undrawn = refused.action.asks_chance and not refused.draft.outcomes
    return is_undrawn or refused.taken(refused.draft, refused.state) is not None


def _house_rule(refused: Refused) -> Proposal:
    """Return a house rule that makes the action legal from now on."""
    draft, title = refused.draft, say(type(refused.action).called())
    params = {"text": say("Players may do this: {action}.", action=title), "allows": [{"type": draft.type}]}
    message = say("From now on a house rule allows: {action}.", action=title)
    rule = Draft(type=lifecycle.HOUSE_RULE, params=params)
    return Proposal("house_rule", SEAT_IDS[refused.seat], message, (rule, draft))


def explain_outcome(rules: Rules, state: State, draft: Draft, line: Callable[[], Line]) -> tuple[Proposal, ...]:
    """Return the earlier mistakes that make the reported results possible, cheapest first."""
    return _cheapest(_searched(Refused(rules, state, draft, line), missed, misread))


def _searched(refused: Refused, *kinds: Callable[[Refused], Iterator[Found]]) -> Iterator[Found]:
    """Yield the explanations of these kinds; none if they could reveal hidden information."""
    for kind in () if refused.is_hidden else kinds:
        yield from kind(refused)


def _cheapest(found: Iterator[Found]) -> tuple[Proposal, ...]:
    kept: list[Found] = []
    # If the work limit is reached, use the explanations found so far.
    with suppress(effort.Exhausted):
        kept += found
    told = dict[tuple[str, str], Proposal]()
    for _, one in sorted(kept, key=lambda one: one[0]):
        told.setdefault((one.kind, one.message), one)
    return tuple(itertools.islice(told.values(), MOST))


def _skipped(refused: Refused, left_out: IsLeftOut | None) -> Iterator[Found]:
    """Explain the action by skipped steps, or by a step that is taken after the action instead of before it."""
    if left_out is None:
        return
    steps = left_out.left_out
    skips = [_skip(one.seat, one.step) for one in steps]
    message = " ".join(one.message for one in steps)
    yield len(steps), Proposal("skipped_step", steps[0].seat, message, (*skips, refused.draft))
    first = steps[0]
    if len(steps) == 1 and first.seat == refused.draft.actor:
        later = _skip(first.seat, first.step, say("The action is recorded after that."))
        told = {"name": refused.name, "action": refused.label, "step": first.label}
        message = say("Wrong order: {name} did “{action}” before “{step}”.", **told)
        yield 1.6, Proposal("swapped_steps", first.seat, message, (later, refused.draft))


def _skip(seat: str, step: str, reason: str | None = None) -> Draft:
    params = {"seat": seat, "step": step, **({} if reason is None else {"reason": reason})}
    return Draft(type=lifecycle.LEFT_OUT, params=params)


def _late(refused: Refused) -> Iterator[Found]:
    """Explain the action as a late step that was recorded as skipped."""
    made_up: dict[int, list[Slot]] = {}
    is_apart = False
    for slot, before in refused.recent():
        entry = slot.entry
        assert entry is not None
        for seq in entry.explanation.events if entry.explanation else ():
            made_up.setdefault(seq, []).insert(0, slot)
        is_own = entry.type == lifecycle.LEFT_OUT and entry.params["seat"] == refused.draft.actor
        made_up_for = made_up.get(slot.number, ())
        if is_own and slot.broken is None and _is_due(refused, likeliest(before), entry.params["step"], made_up_for):
            found = _made_up(refused, slot, is_apart=is_apart)
            if found is not None:
                yield 0.5, found
            return
        is_apart = is_apart or (is_action(slot) and entry.actor != refused.draft.actor)


def _made_up(refused: Refused, slot: Slot, *, is_apart: bool) -> Proposal | None:
    """Return the explanation that the action is the step skipped in `slot`; None if the action's effect is unclear.

    Args:
        is_apart: True if another player has acted since the skip; False if the step is only in the wrong order.
    """
    told = {"name": refused.name, "action": refused.label}
    seat = SEAT_IDS[refused.seat]
    if is_apart:
        message = say("{name} did this late: {action}.", **told)
        return _explained(refused, Explanation("late_step", seat, (slot.number,)), message)
    message = say("{name} did this in the wrong order: {action}.", **told)
    return _explained(refused, Explanation("swapped_steps", seat, (slot.number,)), message)


def _is_due(refused: Refused, table: State, step_id: str, made_up: Iterable[Slot]) -> bool:
    """Return True if the action is (a part of) the skipped step, at `table` after its late parts in `made_up`."""
    for slot in made_up:
        after = refused.taken(slot.entry, table)
        if after is None:
            return False
        table = after
    # The second table is for one that now needs another step first, such as a discard from a full hand.
    tables = (refused.with_turn_of(table), table)
    found = next((one for one in tables if one is not None and refused.is_legal(one, refused.seat)), None)
    return found is not None and (refused.action.asks_chance or _does(refused, step_id, found))


def _does(refused: Refused, step_id: str, table: State) -> bool:
    """Return True if the game continues from `table` in the same way after the action as after a skip of the step."""
    after = refused.taken(refused.draft, table)
    skip = next((one for one in refused.ruleset.skips(table) if one.step.id == step_id), None)
    members = ("turn", "phase", "active")
    return skip is not None and all(getattr(after, one, None) == getattr(skip.state, one, None) for one in members)


def _other_player(refused: Refused) -> Iterator[Found]:
    """Explain the action as another player's: the actor acted for that player, or was entered by mistake."""
    for seat in refused.others():
        if not refused.is_legal(refused.state, seat) or not refused.can_record(refused.by(seat)):
            continue
        other, draft = refused.names[seat], refused.by(seat)
        told = {"name": refused.name, "other": other, "action": refused.label}
        by_hand = msgspec.structs.replace(draft, explanation=Explanation("other_player", SEAT_IDS[refused.seat]))
        message = say("{name} did this for {other}: {action}.", **told)
        is_drawn = refused.action.asks_chance
        yield (
            1.05 if is_drawn else 1.4,
            Proposal("other_player", SEAT_IDS[refused.seat], message, (by_hand,)),
        )
        message = say("It was {other}, not {name}: {action}.", **told)
        yield (1.4 if is_drawn else 1.2), Proposal("wrong_player", SEAT_IDS[seat], message, (draft,))
        return


def _too_many(refused: Refused) -> Iterator[Found]:
    """Explain the action as one action too many, or as taken only after a later step."""
    for slot, before in refused.recent():
        entry = slot.entry
        assert entry is not None
        if not is_action(slot):
            continue
        if entry.actor != refused.draft.actor or before.turn < refused.state.turn - 1:
            return
        if slot.judgement is not None or not refused.is_legal_at(before):
            continue
        kind = refused.ruleset.kind(entry.type)
        ends_turn = slot.after is not None and slot.after.turn > before.turn
        is_counted = refused.action.asks_chance or refused.spends(before)
        is_later = (kind is not None and kind.asks_chance) or (ends_turn and not is_counted)
        is_swapped = is_later and entry.type != refused.draft.type and not refused.action.asks_chance
        if not (is_swapped or is_counted) or refused.is_timer(before):
            return
        told = {"name": refused.name, "action": refused.label}
        if is_swapped:
            explanation = Explanation("swapped_steps", SEAT_IDS[refused.seat], (slot.number,))
            message = say("{name} did this in the wrong order: {action}.", **told)
        else:
            explanation = Explanation("one_too_many", SEAT_IDS[refused.seat])
            message = once_too_often(type(refused.action), refused.name, refused.label)
        found = _explained(refused, explanation, message)
        if found is not None:
            is_again = entry.type == refused.draft.type and slot.number == refused.line[-1].number
            yield 0.9 if is_again else 1.1, found
        return


def _explained(refused: Refused, explanation: Explanation, message: str) -> Proposal | None:
    """Return the proposal to record the action with an explanation; None if the action's effect is unclear."""
    draft = msgspec.structs.replace(refused.draft, explanation=explanation)
    if not refused.can_record(draft):
        return None
    return Proposal(explanation.kind, explanation.seat, message, (draft,))
