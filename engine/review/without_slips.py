"""The game without its slips and changes by hand, as far as it is known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from engine.core import lifecycle
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import State
from engine.play.beliefs.belief import Belief
from engine.play.corrections.adjusting import changes
from engine.play.fold import History
from engine.play.line import Entry, Line, Slot
from engine.review import effects, skipped
from engine.review.places import Places

_LATE = frozenset({"late_step", "swapped_steps"})


class WithoutSlips(Places):
    """Replays a line without its slips and changes by hand.

    Args:
        events: the whole log.
        line: the events in effect at its end.
    """

    def __init__(self, history: History, events: Sequence[Event], line: Line) -> None:
        super().__init__(history, events, line)
        self._made_up = skipped.late_slots(line, _LATE)
        self._replays = effects.Replays(history.rules, line, self._index, self._sentence)

    def is_made_up(self, number: int) -> bool:
        """Return True if the event at this place is a skipped step, taken late. The audit reports only the skip."""
        return any(number == slot.number for slots in self._made_up.values() for slot in slots)

    @property
    def has_late_steps(self) -> bool:
        """True if a skipped step was taken late, by an illegal event."""
        judgements = (slot.judgement for slots in self._made_up.values() for slot in slots)
        return any(judgement is not None and judgement.verdict == "illegal" for judgement in judgements)

    def by_the_rules(self, marked: Collection[int]) -> Iterator[str]:
        """Describe the game without its slips and changes by hand.

        Args:
            marked: the numbers of the places that are slips.
        """
        end = self._line[-1].after if self._line else None
        if end is None or isinstance(end, Belief):
            return
        stopped, replayed = self._first_unknown(), self._without_slips(marked, self._made_up)
        if self._made_up and replayed is not None and (replayed.broken or replayed.stopped):
            # Other moves depend on when a late step was taken, so replay it at that time.
            replayed = self._without_slips(marked, {})
            replayed = replayed if replayed is not None and (replayed.broken or replayed.stopped) else None
        if replayed is not None and replayed.stopped is not None:
            places = (self._index[slot.number] for slot in (stopped, replayed.stopped) if slot is not None)
            stopped = self._line[min(places)]
        if stopped is not None:
            before = self._before(self._index[stopped.number])
            period = self._period(before)
            yield say("From {period} on, nobody knows how the game would have gone by the rules.", period=period)
            if replayed is not None and replayed.stopped is None and replayed.state.outcome not in {None, end.outcome}:
                yield self._ending(replayed.state, effects.WITH_RECORDED)
            elif end.outcome is not None and end.outcome.result != "abandoned":
                yield say("By the rules, the game may have ended differently.")
        elif replayed is not None:
            yield from effects.not_possible(replayed, effects.BY_THE_RULES)
            yield from self._compare_endings(replayed, end)

    @property
    def _basis(self) -> str:
        """The condition under which the game would have gone by the rules."""
        adjusts = (slot.entry for slot in self._line if slot.entry is not None and slot.entry.type == "adjust")
        return effects.WITHOUT_BOTH if any(changes(one.params) for one in adjusts) else effects.WITHOUT_SLIPS

    def _first_unknown(self) -> Slot | None:
        """Return the first skipped step whose results nobody knows; None if the game ends before it."""
        for index, slot in enumerate(self._line):
            if slot.entry is not None and skipped.is_unnoticed_end(slot.entry) and not skipped.is_obsolete(slot):
                return None
            if self._is_unknown(slot.entry) and self._draws(index).never:
                return slot
        return None

    def _without_slips(
        self, marked: Collection[int], made_up: Mapping[int, Sequence[Slot]]
    ) -> effects.ReplayedPart | None:
        """Replay the game without slips and changes by hand; None if there are none, or a table is unknown.

        Args:
            made_up: the late parts of skipped steps that move to the place of the step.
        """
        late = {slot.number for slots in made_up.values() for slot in slots}
        slots, first = list[Slot](), len(self._line)
        for index, slot in enumerate(self._line):
            entry, parts = slot.entry, [slot]
            if entry is None or slot.number in late:
                parts = []
            elif slot.number in made_up:
                parts = [skipped.in_time(one) for one in made_up[slot.number]]
            elif slot.number in marked or (entry.type == "adjust" and changes(entry.params)):
                parts = [] if self._is_known_without(entry) else parts
            if parts != [slot] or (entry is not None and skipped.is_unnoticed_end(entry)):
                first = min(first, index)
            slots += parts if index >= first else []
        state = self._before(first)
        is_by_the_rules = first == len(self._line) and not marked
        if is_by_the_rules or state is None or isinstance(state, Belief):
            return None
        return self._replays.of(state, slots)

    def _compare_endings(self, replayed: effects.ReplayedPart, end: State) -> Iterator[str]:
        state, outcome = replayed.state, replayed.state.outcome
        if outcome is not None and (outcome != end.outcome or state.turn != end.turn):
            yield self._ending(state, effects.BY_THE_RULES)
        elif outcome is not None and replayed.broken:
            yield say("With the moves that were possible, the game still ends in the same way.")
        elif outcome is not None:
            yield say("The result does not depend on a slip or on a change by hand.")
        elif end.outcome is not None:
            ruleset = self._rules.ruleset
            yield say(
                "At the table the game ended {when}: {ending} {basis}, the recorded moves do not end the game. Nobody "
                "knows how it would have ended.",
                basis=say(self._basis),
                when=ruleset.when(end),
                ending=ruleset.describe_ending(end, self._names_at(end)),
            )
        elif self._replays.is_same(state, end):
            yield say("By the rules, the game would have come to the same position at the end of the record.")
        elif not replayed.broken:
            facts = self._replays.differing(state, end)
            yield from effects.lasting(*facts, self._basis, is_told=False)

    def _ending(self, state: State, basis: str) -> str:
        ruleset = self._rules.ruleset
        ending = ruleset.describe_ending(state, self._names_at(state))
        told = {"basis": say(basis), "when": ruleset.when(state), "ending": ending}
        return say("{basis}, the game ends {when}: {ending}", **told)

    def _is_known_without(self, entry: Entry) -> bool:
        if entry.type == lifecycle.LEFT_OUT:
            is_made_up = any(self._line[self._index[number]].entry is entry for number in self._made_up)
            return not is_made_up and self._has_result(entry) and not self._is_unknown(entry)
        return not entry.explanation or entry.explanation.kind == "one_too_many"

    def _is_unknown(self, entry: Entry | None) -> bool:
        """Return True if the entry is a skipped step that needs a result, so that nobody can know the result."""
        if entry is None or entry.type != lifecycle.LEFT_OUT or skipped.is_unnoticed_end(entry):
            return False
        index = next(index for index, slot in enumerate(self._line) if slot.entry is entry)
        if skipped.is_obsolete(self._line[index]):
            return False
        before = self._before(index)
        assert before is not None
        overlooked = () if isinstance(before, Belief) else self._rules.ruleset.overlooks(before)
        return self._has_result(entry) and all(skip.step.id != entry.params["step"] for skip in overlooked)

    def _has_result(self, entry: Entry) -> bool:
        """Return False if the entry is a skipped step that changes nothing."""
        return entry.type != lifecycle.LEFT_OUT or self._rules.ruleset.step(entry.params["step"]).has_result

    def _draws(self, index: int) -> skipped.SkippedDraws:
        late = self._made_up.get(self._line[index].number, ())
        return skipped.draws(self._rules.ruleset, self._line, index, late)
