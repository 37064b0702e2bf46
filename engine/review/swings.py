"""Swings: the chance to win during a game, and what the draws and the choices cost.

A value V is the share of playouts that a side wins (`engine.players.value`). Q is the value of a table if the
recorded action comes first. The luck of an event is V(after) - Q, its skill Q - V(before); the change by a slip or a
correction counts as neither. Together, these parts are the difference of the values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby, pairwise
from statistics import fmean

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.chance import Stream
from engine.play import registry
from engine.play.beliefs.belief import likeliest, worlds
from engine.play.fold import history
from engine.play.line import Slot
from engine.play.visibility import unrevealed_events
from engine.players.protocol import NotPlayable, Proposal, ask
from engine.players.registry import is_own, player_of
from engine.players.value import Memory, RewardStore, Value, Valuer, percent
from engine.review.costs import (
    Cost,
    TableChange,
    ValuedTable,
    candidates,
    clear_costs,
    cost_of,
    estimate,
    parts,
    skills,
    value_of,
)
from engine.review.marks import Cause, Mark, MarkedChoice, Point, Swing, Swings
from engine.review.playouts import SLICE, Playouts, ask_for_reason, tables_of
from engine.review.turns import corrected_event, describe_entry
from engine.review.words import join_words

COARSE = 80
"""Playouts for each table of the curve."""
FINE = 1000
"""Playouts for each table of a mark: its interval is about ± 3 %."""
TURNS_IN_DETAIL = 3
"""Number of turns (or rounds) to analyse event by event: those with the greatest drops."""
RUNS_IN_DETAIL = 3
"""Number of runs of choices to analyse event by event: those with the greatest drops."""
CHOICE_PLAYOUTS = 200
"""Playouts for each choice of a mark."""
MOST_MARKS = 5
MOST_CHOICES = 2
"""Maximum number of better choices to list for a costly choice."""
MOST_EVENTS = 5000
"""Maximum number of events of a game that can be analysed."""


def check(header: Header, version: int, state: State | None) -> None:
    """Check that a game can be analysed.

    This does not call a computer player from a package, because its answer could take arbitrarily long.

    Args:
        version: the number of events of the game.
        state: the state after the last event.

    Raises:
        NotPlayable: the game cannot be analysed; the message gives the reason.
    """
    rules = registry.of(header)
    player = player_of(rules)
    if state is None:
        raise NotPlayable(say("Set up the game first."))
    if header.chance == "seeded" and state.outcome is None:
        raise NotPlayable(say("A seeded game can be analysed only after it has ended."))
    if version > MOST_EVENTS:
        raise NotPlayable(say("Only games with up to {count} events can be analysed.", count=MOST_EVENTS))
    tables = tables_of(state)
    if is_own(player):
        ask_for_reason(player, tables)


class Analyst:
    """Analyses a game. Only `analyse` and `stages` call the computer player, so only they need a time limit.

    Args:
        events: the whole log.
        kept: the rewards of earlier playouts and of other workers' playouts; new ones are added.
        advance: called after each slice with the share of the work that is done; an error that it raises ends the work.

    Raises:
        NotPlayable: as in `check`.
        EngineError: the log cannot be replayed.
    """

    def __init__(
        self,
        events: Sequence[Event],
        kept: RewardStore | None = None,
        advance: Callable[[float], None] = lambda _: None,
    ) -> None:
        played = history(events)
        self._events, self._rules = events, played.rules
        check(played.rules.header, len(events), played.states[-1])
        self.player = player_of(played.rules.ruleset)
        self._valuer = Valuer(self.player, played.rules.ruleset)
        # Stop before secrets: the value of a table could reveal them.
        hidden = min(unrevealed_events(played.rules.ruleset, events), default=len(events) + 1)
        self._line = [slot for slot in played.mainline if _counts(slot) and slot.source < hidden]
        if not self._line:
            raise NotPlayable(say("This game begins with hidden data. It can be analysed after the data is revealed."))
        self._kept, self._advance = Memory() if kept is None else kept, advance

    @cached_property
    def _sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        state = self._line[-1].after
        assert state is not None
        return self._valuer.sides(likeliest(state)) or (tuple(range(len(self._rules.header.seats))),)

    @cached_property
    def _playouts(self) -> Playouts:
        return Playouts(self._valuer, self._sides, self._kept, self._advance)

    @cached_property
    def _steps(self) -> list[TableChange]:
        """The events that change the table, in order."""
        return list(self._read())

    def analyse(self) -> Swings:
        """Return the whole analysis.

        Raises:
            NotPlayable: the player cannot play the game.
            PlayerFailed: the player raised an error, or broke its protocol.
        """
        *_, whole = self.stages()
        return whole

    def stages(self) -> Iterator[Swings]:
        """Yield the curve alone, and then the whole analysis: the worst turns, and their costliest events.

        Raises:
            NotPlayable: the player cannot play the game.
            PlayerFailed: the player raised an error, or broke its protocol.
        """
        turns = list(self._turns())
        self._playouts.play(((ValuedTable(state), COARSE) for _, state in turns), until=0.3)
        points = [self._point(seq, state) for seq, state in turns]
        found = Swings(
            player=self.player.name,
            player_version=self.player.version,
            version=len(self._events),
            unit=self._rules.ruleset.period,
            sides=tuple(tuple(SEAT_IDS[seat] for seat in side) for side in self._sides),
            points=tuple(points),
            events=(),
            marks=(),
        )
        yield found
        drops = sorted((_drop(before, after), before.turn) for before, after in pairwise(points))
        detailed = {turn for drop, turn in drops[:TURNS_IN_DETAIL] if drop < 0}
        chosen = self._worst_choices()
        steps = [step for step in self._steps if self._turn(step.before) in detailed or step.slot.number in chosen]
        self._playouts.play(
            ((one, COARSE) for step in steps for pair in parts(step).values() for one in pair), until=0.6
        )
        costs = [[one for cause in parts(step) for one in self._costs(step, cause, COARSE)] for step in steps]
        clear = candidates(clear_costs(chain.from_iterable(costs)), MOST_MARKS)
        self._playouts.play(((table, FINE) for one in clear for table in parts(one.step)[one.cause]), until=0.9)
        fine = [self._costs(one.step, one.cause, FINE)[one.side] for one in clear]
        fine = [one for one in fine if one.is_clear]
        self._playouts.play(((table, CHOICE_PLAYOUTS) for one in fine for table in self._choices(one)), until=1.0)
        marks = [self._mark(one) for one in fine]
        yield msgspec.structs.replace(
            found,
            events=tuple(self._swing(step, of_one) for step, of_one in zip(steps, costs, strict=True)),
            marks=tuple(sorted(marks, key=lambda mark: mark.seq)),
            skills=tuple(skills(self._valued_choices(steps))),
        )

    def _worst_choices(self) -> set[int]:
        """Return the events in the worst runs of choices, by number. In the curve, good luck can hide such a run."""
        runs = list(self._runs())
        # A long game has many runs. A few playouts per run are enough to find candidates for the worst.
        for count, most, until in ((SLICE, 2 * RUNS_IN_DETAIL, 0.38), (COARSE, RUNS_IN_DETAIL, 0.45)):
            self._playouts.play(((table, count) for run in runs for table in _ends(run)), until)
            drops = sorted((self._change(run, count), at) for at, run in enumerate(runs))
            runs = [runs[at] for drop, at in drops[:most] if drop < 0]
        return {step.slot.number for run in runs for step in run}

    def _change(self, run: Sequence[TableChange], count: int) -> float:
        """Return the change of the value in a run of choices, for the side that chose."""
        before, after = (self._playouts.rewards(table, count)[run[0].side] for table in _ends(run))
        return fmean(after) - fmean(before)

    def _runs(self) -> Iterator[list[TableChange]]:
        """Yield each run of choices of a side in a turn, with the draw after it: when to draw is a choice, too."""
        for _, steps in groupby(self._steps, lambda step: (self._turn(step.before), step.side)):
            run: list[TableChange] | None = []
            for step in steps:
                if step.is_choice:
                    run = [*(run or []), step]
                elif run is not None:
                    run = [*run, step] if "skill" in parts(step) else run
                    if run:
                        yield run
                    run = None
            if run:
                yield run

    def sides(self) -> list[str]:
        """Return the names of the players of each side."""
        state = self._line[-1].after
        assert state is not None
        names = self._rules.header.names_at(state)
        return [join_words([names[seat] for seat in side]) for side in self._sides]

    def _turn(self, state: State) -> int:
        turn: int = getattr(state, self._rules.ruleset.period)
        return turn

    def _read(self) -> Iterator[TableChange]:
        side_of = {seat: at for at, side in enumerate(self._sides) for seat in side}
        before, since = None, 0
        for slot in self._line:
            after = slot.after
            assert after is not None
            if before is not None and before is not after:
                actor = None if slot.entry is None else slot.entry.actor
                seat = self._rules.ruleset.active(before) if actor is None else SEAT_INDEX[actor]
                yield TableChange(slot, since, side_of[seat], before, after, self._first(slot, before))
            before, since = after, slot.number

    def _first(self, slot: Slot, before: State) -> Proposal | None:
        entry = slot.entry
        if entry is None or entry.type in lifecycle.KINDS or slot.judgement is not None:
            return None
        action, seat = self._rules.ruleset.parse(entry.type, entry.params), SEAT_INDEX[entry.actor]
        return (action, seat) if _is_legal((action, seat), before) else None

    def _turns(self) -> Iterator[tuple[int, State]]:
        """Yield the tables at the start of each turn and at the end of the record, each with the event before it."""
        turn = None
        for step in self._steps:
            now = self._turn(step.before)
            if turn is None or turn < now:
                yield step.since, step.before
            turn = now
        last = self._steps[-1].slot if self._steps else self._line[0]
        assert last.after is not None
        yield last.number, last.after

    def _point(self, seq: int, state: State) -> Point:
        sides = self._values(state)
        draws = [
            1 - math.fsum(of_one) for of_one in zip(*self._playouts.rewards(ValuedTable(state), COARSE), strict=True)
        ]
        draw = value_of(state, draws) if len(sides) > 1 else None
        return Point(seq, self._turn(state), sides[0], sides, draw)

    def _values(self, state: State) -> tuple[Value, ...]:
        return tuple(value_of(state, rewards) for rewards in self._playouts.rewards(ValuedTable(state), COARSE))

    def _costs(self, step: TableChange, cause: Cause, count: int) -> list[Cost]:
        """Return, for each side, the part of an event's swing that `cause` explains."""
        before, after = (self._playouts.rewards(table, count) for table in parts(step)[cause])
        pairs = zip(before, after, strict=True)
        return [cost_of(step, side, cause, pair) for side, pair in enumerate(pairs)]

    def _swing(self, step: TableChange, costs: Sequence[Cost]) -> Swing:
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

    def _valued_choices(self, steps: Iterable[TableChange]) -> Iterator[tuple[int, Sequence[float], Sequence[float]]]:
        """Yield for each choice the seat, and the rewards of its side before and after the choice."""
        last = self._line[-1].after
        assert last is not None
        for step in steps:
            pair = parts(step).get("skill")
            if pair is None or step.first is None:
                continue
            seat = step.first[1]
            # A seat's skill counts for its last player.
            if step.before.details.changes(seat) == last.details.changes(seat):
                before, after = (self._playouts.rewards(table, COARSE)[step.side] for table in pair)
                yield seat, before, after

    def _mark(self, cost: Cost) -> Mark:
        step = cost.step
        choices = [self._value_choice(table, cost) for table in self._choices(cost)]
        return Mark(
            seq=step.slot.number,
            turn=self._turn(step.before),
            side=cost.side,
            cause=cost.cause,
            before=cost.before,
            after=cost.after,
            cost=cost.cost,
            message=self._choice(cost) if cost.cause == "skill" else self._event(cost),
            choices=tuple(sorted(choices, key=lambda one: -one.value.p)),
        )

    def _choices(self, cost: Cost) -> Iterator[ValuedTable]:
        """Yield the table of a mark with each choice: the recorded choice, then the computer player's proposals."""
        first, before = cost.step.first, cost.step.before
        if cost.cause == "skill" and first is not None:
            yield ValuedTable(before, first)
            proposed = self._valuer.proposals(likeliest(before), Stream(0))
            others = ask(self.player, lambda: [one for one in proposed if one != first and _is_legal(one, before)])
            yield from (ValuedTable(before, other) for other in others[:MOST_CHOICES])

    def _value_choice(self, table: ValuedTable, cost: Cost) -> MarkedChoice:
        assert table.first is not None
        (action, seat), state = table.first, likeliest(table.state)
        return MarkedChoice(
            label=action.label(state, self._rules.header.names_at(table.state)),
            type=action.type,
            actor=SEAT_IDS[seat],
            params=msgspec.to_builtins(action),
            value=estimate(self._playouts.rewards(table, CHOICE_PLAYOUTS)[cost.side]),
            is_recorded=table.first == cost.step.first,
        )

    def _event(self, cost: Cost) -> str:
        """Return 'Fools' Landing floods: 55 % → 25 %', with the name of the side if there are several."""
        step, rules = cost.step, self._rules
        assert step.slot.entry is not None
        event = corrected_event(self._events[step.slot.source - 1], step.slot.number, step.slot.entry, step.before)
        told = describe_entry(rules, event, step.slot, step.before).rstrip(".")
        before, after = cost.before.words, cost.after.words
        if len(self._sides) == 1:
            return say("{event}: {before} → {after}", event=told, before=before, after=after)
        side = self.sides()[cost.side]
        return say("{event}: {side} {before} → {after}", event=told, side=side, before=before, after=after)

    def _choice(self, cost: Cost) -> str:
        """Return 'Ben: “Draw a card” instead of “Shore up Fools' Landing”: −13 %'."""
        step = cost.step
        assert step.first is not None
        names, (action, seat) = self._rules.header.names_at(step.before), step.first
        table = likeliest(step.before)
        better, other = self._valuer.proposals(table, Stream(0))[0]
        told = better.label(table, names)
        return say(
            "{name}: “{action}” instead of “{better}”: −{points} %",
            name=names[seat],
            action=action.label(table, names),
            better=told if other == seat else f"{names[other]}: {told}",
            points=percent(-cost.cost),
        )


def _ends(run: Sequence[TableChange]) -> tuple[ValuedTable, ValuedTable]:
    """Return the tables before and after a run of choices, without the results of its draw."""
    return ValuedTable(run[0].before), parts(run[-1])["skill"][1]


def _counts(slot: Slot) -> bool:
    """Return True if there is a table after the event of the slot, and the event does not abandon the game."""
    if slot.entry is None or slot.after is None:
        return False
    return slot.after.outcome is None or slot.after.outcome.result != "abandoned"


def _is_legal(proposal: Proposal, state: State) -> bool:
    """Return True if an action is legal at every possible table."""
    action, seat = proposal
    return all(action.refusal(world.state, seat) is None for world in worlds(state))


def _drop(before: Point, after: Point) -> float:
    """Return the change of the value for the side that lost most."""
    return min(two.p - one.p for one, two in zip(before.sides, after.sides, strict=True))
