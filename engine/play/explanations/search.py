"""The search: every kind of slip is tried on the table, and the cheapest that explain the action are returned."""

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
from engine.play.explanations.table import Refused, is_action
from engine.play.line import Line, Slot
from engine.play.rules import Rules

MOST = 3
"""Explanations that are shown."""
TAKEN_ALONE = frozenset({"skipped_step", "late_step", "swapped_steps", "one_too_many"})
"""The kinds that are recorded where nobody is asked: they leave the action, its player and the past as they are."""

Found = tuple[float, Proposal]
"""An explanation, and what it costs to believe it."""


def explain(
    rules: Rules, state: State, draft: Draft, left_out: IsLeftOut | None, line: Callable[[], Line]
) -> tuple[Proposal, ...]:
    """Return what may lie behind a refused action, the cheapest first.

    Args:
        state: the table at which it was refused.
        left_out: the steps without which it is legal, where there are such.
        line: returns what stands before it.
    """
    refused = Refused(rules, state, draft, line)
    searched = _searched(refused, _late, _other_player, _too_many, misread)
    return _cheapest(itertools.chain(_skipped(refused, left_out), searched))


def explain_outcome(rules: Rules, state: State, draft: Draft, line: Callable[[], Line]) -> tuple[Proposal, ...]:
    """Return the earlier entries with which what is reported can have come up, the cheapest first."""
    return _cheapest(_searched(Refused(rules, state, draft, line), misread))


def _searched(refused: Refused, *kinds: Callable[[Refused], Iterator[Found]]) -> Iterator[Found]:
    """The explanations of these kinds; none where one could tell what a player hides."""
    for kind in () if refused.is_hidden else kinds:
        yield from kind(refused)


def _cheapest(found: Iterator[Found]) -> tuple[Proposal, ...]:
    kept: list[Found] = []
    # What was found until the work ended helps, too.
    with suppress(effort.Exhausted):
        kept += found
    told = dict[tuple[str, str], Proposal]()
    for _, one in sorted(kept, key=lambda one: one[0]):
        told.setdefault((one.kind, one.message), one)
    return tuple(itertools.islice(told.values(), MOST))


def _skipped(refused: Refused, left_out: IsLeftOut | None) -> Iterator[Found]:
    """The steps that were skipped before it, or are taken after it."""
    if left_out is None:
        return
    steps = left_out.left_out
    skips = [_skip(one.seat, one.step) for one in steps]
    message = " ".join(one.message for one in steps)
    yield len(steps), Proposal("skipped_step", steps[0].seat, message, (*skips, refused.draft))
    first = steps[0]
    if len(steps) == 1 and first.seat == refused.draft.actor:
        later = _skip(first.seat, first.step, say("It is taken afterwards."))
        message = say("Wrong order: {action} comes before {step}.", action=refused.label, step=first.label)
        yield 1.6, Proposal("swapped_steps", first.seat, message, (later, refused.draft))


def _skip(seat: str, step: str, reason: str | None = None) -> Draft:
    params = {"seat": seat, "step": step, **({} if reason is None else {"reason": reason})}
    return Draft(type=lifecycle.LEFT_OUT, params=params)


def _late(refused: Refused) -> Iterator[Found]:
    """The making up for a step that was left out before."""
    made_up: dict[int, list[Slot]] = {}
    is_apart = False
    for slot, before in refused.recent():
        entry = slot.entry
        assert entry is not None
        for seq in entry.explanation.events if entry.explanation else ():
            made_up.setdefault(seq, []).insert(0, slot)
        is_own = entry.type == lifecycle.LEFT_OUT and entry.params["seat"] == refused.draft.actor
        if is_own and slot.broken is None and _is_due(refused, likeliest(before), made_up.get(slot.number, ())):
            found = _made_up(refused, slot, entry.params["step"], is_apart=is_apart)
            if found is not None:
                yield 0.5, found
            return
        is_apart = is_apart or (is_action(slot) and entry.actor != refused.draft.actor)


def _made_up(refused: Refused, slot: Slot, step_id: str, *, is_apart: bool) -> Proposal | None:
    """The step that `slot` left out, taken now.

    Args:
        is_apart: whether another player acted since.
    """
    step = refused.ruleset.step(step_id).of(refused.name)
    seat = SEAT_IDS[refused.seat]
    if is_apart:
        return _explained(refused, Explanation("late_step", seat, (slot.number,)), say("Late: {step}.", step=step))
    message = say("In the wrong order, but done: {step}.", step=step)
    return _explained(refused, Explanation("swapped_steps", seat, (slot.number,)), message)


def _is_due(refused: Refused, table: State, made_up: Iterable[Slot]) -> bool:
    """Return True if the action was due at `table`, and still is after what was made up for since."""
    for slot in made_up:
        after = refused.taken(slot.entry, table)
        if after is None:
            return False
        table = after
    # A hand that is over the limit by now asks for a discard first: then it was due where it was left out.
    return refused.is_legal_at(table) or refused.is_legal(table, refused.seat)


def _other_player(refused: Refused) -> Iterator[Found]:
    """The step of another player, taken by the hand of this one; or a step that was entered for the wrong player."""
    for seat in refused.others():
        if not refused.is_legal(refused.state, seat) or not refused.can_record(refused.by(seat)):
            continue
        other, draft = refused.rules.header.names[seat], refused.by(seat)
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
    """The same once more than the rules allow, or after what comes behind it."""
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
        is_swapped = kind is not None and kind.asks_chance and not refused.action.asks_chance
        told = {"name": refused.name, "action": refused.label}
        if is_swapped:
            explanation = Explanation("swapped_steps", SEAT_IDS[refused.seat], (slot.number,))
            message = say("{name} did this in the wrong order: {action}.", **told)
        else:
            explanation = Explanation("one_too_many", SEAT_IDS[refused.seat])
            message = say("{name} took one action too many: {action}.", **told)
        found = _explained(refused, explanation, message)
        if found is not None:
            is_again = entry.type == refused.draft.type and slot.number == refused.line[-1].number
            yield 0.9 if is_again else 1.1, found
        return


def _explained(refused: Refused, explanation: Explanation, message: str) -> Proposal | None:
    """The action with what explains it; None where it is not clear what it did to the table."""
    draft = msgspec.structs.replace(refused.draft, explanation=explanation)
    if not refused.can_record(draft):
        return None
    return Proposal(explanation.kind, explanation.seat, message, (draft,))
