"""The account of a slip or a correction: what happened, what the rules require instead, and the effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.errors import DEFECTS
from engine.core.events import Event
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State
from engine.kit.facts import AnyFact, Tableau
from engine.play.beliefs.belief import Belief
from engine.play.corrections.adjusting import changes
from engine.play.fold import History
from engine.play.line import Entry, Line, Slot
from engine.review import effects, skipped
from engine.review.changes import at_table
from engine.review.report import EventRef, Finding, ShownFact
from engine.review.turns import as_it_reads, plainly, told_of
from engine.review.words import more

LONGEST = 120
"""Maximum length of a displayed fact or action: longer facts list a pile."""
MOST_ACCOUNTS = 40
"""Maximum number of findings whose effects are followed to the end of the game."""
MOST_PLAYED = 400
"""Maximum number of later events replayed for a finding."""
_LATE = frozenset({"late_step", "swapped_steps"})
_NO_PLAY = frozenset({lifecycle.GAME_CLOSED, "annotate"})


class Accounts:
    """Adds an account to each finding.

    Args:
        events: the whole log.
        line: the events in effect at its end.
    """

    def __init__(self, history: History, events: Sequence[Event], line: Line) -> None:
        self._rules, self._events, self._line = history.rules, events, line
        self._names_at = history.rules.header.names_at
        self._index = {slot.number: index for index, slot in enumerate(line)}
        self._made_up = skipped.made_up(line, _LATE)
        self._followed = 0
        self._told = set[str]()
        """The effects in accounts, which the game by the rules does not repeat."""

    def is_made_up(self, number: int) -> bool:
        """Return True if the event in this place is a skipped step taken later: only the skipped step is a finding."""
        return any(number == slot.number for slots in self._made_up.values() for slot in slots)

    @property
    def count_made_up(self) -> int:
        """The number of illegal events that are skipped steps taken later."""
        made_up = {slot.number: slot.judgement for slots in self._made_up.values() for slot in slots}
        return sum(judgement is not None and judgement.verdict == "illegal" for judgement in made_up.values())

    def of(self, finding: Finding) -> Finding:
        """Return a finding with its account."""
        index = self._index[finding.seq]
        slot, before = self._line[index], self._before(index)
        late = self._made_up.get(slot.number, ())
        finding = msgspec.structs.replace(finding, noticed_at=self._noticed(index, late))
        if before is None or slot.after is None or isinstance(before, Belief) or isinstance(slot.after, Belief):
            return finding
        entry = slot.entry
        assert entry is not None
        happened, expected = self._beside(index, before, slot.after)
        changed: Sequence[str] = ()
        if skipped.is_unnoticed_end(entry):
            moves, last, ended = skipped.played_on(self._line, index)
            message = f"{finding.message} {self._ended_by(self._line[ended], before)}"
            finding = msgspec.structs.replace(finding, message=message)
            happened = (ShownFact(say("Play went on until turn {turn}.", turn=last)),)
            changed = skipped.after_end(moves)
            self._told.add(self._ending(before))
        elif late:
            finding = self._done_late(finding, entry, before, late)
            changed = effects.cut([self._sentence(one) for one in late])
        elif self._is_by_other_hand(entry, before):
            assert entry.actor is not None
            assert entry.explanation
            by, message = entry.explanation.seat, say("Counted as: {told}", told=finding.told)
            said = {"told": finding.message, "message": message, "due": None}
            finding = msgspec.structs.replace(finding, actor=by, player=self._name(before, by), **said)
            changed = (effects.none(self._name(before, entry.actor)),)
        elif self._is_unknown(entry):
            finding = self._not_drawn(finding, entry, before)
        elif not self._has_result(entry):
            changed = (effects.none(self._name(before, entry.params["seat"])),)
        elif self._is_known_without(entry):
            self._followed += 1
            is_followed = self._followed <= MOST_ACCOUNTS
            changed = tuple(self._depended(index)) if is_followed else (effects.not_followed(MOST_ACCOUNTS),)
        self._told.update(changed)
        return msgspec.structs.replace(finding, happened=happened, expected=expected, changed=tuple(changed))

    def _noticed(self, index: int, late: Sequence[Slot]) -> EventRef | None:
        """Return the event at which a slip was noticed; None if the record does not show it."""
        slot = self._line[index]
        assert slot.entry is not None
        if late:
            return self._place(late[0], is_source=False)
        if self._events[slot.source - 1].type in lifecycle.REWRITING:
            return self._place(slot, is_source=True)
        if skipped.is_unnoticed_end(slot.entry):
            return None
        if slot.entry.type == lifecycle.LEFT_OUT:
            # A skipped step is recorded just before the first action after it.
            follower = next((one for one in self._line[index + 1 :] if not skipped.is_skip(one)), None)
            return self._place(slot if follower is None else follower, is_source=False)
        return self._place(slot, is_source=True)

    def _beside(self, index: int, before: State, after: State) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        """Return the facts at the table after a slip, and those by the rules."""
        entry = self._line[index].entry
        assert entry is not None
        if before.outcome is not None:
            ending = ShownFact(self._rules.ruleset.standing(before, self._names_at(before)))
            return self._differing(before, after)[0], (ending,)
        if self._is_by_other_hand(entry, before):
            return (), ()
        happened, expected = self._differing(before, after)
        if entry.type != lifecycle.LEFT_OUT:
            return happened, expected
        step = self._rules.ruleset.step(entry.params["step"])
        if any(skip.step == step for skip in self._rules.ruleset.overlooks(before)):
            # The table before the slip is the one by the rules: the effect is automatic.
            return happened, expected
        count, late = self._count_due(before, entry), self._made_up.get(self._line[index].number, ())
        instead = next((slot for slot in self._line[index + 1 :] if skipped.is_move(slot)), None)
        played = None if instead is None or instead in late else self._brief(instead)
        return skipped.beside(step, count, played, is_late=bool(late))

    def _is_by_other_hand(self, entry: Entry, before: State) -> bool:
        """Return True if another player took the action that the rules required of the actor: the table is the same."""
        explanation = entry.explanation or None
        if explanation is None or explanation.kind != "other_player" or explanation.seat == entry.actor:
            return False
        return self._rules.refused(before, entry) is None

    def _ended_by(self, slot: Slot, before: State) -> str:
        told = self._sentence(slot)
        assert slot.entry is not None
        if slot.entry.actor is None:
            return say("It ended in turn {turn}: “{told}”", turn=before.turn, told=told)
        name = self._name(before, slot.entry.actor)
        return say(
            "It ended in turn {turn} when this happened ({name}): “{told}”", turn=before.turn, name=name, told=told
        )

    def source(self, number: int) -> int:
        """Return the `seq` of the event that contains the current entry of a place."""
        return self._line[self._index[number]].source

    def adjustment(self, number: int) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...], tuple[str, ...]]:
        """Return the facts before and after an adjustment, and the sentences about its later effects."""
        index = self._index[number]
        before, after = self._before(index), self._line[index].after
        if before is None or after is None or isinstance(before, Belief) or isinstance(after, Belief):
            return (), (), ()
        now, was = self._differing(before, after, is_whole=True)
        changed = tuple(self._depended(index)) if now else ()
        self._told.update(changed)
        return was, now, changed

    def by_the_rules(self, marked: Collection[int]) -> tuple[str, ...]:
        """Describe the game without its slips and manual corrections, as far as no account does.

        Args:
            marked: the numbers of the places that are slips.
        """
        return tuple(one for one in self._by_the_rules(marked) if one not in self._told)

    def _by_the_rules(self, marked: Collection[int]) -> Iterator[str]:
        without = {
            slot.number
            for slot in self._line
            if slot.entry is not None
            and self._is_known_without(slot.entry)
            and (slot.number in marked or (slot.entry.type == "adjust" and changes(slot.entry.params)))
        }
        unknown = [number for number in marked if self._is_unknown(self._line[self._index[number]].entry)]
        if not without and not unknown:
            return
        if without:
            yield from self._played_without(without)
        if unknown:
            yield skipped.unknown(len(unknown))

    def _played_without(self, without: Collection[int]) -> Iterator[str]:
        first, end = min(self._index[number] for number in without), self._line[-1].after
        state = self._before(first)
        if state is None or end is None or isinstance(end, Belief) or isinstance(state, Belief):
            return
        replayed = self._replayed(state, [slot for slot in self._line[first:] if slot.number not in without])
        yield from effects.not_possible(replayed)
        yield from self._ended(replayed, end)

    def _ended(self, replayed: effects.Replayed, end: State) -> Iterator[str]:
        """Compare the end of the game without its slips with its end at the table."""
        state, outcome = replayed.state, replayed.state.outcome
        if outcome is not None and (outcome != end.outcome or state.turn != end.turn):
            yield self._ending(state)
        elif outcome is not None and replayed.broken:
            yield say("With the moves that were possible, the game still ends in the same way.")
        elif outcome is not None:
            yield say("The result does not depend on a slip or on a correction.")
        elif end.outcome is not None:
            yield say(
                "Without the slips and corrections, the recorded moves do not end the game. "
                "Nobody can know how it would have ended."
            )
        elif not (replayed.broken or replayed.owed or effects.independent() in self._told):
            yield say("By the rules, everything played later was possible too.")

    def _replayed(self, state: State, slots: Sequence[Slot], *, is_one_slip: bool = False) -> effects.Replayed:
        """Replay slots from another table until the game ends, or a result is impossible and nobody knows the real one.

        Args:
            is_one_slip: True to stop as soon as the table equals the recorded one.
        """
        broken = list[str]()
        for index, slot in enumerate(slots):
            before = self._before(self._index[slot.number])
            if state.outcome is not None or (is_one_slip and state == before):
                return effects.Replayed(state, broken)
            if slot.entry is None or slot.entry.type in _NO_PLAY:
                continue
            after, judgement, broke = self._rules.replay(
                state, slot.entry, slot.number, sound_only=True, keeps_turn=slot.keeps_turn
            )
            assert after is not None
            is_broken = judgement is not None and slot.judgement is None
            if is_broken:
                assert before is not None
                owed = self._owed(state, slot.entry)
                if owed is not None:
                    return effects.Replayed(state, broken, sum(map(skipped.is_move, slots[index:])), owed=owed)
                broken.append(say("Turn {turn}: {told}", turn=before.turn, told=self._sentence(slot)))
                if broke == "outcome_impossible":
                    return effects.Replayed(state, broken, sum(map(skipped.is_move, slots[index + 1 :])))
            if not (is_broken and after.outcome is not None):
                # An action that was impossible does not end the game, either.
                state = after
        return effects.Replayed(state, broken, is_open=state.outcome is None)

    def _owed(self, state: State, entry: Entry) -> str | None:
        """Return a sentence about a step that must be taken before the action is legal; None if there is none."""
        missing = self._rules.left_out(state, entry)
        if missing is None:
            return None
        first, names = missing.left_out[0], self._names_at(state)
        step, seat = self._rules.ruleset.step(first.step), SEAT_INDEX[first.seat]
        count = skipped.count_due(self._rules.ruleset, state, seat, first.step)
        return say("By the rules {player} still had this to do: {what}.", player=names[seat], what=step.what(count))

    def _ending(self, state: State) -> str:
        ending = self._rules.ruleset.standing(state, self._names_at(state))
        return say("By the rules the game ends in turn {turn}: {ending}", turn=state.turn, ending=ending)

    def _is_known_without(self, entry: Entry) -> bool:
        """Return True if the table without this entry is known."""
        if entry.type == lifecycle.LEFT_OUT:
            is_made_up = any(self._line[self._index[number]].entry is entry for number in self._made_up)
            return not is_made_up and self._has_result(entry) and not self._is_unknown(entry)
        return not entry.explanation or entry.explanation.kind == "one_too_many"

    def _is_unknown(self, entry: Entry | None) -> bool:
        """Return True if the entry is a skipped step that needs a result: nobody can know the result."""
        if entry is None or entry.type != lifecycle.LEFT_OUT or skipped.is_unnoticed_end(entry):
            return False
        index = next(index for index, slot in enumerate(self._line) if slot.entry is entry)
        before, number = self._before(index), self._line[index].number
        assert before is not None
        if number in self._made_up:
            return not isinstance(before, Belief) and self._count_never(entry, before, self._made_up[number]) > 0
        overlooked = () if isinstance(before, Belief) else self._rules.ruleset.overlooks(before)
        return self._has_result(entry) and all(skip.step.id != entry.params["step"] for skip in overlooked)

    def _has_result(self, entry: Entry) -> bool:
        """Return False if it is a skipped step that changes nothing."""
        return entry.type != lifecycle.LEFT_OUT or self._rules.ruleset.step(entry.params["step"]).has_result

    def _depended(self, index: int) -> Iterator[str]:
        """Describe the later differences if the place at `index` were empty."""
        state = self._before(index)
        assert state is not None
        later = self._line[index + 1 : index + 1 + MOST_PLAYED]
        replayed, end = self._replayed(state, later, is_one_slip=True), self._line[-1].after
        state = replayed.state
        yield from effects.not_possible(replayed)
        if state.outcome is not None and end is not None and (state.outcome, state.turn) != (end.outcome, end.turn):
            yield self._ending(state)
        elif len(later) < len(self._line) - index - 1 and replayed.is_open:
            yield say("Only the next {count} events were checked for effects.", count=MOST_PLAYED)
        elif not (replayed.broken or replayed.owed):
            yield effects.independent()

    def _count_due(self, before: State, entry: Entry) -> int:
        return skipped.count_due(self._rules.ruleset, before, SEAT_INDEX[entry.params["seat"]], entry.params["step"])

    def _count_never(self, entry: Entry, before: State, late: Sequence[Slot]) -> int:
        """Return the number of cards of a skipped step that were never drawn, although others were drawn later."""
        return max(0, self._count_due(before, entry) - len(late))

    def _not_drawn(self, finding: Finding, entry: Entry, before: State) -> Finding:
        """Return the finding on a skipped step, with the sentence about the cards that were not drawn."""
        step = self._rules.ruleset.step(entry.params["step"])
        if step.cards is None:
            return finding
        name = self._name(before, entry.params["seat"])
        told = step.not_drawn(name, self._count_due(before, entry))
        return msgspec.structs.replace(finding, told=told, message=told)

    def _done_late(self, finding: Finding, entry: Entry, before: State, late: Sequence[Slot]) -> Finding:
        """Return the finding on a skipped step with the sentences on what was made up for at these places."""
        name = self._name(before, entry.params["seat"])
        step, never = self._rules.ruleset.step(entry.params["step"]), self._count_never(entry, before, late)
        assert late[0].entry is not None
        explanation = late[0].entry.explanation or None
        is_swapped = explanation is not None and explanation.kind == "swapped_steps"
        first, last = (self._place(one, is_source=False).turn - before.turn for one in (late[0], late[-1]))
        turns = (0, 0) if is_swapped else (first, last)
        told = skipped.done_late(step, name, turns, len(late), len(late) + never)
        message = f"{told} {skipped.never_done(name, never)}" if never else told
        return msgspec.structs.replace(finding, told=told, message=message)

    def _brief(self, slot: Slot) -> str:
        """Return the sentence about an action, or its name if that is long or hidden."""
        assert slot.entry is not None
        kind = self._rules.ruleset.kind(slot.entry.type)
        told = self._sentence(slot)
        if len(told) <= LONGEST and not (kind is not None and kind.hidden_params):
            return told
        before = self._before(self._index[slot.number])
        event = as_it_reads(self._events[slot.source - 1], slot.number, slot.entry, before)
        return f"{plainly(self._rules, at_table(self._rules.header, before), event)}."

    def _sentence(self, slot: Slot) -> str:
        assert slot.entry is not None
        before = self._before(self._index[slot.number])
        event = as_it_reads(self._events[slot.source - 1], slot.number, slot.entry, before)
        return told_of(self._rules, event, slot, before)

    def _name(self, state: State, seat: str) -> str:
        return self._names_at(state)[SEAT_INDEX[seat]]

    def _before(self, index: int) -> State | None:
        return self._line[index - 1].after if index else None

    def _place(self, slot: Slot, *, is_source: bool) -> EventRef:
        event = self._events[slot.source - 1]
        if is_source:
            return EventRef(event.seq, event.turn)
        before = self._before(self._index[slot.number])
        return EventRef(slot.number, before.turn if before is not None else event.turn)

    def _differing(
        self, before: State, after: State, *, is_whole: bool = False
    ) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        """Return the facts that are true only after a change, and the facts that they replace.

        Args:
            is_whole: True to include whose turn it is, and the rest of that turn.
        """
        fields = () if is_whole else self._rules.ruleset.turn_fields
        after = msgspec.structs.replace(after, **{name: getattr(before, name) for name in fields})
        return self._shown(before, after)

    def _shown(self, before: State, after: State) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        kinds, names = self._rules.ruleset.facts, self._names_at(before)
        try:
            tables = Tableau(kinds, before), Tableau(kinds, after)
            now = tables[0].changes(tables[1])
            was = [fact for fact in map(tables[0].now, now) if fact is not None]
        except DEFECTS:
            # Rules can fail on a table that they did not produce.
            return (), ()
        # Kinds with few changed facts come first: they are more informative than many facts, or the order of a pile.
        kinds_changed = Counter(type(fact) for fact in now)
        before_ = {fact.subject: fact for fact in was}
        long = {fact.subject for fact in (*now, *was) if len(fact.sentence(names)) > LONGEST}
        told = {fact.subject: fact for fact in now if fact.subject not in long}
        subjects = sorted(told, key=lambda one: kinds_changed[type(told[one])])
        # One fact takes no more room than the sentence that there is one more.
        count = effects.MOST_FACTS if len(subjects) > effects.MOST_FACTS + 1 else len(subjects)
        sides = [told[one] for one in subjects], [before_[one] for one in subjects if one in before_]
        now_, was_ = (
            (*(shown(fact, names) for fact in side[:count]), *map(ShownFact, more(len(side[count:])))) for side in sides
        )
        return now_, was_


def shown(fact: AnyFact, names: Sequence[str]) -> ShownFact:
    """Return a fact as a reader sees it."""
    about = next((value for value in fact.subject[1] if isinstance(value, str) and value not in SEAT_INDEX), None)
    numbers = [getattr(fact, field) for field in fact.__struct_fields__ if field not in fact.about]
    number = next((value for value in numbers if isinstance(value, int) and not isinstance(value, bool)), None)
    return ShownFact(fact.sentence(names), about, number)
