"""Pig: roll a die as often as you dare. A 1 loses what you rolled this turn; the first to reach the goal wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from driftlog.kit import (
    SEAT_IDS,
    Action,
    Chance,
    GameOutcome,
    Meter,
    Options,
    Refusal,
    Ruleset,
    State,
    Value,
    say,
    with_entry,
)


class PigOptions(Options, frozen=True, kw_only=True):
    goal: Annotated[int, msgspec.Meta(ge=10, le=1000, title="Goal")] = 100


class PigState(State, frozen=True, kw_only=True):
    goal: int
    scores: tuple[int, ...]
    active: int = 0
    rolled: int = 0
    """The points of this turn."""


class Roll(Action[PigState], frozen=True):
    """Roll the die."""

    type = "roll"
    rule = "Rolling"
    symbol = "die"
    asks_chance = True

    def refusal(self, state: PigState, seat: int) -> Refusal | None:
        return not_your_turn(self.rule, state, seat)

    def apply(self, state: PigState, seat: int, chance: Chance) -> PigState:
        points = chance.draw("die", (1, 2, 3, 4, 5, 6))
        return pass_turn(state) if points == 1 else replace(state, rolled=state.rolled + points)

    def describe(self, state: PigState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{player} rolls {points}.", player=names[seat], points=outcomes[0])


class Hold(Action[PigState], frozen=True):
    """Score the points of this turn and pass the die."""

    type = "hold"
    rule = "Scoring"

    def refusal(self, state: PigState, seat: int) -> Refusal | None:
        if not state.rolled:
            return Refusal(self.rule, "Roll at least once.")
        return not_your_turn(self.rule, state, seat)

    def apply(self, state: PigState, seat: int, chance: Chance) -> PigState:
        score = state.scores[seat] + state.rolled
        scored = replace(state, scores=with_entry(state.scores, seat, score))
        if score >= state.goal:
            return replace(scored, outcome=GameOutcome("won", (SEAT_IDS[seat],), "goal", self.rule))
        return pass_turn(scored)

    def describe(self, state: PigState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{player} scores {points}.", player=names[seat], points=state.rolled)


def not_your_turn(rule: str, state: PigState, seat: int) -> Refusal | None:
    """Refuse an action of another player."""
    return None if seat == state.active else Refusal(rule, "It is another player's turn.")


def pass_turn(state: PigState) -> PigState:
    """Return the state at the start of the next turn."""
    return replace(state, turn=state.turn + 1, rolled=0, active=(state.active + 1) % len(state.scores))


class Pig(Ruleset[PigState, PigOptions]):
    """The dice game."""

    kit = 1
    id = "pig"
    version = "1"
    name = "Pig"
    players = (2, 8)
    is_cooperative = False
    options = PigOptions
    state = PigState
    parts = (Meter("scores", "Score", unit="points", per_seat=True), Meter("rolled", "This turn", unit="points"))
    actions = (Roll, Hold)
    phases = {"rolling": "roll or hold"}
    endings = {"goal": "The goal is reached."}
    components = {"dice": 1}
    chance_points = ("die",)
    max_events = 100_000

    def setup(self, options: PigOptions, seats: int, chance: Chance) -> PigState:
        return PigState(turn=1, phase="rolling", goal=options.goal, scores=(0,) * seats)


PIG = Pig()
