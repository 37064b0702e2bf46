"""The table's own book: effects entered as they are read out, bounded by the same limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from engine.chance import Chance
from engine.events import Value
from engine.games.forgotten_waters import effects as do
from engine.games.forgotten_waters.base import EFFECTS, WatersAction, nothing_else, waiting
from engine.games.forgotten_waters.checks import is_rolled
from engine.games.forgotten_waters.resolve import push, settle
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.tell import printed
from engine.games.forgotten_waters.validate import Known, effect_faults
from engine.ruleset import Refusal

EXAMPLES: tuple[do.Effect, ...] = (
    *(do.Ship(stat=stat, n=n) for stat in do.STATS for n in (1, -1)),
    *(do.GainSkill(skill=skill) for skill in do.SKILLS),
    *(do.Check(skill=skill) for skill in do.SKILLS),
    do.FillStar(),
    do.ResolveEvents(),
    do.GainTreasure(),
    do.StealTreasure(),
    do.LoseTreasure(),
    do.BuryTreasure(up_to=3),
    do.Rerolls(n=1),
    do.Misfortune(n=1),
    do.Infamy(n=1),
    do.Infamy(n=-1),
    do.SwapInfamy(),
    do.GainCannon(),
    do.UpgradeCannon(),
    do.LoadCannon(),
    do.UnloadCannon(),
    do.LoseCannon(),
    do.Threat(n=1),
    do.CheckThreat(),
    do.Scout(),
    do.MoveShip(),
    do.Roll(results=()),
    do.CompletePart(),
    do.ReachGoal(),
    do.NewRound(),
    do.TurnPage(
        page="1",
        places=(
            do.Place(number=1),
            do.Place(number=2, kind="required"),
            *(do.Place(number=number, kind="limited") for number in range(3, 7)),
        ),
    ),
)
"""What is often read out; of the whole range of effects the schema of `effect` tells."""

IN_CHECK_EXAMPLES: tuple[do.Effect, ...] = (do.AddToCheck(n=1), do.SetDie(to=12))


class ApplyEffect(WatersAction, frozen=True, omit_defaults=True):
    """Enter an effect that is read out of the table's own book, by the number of its entry."""

    type = "apply_effect"
    rule = EFFECTS
    effect: do.Effect
    entry: do.Id | None = None
    """The number of the entry that says it; None: the page or a card does."""

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        if not state.pack.is_open:
            return ()
        return map(cls, EXAMPLES if waiting(state, do.Check) is None else IN_CHECK_EXAMPLES)

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if not state.pack.is_open:
            return Refusal(EFFECTS, "This scenario's effects are in its pack: nothing is read out of a book.")
        if refusal := nothing_else(state) or self._not_now(state, seat):
            return refusal
        known = Known(
            is_open=True,
            spaces=frozenset(state.map.spaces()),
            features=frozenset(feature.id for feature in state.features),
            actions=frozenset(str(place.number) for place in state.places),
        )
        fault = next(effect_faults((self.effect,), "", known), None)
        if fault is not None:
            return Refusal(EFFECTS, f"That effect is not possible here: {fault.message}.")
        if isinstance(self.effect, do.NewRound) and not state.page:
            return Refusal(EFFECTS, "The location book has not been opened yet: turn to a page.")
        return None

    def _not_now(self, state: WatersState, seat: int) -> Refusal | None:
        belongs = isinstance(self.effect, do.AddToCheck | do.SetDie)
        if waiting(state, do.Check) is not None:
            if not belongs or state.agenda[0].seat != seat:
                return Refusal(EFFECTS, "A skill check has to be resolved first.")
            step = state.agenda[0]
            if isinstance(self.effect, do.SetDie) and step.dice:
                return Refusal(EFFECTS, "A die is set instead of being rolled.")
            if isinstance(self.effect, do.AddToCheck) and step.dice and not is_rolled(step):
                return Refusal(EFFECTS, "Both dice have to be rolled first.")
            return None
        if belongs:
            return Refusal(EFFECTS, "There is no skill check.")
        if state.agenda:
            return Refusal(EFFECTS, "Something has to be resolved first.")
        if seat == state.active and state.has_resolved:
            return None
        return None if seat == state.scribe else Refusal(EFFECTS, "The Ship Scribe enters what is read out.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        if self.entry is not None:
            state = replace(state, entries=(*state.entries, self.entry))
        return settle(push(state, seat, (self.effect,)))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        entry = f" of entry {self.entry}" if self.entry is not None else ""
        return f"Enter the effect{entry}: {in_words(self.effect)}"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        entry = f" of entry {self.entry}" if self.entry is not None else ""
        return f"enters the effect{entry}: {in_words(self.effect)}"


def in_words(effect: do.Effect) -> str:
    """An effect by name, with its plain fields."""
    fields = [
        f"{field.replace('_', ' ')} {str(value).replace('_', ' ')}"
        for field in effect.__struct_fields__
        if isinstance(value := getattr(effect, field), str | int) and not isinstance(value, bool)
    ]
    name = printed(str(type(effect).__struct_config__.tag)).lower()
    return f"{name} ({', '.join(fields)})" if fields else name
