"""Sentences about skipped steps: the step that was due, the parts taken later, and play after an unnoticed end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from engine.core import lifecycle
from engine.core.events import Explanation
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State
from engine.kit.ruleset import AnyRuleset
from engine.kit.steps import ENDING, DueStep
from engine.kit.words import counted
from engine.play.beliefs.belief import likeliest
from engine.play.line import Entry, Line, Slot
from engine.review.report import ShownFact
from engine.review.words import first_sentence


def due_at(ruleset: AnyRuleset, before: State, seat: int, step: str) -> tuple[DueStep, int]:
    """Return a step that was due at a table, and the number of cards to draw in it; 1 if the step draws no cards."""
    found = (skip for skip in ruleset.skips(before) if (skip.seat, skip.step.id) == (seat, step))
    return next(((skip.step, skip.count) for skip in found), (ruleset.step(step), 1))


def late_slots(line: Line, kinds: frozenset[str]) -> dict[int, list[Slot]]:
    """Return, for each skipped step of a line, the slots in which the step was taken later.

    Args:
        kinds: kinds of explanation. An event with one of these kinds counts as a skipped step that was taken later.
    """
    skipped = {slot.number for slot in line if is_skip(slot) and not is_obsolete(slot)}
    found: dict[int, list[Slot]] = {}
    for slot in line:
        explanation = slot.entry.explanation if slot.entry is not None else None
        if explanation and explanation.kind in kinds:
            for seq in skipped.intersection(explanation.events):
                found.setdefault(seq, []).append(slot)
    return found


def is_swapped(late: Sequence[Slot]) -> bool:
    """Return True if a step was taken late, but in the same turn, after the next action of its player."""
    explanation = late[0].entry.explanation if late and late[0].entry is not None else None
    return isinstance(explanation, Explanation) and explanation.kind == "swapped_steps"


def is_skip(slot: Slot) -> bool:
    """Return True if the place records a skipped step."""
    return slot.entry is not None and slot.entry.type == lifecycle.LEFT_OUT


def is_obsolete(slot: Slot) -> bool:
    """Return True if the place records a skipped step that was not due any more after a correction."""
    return is_skip(slot) and slot.judgement is not None and not slot.judgement.has_effect


def is_move(slot: Slot) -> bool:
    """Return True if the place is a player's action."""
    return slot.entry is not None and slot.entry.type not in lifecycle.KINDS


def is_unnoticed_end(entry: Entry) -> bool:
    """Return True if the entry records that nobody noticed the end of the game."""
    return entry.type == lifecycle.LEFT_OUT and bool(entry.params["step"] == ENDING.id)


def draws(ruleset: AnyRuleset, line: Line, index: int, late: Sequence[Slot]) -> SkippedDraws:
    """Return the skipped step at a place, with the number of its cards that were drawn in time and late.

    Args:
        late: the places in which the player took the step late. Actions that draw no card of the step do not count.
    """
    entry, states = line[index].entry, _turn(line, index)
    assert entry is not None
    seat, id_ = SEAT_INDEX[entry.params["seat"]], entry.params["step"]
    step, left = due_at(ruleset, states[-1], seat, id_)
    # The cards that were drawn in time were still due earlier in the turn.
    due = max(due_at(ruleset, state, seat, id_)[1] for state in states)
    drawn = sum(step.cards is None or draws_card(ruleset, one, step) for one in late)
    return SkippedDraws(step, due, due - left, drawn)


def draws_card(ruleset: AnyRuleset, slot: Slot, step: DueStep) -> bool:
    """Return True if the step consists of drawing cards, and the event at this place draws one."""
    kind = None if slot.entry is None else ruleset.kind(slot.entry.type)
    return kind is not None and kind.asks_chance and step.is_part(kind)


def repeated_step(ruleset: AnyRuleset, line: Line, index: int) -> tuple[DueStep | None, list[State]]:
    """Return the step that an action repeats, and the tables at which the step was already taken this turn.

    The step is None if the action repeats no step.
    """
    entry, now = line[index].entry, likeliest(line[index - 1].after)
    assert entry is not None
    kind, seat = ruleset.kind(entry.type), SEAT_INDEX[entry.actor]
    alike = [
        likeliest(place.after)
        for place, slot in pairwise(line[:index])
        if slot.entry is not None and (slot.entry.type, slot.entry.actor) == (entry.type, entry.actor)
    ]
    # The last card of a turn begins the turn of the next player.
    first = now.turn - (ruleset.active(now) != seat)
    alike = [state for state in alike if state.turn == max(first, alike[-1].turn)]
    if not alike or kind is None or not kind.asks_chance:
        return None, alike
    return next((skip.step for skip in ruleset.skips(alike[-1]) if skip.seat == seat), None), alike


def one_more(
    step: DueStep | None, count: int, player: str, when: str, told: str
) -> tuple[ShownFact, tuple[ShownFact, ...]]:
    """Return the fact about an action that repeats a step, and the fact about what the rules allowed.

    Args:
        count: how often the step was taken before.
        when: the time at which the step was taken before: 'in turn 7'.
        told: the sentence about the action.
    """
    if step is None:
        return ShownFact(say("“{told}”", told=told)), ()
    if step.cards is None:
        allowed = say("There is no second {step}.", step=say(step.name))
        return ShownFact(say("“{told}”", told=told)), (ShownFact(allowed),)
    drawn = say("{player} drew {cards}. The last one: “{told}”", player=player, cards=step.what(count + 1), told=told)
    allowed = say("{player} had to draw {cards}, {when}.", player=player, cards=step.what(count), when=when)
    return ShownFact(drawn, number=count + 1), (ShownFact(allowed, number=count),)


