"""The effects of a slip, as sentences. To find them, later moves are replayed on the table without the slip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.errors import DEFECTS
from engine.core.language import marked, say
from engine.core.values import SEAT_INDEX, Judgement, State
from engine.kit.facts import AnyFact, Tableau
from engine.kit.words import counted
from engine.play.beliefs.belief import Belief, likeliest
from engine.play.line import Entry, Line, Slot
from engine.play.rules import Rules
from engine.review import findings, skipped
from engine.review.report import ShownFact
from engine.review.words import capital, more

LONGEST = 120
"""Maximum characters of a displayed fact or action. Longer facts, such as a whole pile, are not displayed."""
MOST_FACTS = 3
"""Maximum number of facts or sentences shown in an account."""
BY_THE_RULES = marked("By the rules")
WITHOUT_CHANGE = marked("Without this change")
WITHOUT_SLIPS = marked("Without the slips")
WITHOUT_BOTH = marked("Without the slips and changes by hand")
WITH_RECORDED = marked("With the recorded moves")

_Why = tuple[str, tuple[Sequence[ShownFact], Sequence[ShownFact]]]
_NO_REASON: _Why = ("", ((), ()))
_NO_PLAY = frozenset({lifecycle.GAME_CLOSED, "annotate"})


class PrematureMove(msgspec.Struct, frozen=True):
    """A move that required another step first."""

    told: str
    """The sentence about the move."""
    due: str
    """The sentence about the step, without its full stop."""
    beside: tuple[Sequence[ShownFact], Sequence[ShownFact]]
    """The facts that differ before the step: first at the table, then in the replay."""


class ReplayedPart(msgspec.Struct, frozen=True):
    """The result of replaying a part of a game from another table."""

    state: State
    """The last known table."""
    broken: Sequence[str]
    """The moves that were legal at the table but are illegal in the replay, a sentence each."""
    reason: str = ""
    """The reason why the first of the `broken` moves is illegal."""
    beside: tuple[Sequence[ShownFact], Sequence[ShownFact]] = ((), ())
    """The facts that the first of the `broken` moves changed at the table, and the same facts in the replay."""
    unknown: int = 0
    """The number of later moves that cannot be judged, because an earlier result is unknown."""
    is_open: bool = False
    """True if the game continues after the replayed part."""
    owed: PrematureMove | None = None
    """A move that required another step first. Later moves cannot be judged."""
    same_at: State | None = None
    """The first recorded table that equals the replayed table; None if none does."""
    stopped: Slot | None = None
    """The place at which the replay stopped, because a result is unknown; None if it reached the end."""


class Replays:
    """Replays later moves on another table.

    Args:
        line: the events in effect.
        index: the index of each place in the line, by the number of the place.
        tell: function that returns the sentence about the event in a place.
    """

    def __init__(self, rules: Rules, line: Line, index: Mapping[int, int], tell: Callable[[Slot], str]) -> None:
        self._rules, self._line, self._index, self._tell = rules, line, index, tell

    def _before(self, slot: Slot) -> State | None:
        index = self._index[slot.number]
        return self._line[index - 1].after if index else None

    def of(self, state: State, slots: Sequence[Slot], *, is_one_slip: bool = False) -> ReplayedPart:
        """Replay slots from another table until the game ends, or until a result is impossible there.

        Args:
            is_one_slip: True to stop as soon as the table equals the recorded one.
        """
        broken, why = list[str](), _NO_REASON
        for index, slot in enumerate(slots):
            before = self._before(slot)
            is_same = is_one_slip and state == before
            if state.outcome is not None or is_same:
                return ReplayedPart(state, broken, *why, same_at=before if is_same else None)
            if slot.entry is None or slot.entry.type in _NO_PLAY:
                continue
            after, judgement, broke = self._rules.replay(
                state, slot.entry, slot.number, sound_only=True, keeps_turn=slot.keeps_turn
            )
            assert after is not None
            is_broken = judgement is not None and slot.judgement is None
            if is_broken:
                assert before is not None
                assert judgement is not None
                period = capital(self._rules.ruleset.period_of(likeliest(before)))
                told = say("{period}: “{told}”", period=period, told=self._tell(slot))
                due = self._due_step_sentence(state, before, slot.entry)
                if due is not None:
                    moves = sum(map(skipped.is_move, slots[index:]))
                    beside = self.differing(state, before, is_whole=True)
                    return ReplayedPart(state, broken, *why, moves, owed=PrematureMove(told, due, beside), stopped=slot)
                if not broken:
                    why = self._why(state, judgement, None if broke == "outcome_impossible" else after, slot)
                broken.append(told)
                if broke == "outcome_impossible":
                    return ReplayedPart(
                        state, broken, *why, sum(map(skipped.is_move, slots[index + 1 :])), stopped=slot
                    )
            if not (is_broken and after.outcome is not None):
                # An action that was impossible does not end the game, either.
                state = after
        return ReplayedPart(state, broken, *why, is_open=state.outcome is None)

    def _why(self, state: State, judgement: Judgement, after: State | None, slot: Slot) -> _Why:
        """Return the reason why a move is illegal in a replay, and the facts that the move changed at the table.

        Args:
            state: the table before the move in the replay.
            after: the table after the move; None if the move's result is impossible there.
        """
        if after is None:
            return say("a different result was due, and nobody knows which."), ((), ())
        assert slot.entry is not None
        actor = slot.entry.actor
        is_awaited = actor is None or SEAT_INDEX[actor] in self._rules.ruleset.awaiting(state)
        due = None if is_awaited else findings.due(self._rules, state, slot.entry)
        reason = due or f"{judgement.reason.rstrip('.')}."
        return say("“{told}”", told=reason), ((), ()) if slot.after is None else self.differing(after, slot.after)

    def _due_step_sentence(self, state: State, before: State, entry: Entry) -> str | None:
        """Return the sentence about a step that must come before the action; None if there is none.

        Args:
            before: the table before the action, as recorded.
        """
        ruleset, missing = self._rules.ruleset, self._rules.find_left_out(state, entry)
        due = [(SEAT_INDEX[one.seat], one.step) for one in missing.left_out] if missing is not None else []
        if not due and entry.actor is not None and not isinstance(before, Belief):
            # Ignore an action that only ends the turn: after the step, it is illegal, too, because the step ends the
            # turn.
            by_rules, at_table = (list(ruleset.skips(table)) for table in (state, before))
            is_end = bool(at_table) and not any(one.step.has_result for one in at_table)
            due = [(one.seat, one.step.id) for one in by_rules if is_end and one.step.has_result]
            due = [one for one in due if one[0] == SEAT_INDEX[entry.actor]]
        if not due:
            return None
        (seat, id_), names = due[0], self._rules.header.names_at(state)
        step, count = skipped.due_at(ruleset, state, seat, id_)
        return step.due(names[seat], count)

    def differing(
        self, before: State, after: State, *, is_whole: bool = False
    ) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        """Return the facts that are true only after a change, and the facts that they replace.

        If one of the tables is partly unknown, return none.

        Args:
            is_whole: True to include the facts about the current turn.
        """
        if isinstance(before, Belief) or isinstance(after, Belief):
            return (), ()
        return self._shown_differences(before, after if is_whole else self._in_turn_of(before, after))

    def is_same(self, one: State, other: State) -> bool:
        """Return True if two tables are equal, except for the player and the remaining actions of the turn."""
        return type(one) is type(other) and self._in_turn_of(one, other) == one

    def _in_turn_of(self, before: State, after: State) -> State:
        fields = self._rules.ruleset.turn_fields
        return msgspec.structs.replace(after, **{name: getattr(before, name) for name in fields})

    def _shown_differences(self, before: State, after: State) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
        kinds, names = self._rules.ruleset.facts, self._rules.header.names_at(before)
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
        # Show one more fact instead of the sentence 'And one more fact'.
        count = MOST_FACTS if len(subjects) > MOST_FACTS + 1 else len(subjects)
        sides = [told[one] for one in subjects], [before_[one] for one in subjects if one in before_]
        now_, was_ = (
            (*(shown_fact(fact, names) for fact in side[:count]), *map(ShownFact, more(len(side[count:]))))
            for side in sides
        )
        return now_, was_


def shown_fact(fact: AnyFact, names: Sequence[str]) -> ShownFact:
    """Return a fact as a reader sees it."""
    about = next((value for value in fact.subject[1] if isinstance(value, str) and value not in SEAT_INDEX), None)
    numbers = [getattr(fact, field) for field in fact.__struct_fields__ if field not in fact.about]
    number = next((value for value in numbers if isinstance(value, int) and not isinstance(value, bool)), None)
    return ShownFact(fact.sentence(names), about, number)


def apart(now: Sequence[ShownFact], was: Sequence[ShownFact], basis: str, *, moves: int = 1) -> list[str]:
    """Return the sentence about the facts after a move that differ; no sentence if no facts differ.

    Args:
        moves: the number of moves just quoted; `now` is the table after the first.
    """
    if not now:
        return []
    sides = _sides(now, was, basis)
    if moves > 1:
        return [say("After the first of these moves, at the table: {now} {basis}: {was}", **sides)]
    return [say("After this move, at the table: {now} {basis}: {was}", **sides)]


def _sides(now: Sequence[ShownFact], was: Sequence[ShownFact], basis: str) -> dict[str, str]:
    now_, was_ = (" ".join(fact.message for fact in side) for side in (now, was))
    return {"now": now_, "basis": say(basis), "was": was_}


def lasting(now: Sequence[ShownFact], was: Sequence[ShownFact], basis: str, *, is_told: bool) -> Iterator[str]:
    """Yield the sentence that every later move was legal in both games, and a sentence about the difference at the end.

    Args:
        is_told: True if these are the facts that the slip itself changed.
    """
    yield say("{basis}, every later move would have been possible, too.", basis=say(basis))
    if now and is_told:
        yield say("The facts above were still different at the end of the record.")
    elif now:
        sides = _sides(now, was, basis)
        yield say("At the end of the record, this was still different. At the table: {now} {basis}: {was}", **sides)


def cut(sentences: Sequence[str]) -> list[str]:
    """Return the first sentences, and the number of the other sentences."""
    others = len(sentences) - MOST_FACTS
    rest = [say("And one more.") if others == 1 else say("And {count} more.", count=others)] if others > 0 else []
    return [*sentences[:MOST_FACTS], *rest]


def not_possible(replayed: ReplayedPart, basis: str) -> Iterator[str]:
    """Yield the sentences about later moves that were legal at the table, but are illegal in a replay.

    Args:
        basis: the words for the game that was replayed.
    """
    rest = apart(*replayed.beside, basis, moves=len(replayed.broken))
    if replayed.unknown and replayed.owed is None:
        rest.append(say("{moves} followed.", moves=counted(replayed.unknown, "later move")))
        rest.append(skipped.nobody_knows())
    told = {"basis": say(basis), "reason": replayed.reason}
    if len(replayed.broken) == 1:
        message = say("{basis}, this would not have been possible: {reason}", **told)
        yield " ".join([*replayed.broken, message, *rest])
    elif replayed.broken:
        yield from cut(replayed.broken)
        message = say(
            "{basis}, these moves would not have been possible. The reason for the first move: {reason}", **told
        )
        yield " ".join([message, *rest])
    owed = replayed.owed
    if owed is not None:
        about = {"told": owed.told, "basis": say(basis), "due": owed.due}
        yield say("{told} {basis}, this was not possible yet: {due}.", **about)
        now, was = owed.beside
        if now:
            yield say("Before this move, at the table: {now} {basis}: {was}", **_sides(now, was, basis))
        yield say("{moves} followed without that step.", moves=counted(replayed.unknown, "move"))
        yield skipped.nobody_knows()
