"""Facts of the turn: the water, whose turn it is, and what is left of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import Meta

from engine.core.language import say
from engine.games.forbidden_island.components import (
    ACTIONS_PER_TURN,
    METER,
    PHASES,
    SKULL,
    TREASURE_DRAWS,
)
from engine.games.forbidden_island.headings import HAND_LIMIT_RULE
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import ended, settle
from engine.kit import common_facts
from engine.kit.common_facts import IsSo, TurnIs
from engine.kit.facts import CannotBe, Fact, Texts, Told
from engine.kit.words import counted


class WaterLevel(Fact[IslandState], frozen=True):
    """The tick of the water meter."""

    member = "water_level"
    texts = Texts("The water is at {level}.", "The water is no longer at {level}.")
    texts_of = {SKULL: Texts("The water is at the skull.", "The water is no longer at the skull.")}
    level: Annotated[int, Meta(ge=1, le=SKULL, description=f"From the lowest tick; {SKULL} is the skull.")]


class TurnOf(common_facts.TurnOf[IslandState], frozen=True):
    """Whose turn it is."""

    resets = {"has_flown": False}


class Left(Fact[IslandState], frozen=True):
    """What is left to do in the turn: actions, then the cards that are drawn, then Flood cards."""

    texts = Texts("Left in this turn: {left}.")
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
            raise CannotBe(say("No more than {left} can be left in a turn.", left=_left(self.of, most)))
        return replace(
            state,
            actions_left=self.count if self.of == "actions" else 0,
            treasure_draws_left={"actions": TREASURE_DRAWS, "cards": self.count, "flood_cards": 0}[self.of],
            flood_draws_left=self.count if self.of == "flood_cards" else 0,
        )

    def words(self, names: Sequence[str]) -> dict[str, str]:
        return {"left": _left(self.of, self.count)}


class HasFlown(IsSo[IslandState], frozen=True):
    """Whether the Pilot has flown in this turn."""

    member = "has_flown"
    texts = Texts("The Pilot has flown in this turn.")
    texts_of = {False: Texts("The Pilot has not flown in this turn.")}


class PhaseIs(common_facts.PhaseIs[IslandState], frozen=True):
    """The phase, which follows from what is left to do, from hands over the limit, and from pawns in the water."""

    phases = PHASES
    phase: Literal["actions", "draw_treasure", "discard", "draw_flood", "swim"]


def due_at(state: IslandState, told: Told) -> Iterable[Fact[IslandState]]:
    """What is left of the turn once the meter shows another level while Flood cards are due (FI-R14)."""
    water = told.of(WaterLevel)
    if water is None or water.level == SKULL or not state.flood_draws_left or told.speaks_of(Left):
        return
    drawn = METER[state.water_level - 1] - state.flood_draws_left
    left = max(0, METER[water.level - 1] - drawn)
    after = settle(replace(state, water_level=water.level, flood_draws_left=left))
    if after.outcome is None:
        for kind in (TurnIs, TurnOf, Left):
            yield from kind.all(after)


def settled(state: IslandState) -> IslandState:
    """The table as the rules go on from it: what is lost is lost, empty piles are renewed, and the phase is right."""
    state = ended(
        replace(state, flood_draws_left=min(state.flood_draws_left, METER[min(state.water_level, SKULL - 1) - 1]))
    )
    if state.outcome is None:
        state = settle(state)
    if state.outcome is None and state.phase != "discard" and state.over_limit() is not None:
        raise CannotBe(
            "A tile that sinks is dealt with first: tell of a hand over the limit of 5 cards after that.",
            HAND_LIMIT_RULE,
        )
    return state


def _left(of: str, count: int) -> str:
    if of == "actions":
        return counted(count, "action")
    if of == "cards":
        return counted(count, "card to draw", "cards to draw")
    return counted(count, "Flood card to draw", "Flood cards to draw")
