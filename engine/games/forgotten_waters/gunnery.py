"""Cannons: the Gunner's board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Self

from msgspec import Meta

from engine.chance import Chance
from engine.events import Value
from engine.games.forgotten_waters.base import WatersAction, nothing_else, waiting
from engine.games.forgotten_waters.effects import LoadCannon, LoseCannon, UnloadCannon, UpgradeCannon
from engine.games.forgotten_waters.holdings import with_cannon, without_cannon
from engine.games.forgotten_waters.pack import Cannon
from engine.games.forgotten_waters.resolve import one_less, settle
from engine.games.forgotten_waters.state import WatersState
from engine.games.forgotten_waters.tell import cannon_name
from engine.ruleset import Refusal

CANNONS = "Cannons"

Level = Annotated[int, Meta(ge=1, le=9)]


def _not_the_gunner(state: WatersState, seat: int, cannon: Cannon) -> Refusal | None:
    if seat != state.gunner:
        return Refusal(CANNONS, "The Gunner keeps track of the cannons.")
    if cannon not in state.cannons:
        return Refusal(CANNONS, f"There is no {cannon_name(cannon)} on the ship.")
    return None


class UpgradeACannon(WatersAction, frozen=True):
    """Replace a cannon by one a level higher, in the same loaded state."""

    type = "upgrade_cannon"
    rule = CANNONS
    level: Level
    is_loaded: bool

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level, cannon.is_loaded) for cannon in state.cannons]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, UpgradeCannon) is None:
            return Refusal(CANNONS, "No cannon is upgraded now.")
        if refusal := _not_the_gunner(state, seat, Cannon(self.level, self.is_loaded)):
            return refusal
        if state.cannons_left(self.level + 1) < 1:
            return Refusal(CANNONS, f"The supply has no level-{self.level + 1} cannon.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = waiting(state, UpgradeCannon)
        assert effect is not None
        state = without_cannon(state, Cannon(self.level, self.is_loaded))
        return settle(one_less(with_cannon(state, Cannon(self.level + 1, self.is_loaded)), effect))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"Upgrade the {cannon_name(Cannon(self.level, self.is_loaded))}"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"upgrades the {cannon_name(Cannon(self.level, self.is_loaded))}"


class LoadACannon(WatersAction, frozen=True):
    """Load a cannon."""

    type = "load_cannon"
    rule = CANNONS
    level: Level

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level) for cannon in state.cannons]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, LoadCannon) is None:
            return Refusal(CANNONS, "No cannon is loaded now.")
        return _not_the_gunner(state, seat, Cannon(self.level))

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = waiting(state, LoadCannon)
        assert effect is not None
        state = without_cannon(state, Cannon(self.level))
        return settle(one_less(with_cannon(state, Cannon(self.level, is_loaded=True)), effect))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"Load a level-{self.level} cannon"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"loads a level-{self.level} cannon"


class UnloadACannon(WatersAction, frozen=True):
    """Unload a cannon: it is fired, or it has to be."""

    type = "unload_cannon"
    rule = CANNONS
    level: Level

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level) for cannon in state.cannons]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, UnloadCannon) is None:
            return Refusal(CANNONS, "No cannon is unloaded now.")
        return _not_the_gunner(state, seat, Cannon(self.level, is_loaded=True))

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = waiting(state, UnloadCannon)
        assert effect is not None
        state = without_cannon(state, Cannon(self.level, is_loaded=True))
        return settle(one_less(with_cannon(state, Cannon(self.level)), effect))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"Unload a level-{self.level} cannon"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"unloads a level-{self.level} cannon"


class DiscardCannon(WatersAction, frozen=True):
    """Discard a cannon, at any time."""

    type = "discard_cannon"
    rule = CANNONS
    level: Level
    is_loaded: bool

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level, cannon.is_loaded) for cannon in state.cannons]

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        return nothing_else(state) or _not_the_gunner(state, seat, Cannon(self.level, self.is_loaded))

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = without_cannon(state, Cannon(self.level, self.is_loaded))
        effect = waiting(state, LoseCannon)
        return settle(state if effect is None else one_less(state, effect))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"Discard the {cannon_name(Cannon(self.level, self.is_loaded))}"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"discards the {cannon_name(Cannon(self.level, self.is_loaded))}"
