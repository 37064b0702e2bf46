"""Actions with dice, meters, buttons and turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta
from msgspec.structs import force_setattr, replace

from driftlog.any_game import box as parts
from driftlog.any_game import words
from driftlog.any_game.acting import ANY_RESULT, BoxAction, Id, acts_now, params
from driftlog.any_game.box import MOST
from driftlog.any_game.moving import is_shown
from driftlog.any_game.state import BoxState
from driftlog.any_game.stuff import Cannot, Stuff
from driftlog.any_game.table import title_of
from driftlog.any_game.words import THE_BOX, THE_END, TURNS
from driftlog.kit import SEAT_IDS, SEAT_INDEX, Chance, GameOutcome, SeatId, Value, say, with_entry

Number = Annotated[int, Meta(ge=-MOST, le=MOST)]
Face = Annotated[str, Meta(max_length=60)] | Annotated[int, Meta(ge=0, le=1000)]
ENDED = "ended"
"""The id of the ending, the same for all boxes."""


class Roll(BoxAction, frozen=True):
    """Roll dice. `keep` lists the results of the last roll that stay; all other dice are rolled again."""

    type = "roll"
    title = "Roll dice"
    verb = "roll dice"
    symbol = "die"
    asks_chance = True
    dice: Id
    keep: Annotated[tuple[Face, ...], Meta(max_length=20)] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "keep", tuple(sorted(self.keep, key=lambda face: (isinstance(face, str), face))))

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """Yield a roll of all dice of each set. `ranges` describes rolls of some of the dice."""
        return map(cls, state.table.dice) if acts_now(state, seat) else ()

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        if not state.table.dice:
            return None
        any_of = []
        for id_, rolled in zip(state.table.dice, state.dice, strict=True):
            counts = Counter(rolled)
            most = [{"contains": {"const": face}, "minContains": 0, "maxContains": n} for face, n in counts.items()]
            keep = {"items": {"enum": list(counts)}, "allOf": most} if counts else {"maxItems": 0}
            any_of.append({"dice": {"const": id_}, "keep": keep})
        properties = {"dice": {"enum": list(state.table.dice)}, "keep": {"type": "array"}}
        return params(["dice"], properties, any_of)

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        if self.dice not in state.table.dice:
            raise Cannot(say("The box has no such dice."))
        at = list(state.table.dice).index(self.dice)
        if Counter(self.keep) - Counter(state.dice[at]):
            raise Cannot(say("The last roll was different."))
        return roll_dice(state, self.dice, self.keep, chance)

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        dice = title_of(state.table.dice[self.dice])
        return say("Roll {dice}", dice=dice) + (f" ({words.list_faces(self.keep)})" if self.keep else "")

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        kept = say(", keeping {faces}", faces=words.list_faces(self.keep)) if self.keep else ""
        faces = words.list_faces(outcomes) or "–"
        return say("{player} rolls {faces}{kept}.", player=names[seat], faces=faces, kept=kept)


class SetMeter(BoxAction, frozen=True):
    """Set a meter to a `value`, or change it `by` a number. By default, change the acting player's own meter."""

    type = "set"
    title = "Score and meters"
    verb = "set a meter"
    symbol = "star"
    meter: Id
    value: Number | Annotated[str, Meta(max_length=60)] | None = None
    by: Annotated[Number | None, Meta(title="Change by")] = None
    seat: Annotated[SeatId | None, Meta(title="Player")] = None

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """For each meter, yield an increase by one or a change to each other word. `ranges` describes all changes."""
        if not acts_now(state, seat):
            return
        for id_, meter in state.table.meters.items():
            now = value_of(state, id_, seat)
            yield from [cls(meter=id_, value=word) for word in meter.words if word != now]
            if not meter.words:
                yield cls(meter=id_, by=1)

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        if not state.table.meters:
            return None
        number, null = {"type": "integer", "minimum": -MOST, "maximum": MOST}, {"type": "null"}
        any_of: list[dict[str, Any]] = []
        for id_, meter in state.table.meters.items():
            seats = {"title": "Player", "enum": [None, *SEAT_IDS[: state.seats]]}
            whose = {"seat": seats if meter.per_player else null}
            shown = min(max(0, meter.least), meter.most)
            to = {**number, "minimum": meter.least, "maximum": meter.most, "default": shown}
            value = {"enum": list(meter.words)} if meter.words else to
            # Exactly one of the two: `value` or `by`.
            any_of.append(
                {
                    "title": title_of(meter),
                    "required": ["value"],
                    "properties": {"meter": {"const": id_}, "value": value, "by": null, **whose},
                }
            )
            if not meter.words:
                any_of.append(
                    {
                        "title": say("{meter}: add", meter=title_of(meter)),
                        "required": ["by"],
                        "properties": {"meter": {"const": id_}, "by": {**number, "default": 1}, "value": null, **whose},
                    }
                )
        properties: dict[str, Any] = {
            "meter": {"enum": list(state.table.meters)},
            "value": {"type": ["integer", "string", "null"]},
            "by": {"type": ["integer", "null"]},
            "seat": {"enum": [None, *SEAT_IDS[: state.seats]]},
        }
        return params(["meter"], properties, []) | {"anyOf": any_of}

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        meter = state.table.meters.get(self.meter)
        owner = seat if self.seat is None else SEAT_INDEX[self.seat]
        if meter is None or owner >= state.seats or (self.seat is not None and not meter.per_player):
            raise Cannot(say("There is no such meter."))
        if (self.value is None) is (self.by is None):
            raise Cannot(say("Give either a value, or a number to add."))
        return with_meter(state, self.meter, owner, self.value, self.by)

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        return f"{self._meter(state, None, names)}: {self._change()}"

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        after = self.do(state, seat, ANY_RESULT)
        owner = seat if self.seat is None else SEAT_INDEX[self.seat]
        now = value_of(after, self.meter, owner)
        shown = say(str(now)) if self.by is None else f"{now} ({self._change()})"
        meter = self._meter(state, owner, names)
        return say("{player} sets {meter}: {value}.", player=names[seat], meter=meter, value=shown)

    def _meter(self, state: BoxState, owner: int | None, names: Sequence[str]) -> str:
        meter = state.table.meters[self.meter]
        if owner is None and self.seat is not None:
            owner = SEAT_INDEX[self.seat]
        return words.of_player(title_of(meter), owner if meter.per_player else None, names)

    def _change(self) -> str:
        return say(str(self.value)) if self.by is None else f"{self.by:+d}".replace("-", "−")


