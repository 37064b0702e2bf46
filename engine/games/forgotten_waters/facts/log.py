"""Facts that the players note: numbers in the ship's log, entries that were read, and cards of the table's own box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Self

from msgspec import Meta

from engine.games.forgotten_waters.headings import EFFECTS, SETUP
from engine.games.forgotten_waters.scenario.effect_values import CardName, Id, Skill
from engine.games.forgotten_waters.scenario.pack import Natural
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, named, reference
from engine.kit.facts import Texts, Told
from engine.kit.words import counted


class CountIs(WatersFact, frozen=True):
    """A number kept in the ship's log."""

    none = {"value": 0}
    texts = Texts("The ship's log has: {counter} {value}.")
    counter: Id
    value: Natural

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(counter, value) for counter, value in state.counts)

    def put(self, state: WatersState, told: Told) -> WatersState:
        counts = {**dict(state.counts), self.counter: self.value}
        return replace(state, counts=tuple(sorted((counter, value) for counter, value in counts.items() if value)))


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
    texts = Texts("{of} is called {name}.")
    texts_of = {None: Texts("{of} has no name yet.")}
    words_of = {"name": str}
    of: Id
    name: CardName | None

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(of, name) for of, name in state.names or ())

    def put(self, state: WatersState, told: Told) -> WatersState:
        state = super().put(state, told)
        is_known = self.of in state.pack.card or self.of in state.map.spaces()
        self.require(is_known, "There is no card or space {of}.", SETUP, of=self.of)
        return state.with_name(self.of, self.name)


class IconIs(_OfOwnBox, frozen=True):
    """The bonus in skill checks of a card from the players' own copy of the game."""

    about = ("card", "skill")
    none = {"n": 0}
    texts = Texts("{card} adds {n} to {skill}.")
    words_of = {"skill": named}
    card: Id
    skill: Skill
    n: Annotated[int, Meta(ge=0, le=12)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(card, skill, n) for card, skill, n in state.icons if n)

    def put(self, state: WatersState, told: Told) -> WatersState:
        state = super().put(state, told)
        others = [icon for icon in state.icons if icon[:2] != (self.card, self.skill)]
        return replace(state, icons=tuple(sorted([*others, (self.card, self.skill, self.n)])))
