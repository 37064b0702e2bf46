"""Code that the actions share: the description, and refusals that several actions use."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from engine.core.language import marked
from engine.core.text import sentence
from engine.core.values import Value
from engine.games.forgotten_waters.headings import SAVING
from engine.games.forgotten_waters.rules.resolving import waiting
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.effects import Base
from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.words import changes, pirate_name, printed_name
from engine.kit.chance import Recorded
from engine.kit.ruleset import Action, Refusal

OTHERS = marked("Only another player can decide that.")


class WatersAction(Action[WatersState], frozen=True):
    """An action of Forgotten Waters. Its `report_text` begins with the pirate's name, and has no full stop."""

    word = staticmethod(printed_name)

    def describe(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        chance = Recorded()
        chance.begin(0, tuple(outcomes))
        after = self.apply(state, seat, chance)
        name = pirate_name(state, seat, names)
        told = self.sentence(state, seat, outcomes, name) or self.report_sentence(state, outcomes, names, pirate=name)
        return " ".join([sentence(told), *changes(state, after, names)])

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        """Return the sentence about the action, without its full stop, if `report_text` is not enough."""
        return ""


_OF_THE_SCRIBE = (do.CompletePart, do.Saved)
_OF_THE_GUNNER = (do.GainCannon, do.UpgradeCannon, do.LoadCannon, do.UnloadCannon, do.LoseCannon)
"""The effects that the Ship Scribe and the Gunner resolve for every pirate."""


def decider(state: WatersState) -> int:
    """Return the seat that resolves the next effect."""
    step = state.agenda[0]
    effect = step.effect
    if type(effect) in _OF_THE_GUNNER:
        return state.gunner
    is_common = type(effect) is do.Choose and effect.by == "group"
    return state.scribe if is_common or type(effect) in _OF_THE_SCRIBE else step.seat


def not_yours(state: WatersState, seat: int, rule: str, text: str = OTHERS) -> Refusal | None:
    """Return the reason why `seat` cannot resolve the next effect, or None."""
    return None if decider(state) == seat else Refusal(rule, text)


class ResolvingAction(WatersAction, frozen=True):
    """Base of the actions with which a player resolves a pending effect."""

    effects: ClassVar[tuple[type[Base], ...]]
    """The kinds of effect that the action resolves."""
    unasked: ClassVar[Refusal]
    """The refusal if the next effect is of another kind."""
    others: ClassVar[str] = OTHERS
    """The refusal if another player resolves the effect."""

    @classmethod
    def is_asked(cls, state: WatersState) -> bool:
        """Return True if the action resolves the next effect."""
        return type(state.agenda[0].effect) in cls.effects if state.agenda else False

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        # Inlined from `is_asked` for speed: most refusals end here.
        if not state.agenda or type(state.agenda[0].effect) not in self.effects:
            return self.unasked
        return not_yours(state, seat, self.rule, self.others) or self.fault(state, seat)

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        """Return the reason why the answer of `seat` is illegal, or None."""
        return None


class ChoosingAction(ResolvingAction, frozen=True):
    """Base of the actions that resolve an effect by one choice."""

    @staticmethod
    @abstractmethod
    def choices(state: WatersState, seat: int, /) -> Iterable[Any]:
        """Return the values of the action's first field, perhaps with illegal ones."""

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return map(cls, cls.choices(state, seat)) if cls.is_asked(state) else ()


def nothing_else(state: WatersState) -> Refusal | None:
    """Return the refusal of every action but the continuation while the game is saved; None at other times."""
    return Refusal(SAVING, "The game is saved. Continue it first.") if waiting(state, do.Saved) else None