class Press(BoxAction, frozen=True):
    """Press a button of the box: carry out its steps, in order."""

    type = "press"
    verb = "press a button"
    rule: ClassVar[str] = THE_BOX
    symbol = "check"
    asks_chance = True
    button: Id

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        return map(cls, state.table.buttons)

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        button = state.table.buttons.get(self.button)
        if button is None:
            raise Cannot(say("There is no such button."))
        for step in button.steps:
            state = run_step(state, step, seat, chance)
        return state

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        return title_of(state.table.buttons[self.button])

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        said = say("{player}: {button}.", player=names[seat], button=self.label(state, names))
        return f"{said[:-1]} ({words.things(state, outcomes, names)})." if outcomes else said


class NextTurn(BoxAction, frozen=True):
    """End the turn. By default, it is then the turn of the next player in order."""

    type = "next_turn"
    verb = "end the turn"
    rule: ClassVar[str] = TURNS
    symbol = "hourglass"
    seat: Annotated[SeatId | None, Meta(title="Player")] = None

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """Yield the end of the turn, or of the round, if it is the seat's turn.

        `ranges` also describes ending the turn in favour of a player who is not next.
        """
        if seat == state.active:
            yield cls()

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        if state.seats == 1:
            return None
        if state.box.turns == "free":
            return params([], {"seat": {"type": "null"}}, [])
        return params([], {"seat": {"title": "Player", "enum": [None, *SEAT_IDS[: state.seats]]}}, [])

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        if self.seat is not None and (state.box.turns == "free" or SEAT_INDEX[self.seat] >= state.seats):
            raise Cannot(say("That player cannot have a turn."))
        return replace(state, turn=state.turn + 1, active=self._next(state))

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        if state.box.turns == "free":
            return say("Next round")
        return say("Next turn: {player}", player=names[self._next(state)])

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        if state.box.turns == "free":
            return say("The next round begins.")
        return say("It is {player}'s turn.", player=names[self._next(state)])

    def _next(self, state: BoxState) -> int:
        if self.seat is not None:
            return SEAT_INDEX[self.seat]
        step = {"clockwise": 1, "counterclockwise": -1}.get(state.box.turns, 0)
        return (state.active + step) % state.seats


