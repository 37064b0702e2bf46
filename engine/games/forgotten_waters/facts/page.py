"""The location book: the page, its dials and locks, and the standees on its actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Self

from msgspec import UNSET, Meta
from msgspec.structs import force_setattr

from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forgotten_waters.headings import PLANNING, TURNING, TYPES_OF_ACTIONS
from engine.games.forgotten_waters.scenario.effects import ActionNumber, Feature, Id, Place
from engine.games.forgotten_waters.scenario.pack import Natural
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import listed, printed
from engine.kit.facts import CannotBe, Fact, Told


class PageIs(Fact[WatersState], frozen=True):
    """The page of the location book; of a table's own book also what is on it."""

    page: Annotated[Id | None, Meta(description="null: the book has not been opened yet.")]
    actions: Annotated[tuple[Place, ...], Meta(max_length=20)] = ()
    features: Annotated[tuple[Feature, ...], Meta(max_length=5)] = ()

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        if state.pack.is_open:
            yield cls(state.page or None, state.places, state.features)
        else:
            yield cls(state.page or None)

    def put(self, state: WatersState, told: Told) -> WatersState:
        places, features = self._printed(state)
        numbers = {place.number for place in places}
        if len(numbers) < len(places) or len({feature.id for feature in features}) < len(features):
            raise CannotBe("Each action has its number, and each dial its name.", TURNING)
        locked = [
            place.number
            for place in places
            if (place.number in state.locked if told.speaks_of(Locked, place.number) else place.is_locked)
        ]
        return replace(
            state,
            page=self.page or "",
            places=places,
            features=features,
            dials=tuple(min(feature.start, feature.max) for feature in features),
            locked=tuple(sorted(locked)),
            taken=tuple(number for number in state.taken if number in numbers),
            standees=tuple(number if number in numbers else 0 for number in state.standees),
        )

    def _printed(self, state: WatersState) -> tuple[tuple[Place, ...], tuple[Feature, ...]]:
        """What is on the page."""
        if (self.actions or self.features) and not (state.pack.is_open and self.page):
            raise CannotBe("Only of a page of a table's own book it is told what is on it.", TURNING)
        if self.page is None or state.pack.is_open:
            return self.actions, self.features
        page = state.pack.page.get(self.page)
        if page is None:
            raise CannotBe(f"The scenario has no page {printed(self.page)}.", TURNING)
        return page.places, page.features

    def sentence(self, names: Sequence[str]) -> str:
        if self.page is None:
            return "The location book has not been opened yet."
        return f"The location book is open at {printed(self.page)}."


class PageTurned(Fact[WatersState], frozen=True):
    """Whether this round began with turning to its page, and so with its warning."""

    none = {"yes": False}
    yes: bool = True

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        if state.is_page_turned is True:
            yield cls()

    def put(self, state: WatersState, told: Told) -> WatersState:
        return replace(state, is_page_turned=UNSET if state.is_version_1 else self.yes)

    def sentence(self, names: Sequence[str]) -> str:
        return f"This round began {'with' if self.yes else 'without'} turning to its page."


class DialIs(Fact[WatersState], frozen=True):
    """The value of a location dial of the page."""

    about = ("feature",)
    feature: Id
    value: Natural

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(feature.id, dial) for feature, dial in zip(state.features, state.dials, strict=True))

    def put(self, state: WatersState, told: Told) -> WatersState:
        most = {feature.id: feature.max for feature in state.features}
        if self.value > most.get(self.feature, -1):
            raise CannotBe(f"The page has no {printed(self.feature)} that goes up to {self.value}.", TURNING)
        dials = zip(most, state.dials, strict=True)
        return replace(state, dials=tuple(self.value if of == self.feature else dial for of, dial in dials))

    def sentence(self, names: Sequence[str]) -> str:
        return f"{printed(self.feature)} is at {self.value}."

    def no_longer(self, names: Sequence[str]) -> str:
        return f"{printed(self.feature)} is no longer at {self.value}."


class Locked(Fact[WatersState], frozen=True):
    """Whether a lock token lies on an action of the page."""

    about = ("action",)
    none = {"yes": False}
    action: ActionNumber
    yes: bool = True

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return map(cls, state.locked)

    def put(self, state: WatersState, told: Told) -> WatersState:
        others = [number for number in state.locked if number != self.action]
        if not self.yes:
            return replace(state, locked=tuple(others))
        _on_the_page(state, [self.action])
        if len(others) >= state.pack.tokens.locks:
            raise CannotBe(f"There are only {state.pack.tokens.locks} lock tokens.", TYPES_OF_ACTIONS)
        return replace(state, locked=tuple(sorted([*others, self.action])))

    def sentence(self, names: Sequence[str]) -> str:
        return f"Action {self.action} is {'' if self.yes else 'not '}locked."


def _on_the_page(state: WatersState, actions: Iterable[int]) -> None:
    """Refuses actions that the page does not have."""
    numbers = {place.number for place in state.places}
    for action in actions:
        if action not in numbers:
            raise CannotBe(f"There is no action {action} on this page.", TYPES_OF_ACTIONS)


class StandsOn(Fact[WatersState], frozen=True):
    """The action on which a player's standee stands; 0: on none."""

    about = ("seat",)
    none = {"action": 0}
    seat: SeatId
    action: Annotated[int, Meta(ge=0, le=20)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(seat, number) for seat, number in zip(SEAT_IDS, state.standees, strict=False) if number)

    def put(self, state: WatersState, told: Told) -> WatersState:
        seat = SEAT_INDEX[self.seat]
        if self.action:
            _on_the_page(state, [self.action])
            if self.action not in state.taken and not told.speaks_of(ActionsTaken):
                state = replace(state, taken=(*state.taken, self.action))
        return replace(state, standees=(*state.standees[:seat], self.action, *state.standees[seat + 1 :]))

    def sentence(self, names: Sequence[str]) -> str:
        where = f"on action {self.action}" if self.action else "on no action"
        return f"{names[SEAT_INDEX[self.seat]]}'s standee stands {where}."

    def no_longer(self, names: Sequence[str]) -> str:
        where = f"on action {self.action}" if self.action else "on no action"
        return f"{names[SEAT_INDEX[self.seat]]}'s standee no longer stands {where}."


class ActionsTaken(Fact[WatersState], frozen=True):
    """The actions that were chosen in this round, one for each time."""

    none = {"actions": ()}
    actions: tuple[ActionNumber, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "actions", tuple(sorted(self.actions)))

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        if state.taken:
            yield cls(state.taken)

    def put(self, state: WatersState, told: Told) -> WatersState:
        _on_the_page(state, self.actions)
        if any(place.kind != "unlimited" and self.actions.count(place.number) > 1 for place in state.places):
            raise CannotBe("A limited or required action is chosen once in a round.", PLANNING)
        return replace(state, taken=self.actions)

    def sentence(self, names: Sequence[str]) -> str:
        return f"Actions chosen in this round: {listed([str(action) for action in self.actions])}."
