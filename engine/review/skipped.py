"""Sentences about a skipped step: the step due, the part taken later, and play after an unnoticed end."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import lifecycle
from engine.core.language import say
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.kit.steps import ENDING, DueStep
from engine.kit.words import counted
from engine.play.line import Entry, Line, Slot
from engine.review.words import listed


def count_due(ruleset: AnyRuleset, before: State, seat: int, step: str) -> int:
    """Return the number of cards of a step that were due at a table; 1 if the step is not to draw cards."""
    return next((skip.count for skip in ruleset.skips(before) if (skip.seat, skip.step.id) == (seat, step)), 1)


def made_up(line: Line, kinds: frozenset[str]) -> dict[int, list[Slot]]:
    """Return for each skipped step of a line the slots in which it was taken later.

    Args:
        kinds: the kinds of explanation with which an event counts as a skipped step taken later.
    """
    skipped = {slot.number for slot in line if is_skip(slot)}
    found: dict[int, list[Slot]] = {}
    for slot in line:
        explanation = slot.entry.explanation if slot.entry is not None else None
        if explanation and explanation.kind in kinds:
            for seq in skipped.intersection(explanation.events):
                found.setdefault(seq, []).append(slot)
    return found


def is_skip(slot: Slot) -> bool:
    """Return True if the place records a skipped step."""
    return slot.entry is not None and slot.entry.type == lifecycle.LEFT_OUT


def is_move(slot: Slot) -> bool:
    """Return True if the place is a player's action."""
    return slot.entry is not None and slot.entry.type not in lifecycle.KINDS


def is_unnoticed_end(entry: Entry) -> bool:
    """Return True if the entry records that nobody noticed the end of the game."""
    return entry.type == lifecycle.LEFT_OUT and bool(entry.params["step"] == ENDING.id)


def whole(step: DueStep, player: str, turns: int, count: int, *, is_swapped: bool) -> str:
    """Return the sentence about a step of which all cards were drawn, `turns` turns late or in the wrong order.

    Args:
        count: the number of its cards, if the step is to draw cards.
    """
    is_swapped = is_swapped or not turns
    if step.cards is None:
        what = step.of(player)
        if is_swapped:
            return say("Done in the wrong order: {step}.", step=what)
        return say("{step}: done {turns} late.", step=what, turns=counted(turns, "turn"))
    told = {"player": player, "cards": step.what(count)}
    if is_swapped:
        return say("{player} drew {cards} in the wrong order.", **told)
    return say("{player} drew {cards} {turns} late.", **told, turns=counted(turns, "turn"))


def in_part(ruleset: AnyRuleset, late: Sequence[Slot], turn: int, count: int) -> str:
    """Return the sentence about the cards that were drawn late, and those that were never drawn.

    Args:
        late: the slots of the cards drawn late.
        turn: the turn of the first of these slots.
        count: the number of cards due.
    """
    values = [value for slot in late if slot.entry is not None for value in slot.entry.outcomes if value is not None]
    names, rest = listed([ruleset.value_label(value) for value in values]) or say("unknown"), count - len(late)
    if len(late) == 1:
        drawn = say("Noticed in turn {turn}: one ({cards}) was drawn then", turn=turn, cards=names)
    else:
        drawn = say(
            "Noticed in turn {turn}: {count} ({cards}) were drawn from then on",
            turn=turn,
            count=len(late),
            cards=names,
        )
    never = say("the other never was") if rest == 1 else say("the other {count} never were", count=rest)
    return f"{drawn}; {never}."


def played_on(line: Line, index: int) -> tuple[int, int, int]:
    """Return the number of moves after an unnoticed end, the last turn, and the index of the slot with the end."""
    moves = [place for place, slot in enumerate(line[index + 1 :], index + 1) if is_move(slot)]
    last = line[moves[-1] - 1 if moves else index - 1].after
    assert last is not None
    ended = index - 1
    while ended > 0 and is_over(line[ended - 1].after):
        ended -= 1
    return len(moves), last.turn, ended


def is_over(state: State | None) -> bool:
    """Return True if the game has ended in this state."""
    return state is not None and state.outcome is not None
