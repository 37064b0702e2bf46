"""Facts about the turn: the water, the active player, and the remaining steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from msgspec import UNSET, Meta, UnsetType

from engine.core.language import say
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import floods_due, settle
from engine.kit import common_facts
from engine.kit.common_facts import IsSo, TurnIs
from engine.kit.facts import Fact, Texts, Told
from engine.kit.words import counted


class WaterLevel(Fact[IslandState], frozen=True):
    """The tick of the water meter."""

    member = "water_level"
    texts = Texts("The water is at {level}.", "The water is no longer at {level}.")
    texts_of = {box.SKULL: Texts("The water is at the skull.", "The water is no longer at the skull.")}
    level: Annotated[int, Meta(ge=1, le=box.SKULL, description=f"From the lowest tick; {box.SKULL} is the skull.")]


class TurnOf(common_facts.TurnOf[IslandState], frozen=True):
    """The player whose turn it is."""

    resets = {"has_flown": False}


class Left(Fact[IslandState], frozen=True):
    """The rest of the turn: actions, then cards of the players' deck, then Flood cards."""

    texts = Texts("Left this turn: {left}.")
    of: Literal["actions", "cards", "flood_cards"]
    count: Annotated[int, Meta(ge=0, le=max(box.METER))]
    over: (
        Annotated[int, Meta(ge=1, le=max(box.METER), description="Flood cards drawn beyond those due.")] | UnsetType
    ) = UNSET

    @classmethod
    def all(cls, state: IslandState) -> Iterable[Self]:
        if state.treasure_draws_left == box.TREASURE_DRAWS and state.actions_left:
            yield cls("actions", state.actions_left)
        elif state.treasure_draws_left:
            yield cls("cards", state.treasure_draws_left)
        else:
            yield cls("flood_cards", state.flood_draws_left, state.flood_draws_over)

    def put(self, state: IslandState, told: Told) -> IslandState:
        most = {"actions": box.ACTIONS_PER_TURN, "cards": box.TREASURE_DRAWS, "flood_cards": max(box.METER)}[self.of]
        self.require(self.count <= most, "At most {left} can be left in a turn.", left=_describe_left(self.of, most))
        is_possible = self.over is UNSET or (self.of == "flood_cards" and not self.count)
        self.require(is_possible, "Too many Flood cards can be drawn only if none is left.")
        return replace(
            state,
            actions_left=self.count if self.of == "actions" else 0,
            treasure_draws_left={"actions": box.TREASURE_DRAWS, "cards": self.count, "flood_cards": 0}[self.of],
            flood_draws_left=self.count if self.of == "flood_cards" else 0,
            flood_draws_over=self.over,
        )

    def words(self, names: Sequence[str]) -> dict[str, str]:
        left = _describe_left(self.of, self.count)
        return {"left": left if self.over is UNSET else say("{left}, {over} too many drawn", left=left, over=self.over)}


class HasFlown(IsSo[IslandState], frozen=True):
    """True if the Pilot has flown this turn."""

    member = "has_flown"
    texts = Texts("The Pilot has already flown this turn.")
    texts_of = {False: Texts("The Pilot has not flown this turn.")}


def due_at(state: IslandState, told: Told) -> Iterable[Fact[IslandState]]:
    """Yield facts about the rest of the turn, if the meter is changed while or after Flood cards are drawn (FI-R14)."""
    water = told.of(WaterLevel)
    if water is None or water.level == box.SKULL or state.treasure_draws_left or told.speaks_of(Left):
        return
    drawn = floods_due(state.water_level) - state.flood_draws_left + (state.flood_draws_over or 0)
    left = floods_due(water.level) - drawn
    counters = {"flood_draws_left": max(0, left), "flood_draws_over": -left if left < 0 else UNSET}
    after = settle(replace(state, water_level=water.level, **counters))
    if after.outcome is None:
        for kind in (TurnIs, TurnOf, Left):
            yield from kind.all(after)


def _describe_left(of: str, count: int) -> str:
    if of == "actions":
        return counted(count, "action")
    if of == "cards":
        return counted(count, "card to draw", "cards to draw")
    return counted(count, "Flood card to draw", "Flood cards to draw")
