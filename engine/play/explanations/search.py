"""Search for explanations: try every kind of mistake, and return the cheapest that explain the action."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import IsLeftOut
from engine.core.events import Draft, Explanation, Proposal
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Omission, State
from engine.play import omissions
from engine.play.beliefs.belief import likeliest
from engine.play.explanations.misread import misread
from engine.play.explanations.missed import find_missed
from engine.play.explanations.table import RefusedAction, is_action
from engine.play.line import Line, Slot
from engine.play.rules import Rules
from engine.play.slips import sentence

MOST = 3
"""Maximum number of explanations to return."""
TAKEN_ALONE = frozenset({"skipped_step", "late_step", "swapped_steps", "one_too_many"})
"""Kinds that are recorded without asking the user, because they change no action, no player and no earlier event."""
TAKEN_FIRST = TAKEN_ALONE | {"other_player", "missed_reshuffle"}
"""Kinds that are recorded without asking if they are the likeliest.

The remaining kinds correct an entry, or change the rules.
"""

Found = tuple[float, Proposal]
"""An explanation, after its cost. Unlikely explanations cost more."""


def explain(
    rules: Rules, state: State, draft: Draft, left_out: IsLeftOut | None, line: Callable[[], Line]
) -> tuple[Proposal, ...]:
    """Return the possible explanations of a rejected action, cheapest first. If a house rule helps, that is the last.

    Args:
        state: the table at which the action was rejected.
        left_out: the skipped steps that would make the action legal, if there are any.
        line: returns the events in effect before the action.
    """
    refused = RefusedAction(rules, state, draft, line)
    searched = _search(refused, _late, _other_player, _too_many, find_missed, misread)
    found = _cheapest(refused, itertools.chain(_explain_skips(refused, left_out), _early(refused, left_out), searched))
    return (*found, *_house_rule(refused))


def _house_rule(refused: RefusedAction) -> Iterator[Proposal]:
    """Yield a house rule that would make the action legal in situations like this, if such a rule is possible."""
    draft, title, table = refused.draft, say(type(refused.action).english_title()), refused.state
    is_own = not refused.rules.is_out_of_turn(table, draft)
    told = {"phase": refused.ruleset.phase_text(table.phase), "action": title}
    if is_own:
        text = say("In their own turn ({phase}), players may take this action: {action}.", **told)
        message = say("From now on a house rule allows this in a player's own turn: {action}.", action=title)
    else:
        text = say("Out of turn ({phase}), players may take this action: {action}.", **told)
        message = say("From now on a house rule allows this out of turn: {action}.", action=title)
    situation = {"phase": table.phase} if table.phase in refused.ruleset.phases else {}
    refusal = refused.action.refusal(table, refused.seat)
    overridden = {} if refusal is None else {"overrides": refusal.rule}
    params = {"text": text, "allows": [{"type": draft.type, **situation, "own_turn": is_own}], **overridden}
    rule = Draft(type=lifecycle.HOUSE_RULE, params=params)
    if not refused.is_hidden and refused.can_record(rule, draft):
        yield Proposal("house_rule", SEAT_IDS[refused.seat], message, (rule, draft))


def explain_outcome(rules: Rules, state: State, draft: Draft, line: Callable[[], Line]) -> tuple[Proposal, ...]:
    """Return the earlier mistakes that make the reported results possible, cheapest first."""
    refused = RefusedAction(rules, state, draft, line)
    return _cheapest(refused, _search(refused, find_missed, misread))


def _search(refused: RefusedAction, *kinds: Callable[[RefusedAction], Iterator[Found]]) -> Iterator[Found]:
    """Yield the explanations of these kinds; none if they could reveal hidden information."""
    for kind in () if refused.is_hidden else kinds:
        yield from kind(refused)


def _cheapest(refused: RefusedAction, found: Iterator[Found]) -> tuple[Proposal, ...]:
    kept: list[Found] = []
    # If the work limit is reached, use the explanations found so far.
    with suppress(effort.Exhausted):
        for cost, one in found:
            if _can_be_recorded(refused, one):
                kept.append((cost, one))
            else:
                kept += _with_missed(refused, cost, one)
    told = dict[tuple[str, str], Proposal]()
    for _, one in sorted(kept, key=lambda one: one[0]):
        told.setdefault((one.kind, one.message), one)
    return tuple(itertools.islice(told.values(), MOST))


def _can_be_recorded(refused: RefusedAction, proposal: Proposal) -> bool:
    # Amends were checked with all later events.
    is_checked = refused.is_hidden or any(draft.type == "amend" for draft in proposal.drafts)
    return is_checked or refused.can_record(*proposal.drafts)


def _with_missed(refused: RefusedAction, cost: float, second: Proposal) -> Iterator[Found]:
    """Explain two slips at once: the result of the second slip shows that the players missed an earlier effect."""
    for more, first in find_missed(refused, second.drafts) if refused.draft.outcomes else ():
        yield cost + more, Proposal(first.kind, first.seat, f"{first.message} {second.message}", first.drafts)


def _explain_skips(refused: RefusedAction, left_out: IsLeftOut | None) -> Iterator[Found]:
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


def _early(refused: RefusedAction, left_out: IsLeftOut | None) -> Iterator[Found]:
    """Explain the action as taken too early. This is a single mistake, unlike a late step of every other player."""
    if left_out is None or refused.is_hidden or refused.action.asks_chance:
        return
    steps = left_out.left_out
    if len({one.seat for one in steps}) == 1 and not _jumps_queue(refused, steps):
        return
    yield 1.3, _explained_proposal(refused, Explanation("swapped_steps", SEAT_IDS[refused.seat]))


def _jumps_queue(refused: RefusedAction, steps: Sequence[Omission]) -> bool:
    """Return True if others have to take the same step before the actor in this turn, such as choosing an action."""
    table = refused.state
    for one in steps:
        skips = refused.ruleset.skips(table)
        table = next(skip.state for skip in skips if (skip.step.id, SEAT_IDS[skip.seat]) == (one.step, one.seat))
    due = {(skip.step.id, skip.seat) for skip in refused.ruleset.skips(table)}
    return table.turn == refused.state.turn and due == {(one.step, refused.seat) for one in steps}


def _skip(seat: str, step: str, reason: str | None = None) -> Draft:
    params = {"seat": seat, "step": step, **({} if reason is None else {"reason": reason})}
    return Draft(type=lifecycle.LEFT_OUT, params=params)


def _late(refused: RefusedAction) -> Iterator[Found]:
    """Explain the action as the late part of a step that was recorded as skipped."""
    made_up: dict[int, list[Slot]] = {}
    is_apart = False
    for slot, before in refused.recent():
        entry = slot.entry
        assert entry is not None
        for seq in entry.explanation.events if entry.explanation else ():
            made_up.setdefault(seq, []).insert(0, slot)
        is_own = entry.type == lifecycle.LEFT_OUT and entry.params["seat"] == refused.draft.actor
        made_up_for = made_up.get(slot.number, ())
        if is_own and slot.broken is None:
            events = _match_skip(refused, slot.number, likeliest(before), entry.params["step"], made_up_for)
            if events is not None:
                seat = SEAT_IDS[refused.seat]
                explanation = Explanation("late_step" if is_apart else "swapped_steps", seat, events)
                yield 0.5, _explained_proposal(refused, explanation)
                return
        is_apart = is_apart or (is_action(slot) and entry.actor != refused.draft.actor)


def _match_skip(
    refused: RefusedAction, skip: int, table: State, step_id: str, made_up: Iterable[Slot]
) -> tuple[int, ...] | None:
    """Return `(skip,)` if the action is a late part of the skipped step; None if the action is not late.

    Return an empty tuple if the action is late, but not a part of the step. An example is an excavation that came
    before the skipped storm cards.

    Args:
        table: the table at which the step was skipped.
        made_up: the parts of the step that were already taken late.
    """
    for slot in made_up:
        after = refused.take(slot.entry, table)
        if after is None:
            return None
        table = after
    # Also try the current table: now another step may come first, such as a discard from a full hand.
    tables = (refused.with_turn_of(table), table)
    found = next((one for one in tables if one is not None and refused.is_legal(one, refused.seat)), None)
    if found is None:
        return None
    if refused.action.asks_chance:
        return (skip,) if refused.ruleset.step(step_id).is_part(type(refused.action)) else ()
    return (skip,) if _does(refused, step_id, found) else None


def _does(refused: RefusedAction, step_id: str, table: State) -> bool:
    """Return True if, from `table`, taking the action and skipping the step lead to the same turn and phase."""
    after = refused.take(refused.draft, table)
    skip = next((one for one in refused.ruleset.skips(table) if one.step.id == step_id), None)
    members = ("turn", "phase", "active")
    return skip is not None and all(getattr(after, one, None) == getattr(skip.state, one, None) for one in members)


def _other_player(refused: RefusedAction) -> Iterator[Found]:
    """Explain the action as another player's: the actor acted for that player, or was entered by mistake."""
    for seat in refused.others():
        if not refused.is_legal(refused.state, seat):
            continue
        by_hand = _by_hand(refused, seat)
        draft = refused.by(seat)
        if not refused.can_record(draft):
            yield 1.05, by_hand
            continue
        is_drawn = refused.action.asks_chance
        yield 1.05 if is_drawn else 1.4, by_hand
        yield (1.4 if is_drawn else 1.2), _by_mistake(refused, seat)
        break
    yield from _other_player_after_skip(refused)