def moment(label: str, told: str, when: str | None) -> str:
    """Return a quotation of the sentence about an action after a skipped step.

    Args:
        when: the time of the action, if it is in a later turn: 'in turn 7'.
    """
    if when is None:
        return say("{label}: “{told}”", label=label, told=told)
    return say("{label}, {when}: “{told}”", label=label, when=when, told=told)


def in_time(slot: Slot) -> Slot:
    """Return the slot of a step that was taken late, changed as if the step had been taken in time."""
    assert slot.entry is not None
    entry = msgspec.structs.replace(slot.entry, explanation=msgspec.UNSET)  # type: ignore[type-var]  # a Draft or Event
    return msgspec.structs.replace(slot, entry=entry, judgement=None)


def describe_action(ruleset: AnyRuleset, table: State, entry: Entry, names: Sequence[str], longest: int) -> str | None:
    """Return the sentence about an action, as if taken when it was due; None if it was illegal then, too.

    Args:
        longest: maximum length of the text; only the first sentence of a longer text is returned.
    """
    action, seat = ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
    outcomes = [value for value in entry.outcomes if value is not None]
    is_clear = action.refusal(table, seat) is None and len(outcomes) == len(entry.outcomes)
    told: str | None = action.describe(table, seat, outcomes, names) if is_clear else None
    # The text of an effect can be a whole story.
    return told if told is None or len(told) <= longest else first_sentence(told, names)


def _turn(line: Line, index: int) -> list[State]:
    tables = [likeliest(slot.after) for slot in line[:index] if slot.after is not None]
    return [state for state in tables if state.turn == tables[-1].turn]


class SkippedDraws(msgspec.Struct, frozen=True):
    """A skipped step, and the number of its cards that were drawn in time and late."""

    step: DueStep
    due: int
    """The number of cards to draw in the step; 1 if the step draws no cards."""
    in_time: int
    """The number of cards that the player drew before skipping the rest."""
    late: int

    @property
    def never(self) -> int:
        """The number of cards that were never drawn."""
        return max(0, self.due - self.in_time - self.late)

    def describe(self, player: str, turns: Sequence[int], period: str = "turn") -> str:
        """Return the sentence about the player who skipped the step.

        Args:
            turns: the delay of the first and the last part of the step, in turns; empty if no part was taken.
            period: 'round' if the players count rounds instead of turns.
        """
        first, last = turns or (0, 0)
        told = {"player": player, "turns": counted(last, "round") if period == "round" else counted(last, "turn")}
        if self.step.cards is None:
            told["step"] = say(self.step.name)
            if last:
                return say("{player}'s {step} came {turns} late.", **told)
            return say("{player}'s {step} came too late.", **told)
        what = self.step.what(self.due)
        told |= {"cards": what, "late": str(self.late), "count": str(self.in_time + self.late)}
        if self.never and self.late:
            if not self.in_time:
                return say("{player} drew only {late} of the {cards}, and even that too late.", **told)
            return say("{player} drew only {count} of the {cards}, {late} of them too late.", **told)
        if self.never:
            return self._never(player)
        told["cards"] = what if self.late == self.due else say("{count} of the {cards}", count=self.late, cards=what)
        if not last:
            return say("{player} drew {cards} too late.", **told)
        if first != last:
            return say("{player} drew {cards} up to {turns} late.", **told)
        return say("{player} drew {cards} {turns} late.", **told)

    def _never(self, player: str) -> str:
        if not self.in_time:
            return self.step.not_drawn(player, self.due)
        told = {"count": self.in_time, "cards": self.step.what(self.due)}
        return say("{player} drew only {count} of the {cards}.", player=player, **told)

    def compare_facts(
        self, player: str, around: Sequence[str | None], late: Sequence[str]
    ) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        """Return the facts at the table, and the facts by the rules.

        Args:
            around: the sentences about the action before the step and the next action; None if there is none.
            late: the sentences about the parts of the step that were taken later.
        """
        what, is_cards = self.step.what(self.due), self.step.cards is not None
        preceding, following = around
        happened = [ShownFact(one) for one in (None if is_cards else preceding, following, *late) if one is not None]
        if is_cards:
            if self.never == self.due:
                drawn = self.step.not_drawn(player, self.due)
            else:
                drawn = say("{player} drew {count} of {cards} in time.", player=player, count=self.in_time, cards=what)
            happened.insert(0, ShownFact(drawn, number=self.in_time))
        due = f"{self.step.due(player, self.due)}."
        if following is not None:
            due += " " + say("Only then could the game go on.")
        return tuple(happened), (ShownFact(due, number=self.due if is_cards else None),)

    def without(self, later: int) -> str:
        """Return the sentence about the part of a step that was never taken, and whose result is therefore unknown.

        Args:
            later: the number of moves after the skipped step.
        """
        moves = say("{moves} followed without it, up to the end of the record.", moves=counted(later, "later move"))
        if self.step.cards is None:
            told = say("This step was not made up for later.")
        elif self.never == 1:
            told = say("The missing card was never drawn.")
        else:
            told = say("The {count} missing cards were never drawn.", count=self.never)
            moves = say(
                "{moves} followed without them, up to the end of the record.", moves=counted(later, "later move")
            )
        return f"{told} {moves}" if later else told


def moves_after_end(line: Line, index: int) -> tuple[list[Slot], int]:
    """Return the moves after an unnoticed end, and the index of the slot with the end."""
    ended = index - 1
    while ended > 0 and (before := line[ended - 1].after) is not None and before.outcome is not None:
        ended -= 1
    return [slot for slot in line[index + 1 :] if is_move(slot)], ended


def nobody_knows() -> str:
    """Return the sentence that the game by the rules is unknown from here on."""
    return say("Nobody can know how the game would have gone on otherwise.")
