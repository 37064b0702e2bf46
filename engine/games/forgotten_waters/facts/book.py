"""Facts of the location book and of the players' notes: pages, entries, numbers, and cards of the table's own box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Self

from msgspec import UNSET, Meta
from msgspec.structs import force_setattr

from engine.core.language import say
from engine.core.values import SeatId
from engine.games.forgotten_waters.headings import EFFECTS, PLANNING, SETUP, TURNING, TYPES_OF_ACTIONS
from engine.games.forgotten_waters.scenario.effects import Feature, Place
from engine.games.forgotten_waters.scenario.pack import Natural
from engine.games.forgotten_waters.scenario.plain_effects import ActionNumber, CardName, Id, Skill
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, inline_name, list_things, reference
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
        self.require(are_unique, "Each action has its number, and each dial its name.", TURNING)
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
            _on_the_page(state, [self.action])
            there = state.pack.tokens.locks
            tokens = counted(there, "lock token")
            self.require(len(state.locked) <= there, "There are only {tokens}.", TYPES_OF_ACTIONS, tokens=tokens)
        return replace(state, locked=tuple(sorted(state.locked)))


def _on_the_page(state: WatersState, actions: Iterable[int]) -> None:
    numbers = {place.number for place in state.places}
    for action in actions:
        if action not in numbers:
            raise CannotBe(say("There is no action {action} on this page.", action=action), TYPES_OF_ACTIONS)


class StandsOn(WatersFact, frozen=True):
    """The action under a player's standee; 0: none."""

    none = {"action": 0}
    member = "standees"
    texts = Texts("{name}'s standee is on action {action}.", "{name}'s standee is no longer on action {action}.")
    texts_of = {0: Texts("{name}'s standee is not on an action.", "{name}'s standee is now on an action.")}
    seat: SeatId
    action: Annotated[int, Meta(ge=0, le=20)]

    def put(self, state: WatersState, told: Told) -> WatersState:
        if self.action:
            _on_the_page(state, [self.action])
            if self.action not in state.taken and not told.speaks_of(ActionsTaken):
                state = replace(state, taken=(*state.taken, self.action))
        return super().put(state, told)


class ActionsTaken(WatersFact, frozen=True):
    """The actions chosen this round, one entry for each choice."""

    none = {"actions": ()}
    member = "taken"
    texts = Texts("Actions chosen this round: {actions}.")
    words_of = {"actions": list_things}
    actions: tuple[ActionNumber, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "actions", tuple(sorted(self.actions)))

    def put(self, state: WatersState, told: Told) -> WatersState:
        _on_the_page(state, self.actions)
        are_free = all(place.kind == "unlimited" or self.actions.count(place.number) <= 1 for place in state.places)
        self.require(are_free, "A limited or required action can be chosen only once in a round.", PLANNING)
        return replace(state, taken=self.actions)


class CountIs(WatersFact, frozen=True):
    """A number kept in the ship's log."""

    none = {"value": 0}
    texts = Texts("The ship's log has: {counter} {value}.")
    rows = staticmethod(lambda state: state.counts)
    counter: Id
    value: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        return state.with_entry("counts", self.counter, self.value or None)


class EntriesRead(WatersFact, frozen=True):
    """The number of times that an entry was read."""

    none = {"count": 0}
    texts = Texts("Entry {entry} was read {count}.")
    words_of = {"entry": reference, "count": lambda count: counted(count, "time")}
    entry: Id
    count: Annotated[int, Meta(ge=0, le=20_000)] = 1

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(entry, count) for entry, count in Counter(state.entries).items())

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_known = state.pack.is_open or self.entry in state.pack.entry
        self.require(is_known, "The scenario has no entry {entry}.", EFFECTS)
        left, entries = self.count, []
        for entry in state.entries:
            if entry != self.entry or left:
                entries.append(entry)
                left -= entry == self.entry
        return replace(state, entries=(*entries, *(self.entry,) * left))


class _OfOwnBox(WatersFact, frozen=True):
    """A fact about a table's own cards or tokens, which is impossible if the scenario defines all cards and tokens."""

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(
            state.pack.is_open,
            "You can only enter components if you play a scenario from your own copy of the game. This "
            "scenario knows its components.",
            SETUP,
        )
        return state


class CalledSo(_OfOwnBox, frozen=True):
    """The players' name for a card from their own copy of the game, or for the token on a space."""

    none = {"name": None}
    rows = staticmethod(lambda state: state.names or ())
    texts = Texts("{of} is called {name}.")
    texts_of = {None: Texts("{of} has no name yet.")}
    words_of = {"name": str}
    of: Id
    name: CardName | None

    def put(self, state: WatersState, told: Told) -> WatersState:
        state = super().put(state, told)
        is_known = self.of in state.pack.card or self.of in state.map.spaces()
        self.require(is_known, "There is no card or space {of}.", SETUP, of=self.of)
        return state.with_entry("names", self.of, self.name)


class IconIs(_OfOwnBox, frozen=True):
    """The bonus in skill checks of a card from the players' own copy of the game."""

    about = ("card", "skill")
    none = {"n": 0}
    rows = staticmethod(lambda state: (icon for icon in state.icons if icon[2]))
    texts = Texts("{card} adds {n} to {skill}.")
    words_of = {"skill": inline_name}
    card: Id
    skill: Skill
    n: Annotated[int, Meta(ge=0, le=12)]

    def put(self, state: WatersState, told: Told) -> WatersState:
        return super().put(state, told).with_entry("icons", self.card, self.skill, self.n)
