"""Sentences about a skipped step: the step due, the part taken later, and play after an unnoticed end."""

from __future__ import annotations

from engine.core import lifecycle
from engine.core.language import say
from engine.core.values import State
from engine.kit.ruleset import AnyRuleset
from engine.kit.steps import ENDING, DueStep
from engine.kit.words import counted
from engine.play.line import Entry, Line, Slot
from engine.review.report import ShownFact


def count_due(ruleset: AnyRuleset, before: State, seat: int, step: str) -> int:
    """Return the number of cards of a step that were due at a table; 1 if the step draws no cards."""
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


def beside(
    step: DueStep, count: int, played: str | None, *, is_late: bool
) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
    """Return what was played before or instead of a step, and what the rules required.

    Args:
        count: the number of its cards, if it draws cards.
        played: the sentence about the next action; None if there is none.
        is_late: True if the step was done after that.
    """
    what, number = step.what(count), None if step.cards is None else count
    due = say("Due first: {what}.", what=what) if is_late else say("Due: {what}.", what=what)
    if played is None:
        return (), (ShownFact(due, number=number),)
    told = say("Played first: {told}", told=played) if is_late else say("Played instead: {told}", told=played)
    return (ShownFact(told),), (ShownFact(due, number=number),)


def done_late(step: DueStep, player: str, turns: tuple[int, int], count: int, due: int) -> str:
    """Return the sentence about a step that was done late, or in the wrong order.

    Args:
        turns: how many turns late its first and its last part were done; 0 if only their order was wrong.
        count: the number of cards that were drawn late, if the step draws cards.
        due: the number of cards that were due.
    """
    first, last = turns
    told = {"player": player, "turns": counted(last, "turn")}
    if step.cards is None:
        told["step"] = say(step.name)
        if not last:
            return say("{player} did this in the wrong order: {step}.", **told)
        return say("{player} did this {turns} late: {step}.", **told)
    cards = step.what(due)
    told["cards"] = cards if count == due else say("{count} of the {cards}", count=count, cards=cards)
    if not last:
        return say("{player} drew {cards} in the wrong order.", **told)
    if first != last:
        return say("{player} drew {cards} up to {turns} late.", **told)
    return say("{player} drew {cards} {turns} late.", **told)


def never_done(player: str, count: int) -> str:
    """Return the sentence about the rest of the cards, which were not drawn late, either."""
    if count == 1:
        return say("{player} did not draw the other one.", player=player)
    return say("{player} did not draw the other {count}.", player=player, count=count)


def unknown(count: int) -> str:
    """Return the sentence about skipped steps whose results nobody can know."""
    if count == 1:
        return say("Nobody can know what the skipped step would have led to.")
    return say("Nobody can know what the skipped steps would have led to.")


def played_on(line: Line, index: int) -> tuple[int, int, int]:
    """Return the number of moves after an unnoticed end, the last turn, and the index of the slot with the end."""
    moves = [place for place, slot in enumerate(line[index + 1 :], index + 1) if is_move(slot)]
    last = line[moves[-1] - 1 if moves else index - 1].after
    assert last is not None
    ended = index - 1
    while ended > 0 and is_over(line[ended - 1].after):
        ended -= 1
    return len(moves), last.turn, ended


def after_end(moves: int) -> list[str]:
    """Return the sentence about the moves after an end that nobody noticed; none if there are none."""
    events = counted(moves, "event")
    told = say("Played after it: {events}, judged and counted as if the game had not ended.", events=events)
    return [told] if moves else []


def is_over(state: State | None) -> bool:
    """Return True if the game has ended in this state."""
    return state is not None and state.outcome is not None
