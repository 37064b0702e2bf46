"""Kinds of facts that many games have: the turn, the phase, and numbers of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.kit.actions import seat_fields
from engine.kit.facts import Fact, S, Texts, Told
from engine.kit.words import counted


class TurnIs(Fact[S], frozen=True):
    """The number of the current turn, from 1."""

    member = "turn"
    texts = Texts("This is turn {number}.", "This is no longer turn {number}.")
    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class SeatIs(Fact[S], frozen=True):
    """A fact with a seat as its value. The state stores this seat as an index."""

    resets: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Members of the state, each with the value that it gets when this fact changes."""
    seat: SeatId

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        yield cls(SEAT_IDS[getattr(state, cls.member)])

    def put(self, state: S, told: Told) -> S:
        return replace(state, **{self.member: SEAT_INDEX[self.seat], **self.resets})


class TurnOf(SeatIs[S], frozen=True):
    """The seat whose turn it is."""

    title = marked("Turn")
    ask = marked("Tap the player whose turn begins.")
    member = "active"
    texts = Texts("It is {name}'s turn.", "It is no longer {name}'s turn.")


class PhaseIs(Fact[S], frozen=True):
    """The phase. It follows from the other facts."""

    is_derived = True
    member = "phase"
    texts = Texts("The phase is: {phase}.", "The phase is no longer: {phase}.")
    phases: ClassVar[Mapping[str, str]]
    """Each phase with its name for players."""
    phase: str

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"phase": say(self.phases.get(self.phase, self.phase))}


def phase_is(phases: Mapping[str, str]) -> type[PhaseIs[Any]]:
    """Create the kind of fact about the phase; `phases` maps each phase to its name for players."""
    field = ("phase", Literal[tuple(phases)])
    members = {"__doc__": PhaseIs.__doc__, "phases": phases}
    kind: Any = msgspec.defstruct("PhaseIs", [field], bases=(PhaseIs,), namespace=members, frozen=True)
    found: type[PhaseIs[Any]] = kind
    return found


class IsSo(Fact[S], frozen=True):
    """A fact whose value is a boolean member of the state."""

    none = {"yes": False}
    yes: bool = True


class IsAmong(Fact[S], frozen=True):
    """A fact about membership in a collection of the state.

    The last field, `yes`, is True if the element is in the collection. The other fields are the element.
    An element with several fields is a tuple in the state, and a seat is its index.
    """

    none = {"yes": False}

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        seats = seat_fields(cls)
        for element in dict.fromkeys(getattr(state, cls.member)):
            values = element if isinstance(element, tuple) else (element,)
            told = zip(cls.about, values, strict=True)
            yield cls(*(SEAT_IDS[value] if name in seats else value for name, value in told))

    def put(self, state: S, told: Told) -> S:
        seats = seat_fields(type(self))
        values = [SEAT_INDEX[getattr(self, name)] if name in seats else getattr(self, name) for name in self.about]
        element = values[0] if len(values) == 1 else tuple(values)
        others = tuple(one for one in getattr(state, self.member) if one != element)
        return replace(state, **{self.member: others if self == self.absent else (*others, element)})


class SizeIs(Fact[S], frozen=True):
    """The number of cards in a pile, or in the hand of each seat."""

    is_derived = True

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        cards = getattr(state, cls.member)
        return map(cls, SEAT_IDS, map(len, cards)) if cls.about else [cls(len(cards))]

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {**super().words(names), "cards": counted(self.content, "card")}


class LayersAre(Fact[S], frozen=True):
    """The known part of a pile: its layers from the top; empty if the whole pile was shuffled."""

    none = {"layers": ()}

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        layers = getattr(state, cls.member).layers
        if len(layers) > 1:
            yield cls(layers)

    def words(self, names: Sequence[str]) -> dict[str, Any]:
        return {"parts": say("; then ").join(", ".join(map(self.word, layer)) for layer in self.content)}
