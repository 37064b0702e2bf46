"""Pig: roll a die as often as you dare. A 1 loses what you rolled this turn; the first to reach the goal wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

import msgspec
from msgspec.structs import replace

from driftlog.kit import SEAT_IDS, Action, Chance, GameOutcome, Options, Refusal, Ruleset, State, Value, say


class PigOptions(Options, frozen=True, kw_only=True):
    goal: Annotated[int, msgspec.Meta(ge=10, le=1000)] = 100


class PigState(State, frozen=True, kw_only=True):
    goal: int
    scores: tuple[int, ...]
    active: int
    rolled: int = 0
    """The points of this turn."""


class Roll(Action[PigState], frozen=True):
    """Roll the die."""

    type = "roll"
    rule = "Rolling"
    asks_chance = True

    @classmethod
    def candidates(cls, state: PigState, seat: int) -> Iterable[Self]:
        return (cls(),)

    def refusal(self, state: PigState, seat: int) -> Refusal | None:
        return not_your_turn(self.rule, state, seat)

    def apply(self, state: PigState, seat: int, chance: Chance) -> PigState:
        points = chance.draw("die", (1, 2, 3, 4, 5, 6))
        return passed(state) if points == 1 else replace(state, rolled=state.rolled + points)

    def label(self, state: PigState, names: Sequence[str]) -> str:
        return say("Roll")

    def describe(self, state: PigState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{player} rolls {points}.", player=names[seat], points=outcomes[0])


class Hold(Action[PigState], frozen=True):
    """Score the points of this turn and pass the die."""

    type = "hold"
    rule = "Scoring"

    @classmethod
    def candidates(cls, state: PigState, seat: int) -> Iterable[Self]:
        return (cls(),)

    def refusal(self, state: PigState, seat: int) -> Refusal | None:
        if not state.rolled:
            return Refusal(self.rule, "Roll at least once.")
        return not_your_turn(self.rule, state, seat)

    def apply(self, state: PigState, seat: int, chance: Chance) -> PigState:
        score = state.scores[seat] + state.rolled
        scores = (*state.scores[:seat], score, *state.scores[seat + 1 :])
        if score >= state.goal:
            return replace(state, scores=scores, outcome=GameOutcome("won", (SEAT_IDS[seat],), "goal", "Scoring"))
        return passed(replace(state, scores=scores))

    def label(self, state: PigState, names: Sequence[str]) -> str:
        return say("Hold")

    def describe(self, state: PigState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return say("{player} scores {points}.", player=names[seat], points=state.rolled)


def not_your_turn(rule: str, state: PigState, seat: int) -> Refusal | None:
    """Refuse an action of another player."""
    return None if seat == state.active else Refusal(rule, "It is another player's turn.")


def passed(state: PigState) -> PigState:
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
    actions = (Roll, Hold)
    sections = ("Rolling", "Scoring")
    phases = {"rolling": "roll or hold"}
    endings = {"goal": "The goal is reached."}
    components = {"dice": 1}
    chance_points = ("die",)
    max_events = 100_000

    def check_options(self, options: PigOptions, seats: int) -> None:
        """Accept all options that fit their types."""

    def setup(self, options: PigOptions, seats: int, chance: Chance) -> PigState:
        return PigState(turn=1, phase="rolling", goal=options.goal, scores=(0,) * seats, active=0)

    def describe_setup(self, state: PigState, names: Sequence[str]) -> list[str]:
        return [say("{player} begins.", player=names[0])]

    def awaiting(self, state: PigState) -> tuple[int, ...]:
        return () if state.outcome else (state.active,)

    def active(self, state: PigState) -> int:
        return state.active

    def seats(self, state: PigState) -> int:
        return len(state.scores)

    def view(self, state: PigState, viewer: int | None) -> dict[str, Any]:
        return self.to_document(state)

    def check_invariants(self, state: PigState) -> list[str]:
        return [
            f"{seat} has less than 0 points" for seat, score in zip(SEAT_IDS, state.scores, strict=False) if score < 0
        ]

    def overview(self, state: PigState, names: Sequence[str]) -> dict[str, str]:
        return {name: str(score) for name, score in zip(names, state.scores, strict=True)} | {
            "This turn": str(state.rolled)
        }

    def value_label(self, value: Value) -> str:
        return str(value)


PIG = Pig()
