"""A table at which an action was refused, and what its explanations ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.errors import DEFECTS, EngineError, NotDrawn, OutcomeRequired, Unclear
from engine.core.events import Draft
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.chance import Chance, Observed, Recorded, Undrawn
from engine.kit.facts import CannotBe
from engine.kit.ruleset import Action
from engine.play.beliefs.belief import likeliest
from engine.play.corrections.amends import is_hiding
from engine.play.line import Chain, Line, Slot
from engine.play.past import Known
from engine.play.rules import Rules

MOST_EARLIER = 60
"""Places of the line that are looked at: no table notices a slip later."""


class Refused:
    """An action that was refused, and the table at which that happened.

    Args:
        line: what stands before it.
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
        """What stands before it."""
        return Chain.of(self._find_line())

    @cached_property
    def is_hidden(self) -> bool:
        """Return True if an explanation could tell what a player hides."""
        return bool(self.action.hidden_params) or is_hiding(self.ruleset, self._state)

    @property
    def name(self) -> str:
        """The player who acted."""
        return self.rules.header.names[self.seat]

    @property
    def label(self) -> str:
        """What a button says of the action, or its title where the rules cannot tell here."""
        return self.label_of(self.action, self.state)

    def label_of(self, action: Action[Any], state: State) -> str:
        """What a button says of an action, or its title where the rules cannot tell on that table."""
        try:
            return action.label(state, self.rules.header.names)
        except (Unclear, *DEFECTS):
            return say(type(action).called())

    def recent(self) -> Iterator[tuple[Slot, State]]:
        """The last places of the line that are not empty, the latest first: slot, and the state before it."""
        line = self.line
        for index in range(len(line) - 1, max(0, len(line) - MOST_EARLIER) - 1, -1):
            slot, before = line[index], line[index - 1].after if index else None
            if slot.entry is not None and before is not None:
                yield slot, before

    def with_turn_of(self, earlier: State) -> State | None:
        """The table as it is, at the point of the turn that it was at `earlier`; None where it cannot be."""
        effort.spend()
        try:
            return self.ruleset.keep_turn(likeliest(earlier), self.state)  # type: ignore[no-any-return]  # a state of the ruleset's own
        except (CannotBe, *DEFECTS):
            return None

    def is_legal_at(self, earlier: State) -> bool:
        """Return True if the action is legal at the point of the turn that it was at `earlier`."""
        table = self.with_turn_of(earlier)
        return table is not None and self.is_legal(table, self.seat)

    def is_legal(self, table: State, seat: int) -> bool:
        """Return True if `seat` may take the action at `table`."""
        effort.spend()
        return table.outcome is None and self.action.refusal(table, seat) is None

    def taken(self, entry: Any, table: State) -> State | None:
        """The table after an action that stands in the line; None where it cannot be taken there."""
        chance = Recorded()
        chance.begin(1, entry.outcomes)
        try:
            action = self.ruleset.parse(entry.type, entry.params)
            after: State = action.apply(table, SEAT_INDEX[entry.actor], chance)
        except (EngineError, Unclear, *DEFECTS):
            return None
        return after

    def can_record(self, draft: Draft) -> bool:
        """Return True if `draft` would be recorded now, as far as that can be told before anything is drawn."""
        is_observed = self.rules.header.chance == "observed"
        chance: Chance = Observed() if is_observed else Undrawn()
        try:
            self.rules.play(self._state, draft, 1, chance, Known())
            chance.finish()
        except (NotDrawn, OutcomeRequired):
            return True
        except EngineError:
            return False
        return True

    def others(self) -> Sequence[int]:
        """The other seats at the table, those that the game waits for first."""
        awaited = self.ruleset.awaiting(self.state)
        seats = [seat for seat in range(len(self.rules.header.seats)) if seat != self.seat]
        return sorted(seats, key=lambda seat: seat not in awaited)

    def by(self, seat: int) -> Draft:
        """The same action of another seat."""
        return msgspec.structs.replace(self.draft, actor=SEAT_IDS[seat])


def is_action(slot: Slot) -> bool:
    """Return True if an action of the rules stands there."""
    return slot.entry is not None and slot.entry.type not in lifecycle.KINDS
