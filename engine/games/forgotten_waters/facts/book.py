"""Facts of the location book: the open page, its dials, and its locks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import UNSET, Meta

from engine.core.language import say
from engine.games.forgotten_waters.headings import TURNING, TYPES_OF_ACTIONS
from engine.games.forgotten_waters.scenario.pack import Natural
from engine.games.forgotten_waters.scenario.values import ActionNumber, Feature, Id, Place
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import WatersFact
from engine.kit.common_facts import IsAmong, IsSo
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.words import counted


class PageIs(WatersFact, frozen=True):
    """The page of the location book, and the contents of the page if it is in a table's own book."""

    texts = Texts("The location book is open at {page}.")
    texts_of = {None: Texts("The location book has not been opened yet.")}
    rows = staticmethod(
        lambda state: [(state.page or None, *((state.places, state.features) if state.pack.is_open else ()))]
    )
    page: Annotated[Id | None, Meta(description="null: the book has not been opened yet.")]
    actions: Annotated[tuple[Place, ...], Meta(max_length=20)] = ()
    features: Annotated[tuple[Feature, ...], Meta(max_length=5)] = ()

    def put(self, state: WatersState, told: Told) -> WatersState:
        places, features = self._page_contents(state)
        numbers = {place.number for place in places}
        are_unique = len(numbers) == len(places) and len({feature.id for feature in features}) == len(features)
        self.require(are_unique, "Two actions have the same number, or two dials have the same name.", TURNING)
        told_of = {number for number in numbers if told.speaks_of(Locked, number)}
        locked = told_of.intersection(state.locked).union(
            place.number for place in places if place.is_locked and place.number not in told_of
        )
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

    def _page_contents(self, state: WatersState) -> tuple[tuple[Place, ...], tuple[Feature, ...]]:
        is_possible = (state.pack.is_open and self.page) or not (self.actions or self.features)
        self.require(is_possible, "Enter the contents of a page only for a table's own book.", TURNING)
        if self.page is None or state.pack.is_open:
            return self.actions, self.features
        self.require(self.page in state.pack.page, "The scenario has no page {page}.", TURNING)
        page = state.pack.page[self.page]
        return page.places, page.features


class PageTurned(IsSo[WatersState], frozen=True):
    """True if this round started with a turn to its page, so that the warning of the page applies."""

    texts = Texts("This round started by turning to its page.")
    texts_of = {False: Texts("This round started without turning to its page.")}
    rows = staticmethod(lambda state: [(True,)] if state.is_page_turned is True else [])

    def put(self, state: WatersState, told: Told) -> WatersState:
        return replace(state, is_page_turned=UNSET if state.is_version_1 else self.yes)


class DialIs(WatersFact, frozen=True):
    """The value of a location dial of the page."""

    texts = Texts("{feature} is at {value}.", "{feature} is no longer at {value}.")
    rows = staticmethod(lambda state: zip((feature.id for feature in state.features), state.dials, strict=True))
    feature: Id
    value: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        most = {feature.id: feature.max for feature in state.features}
        is_possible = self.value <= most.get(self.feature, -1)
        self.require(is_possible, "The page has no {feature} that goes up to {value}.", TURNING)
        dials = zip(most, state.dials, strict=True)
        return replace(state, dials=tuple(self.value if of == self.feature else dial for of, dial in dials))


class Locked(IsAmong[WatersState], frozen=True):
    """True if there is a lock token on an action of the page."""

    member = "locked"
    texts = Texts("Action {action} is locked.")
    texts_of = {False: Texts("Action {action} is not locked.")}
    action: ActionNumber
    yes: bool = True

    def put(self, state: WatersState, told: Told) -> WatersState:
        state = super().put(state, told)
        if self.yes:
            on_the_page(state, [self.action])
            there = state.pack.tokens.locks
            tokens = counted(there, "lock token")
            self.require(len(state.locked) <= there, "There are only {tokens}.", TYPES_OF_ACTIONS, tokens=tokens)
        return replace(state, locked=tuple(sorted(state.locked)))


def on_the_page(state: WatersState, actions: Iterable[int]) -> None:
    unknown = set(actions).difference(place.number for place in state.places)
    if unknown:
        raise CannotBe(say("There is no action {action} on this page.", action=min(unknown)), TYPES_OF_ACTIONS)
