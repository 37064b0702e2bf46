"""A rejected action and its table, with the queries that the search for explanations needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import DEFECTS, EngineError, NotDrawn, OutcomeRequired, Unclear
from engine.core.events import Draft
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.chance import Chance, Observed, Recorded, Undrawn
from engine.kit.facts import CannotBe
from engine.kit.ruleset import Action
from engine.play.beliefs.belief import likeliest
from engine.play.corrections.amends import is_hiding
from engine.play.line import Chain, Entry, Line, Slot
from engine.play.past import KnownPast
from engine.play.rules import Rules
from engine.play.slips import label_of

MOST_EARLIER = 60
"""Maximum number of places in the line to search, because players rarely notice older mistakes."""


class RefusedAction:
    """A rejected action and its table.

    Args:
        line: returns the events in effect before the action.
    """

    def __init__(self, rules: Rules, state: State, draft: Draft, line: Callable[[], Line]) -> None:
        self.rules, self.draft = rules, draft
        self._state, self._find_line = state, line
        self.ruleset = rules.ruleset
        self.action: Action[Any] = rules.ruleset.parse(draft.type, draft.params)
        self.seat = SEAT_INDEX[draft.actor]
        self.state: State = likeliest(state)

    @cached_property
    def line(self) -> Chain:
        """The events in effect before the action."""
        return Chain.of(self._find_line())

    @cached_property
    def is_hidden(self) -> bool:
        """True if an explanation could reveal hidden information."""
        return bool(self.action.hidden_params) or is_hiding(self.ruleset, self._state)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in seat order."""
        return self.rules.header.names_at(self.state)

    @property
    def name(self) -> str:
        """The name of the player who acted."""
        return self.names[self.seat]

    @property
    def label(self) -> str:
        """The label of the action's button; if the rules have no label at this table, the title of the action."""
        return self.label_of(self.action, self.state)

    def label_of(self, action: Action[Any], state: State) -> str:
        """Return the label of an action's button in `state`; if the rules have no label there, the action's title."""
        return label_of(action, state, self.rules.header.names_at(state))

    def recent(self) -> Iterator[tuple[Slot, State]]:
        """Yield the last non-empty places in the line, latest first, each with the state before it."""
        line = self.line
        for index in range(len(line) - 1, max(0, len(line) - MOST_EARLIER) - 1, -1):
            slot, before = line[index], line[index - 1].after if index else None
            if slot.entry is not None and before is not None:
                yield slot, before

    def with_turn_of(self, earlier: State) -> State | None:
        """Return the current table with the turn and phase of `earlier`; None if such a table is impossible."""
        effort.spend()
        try:
            return self.ruleset.keep_turn(likeliest(earlier), self.state)  # type: ignore[no-any-return]  # a state of the ruleset's own
        except (CannotBe, *DEFECTS):
            return None

    def is_legal_at(self, earlier: State) -> bool:
        """Return True if the action would be legal on the current table with the turn and phase of `earlier`."""
        table = self.with_turn_of(earlier)
        return table is not None and self.is_legal(table, self.seat)

    def spends(self, earlier: State) -> bool:
        """Return True if the action uses up something limited, such as actions, in the turn of `earlier`."""
        table = self.with_turn_of(earlier)
        after = None if table is None else self.take(self.draft, table)
        if table is None or after is None or after.turn > table.turn:
            return False
        counters = ((getattr(table, name), getattr(after, name)) for name in self.ruleset.turn_fields)
        return any(type(had) is type(left) is int and left < had for had, left in counters)

    def is_timer(self, earlier: State) -> bool:
        """Return True if the action reports that a time limit is up.

        Such an action is never one too many, and never late.
        """
        timer = self.ruleset.timer(likeliest(earlier))
        return timer is not None and isinstance(self.action, timer.action)

    def is_legal(self, table: State, seat: int) -> bool:
        """Return True if `seat` may take the action at `table`."""
        effort.spend()
        return table.outcome is None and self.action.refusal(table, seat) is None

    def take(self, entry: Any, table: State) -> State | None:
        """Return `table` after an action of the line, legal or not; None if the action cannot be applied."""
        chance = Recorded()
        chance.begin(1, entry.outcomes)
        try:
            action = self.ruleset.parse(entry.type, entry.params)
            after: State = action.apply(table, SEAT_INDEX[entry.actor], chance)
        except (EngineError, Unclear, *DEFECTS):
            return None
        return after

    def leads_on(self, table: State, later: Sequence[Slot], then: Sequence[Draft] = ()) -> bool:
        """Return True if all entries of `later` are judged as before from `table` on, and `then` is legal after them.

        By default, `then` is the action itself.
        """
        after: State | None = table
        for slot in later:
            after = None if after is None else self._replay(after, slot)
        if after is None:
            return False
        if then:
            return can_record(self.rules, after, *then)
        if self.draft.outcomes:
            return self.play(after, self.draft) is not None
        return self.is_legal(after, self.seat)

    def _replay(self, state: State, slot: Slot) -> State | None:
        """Return the state after an entry of the line; None if it is illegal, unless it was accepted as a slip."""
        if is_action(slot) and slot.judgement is None:
            return self.play(state, slot.entry)
        assert slot.entry is not None
        effort.spend()
        after, judgement, effect = self.rules.replay(state, slot.entry, slot.number, sound_only=True)
        is_same = effect == "unchanged" or slot.judgement is not None
        return after if is_same and (judgement is None or judgement.has_effect) else None

    def play(self, state: State, entry: Entry | Draft | None) -> State | None:
        """Return the state after an entry; None if it is illegal."""
        assert entry is not None
        effort.spend()
        chance = Recorded()
        try:
            action = self.ruleset.parse(entry.type, entry.params)
            seat = self.ruleset.judge(state, action, entry.actor)
            chance.begin(1, entry.outcomes)
            after: State = action.apply(state, seat, chance)
            chance.finish()
        except (EngineError, Unclear, *DEFECTS):
            return None
        return after

    def can_record(self, *drafts: Draft) -> bool:
        """Return True if `drafts` can be recorded now (see this module's function `can_record`)."""
        return can_record(self.rules, self._state, *drafts)

    def others(self) -> Sequence[int]:
        """Return the other seats; those that the game is waiting for come first."""
        awaited = self.ruleset.awaiting(self.state)
        seats = [seat for seat in range(len(self.rules.header.seats)) if seat != self.seat]
        return sorted(seats, key=lambda seat: seat not in awaited)

    def by(self, seat: int) -> Draft:
        """Return the same action with another seat as its actor."""
        return msgspec.structs.replace(self.draft, actor=SEAT_IDS[seat])


def is_action(slot: Slot) -> bool:
    """Return True if the place contains an action of the rules."""
    return slot.entry is not None and slot.entry.type not in lifecycle.KINDS


def can_record(rules: Rules, state: State, *drafts: Draft) -> bool:
    """Return True if `drafts` can be recorded at `state`. At a draft that needs a draw, stop and return True."""
    before: State | None = state
    for draft in drafts:
        try:
            before = _state_after_draft(rules, before, draft)
        except NotDrawn:
            return True
        except EngineError:
            return False
    return True


def _state_after_draft(rules: Rules, state: State | None, draft: Draft) -> State | None:
    """Return the state after a draft. For missing results of real dice and cards, assume the first possible ones."""
    while True:
        effort.spend()
        chance: Chance = Observed() if rules.header.chance == "observed" else Undrawn()
        try:
            after, _, _ = rules.play(state, draft, 1, chance, KnownPast())
            chance.finish()
        except OutcomeRequired as required:
            # One possible result is enough to see if the effect is clear.
            result = next(iter(required.point.probabilities()))
            draft = msgspec.structs.replace(draft, outcomes=(*draft.outcomes, result))
        else:
            return after
