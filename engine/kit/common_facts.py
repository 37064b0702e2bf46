"""Kinds of facts that many games have: the turn, the phase, and how many cards there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.kit.facts import Fact, S, Texts, Told


class TurnIs(Fact[S], frozen=True):
    """The number of the turn that is being played, from 1."""

    member = "turn"
    texts = Texts("This is turn {number}.")
    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class SeatIs(Fact[S], frozen=True):
    """A seat that the state has by its index."""

    resets: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """The members of the state that start anew with it."""
    seat: SeatId

    @classmethod
    def all(cls, state: S) -> Iterable[Self]:
        yield cls(SEAT_IDS[getattr(state, cls.member)])

    def put(self, state: S, told: Told) -> S:
        return replace(state, **{self.member: SEAT_INDEX[self.seat], **self.resets})


class TurnOf(SeatIs[S], frozen=True):
    """Whose turn it is."""

    member = "active"
    texts = Texts("It is {name}'s turn.", "It is no longer {name}'s turn.")


class PhaseIs(Fact[S], frozen=True):
    """The phase."""

    is_derived = True
    member = "phase"
    texts = Texts("The phase is: {phase}.")
    phases: ClassVar[Mapping[str, str]]
    """Each phase, and what a player calls it."""
    phase: str

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"phase": say(self.phases.get(self.phase, self.phase))}
