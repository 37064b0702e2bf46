"""Facts of the turn: the water, whose turn it is, and what is left of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta

from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_island.components import (
    ACTIONS_PER_TURN,
    METER,
    PHASES,
    SKULL,
    TREASURE_DRAWS,
)
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import ended, settle
from engine.kit.facts import CannotBe, Fact, Told
from engine.kit.words import counted


class WaterLevel(Fact[IslandState], frozen=True):
    """The tick of the water meter."""

    level: Annotated[int, Meta(ge=1, le=SKULL, description=f"From the lowest tick; {SKULL} is the skull.")]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        yield cls(state.water_level)

    def put(self, state: IslandState, told: Told) -> IslandState:
        return replace(state, water_level=self.level)

    def sentence(self, names: Sequence[str]) -> str:
        return f"The water is at {self._tick()}."

    def no_longer(self, names: Sequence[str]) -> str:
        return f"The water is no longer at {self._tick()}."

    def _tick(self) -> str:
        return "the skull" if self.level == SKULL else str(self.level)


class TurnIs(Fact[IslandState], frozen=True):
    """The number of the turn that is being played, from 1."""

    number: Annotated[int, Meta(ge=1, le=1_000_000)]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        yield cls(state.turn)

    def put(self, state: IslandState, told: Told) -> IslandState:
        return replace(state, turn=self.number)

    def sentence(self, names: Sequence[str]) -> str:
        return f"This is turn {self.number}."


class TurnOf(Fact[IslandState], frozen=True):
    """Whose turn it is."""

    seat: SeatId

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        yield cls(SEAT_IDS[state.active])

    def put(self, state: IslandState, told: Told) -> IslandState:
        return replace(state, active=SEAT_INDEX[self.seat], has_flown=False)

    def sentence(self, names: Sequence[str]) -> str:
        return f"It is {names[SEAT_INDEX[self.seat]]}'s turn."

    def no_longer(self, names: Sequence[str]) -> str:
        return f"It is no longer {names[SEAT_INDEX[self.seat]]}'s turn."


class Left(Fact[IslandState], frozen=True):
    """What is left to do in the turn: actions, then the cards that are drawn, then Flood cards."""

    of: Literal["actions", "cards", "flood_cards"]
    count: Annotated[int, Meta(ge=0, le=max(METER))]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        if state.treasure_draws_left == TREASURE_DRAWS and state.actions_left:
            yield cls("actions", state.actions_left)
        elif state.treasure_draws_left:
            yield cls("cards", state.treasure_draws_left)
        else:
            yield cls("flood_cards", state.flood_draws_left)

    def put(self, state: IslandState, told: Told) -> IslandState:
        most = {"actions": ACTIONS_PER_TURN, "cards": TREASURE_DRAWS, "flood_cards": max(METER)}[self.of]
        if self.count > most:
            raise CannotBe(f"No more than {_left(self.of, most)} can be left in a turn.")
        return replace(
            state,
            actions_left=self.count if self.of == "actions" else 0,
            treasure_draws_left={"actions": TREASURE_DRAWS, "cards": self.count, "flood_cards": 0}[self.of],
            flood_draws_left=self.count if self.of == "flood_cards" else 0,
        )

    def sentence(self, names: Sequence[str]) -> str:
        return f"Left in this turn: {_left(self.of, self.count)}."


class HasFlown(Fact[IslandState], frozen=True):
    """Whether the Pilot has flown in this turn."""

    none = {"yes": False}
    yes: bool = True

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        if state.has_flown:
            yield cls()

    def put(self, state: IslandState, told: Told) -> IslandState:
        return replace(state, has_flown=self.yes)

    def sentence(self, names: Sequence[str]) -> str:
        return f"The Pilot has {'' if self.yes else 'not '}flown in this turn."


class PhaseIs(Fact[IslandState], frozen=True):
    """The phase, which follows from what is left to do, from hands over the limit, and from pawns in the water."""

    is_derived = True
    _called: ClassVar[Mapping[str, str]] = PHASES
    phase: Literal["actions", "draw_treasure", "discard", "draw_flood", "swim"]

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        yield cls(state.phase)  # type: ignore[arg-type]  # one of them

    def sentence(self, names: Sequence[str]) -> str:
        return f"The phase is: {self._called.get(self.phase, self.phase)}."


def settled(state: IslandState) -> IslandState:
    """The table as the rules go on from it: what is lost is lost, empty piles are renewed, and the phase is right."""
    state = ended(
        replace(state, flood_draws_left=min(state.flood_draws_left, METER[min(state.water_level, SKULL - 1) - 1]))
    )
    return state if state.outcome is not None else settle(state)


def _left(of: str, count: int) -> str:
    word, more = {"actions": ("action", ""), "cards": ("card", " to draw"), "flood_cards": ("Flood card", " to draw")}[
        of
    ]
    return f"{counted(count, word)}{more}"
