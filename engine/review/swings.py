"""Swings: the chance to win during a game, and what the draws and the choices cost.

A value V is the share of playouts that a player wins (`engine.players.value`). Q is the value of a table if the
recorded action comes first. The luck of an event is V(after) - Q, its skill Q - V(before); what a slip or a correction
changes is neither. So the parts add up to the difference of the values. If players compete, each side has its values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from itertools import chain, pairwise
from statistics import fmean
from typing import Literal, TypeVar

import msgspec

from engine.core import lifecycle
from engine.core.canonical import digest
from engine.core.digests import state_digest
from engine.core.events import Event, Header
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, State
from engine.kit.chance import Stream
from engine.play import registry
from engine.play.beliefs.belief import Pooled, likeliest, worlds
from engine.play.fold import history
from engine.play.line import Line, Slot
from engine.players.protocol import AnyPlayer, NotPlayable, Proposal
from engine.players.registry import player_of
from engine.players.value import Tables, Value, Valuer
from engine.review.turns import as_it_reads, told_of
from engine.review.words import listed

T = TypeVar("T")

COARSE = 80
"""Playouts for each table of the curve."""
FINE = 1000
"""Playouts for each table of a mark: its interval is about ± 3 %."""
AT_ONCE = 20
"""Playouts between two progress reports."""
TURNS_IN_DETAIL = 3
"""Number of turns (or rounds) whose events are valued: those with the greatest drops."""
MOST_MARKS = 5
LEAST_COST = 0.05
"""Minimum cost of a mark."""
LEAST_ERRORS = 2.0
"""Minimum cost of a mark, in standard errors."""
MOST_EVENTS = 5000
"""Maximum number of events of a game that can be analysed."""

Cause = Literal["luck", "skill", "other"]
"""The cause of a swing: a result, a choice, or a slip or correction."""


class Point(msgspec.Struct, frozen=True):
    """The chance to win at the start of a turn, or at the end of the record."""

    seq: int
    """The last event before."""
    turn: int
    """The turn or round: see `Swings.unit`."""
    value: Value
    """The value of the first side."""
    sides: tuple[Value, ...]
    """The value of each side."""
    draw: Value | None
    """The chance that no side wins; None if there is only one side."""


class Swing(msgspec.Struct, frozen=True):
    """The change of the chance to win at an event: `luck`, `skill` and `other` add up to it."""

    seq: int
    turn: int
    side: int
    """The index of the side that acted. The values are its own."""
    before: Value
    after: Value
    luck: float
    skill: float
    other: float


class Mark(msgspec.Struct, frozen=True):
    """An event that cost much of the chance to win."""

    seq: int
    turn: int
    side: int
    """The index of the side that it cost most."""
    cause: Cause
    before: Value
    after: Value
    cost: float
    """The change of the chance to win, below 0."""
    message: str


class Swings(msgspec.Struct, frozen=True):
    """The analysis of a game."""

    player: str
    player_version: str
    version: int
    """The number of analysed events."""
    unit: str
    """`turn` or `round`: the unit of each `turn`."""
    sides: tuple[tuple[SeatId, ...], ...]
    """The seats of each side; one side if all win or lose together."""
    points: tuple[Point, ...]
    events: tuple[Swing, ...]
    """The events of the turns with the greatest drops."""
    marks: tuple[Mark, ...]
    """The costliest events, in the order of play."""


class _Step(msgspec.Struct, frozen=True):
    """An event in effect that changed the table."""

    slot: Slot
    since: int
    """The number of the event before it."""
    side: int
    """The index of the side that acted."""
    before: State
    after: State
    first: Proposal | None
    """The recorded action; None if it was not simply legal, or no action."""


class _Cost(msgspec.Struct, frozen=True):
    """A part of a swing."""

    step: _Step
    side: int
    cause: Cause
    cost: float
    error: float
    """The standard error of `cost`."""
    before: Value
    after: Value

    @property
    def is_clear(self) -> bool:
        """True if it is large, and certain in spite of the few playouts."""
        return self.cost <= -LEAST_COST and self.cost <= -LEAST_ERRORS * self.error


def check(header: Header, version: int, state: State | None) -> None:
    """Check that a game can be analysed.

    Args:
        version: the number of its events.
        state: the state after the last one.

    Raises:
        NotPlayable: it cannot; the message has the reason.
    """
    rules = registry.of(header)
    player = player_of(rules)
    if state is None:
        raise NotPlayable(say("Set up the game first."))
    if header.chance == "seeded" and state.outcome is None:
        raise NotPlayable(say("A game with seeded chance can be analysed after its end."))
    if version > MOST_EVENTS:
        raise NotPlayable(say("Only games with up to {count} events can be analysed.", count=MOST_EVENTS))
    _tables(player, state)


def _tables(player: AnyPlayer, state: State) -> Tables:
    """Return the possible tables of a state with their weights.

    Raises:
        NotPlayable: they cannot be listed, or the player cannot play from one of them.
    """
    if isinstance(state, Pooled):
        raise NotPlayable(say("Too many cards of this game are unknown."))
    if state.unnoticed:
        raise NotPlayable(say("This game went on after an end that nobody noticed."))
    tables = [(world.weight, world.state) for world in worlds(state)]
    for _, table in tables:
        if table.outcome is None and (reason := player.can_be_played(table)):
            raise NotPlayable(reason)
    return tables


class Analyst:
    """Analyses a game.

    Args:
        events: the whole log.
        kept: the rewards of earlier playouts, by table and first action; new ones are added. So a later analysis of the
            game needs playouts only from new tables.
        advance: called now and then with the share of the work that is done.

    Raises:
        NotPlayable: as in `check`.
        EngineError: the log cannot be replayed.
    """

    def __init__(
        self,
        events: Sequence[Event],
        kept: MutableMapping[str, list[float]] | None = None,
        advance: Callable[[float], None] = lambda _: None,
    ) -> None:
        played = history(events)
        self._events, self._rules = events, played.rules
        check(played.rules.header, len(events), played.states[-1])
        self.player = player_of(played.rules.ruleset)
        self._valuer = Valuer(self.player, played.rules.ruleset)
        self._kept: MutableMapping[str, list[float]] = {} if kept is None else kept
        self.used: dict[str, list[float]] = {}
        """The part of `kept` that this analysis needed."""
        self._report, self._done, self._share = advance, 0.0, 0.0
        self._line = [slot for slot in played.mainline if _counts(slot)]
        state = self._line[-1].after
        assert state is not None
        seats = tuple(range(len(self._rules.header.seats)))
        self._sides = self.player.sides(likeliest(state)) or (seats,)
        self._side_of = {seat: at for at, side in enumerate(self._sides) for seat in side}
        self._steps = list(self._read(self._line))

    def analyse(self) -> Swings:
        """Return the analysis: first the curve, then the turns with the greatest drops, then the costliest events.

        Raises:
            PlayerFailed: the player raised an error, or broke its protocol.
        """
        points = list(self._curve())
        drops = sorted((_drop(before, after), before.turn) for before, after in pairwise(points))
        turns = {turn for drop, turn in drops[:TURNS_IN_DETAIL] if drop < 0}
        steps = [step for step in self._steps if self._turn(step.before) in turns]
        costs = [list(self._costs(step, COARSE)) for step in self._each(steps, 0.5)]
        clear = self._clear(chain.from_iterable(costs))
        fine = [one for each in self._each(clear[:MOST_MARKS], 1.0) for one in self._costs(each.step, FINE, each)]
        marks = [self._mark(one) for one in fine if one.is_clear]
        return Swings(
            player=self.player.name,
            player_version=self.player.version,
            version=len(self._events),
            unit=self._rules.ruleset.period,
            sides=tuple(tuple(SEAT_IDS[seat] for seat in side) for side in self._sides),
            points=tuple(points),
            events=tuple(self._swing(step, of_one) for step, of_one in zip(steps, costs, strict=True)),
            marks=tuple(sorted(marks, key=lambda mark: mark.seq)),
        )

    def sides(self) -> list[str]:
        """Return the names of the players of each side."""
        state = self._line[-1].after
        assert state is not None
        names = self._rules.header.names_at(state)
        return [listed([names[seat] for seat in side]) for side in self._sides]

    def _turn(self, state: State) -> int:
        turn: int = getattr(state, self._rules.ruleset.period)
        return turn

    def _clear(self, costs: Iterable[_Cost]) -> list[_Cost]:
        """Return the greatest clear costs of events: those of choices for the side that chose, others for any side."""
        found: dict[tuple[int, Cause], _Cost] = {}
        for one in sorted(costs, key=lambda one: one.cost):
            if one.is_clear and (one.cause != "skill" or one.side == one.step.side):
                found.setdefault((one.step.slot.number, one.cause), one)
        return list(found.values())

    def _read(self, line: Line) -> Iterator[_Step]:
        """Yield the events that change the table, in order."""
        before, since = None, 0
        for slot in line:
            after = slot.after
            assert after is not None
            if before is not None and before is not after:
                actor = None if slot.entry is None else slot.entry.actor
                seat = self._rules.ruleset.active(before) if actor is None else SEAT_INDEX[actor]
                yield _Step(slot, since, self._side_of[seat], before, after, self._first(slot, before))
            before, since = after, slot.number

    def _first(self, slot: Slot, before: State) -> Proposal | None:
        entry = slot.entry
        if entry is None or entry.type in lifecycle.KINDS or slot.judgement is not None:
            return None
        action, seat = self._rules.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
        is_legal = all(action.refusal(world.state, seat) is None for world in worlds(before))
        return (action, seat) if is_legal else None

    def _each(self, items: Sequence[T], until: float) -> Iterator[T]:
        """Yield `items`, and report the progress up to `until`."""
        self._share = (until - self._done) / max(1, len(items))
        for item in items:
            yield item
            self._done += self._share
        self._done = until

    def _curve(self) -> Iterator[Point]:
        steps = self._steps
        turns = [
            step
            for at, step in enumerate(steps)
            if not at or self._turn(steps[at - 1].before) < self._turn(step.before)
        ]
        for step in self._each(turns, 0.3):
            yield self._point(step.since, step.before)
        last = steps[-1].slot if steps else self._line[0]
        assert last.after is not None
        yield self._point(last.number, last.after)

    def _point(self, seq: int, state: State) -> Point:
        sides = self._values(state)
        draws = [1 - math.fsum(of_one) for of_one in zip(*self._rewards(state, COARSE), strict=True)]
        draw = _value(state, draws) if len(sides) > 1 else None
        return Point(seq, self._turn(state), sides[0], sides, draw)

    def _values(self, state: State) -> tuple[Value, ...]:
        """Return the value of a state for each side."""
        return tuple(_value(state, rewards) for rewards in self._rewards(state, COARSE))

    def _rewards(self, state: State, count: int, first: Proposal | None = None) -> list[list[float]]:
        """Return for each side the rewards of the playouts from `state`, those that are kept included."""
        seats = [side[0] for side in self._sides]
        if state.outcome is not None:
            return [[self.player.reward(state.outcome, seat)] * count for seat in seats]
        action = None if first is None else [first[0].type, msgspec.to_builtins(first[0]), first[1]]
        about = [self.player.name, self.player.version, self._valuer.seed, state_digest(state), action]
        found = []
        for key in (digest([*about, seat]) for seat in seats):
            self.used[key] = self._kept.setdefault(key, [])
            found.append(self.used[key])
        tables = _tables(self.player, state)
        while (done := len(found[0])) < count:
            more = self._valuer.rewards(tables, range(done, min(count, done + AT_ONCE)), first, seats)
            for rewards, added in zip(found, more, strict=True):
                rewards.extend(added)
            self._report(self._done + self._share * len(found[0]) / count)
        return [rewards[:count] for rewards in found]

    def _costs(self, step: _Step, count: int, only: _Cost | None = None) -> Iterator[_Cost]:
        """Yield the parts of an event's swing for each side, or `only` one of them again."""
        before, after = self._rewards(step.before, count), self._rewards(step.after, count)
        pairs: dict[Cause, tuple[list[list[float]], list[list[float]]]] = {"other": (before, after)}
        if step.first is not None:
            asks = step.first[0].asks_chance
            middle = self._rewards(step.before, count, step.first) if asks else after
            pairs = {"skill": (before, middle), "luck": (middle, after)}
        for cause, (one, two) in pairs.items():
            for side in range(len(self._sides)):
                if only is None or (only.cause, only.side) == (cause, side):
                    yield _cost(step, side, cause, (one[side], two[side]))

    def _swing(self, step: _Step, costs: Sequence[_Cost]) -> Swing:
        side = step.side
        parts = {one.cause: one.cost for one in costs if one.side == side}
        return Swing(
            seq=step.slot.number,
            turn=self._turn(step.before),
            side=side,
            before=self._values(step.before)[side],
            after=self._values(step.after)[side],
            luck=parts.get("luck", 0.0),
            skill=parts.get("skill", 0.0),
            other=parts.get("other", 0.0),
        )

    def _mark(self, cost: _Cost) -> Mark:
        step = cost.step
        return Mark(
            seq=step.slot.number,
            turn=self._turn(step.before),
            side=cost.side,
            cause=cost.cause,
            before=cost.before,
            after=cost.after,
            cost=cost.cost,
            message=self._choice(cost) if cost.cause == "skill" else self._event(cost),
        )

    def _event(self, cost: _Cost) -> str:
        """Return 'Fools' Landing floods: 55 % → 25 %', with the name of the side if there are several."""
        step, rules = cost.step, self._rules
        assert step.slot.entry is not None
        event = as_it_reads(self._events[step.slot.source - 1], step.slot.number, step.slot.entry, step.before)
        told = told_of(rules, event, step.slot, step.before).rstrip(".")
        before, after = cost.before.words, cost.after.words
        if len(self._sides) == 1:
            return say("{event}: {before} → {after}", event=told, before=before, after=after)
        side = self.sides()[cost.side]
        return say("{event}: {side} {before} → {after}", event=told, side=side, before=before, after=after)

    def _choice(self, cost: _Cost) -> str:
        """Return 'Ben: “Draw a card” instead of “Shore up Fools' Landing”: −13 %'."""
        step = cost.step
        assert step.first is not None
        names, (action, seat) = self._rules.header.names_at(step.before), step.first
        table = likeliest(step.before)
        better, other = self.player.propose(table, Stream(0))[0]
        told = better.label(table, names)
        return say(
            "{name}: “{action}” instead of “{better}”: −{points} %",
            name=names[seat],
            action=action.label(table, names),
            better=told if other == seat else f"{names[other]}: {told}",
            points=round(-100 * cost.cost),
        )


def _counts(slot: Slot) -> bool:
    """Return True if the slot has a table after an event; abandoning a game changes no table."""
    if slot.entry is None or slot.after is None:
        return False
    return slot.after.outcome is None or slot.after.outcome.result != "abandoned"


def _drop(before: Point, after: Point) -> float:
    """Return the change of the value for the side that lost most."""
    return min(two.p - one.p for one, two in zip(before.sides, after.sides, strict=True))


def _cost(step: _Step, side: int, cause: Cause, pair: tuple[list[float], list[float]]) -> _Cost:
    before, after = pair
    differences = [two - one for one, two in zip(before, after, strict=True)]
    mean = fmean(differences)
    error = math.sqrt(fmean([(one - mean) ** 2 for one in differences]) / len(differences))
    ended = Value.known(after[0]) if step.after.outcome is not None and cause != "skill" else _estimate(after)
    return _Cost(step, side, cause, mean, error, _estimate(before), ended)


def _value(state: State, rewards: Sequence[float]) -> Value:
    return _estimate(rewards) if state.outcome is None else Value.known(rewards[0])


def _estimate(rewards: Sequence[float]) -> Value:
    return Value.of(math.fsum(rewards), len(rewards))
