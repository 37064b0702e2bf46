"""The places of a line: the times at which they were played, and the sentences about them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Event
from engine.core.values import SEAT_INDEX, State
from engine.play.beliefs.belief import likeliest
from engine.play.fold import History
from engine.play.line import Line, Slot
from engine.review import effects
from engine.review.changes import at_table
from engine.review.report import EventRef, Quote
from engine.review.turns import corrected_event, describe_entry, plainly
from engine.review.words import first_sentence


class Places:
    """Provides dates and sentences for the places of a line.

    Args:
        events: the whole log.
        line: the events in effect at its end.
    """

    def __init__(self, history: History, events: Sequence[Event], line: Line) -> None:
        self._rules, self._states, self._events, self._line = history.rules, history.states, events, line
        self._names_at = history.rules.header.names_at
        self._index = {slot.number: index for index, slot in enumerate(line)}

    def source(self, number: int) -> int:
        """Return the `seq` of the event that contains the current entry of a place."""
        return self._line[self._index[number]].source

    def rule_text(self, heading: str) -> str | None:
        """Return the rule under a heading as one sentence; None if the ruleset has none."""
        return self._rules.ruleset.rule_text(heading) or None

    def quote(self, number: int, message: str | None = None) -> Quote:
        """Return the event in a place with a sentence: `message`, or else the sentence about the action."""
        index = self._index[number]
        slot, before = self._line[index], self._before(index)
        turn = before.turn if before is not None else 0
        return Quote(number, turn, self._period(before), self._brief(slot) if message is None else message)

    def _number(self, state: State | None) -> int:
        assert state is not None
        number: int = getattr(likeliest(state), self._rules.ruleset.period)
        return number

    def _brief(self, slot: Slot) -> str:
        """Return a short text about an action: all sentences, the first sentence, or the action's name."""
        assert slot.entry is not None
        kind = self._rules.ruleset.kind(slot.entry.type)
        told, before = self._sentence(slot), self._before(self._index[slot.number])
        if kind is None or not kind.hidden_params:
            if len(told) <= effects.LONGEST:
                return told
            first = first_sentence(told, self._names_at(before))
            if len(first) <= effects.LONGEST:
                return first
        event = corrected_event(self._events[slot.source - 1], slot.number, slot.entry, before)
        return f"{plainly(self._rules, at_table(self._rules.header, before), event)}."

    def _sentence(self, slot: Slot) -> str:
        assert slot.entry is not None
        before = self._before(self._index[slot.number])
        event = corrected_event(self._events[slot.source - 1], slot.number, slot.entry, before)
        return describe_entry(self._rules, event, slot, before)

    def _name(self, state: State, seat: str) -> str:
        return self._names_at(state)[SEAT_INDEX[seat]]

    def _before(self, index: int) -> State | None:
        return self._line[index - 1].after if index else None

    def _place(self, slot: Slot, *, is_source: bool) -> EventRef:
        event = self._events[slot.source - 1]
        if is_source:
            state = self._states[event.seq - 1]
            return EventRef(event.seq, event.turn, self._period(state))
        before = self._before(self._index[slot.number])
        return EventRef(slot.number, before.turn if before is not None else event.turn, self._period(before))

    def _period(self, state: State | None) -> str:
        return self._rules.ruleset.period_of(likeliest(state))
