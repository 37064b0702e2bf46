"""What is written down: numbers of the ship's log, entries read, and notes on the cards of a table's own box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Self

from msgspec import Meta

from engine.core.language import say
from engine.games.forgotten_waters.headings import EFFECTS, SETUP
from engine.games.forgotten_waters.scenario.effects import CardName, Id, Skill
from engine.games.forgotten_waters.scenario.pack import Natural
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import named, printed, reference
from engine.kit.facts import CannotBe, Fact, Told
from engine.kit.words import counted


class CountIs(Fact[WatersState], frozen=True):
    """A number that the ship's log keeps."""

    about = ("counter",)
    none = {"value": 0}
    counter: Id
    value: Natural

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(counter, value) for counter, value in state.counts)

    def put(self, state: WatersState, told: Told) -> WatersState:
        counts = {**dict(state.counts), self.counter: self.value}
        return replace(state, counts=tuple(sorted((counter, value) for counter, value in counts.items() if value)))

    def sentence(self, names: Sequence[str]) -> str:
        return say("The ship's log keeps: {counter} {value}.", counter=printed(self.counter), value=self.value)


class EntriesRead(Fact[WatersState], frozen=True):
    """How often an entry has been read."""

    about = ("entry",)
    none = {"count": 0}
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

    def sentence(self, names: Sequence[str]) -> str:
        return say("Entry {entry} was read {times}.", entry=reference(self.entry), times=counted(self.count, "time"))


def _own_box(state: WatersState) -> None:
    """Refuses notes where the scenario knows its components."""
    if not state.pack.is_open:
        raise CannotBe("Only the components of a table's own box are noted: this scenario knows its own.", SETUP)


class CalledSo(Fact[WatersState], frozen=True):
    """What the table called a card of its own box, or the token on a space."""

    about = ("of",)
    none = {"name": None}
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

    def sentence(self, names: Sequence[str]) -> str:
        if self.name is None:
            return say("{of} is called nothing yet.", of=printed(self.of))
        return say("{of} is called {name}.", of=printed(self.of), name=self.name)


class IconIs(Fact[WatersState], frozen=True):
    """What a card of a table's own box adds to skill checks, as the table noted it."""

    about = ("card", "skill")
    none = {"n": 0}
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

    def sentence(self, names: Sequence[str]) -> str:
        return say("{card} adds {count} to {skill}.", card=printed(self.card), count=self.n, skill=named(self.skill))
