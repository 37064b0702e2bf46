"""A game for tests only, with everything that the kernel allows and no installed game uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from engine.core.errors import Malformed
from engine.core.events import Draft
from engine.core.values import SEAT_IDS, GameOutcome, State, Value
from engine.kit.chance import Chance
from engine.kit.options import Options
from engine.kit.ruleset import Action, Refusal, Ruleset

DIE = (1, 2, 3, 4, 5, 6)


class DiceOptions(Options, frozen=True, kw_only=True):
    goal: Annotated[int, Meta(ge=1, le=100)] = 10
    first: Literal["p1", "p2"] = "p1"


class DiceState(State, frozen=True, kw_only=True):
    goal: int
    totals: tuple[int, ...]
    active: int


class Manner(msgspec.Struct, frozen=True):
    """The options of the dice."""

    hand: Literal["left", "right"] = "right"


class Roll(Action[DiceState], frozen=True):
    """Roll up to three dice. A roll of no dice asks for no result.

    The turn passes even after the roll that ends the game.
    """

    type = "roll"
    rule = "Rolling"
    asks_chance = True
    dice: Annotated[int, Meta(ge=0, le=3)] = 1
    manner: Manner = Manner()

    @classmethod
    def candidates(cls, state: DiceState, seat: int) -> Iterable[Self]:
        return map(cls, (3, 2, 1, 0, 0))

    def refusal(self, state: DiceState, seat: int) -> Refusal | None:
        return None if seat == state.active else Refusal(self.rule, "It is another player's turn.")

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        total = state.totals[seat] + sum(chance.draw("die", DIE) for _ in range(self.dice))
        return msgspec.structs.replace(
            state,
            turn=state.turn + 1,
            totals=(*state.totals[:seat], total, *state.totals[seat + 1 :]),
            active=(seat + 1) % len(state.totals),
            outcome=GameOutcome("won", (SEAT_IDS[seat],), "goal", "The End") if total >= state.goal else None,
        )

    def label(self, state: DiceState, names: Sequence[str]) -> str:
        return f"Roll {self.dice}"

    def describe(self, state: DiceState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"{names[seat]} rolls {', '.join(map(str, outcomes)) or 'nothing'}."


class Dice(Ruleset[DiceState, DiceOptions]):
    """A game in which the first player to reach the goal wins."""

    id = "dice"
    version = "2"
    name = "Dice"
    players = (1, 8)
    options = DiceOptions
    state = DiceState
    actions = (Roll,)
    sections = ("Rolling", "The End")
    phases = {"rolling": "dice are rolled"}
    endings = {"goal": "The goal is reached."}
    components = {"dice": 3}
    max_events = 1000

    def check_options(self, options: DiceOptions, seats: int) -> None:
        if options.first == "p2" and seats < 2:
            raise Malformed("/options/first", "there is only one player")

    def setup(self, options: DiceOptions, seats: int, chance: Chance) -> DiceState:
        return DiceState(turn=1, phase="rolling", goal=options.goal, totals=(0,) * seats, active=0)

    def describe_setup(self, state: DiceState, names: Sequence[str]) -> list[str]:
        return ["The dice are out."]

    def awaiting(self, state: DiceState) -> tuple[int, ...]:
        return (state.active,)

    def active(self, state: DiceState) -> int:
        return state.active

    def view(self, state: DiceState, viewer: int | None) -> dict[str, Any]:
        return self.to_document(state)

    def check_invariants(self, state: DiceState) -> list[str]:
        return []

    def overview(self, state: DiceState, names: Sequence[str]) -> dict[str, str]:
        return {"Goal": str(state.goal), "Totals": ", ".join(map(str, state.totals))}

    def value_label(self, value: Value) -> str:
        return str(value)

    def seats(self, state: DiceState) -> int:
        return len(state.totals)


class OldDice(Dice):
    """An earlier version of the rules, which stored games may name."""

    version = "1"


class RuledOptions(Options, frozen=True, kw_only=True):
    goal: Annotated[int, Meta(ge=1, le=100)] = 10
    starter: Literal["p1", "p2"] = "p1"


class RuledRoll(Action[DiceState], frozen=True):
    """Roll one or two dice. A six gives another roll."""

    type = "roll"
    rule = "Rolling"
    asks_chance = True
    count: Annotated[int, Meta(ge=0, le=3)] = 1

    @classmethod
    def candidates(cls, state: DiceState, seat: int) -> Iterable[Self]:
        return map(cls, (1, 2))

    def refusal(self, state: DiceState, seat: int) -> Refusal | None:
        if seat != state.active:
            return Refusal(self.rule, "It is another player's turn.")
        return Refusal(self.rule, "At most two dice are rolled at once.") if self.count > 2 else None

    def apply(self, state: DiceState, seat: int, chance: Chance) -> DiceState:
        after = Roll(self.count).apply(state, seat, witness := _Kept(chance))
        return msgspec.structs.replace(after, active=seat) if 6 in witness.drawn else after

    def label(self, state: DiceState, names: Sequence[str]) -> str:
        return f"Roll {self.count}"

    def describe(self, state: DiceState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"{names[seat]} rolls {', '.join(map(str, outcomes))}."


class _Kept:
    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.drawn: list[Value] = []

    def draw(self, name: str, options: Any, matters: Any = None) -> Any:
        self.drawn.append(self._chance.draw(name, options))
        return self.drawn[-1]


class RuledDice(Dice):
    """A later version, after two rulings. It renames an option and a param, and reads the old names."""

    version = "3"
    reads_versions = ("2",)
    options = RuledOptions
    actions = (RuledRoll,)

    def check_options(self, options: Any, seats: int) -> None:
        pass

    def upcast(self, version: str, entry: Draft) -> Draft:
        match entry.type:
            case "game_opened":
                options = dict(entry.params["options"])
                options["starter"] = options.pop("first")
                return msgspec.structs.replace(entry, params={**entry.params, "options": options})
            case "roll":
                return msgspec.structs.replace(entry, params={"count": entry.params.get("dice", 1)})
        return entry
