"""Effects of a table's own book, entered one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from engine.core.language import marked
from engine.games.forgotten_waters.actions import book_schema
from engine.games.forgotten_waters.actions.base import WatersAction, nothing_else, waiting
from engine.games.forgotten_waters.actions.own_book import EXAMPLES, IN_CHECK_EXAMPLES, impossible, not_now, timely
from engine.games.forgotten_waters.headings import EFFECTS
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.rules.resolving import push, settle
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.effect_values import Id
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Chance
from engine.kit.ruleset import Refusal


class ApplyEffect(WatersAction, frozen=True, omit_defaults=True):
    """Enter an effect that is read out of the table's own book, by the number of its entry."""

    button_text = marked("Enter the effect of entry {entry}: {effect}")
    report_text = marked("{pirate} enters the effect of entry {entry}: {effect}")
    plain_texts = (marked("Enter the effect: {effect}"), marked("{pirate} enters the effect: {effect}"))
    words_of = {"effect": in_words, "entry": str}
    rule = EFFECTS
    effect: do.Effect
    entry: Id | None = None
    """The number of the entry; None for the page or a card."""

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        if not state.pack.is_open or not_now(state, seat):
            return ()
        if waiting(state, do.Check) is not None:
            return map(cls, IN_CHECK_EXAMPLES)
        # No goal in the first part: it comes at the end of a scenario.
        return [cls(effect) for effect in EXAMPLES if state.part > 1 or not isinstance(effect, do.ReachGoal)]

    @classmethod
    def ranges(cls, state: WatersState, seat: int) -> dict[str, Any] | None:
        if not state.pack.is_open or nothing_else(state) or not_now(state, seat):
            return None
        return book_schema.of(cls, book_schema.known(state), timely(state))

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not state.pack.is_open:
            return Refusal(EFFECTS, "This scenario's effects are built in, so nothing is read out of a book.")
        if refusal := nothing_else(state) or not_now(state, seat):
            return refusal
        is_in_check = waiting(state, do.Check) is not None
        return impossible(state, self.effect, timely(state), is_in_check=is_in_check)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        if self.entry is not None:
            state = replace(state, entries=(*state.entries, self.entry))
        return settle(push(state, seat, (self.effect,)))
