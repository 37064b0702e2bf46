"""Facts that the players note: numbers in the ship's log, entries that were read, and cards of the table's own box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

from msgspec import Meta

from engine.core.language import say
from engine.games.forgotten_waters.headings import EFFECTS, SETUP
from engine.games.forgotten_waters.scenario.effect_values import CardName, Id, Skill
from engine.games.forgotten_waters.scenario.pack import Natural
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, named, printed, reference
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.words import counted


class CountIs(WatersFact, frozen=True):
    """A number kept in the ship's log."""

    about = ("counter",)
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

    about = ("entry",)
    none = {"count": 0}
    texts = Texts("Entry {entry} was read {times}.")
    entry: Id
    count: Annotated[int, Meta(ge=0, le=20_000)] = 1

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(entry, count) for entry, count in Counter(state.entries).items())

    def put(self, state: WatersState, told: Told) -> WatersState:
        if not state.pack.is_open and self.entry not in state.pack.entry:
            raise CannotBe(say("The scenario has no entry {entry}.", entry=reference(self.entry)), EFFECTS)
        left, entries = self.count, []
        for entry in state.entries:
            if entry != self.entry or left:
                entries.append(entry)
                left -= entry == self.entry
        return replace(state, entries=(*entries, *(self.entry,) * left))

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"entry": reference(self.entry), "times": counted(self.count, "time")}


def _own_box(state: WatersState) -> None:
    """Reject a fact about a table's own cards or tokens if the scenario defines all cards and tokens."""
    if not state.pack.is_open:
        raise CannotBe(
            "You can only enter components if you play a scenario from your own copy of the game. This "
            "scenario knows its components.",
            SETUP,
        )


class CalledSo(WatersFact, frozen=True):
    """The players' name for a card from their own copy of the game, or for the token on a space."""

    about = ("of",)
    none = {"name": None}
    texts = Texts("{of} is called {name}.")
    texts_of = {None: Texts("{of} has no name yet.")}
    of: Id
    name: CardName | None

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(of, name) for of, name in state.names or ())

    def put(self, state: WatersState, told: Told) -> WatersState:
        _own_box(state)
        if self.of not in state.pack.card and self.of not in state.map.spaces():
            raise CannotBe(say("There is no card or space {of}.", of=self.of), SETUP)
        return state.with_name(self.of, self.name)

    def words(self, names: Sequence[str]) -> dict[str, str | None]:
        return {"of": printed(self.of), "name": self.name}


class IconIs(WatersFact, frozen=True):
    """The bonus in skill checks of a card from the players' own copy of the game."""

    about = ("card", "skill")
    none = {"n": 0}
    texts = Texts("{card} adds {n} to {skill}.")
    card: Id
    skill: Skill
    n: Annotated[int, Meta(ge=0, le=12)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(card, skill, n) for card, skill, n in state.icons if n)

    def put(self, state: WatersState, told: Told) -> WatersState:
        _own_box(state)
        others = [icon for icon in state.icons if icon[:2] != (self.card, self.skill)]
        return replace(state, icons=tuple(sorted([*others, (self.card, self.skill, self.n)])))

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "skill": named(self.skill)}
