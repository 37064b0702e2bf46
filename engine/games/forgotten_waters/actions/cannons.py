"""Cannons: the Gunner's board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from engine.core.language import marked, say
from engine.games.forgotten_waters.actions.base import WatersAction, nothing_else, waiting
from engine.games.forgotten_waters.headings import CANNONS
from engine.games.forgotten_waters.rules.holdings import with_cannon, without_cannon
from engine.games.forgotten_waters.rules.resolving import one_less, settle
from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.scenario.ship_effects import LoadCannon, LoseCannon, UnloadCannon, UpgradeCannon
from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.words import cannon_name
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ruleset import Refusal

Level = Annotated[int, Meta(ge=1, le=9)]


def _not_the_gunner(state: WatersState, seat: int, cannon: Cannon) -> Refusal | None:
    if seat != state.gunner:
        return Refusal(CANNONS, "Only the Gunner can change the cannons.")
    if cannon not in state.cannons:
        return Refusal(CANNONS, say("There is no {cannon} on the ship.", cannon=cannon_name(cannon)))
    return None


class _AnyCannon(WatersAction, frozen=True):
    """Common part of actions with a cannon, loaded or not."""

    rule = CANNONS
    level: Level
    is_loaded: bool

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level, cannon.is_loaded) for cannon in state.cannons]

    @property
    def cannon(self) -> Cannon:
        """The cannon in question."""
        return Cannon(self.level, self.is_loaded)

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"cannon": cannon_name(self.cannon)}


class UpgradeACannon(_AnyCannon, frozen=True):
    """Replace a cannon with one of the next level. It stays loaded or unloaded."""

    type = "upgrade_cannon"
    verb = "upgrade a cannon"
    button_text = marked("Upgrade the {cannon}")
    report_text = marked("{pirate} upgrades the {cannon}")

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, UpgradeCannon) is None:
            return Refusal(CANNONS, "You cannot upgrade a cannon now.")
        if refusal := _not_the_gunner(state, seat, self.cannon):
            return refusal
        if state.cannons_left(self.level + 1) < 1:
            return Refusal(CANNONS, say("The supply has no level-{level} cannon.", level=self.level + 1))
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = needed(waiting(state, UpgradeCannon))
        state = without_cannon(state, self.cannon)
        return settle(one_less(with_cannon(state, Cannon(self.level + 1, self.is_loaded)), effect))


class _Loading(WatersAction, frozen=True):
    """Common part of loading and unloading."""

    effect: ClassVar[type[LoadCannon | UnloadCannon]]
    """The effect that requires the action."""
    unasked: ClassVar[Refusal]
    """The refusal if no such effect is next."""
    loads: ClassVar[bool]
    rule = CANNONS
    level: Level

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level) for cannon in state.cannons]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, self.effect) is None:
            return self.unasked
        return _not_the_gunner(state, seat, Cannon(self.level, is_loaded=not self.loads))

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = needed(waiting(state, self.effect))
        state = without_cannon(state, Cannon(self.level, is_loaded=not self.loads))
        return settle(one_less(with_cannon(state, Cannon(self.level, is_loaded=self.loads)), effect))


class LoadACannon(_Loading, frozen=True):
    """Load a cannon."""

    type = "load_cannon"
    verb = "load a cannon"
    button_text = marked("Load a level-{level} cannon")
    report_text = marked("{pirate} loads a level-{level} cannon")
    effect = LoadCannon
    unasked = Refusal(CANNONS, "You cannot load a cannon now.")
    loads = True


class UnloadACannon(_Loading, frozen=True):
    """Unload a cannon, because it is fired or an effect says so."""

    type = "unload_cannon"
    verb = "unload a cannon"
    button_text = marked("Unload a level-{level} cannon")
    report_text = marked("{pirate} unloads a level-{level} cannon")
    effect = UnloadCannon
    unasked = Refusal(CANNONS, "You cannot unload a cannon now.")
    loads = False


class DiscardCannon(_AnyCannon, frozen=True):
    """Discard a cannon, at any time."""

    button_text = marked("Discard the {cannon}")
    report_text = marked("{pirate} discards the {cannon}")
    symbol = "cannon"
    any_time = True

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        return nothing_else(state) or _not_the_gunner(state, seat, self.cannon)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = without_cannon(state, self.cannon)
        effect = waiting(state, LoseCannon)
        return settle(state if effect is None else one_less(state, effect))
