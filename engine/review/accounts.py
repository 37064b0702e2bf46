"""The account of a slip or a correction: what happened, what the rules require instead, and the effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.language import say
from engine.core.values import SEAT_INDEX, State
from engine.kit.words import counted
from engine.play.beliefs.belief import Belief, likeliest
from engine.play.line import Entry, Slot
from engine.review import effects, skipped
from engine.review.report import EventRef, Finding, ShownFact
from engine.review.without_slips import WithoutSlips

MOST_ACCOUNTS = 40
"""Maximum number of findings whose effects are followed to the end of the game."""
MOST_MOVED = 2
"""If a late step moves to its right time, up to this many of the actions after it move with the step."""
MOST_PLAYED = 400
"""Maximum number of later events that are replayed for one finding."""


class Accounts(WithoutSlips):
    """Adds an account to each finding."""

    _followed = 0
    """The number of findings whose effects were followed."""

    def of(self, finding: Finding) -> Finding:
        """Return a finding with its account."""
        index = self._index[finding.seq]
        slot, before = self._line[index], self._before(index)
        late = self._made_up.get(slot.number, ())
        finding = msgspec.structs.replace(finding, noticed_at=self._noticing_event(index, late))
        if before is None or slot.after is None or isinstance(before, Belief) or isinstance(slot.after, Belief):
            return finding
        entry = slot.entry
        assert entry is not None
        happened, expected = self._compare_facts(index, before, slot.after)
        changed: Sequence[str] = ()
        if entry.explanation and entry.explanation.kind == "one_too_many":
            finding = self._once_more(finding, index)
        if skipped.is_unnoticed_end(entry) and not skipped.is_obsolete(slot):
            moves, ended = skipped.moves_after_end(self._line, index)
            message = f"{finding.message} {self._ending_sentence(self._line[ended], before)}"
            last = self._place(moves[-1], is_source=False) if moves else None
            finding = msgspec.structs.replace(finding, message=message, played_until=last)
            happened = tuple(map(ShownFact, (say("Play went on."), *map(self._until, moves[-1:]))))
            changed = [*_after_end(len(moves)), *self._end_recorded()]
        elif late or self._is_unknown(entry):
            finding = self._not_in_time(finding, index, late)
            changed = tuple(self._in_time(index, late))
        elif self._is_by_other_hand(entry, before):
            finding, changed = self._by_other_hand(finding, before, slot)
        elif not self._has_result(entry):
            changed = (_no_effect(self._name(before, entry.params["seat"])),)
        elif self._is_known_without(entry):
            changed = (*self._describe_difference(before, index, effects.BY_THE_RULES), *self._later_draws(index))
        return msgspec.structs.replace(finding, happened=happened, expected=expected, changed=tuple(changed))

    def _noticing_event(self, index: int, late: Sequence[Slot]) -> EventRef | None:
        """Return the event at which a slip was noticed; None if no event shows that."""
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

    def _compare_facts(
        self, index: int, before: State, after: State
    ) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        """Return the facts that a slip changed: as they were at the table, and as they would be by the rules."""
        entry = self._line[index].entry
        assert entry is not None
        if before.outcome is not None:
            ending = ShownFact(self._rules.ruleset.describe_ending(before, self._names_at(before)))
            return self._replays.differing(before, after)[0], (ending,)
        if self._is_by_other_hand(entry, before):
            assert entry.actor is not None
            assert entry.explanation
            by, name = (self._name(before, seat) for seat in (entry.explanation.seat, entry.actor))
            told = say("“{told}” But it was {player} who did this.", player=by, told=self._brief(self._line[index]))
            return (ShownFact(told),), (ShownFact(say("{player} had to do it.", player=name)),)
        happened, expected = self._replays.differing(before, after)
        if entry.explanation and entry.explanation.kind == "one_too_many":
            ruleset = self._rules.ruleset
            step, turns = skipped.repeated_step(ruleset, self._line, index)
            name = self._name(before, str(entry.actor))
            when = ruleset.when(turns[-1]) if turns else ""
            more, allowed = skipped.one_more(step, len(turns), name, when, self._brief(self._line[index]))
            return (more, *happened), (*allowed, *expected)
        if entry.type != lifecycle.LEFT_OUT or skipped.is_obsolete(self._line[index]):
            return happened, expected
        if any(skip.step.id == entry.params["step"] for skip in self._rules.ruleset.overlooks(before)):
            # The missed effect is automatic, so by the rules, the table before the slip is correct.
            return happened, expected
        late = self._made_up.get(self._line[index].number, ())
        following = next((slot for slot in self._line[index + 1 :] if skipped.is_move(slot)), None)
        draws = self._draws(index)
        next_: str | None = None
        is_order = bool(late) and draws.step.cards is None
        if following is not None and following not in late:
            next_ = self._when(say("First came") if is_order else say("Next came"), following, before)
        preceding = next((slot for slot in reversed(self._line[:index]) if skipped.is_move(slot)), None)
        last = None if preceding is None else self._when(say("Just before"), preceding, before)
        label, as_of = (say("Then came"), before) if is_order else (say("Came late"), None)
        name = self._name(before, entry.params["seat"])
        return draws.compare_facts(
            name, (last, next_), effects.cut([self._when(label, one, before, as_of) for one in late])
        )

    def _is_by_other_hand(self, entry: Entry, before: State) -> bool:
        """Return True if another player took the action that the rules required of the actor, with the same effect."""
        explanation = entry.explanation or None
        if explanation is None or explanation.kind != "other_player" or explanation.seat == entry.actor:
            return False
        return self._rules.find_refusal(before, entry) is None

    def _ending_sentence(self, slot: Slot, before: State) -> str:
        name = self._names_at(before)[self._rules.ruleset.active(before)]
        told = {"when": self._rules.ruleset.when(before), "name": name, "told": self._sentence(slot)}
        return say("It ended {when} ({name}'s turn): “{told}”", **told)

    def _until(self, slot: Slot) -> str:
        period = self._place(slot, is_source=False).period
        return say("The last move was made in {period}: “{told}”", period=period, told=self._brief(slot))

    def _end_recorded(self) -> Iterator[str]:
        end = self._line[-1].after
        if end is not None and end.outcome is not None:
            ruleset = self._rules.ruleset
            ending = ruleset.describe_ending(likeliest(end), self._names_at(end))
            yield say("At the table the game ended {when}: {ending}", when=ruleset.when(likeliest(end)), ending=ending)

    def adjustment(self, number: int) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...], tuple[str, ...]]:
        """Return the facts before and after an adjustment, and the sentences about its later effects."""
        index = self._index[number]
        before, after = self._before(index), self._line[index].after
        if before is None or after is None or isinstance(before, Belief) or isinstance(after, Belief):
            return (), (), ()
        now, was = self._replays.differing(before, after, is_whole=True)
        return was, now, tuple(self._describe_difference(before, index, effects.WITHOUT_CHANGE)) if now else ()

    def _describe_difference(self, state: State, index: int, basis: str) -> Iterator[str]:
        after, end = self._line[index].after, self._line[-1].after
        assert after is not None
        assert end is not None
        self._followed += 1
        if self._followed > MOST_ACCOUNTS:
            yield say("Driftlog traces the effects of the first {count} findings only.", count=MOST_ACCOUNTS)
            return
        later, is_same = self._line[index + 1 : index + 1 + MOST_PLAYED], self._replays.is_same(state, after)
        replayed = self._replays.of(state, later, is_one_slip=True)
        last = replayed.state
        yield from effects.not_possible(replayed, basis)
        if last.outcome is not None and (last.outcome, last.turn) != (end.outcome, end.turn):
            yield self._ending(last, basis)
        elif len(later) < len(self._line) - index - 1 and replayed.is_open:
            yield say("Only the next {count} events were checked for effects.", count=MOST_PLAYED)
        elif replayed.same_at is not None and not is_same:
            period = self._period(replayed.same_at)
            yield say(
                "The difference did not last: from {period} on, the position was the same either way.", period=period
            )
        elif replayed.broken or replayed.stopped:
            return
        elif is_same:
            yield say("No effect: the position stayed the same, and no later move depended on it.")
        elif not any(map(skipped.is_move, later)):
            yield say("Nothing was recorded after it.")
        elif self._replays.is_same(last, end):
            yield say("The difference did not last: at the end of the record, the position is the same either way.")
        else:
            now, was = self._replays.differing(last, end)
            happened, _ = self._replays.differing(state, after)
            yield from effects.lasting(now, was, basis, is_told=now == happened)

    def _later_draws(self, index: int) -> Iterator[str]:
        """Say that a card too many would have stayed on its pile, if cards were drawn from it later."""
        entry = self._line[index].entry
        assert entry is not None
        if not entry.explanation or entry.explanation.kind != "one_too_many":
            return
        step, _ = skipped.repeated_step(self._rules.ruleset, self._line, index)
        later = (slot.entry.type for slot in self._line[index + 1 :] if slot.entry is not None)
        if step is not None and step.cards is not None and entry.type in later:
            yield say("But this card would have stayed on its pile, so the later draws would have been different.")

    def _not_in_time(self, finding: Finding, index: int, late: Sequence[Slot]) -> Finding:
        """Return the finding for a skipped step, with a sentence about the parts that the players did late or never."""
        entry, before, draws = self._line[index].entry, self._before(index), self._draws(index)
        assert entry is not None
        assert before is not None
        name = self._name(before, entry.params["seat"])
        if late or draws.step.cards is not None:
            turns = [self._number(self._before(self._index[one.number])) for one in (*late[:1], *late[-1:])]
            turns = [] if skipped.is_swapped(late) else [turn - self._number(before) for turn in turns]
            told = draws.describe(name, turns, self._rules.ruleset.period)
        elif entry.params.get("reason"):
            return finding
        else:
            told = f"{draws.step.left_out(name)}."
        return msgspec.structs.replace(finding, told=told, message=told)

    def _in_time(self, index: int, late: Sequence[Slot]) -> Iterator[str]:
        """Describe the game with a late step in its right place, if all results of the step are known."""
        draws, before = self._draws(index), self._before(index)
        if draws.never or not late:
            yield from self._without(draws, index, late)
            return
        assert before is not None
        end = self._index[late[-1].number]
        others = [one for one in self._line[index + 1 : end] if one not in late]
        for last in range(end, min(end + MOST_MOVED, len(self._line) - 1) + 1):
            # A late card may need another action first, such as a discard.
            moved = (*map(skipped.in_time, late), *self._line[end + 1 : last + 1])
            replayed, after = self._replays.of(before, [*moved, *others]), self._line[last].after
            if not (replayed.broken or replayed.stopped or after is None or isinstance(after, Belief)):
                now, was = self._replays.differing(replayed.state, after)
                yield from effects.apart(now, was, effects.BY_THE_RULES)
                if now:
                    yield from self._describe_difference(replayed.state, last, effects.BY_THE_RULES)
                else:
                    yield say("No effect: done in time, it would have led to the same position.")
                return
        yield say("With the step in its place, the later moves would not fit:")
        replayed = self._replays.of(before, [*map(skipped.in_time, late), *others])
        yield from effects.not_possible(replayed, effects.BY_THE_RULES)

    def _without(self, draws: skipped.SkippedDraws, index: int, late: Sequence[Slot]) -> Iterator[str]:
        slots = [slot for slot in self._line[index + 1 :] if slot not in late]
        yield draws.without(sum(map(skipped.is_move, slots)))
        yield skipped.nobody_knows()

    def _once_more(self, finding: Finding, index: int) -> Finding:
        entry, (step, _) = self._line[index].entry, skipped.repeated_step(self._rules.ruleset, self._line, index)
        assert entry is not None
        told = finding.message
        if step is not None:
            drawn = [self._rules.ruleset.value_label(value) for value in entry.outcomes if value is not None]
            told = step.once_more(str(finding.player), ", ".join(drawn))
        return msgspec.structs.replace(finding, told=told, message=told)

    def _by_other_hand(self, finding: Finding, before: State, slot: Slot) -> tuple[Finding, tuple[str, ...]]:
        entry, ruleset, after = slot.entry, self._rules.ruleset, slot.after
        assert entry is not None
        assert entry.actor is not None
        assert entry.explanation
        by, name = (self._name(before, seat) for seat in (entry.explanation.seat, entry.actor))
        kind, seat = ruleset.kind(entry.type), SEAT_INDEX[entry.actor]
        assert kind is not None
        step = next((one.step for one in ruleset.skips(before) if one.seat == seat), None)
        if step is None or not (kind.asks_chance and step.has_result and step.is_part(kind)):
            told = say(
                "{by} acted in {player}'s place: {action}.", by=by, player=name, action=say(kind.english_title())
            )
        elif step.cards is not None:
            told = step.by_other(by, name)
        else:
            told = say("{by} acted in {player}'s place. {due}.", by=by, player=name, due=step.due(name, 1))
        due = say("It was {player}'s turn.", player=name) if ruleset.active(before) == seat else None
        told_of = {"told": told, "message": told, "due": due}
        finding = msgspec.structs.replace(finding, actor=entry.explanation.seat, player=by, **told_of)
        if after is None or after.outcome is None:
            return finding, (_no_effect(name),)
        ends = {"name": name, "ending": ruleset.describe_ending(after, self._names_at(after))}
        return finding, (
            say("No effect: done by {name}, it would have ended the game in the same way. {ending}", **ends),
        )

    def _when(self, label: str, slot: Slot, before: State, as_of: State | None = None) -> str:
        place, told = self._before(self._index[slot.number]), self._brief(slot)
        if as_of is not None:
            assert slot.entry is not None
            ruleset, names = self._rules.ruleset, self._names_at(as_of)
            told = skipped.describe_action(ruleset, as_of, slot.entry, names, effects.LONGEST) or told
        is_later = place is not None and self._number(place) != self._number(before)
        return skipped.moment(label, told, self._rules.ruleset.when(likeliest(place)) if is_later else None)


def _no_effect(name: str) -> str:
    return say("No effect: the game went on as if {name} had done it.", name=name)


def _after_end(moves: int) -> Iterator[str]:
    if moves:
        yield say(
            "Recorded after the end: {moves}. By the rules, nothing after the end counts. The audit still checks "
            "these moves, as if the game had gone on.",
            moves=counted(moves, "move"),
        )