def _other_player_after_skip(refused: RefusedAction) -> Iterator[Found]:
    """Explain two slips at once: a step was skipped, then the action was another player's."""
    is_drawn = refused.action.asks_chance
    for skip in omissions.skips(refused.ruleset, refused.state):
        for seat in refused.others():
            if refused.is_legal(skip.state, seat) and (is_drawn or not refused.is_legal(refused.state, seat)):
                second = _by_hand(refused, seat) if is_drawn else _by_mistake(refused, seat)
                first = SEAT_IDS[skip.seat]
                message = f"{skip.describe(refused.names)} {second.message}"
                drafts = (_skip(first, skip.step.id), *second.drafts)
                yield 2.05 if is_drawn else 2.4, Proposal("skipped_step", first, message, drafts)
                return


def _by_mistake(refused: RefusedAction, seat: int) -> Proposal:
    """Return the explanation that another seat acted, and that the actor was entered by mistake."""
    told = {"name": refused.name, "other": refused.names[seat], "action": refused.label}
    message = say("It was {other}, not {name}: {action}.", **told)
    return Proposal("wrong_player", SEAT_IDS[seat], message, (refused.by(seat),))


def _by_hand(refused: RefusedAction, seat: int) -> Proposal:
    return _explained_proposal(refused, Explanation("other_player", SEAT_IDS[refused.seat]), refused.by(seat))


def _too_many(refused: RefusedAction) -> Iterator[Found]:
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
        explanation = Explanation("one_too_many", SEAT_IDS[refused.seat])
        if is_swapped:
            explanation = Explanation("swapped_steps", SEAT_IDS[refused.seat], (slot.number,))
        is_again = entry.type == refused.draft.type and slot.number == refused.line[-1].number
        yield 0.9 if is_again else 1.1, _explained_proposal(refused, explanation)
        return


def _explained_proposal(refused: RefusedAction, explanation: Explanation, draft: Draft | None = None) -> Proposal:
    """Return the proposal to record the action with an explanation.

    Args:
        draft: the action, if another seat becomes its actor.
    """
    explained = msgspec.structs.replace(draft or refused.draft, explanation=explanation)
    actor, kind = SEAT_INDEX[explained.actor], type(refused.action)
    message = sentence(explanation, refused.names, actor, kind, refused.label)
    return Proposal(explanation.kind, explanation.seat, message, (explained,))
