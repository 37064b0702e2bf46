"""Sentences about a skipped step: what was due, what was made up for later, and play after an unnoticed end."""

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
    """Return the number of cards of a step that were due at a table; 1 if it is not to draw cards."""
    return next((skip.count for skip in ruleset.skips(before) if (skip.seat, skip.step.id) == (seat, step)), 1)


def made_up(line: Line, kinds: frozenset[str]) -> dict[int, list[Slot]]:
    """Return for each skipped step of a line the places that make up for it.

    Args:
        kinds: the kinds of explanation that do.
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
    """Return True if nobody noticed an ending there."""
    return entry.type == lifecycle.LEFT_OUT and bool(entry.params["step"] == ENDING.id)


def whole(step: DueStep, player: str, turns: int, count: int, *, is_swapped: bool) -> str:
    """Return the sentence about a step that was done as a whole, `turns` turns late or in the wrong order.

    Args:
        count: the number of its cards, if it is to draw cards.
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
    """Return the sentence about cards that were drawn late, and those that never were.

    Args:
        late: the places of those drawn late.
        turn: of the first of them.
        count: how many were due.
    """
    values = [value for slot in late if slot.entry is not None for value in slot.entry.outcomes if value is not None]
    names, rest = listed([ruleset.value_label(value) for value in values]) or say("unknown"), count - len(late)
    if len(late) == 1:
        drawn = say("Noticed in turn {turn}, when one of them ({cards}) was drawn", turn=turn, cards=names)
    else:
        drawn = say(
            "Noticed in turn {turn}: {count} of them ({cards}) were drawn from that turn on",
            turn=turn,
            count=len(late),
            cards=names,
        )
    never = say("the other never was") if rest == 1 else say("the other {count} never were", count=rest)
    return f"{drawn}; {never}."


def played_on(line: Line, index: int) -> tuple[int, int, int]:
    """Return how many moves follow an unnoticed end, the last turn, and the index of the place that ended the game."""
    moves = [place for place, slot in enumerate(line[index + 1 :], index + 1) if is_move(slot)]
    last = line[moves[-1] - 1 if moves else index - 1].after
    assert last is not None
    ended = index - 1
    while ended > 0 and is_over(line[ended - 1].after):
        ended -= 1
    return len(moves), last.turn, ended


def is_over(state: State | None) -> bool:
    """Return True if the game has ended there."""
    return state is not None and state.outcome is not None