class EndGame(BoxAction, frozen=True):
    """End the game. Without `winners`, the scores decide. An empty list means that nobody wins."""

    type = "end_game"
    rule: ClassVar[str] = THE_END
    symbol = "flag"
    winners: Annotated[tuple[SeatId, ...], Meta(max_length=8)] | None = None

    def __post_init__(self) -> None:
        if self.winners is not None:
            force_setattr(self, "winners", tuple(sorted(self.winners)))

    @classmethod
    def candidates(cls, state: BoxState, seat: int) -> Iterable[Self]:
        """For the active player, yield the ending by scores, and each ending with one winner.

        `ranges` describes all endings.
        """
        if seat == state.active:
            is_scored = state.box.wins in {"highest", "lowest"} and state.box.score
            yield from [cls()] if is_scored else [cls((one,)) for one in SEAT_IDS[: state.seats]]

    @classmethod
    def ranges(cls, state: BoxState, seat: int) -> dict[str, Any] | None:
        is_scored = state.box.wins in {"highest", "lowest"} and state.box.score
        together = say("Everyone wins") if state.box.wins == "together" else say("Nobody wins")
        default = {"type": "null", "title": say("The scores decide") if is_scored else together}
        seats = {"type": "array", "items": {"enum": list(SEAT_IDS[: state.seats])}, "uniqueItems": True}
        return params([], {"winners": {"anyOf": [default, seats | {"title": say("You name the winners")}]}}, [])

    def do(self, state: BoxState, seat: int, chance: Chance) -> BoxState:
        if len({*(self.winners or ())} & {*SEAT_IDS[: state.seats]}) < len(self.winners or ()):
            raise Cannot(say("Name each winner once."))
        found = scores(state)
        winners = self._by_score(state, found) if self.winners is None else self.winners
        result = "won" if winners else "lost" if state.box.wins == "together" else "draw"
        outcome = GameOutcome(result, winners, ENDED, self.rule, scores=found)  # type: ignore[arg-type]  # narrowed
        return replace(state, outcome=outcome)

    def _by_score(self, state: BoxState, found: tuple[int, ...]) -> tuple[SeatId, ...]:
        if not found or state.box.wins not in {"highest", "lowest"}:
            return SEAT_IDS[: state.seats] if state.box.wins == "together" else ()
        best = max(found) if state.box.wins == "highest" else min(found)
        return tuple(seat for seat, score in zip(SEAT_IDS, found, strict=False) if score == best)

    def label(self, state: BoxState, names: Sequence[str]) -> str:
        if self.winners is None:
            return say("End the game")
        winners = ", ".join(names[SEAT_INDEX[one]] for one in self.winners)
        return say("End the game: {players} wins", players=winners) if winners else say("End the game: nobody wins")

    def describe(self, state: BoxState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        found = scores(state)
        said = ", ".join(f"{name} {score}" for name, score in zip(names, found, strict=False))
        return say("The game ends: {scores}.", scores=said) if said else say("The game ends.")


def value_of(state: BoxState, meter: str, seat: int) -> int | str:
    """Return the value of a meter. If each player has such a meter, return the value for `seat`."""
    values = state.meters[list(state.table.meters).index(meter)]
    return values[seat] if state.table.meters[meter].per_player else values[0]


def with_meter(state: BoxState, id_: str, seat: int, value: int | str | None, by: int | None) -> BoxState:
    """Return the state with a new value of a meter; a change `by` a number stops at the limits of the meter.

    Raises:
        Cannot: the meter cannot show the value.
    """
    meter, at = state.table.meters[id_], list(state.table.meters).index(id_)
    if by is not None and not meter.words:
        value = min(max(int(value_of(state, id_, seat)) + by, meter.least), meter.most)
    is_value = value in meter.words if meter.words else isinstance(value, int) and meter.least <= value <= meter.most
    if value is None or not is_value:
        raise Cannot(say("The meter does not have that value."))
    values = with_entry(state.meters[at], seat if meter.per_player else 0, value)
    return replace(state, meters=with_entry(state.meters, at, values))


def roll_dice(state: BoxState, id_: str, keep: Sequence[int | str], chance: Chance) -> BoxState:
    """Return the state with dice rolled, except those in `keep`."""
    dice, at = state.table.dice[id_], list(state.table.dice).index(id_)
    faces = sorted(dice.faces, key=lambda face: (isinstance(face, str), face))
    found = (*keep, *(chance.draw("die", faces) for _ in range(dice.count - len(keep))))
    return replace(
        state, dice=with_entry(state.dice, at, tuple(sorted(found, key=lambda face: (isinstance(face, str), face))))
    )


def run_step(state: BoxState, step: parts.Step, seat: int, chance: Chance) -> BoxState:
    """Return the state after a step of a button.

    Raises:
        Cannot: the components do not allow the step.
    """
    table = state.table
    if isinstance(step, parts.Roll):
        return roll_dice(state, step.dice, (), chance)
    if isinstance(step, parts.Set):
        return with_meter(state, step.meter, seat, step.to, step.by)
    stuff, source = Stuff(state), str(table.place(step.from_, seat))
    target = str(table.hand(seat) if step.to is None else table.place(step.to, seat))
    if isinstance(step, parts.Take):
        thing = str(table.thing(step.thing, seat))
        stuff.take(source, thing, step.count)
        stuff.add(target, thing, step.count)
    else:
        drawn = [stuff.take_top(source, chance if is_shown(state, target) else None) for _ in range(step.count)]
        for item in drawn:
            stuff.add(target, item)
    return stuff.result()


def scores(state: BoxState) -> tuple[int, ...]:
    """Return the score of each seat; empty if the box has no score."""
    if not state.box.score:
        return ()
    return tuple(sum(int(value_of(state, id_, seat)) for id_ in state.box.score) for seat in range(state.seats))


def score_of(state: BoxState, seat: int) -> int | None:
    """Return the score of a seat; None if the box has no score."""
    found = scores(state)
    return found[seat] if found else None
