"""Trace a line on every possible table: compute the probability of each unknown value, given the whole line.

This is the forward–backward algorithm of hidden Markov models. Forwards, every event of the line is applied to every
possible table, and each step from table to table is kept with its probability. Backwards along these steps, each table
gets the likelihood of all later events. Both together give the weight of every value of each unknown outcome, in one
pass over the line.

If an action is illegal on some tables, a strict record rules these tables out. In a record `as_played`, the action may
be a slip, and says nothing about earlier results. These tables then continue with the action's effect, or unchanged if
the effect is unclear. So a value gets probability 1 only if no reveal can contradict it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from engine.core import effort
from engine.core.errors import EngineError, GameOver, Unclear
from engine.core.lifecycle import RULE
from engine.core.values import Judgement, State, Value
from engine.kit.chance import Chance
from engine.kit.ruleset import Action, AnyRuleset, Refusal
from engine.play.beliefs.belief import MixedPoint, World
from engine.play.beliefs.looks import Key, Looks, VisibleTable
from engine.play.beliefs.possible import CERTAIN, Found, PossibleWorlds, Weight, multiply_weight
from engine.play.beliefs.worlds import MOST_RERUNS, Edge, Search, Way

Place = tuple[int, int]
"""An outcome of the line: the number of its slot, and its index in the event, from 0."""

Likelihoods = defaultdict[int, Weight]
"""Likelihood of all later events, by the `id` of a table or a way."""


class AssumedOutcome(msgspec.Struct, frozen=True):
    """An outcome whose result is assumed to be known."""

    place: Place
    value: Value


class Stage(msgspec.Struct, eq=False):
    """A slot of a traced line, with the tables after the slot, and the steps that lead to these tables."""

    number: int
    edges: list[Edge] = []
    """Every step of the slot. The steps that lead to a table come before the steps from that table."""
    tables: list[Found] = []
    """The tables after the slot, without duplicates."""
    forbidden: dict[int, Refusal] = {}
    """The refusal for each table on which the action is illegal. The key is the `id` of the table before the action."""
    idle: set[int] = set()
    """The `id` of each table on which the action had no effect, because it could not be applied there."""
    judgement: Judgement | None = None
    """The judgement on the entry, if the entry is neither an action nor simply legal."""
    error: EngineError | None = None
    """The error that the entry raised on at least one of the tables."""


class Trace:
    """The possible tables along a line, and every step between them.

    Args:
        before: the tables before the first slot.
        sound_only: as in `engine.play.slips.Slip`, for every slip.
        stood: tables to which slips of the line have led. A slip may lead to any table that looks like one of them.
    """

    def __init__(
        self, ruleset: AnyRuleset, before: Iterable[World], *, sound_only: bool, stood: Iterable[State] = ()
    ) -> None:
        self._sound_only = sound_only
        self.looks = Looks(ruleset)
        """A cache of the looks of the tables."""
        self.first: list[Found] = [
            Found(world.weight, world.state, self.looks.key(world.state), None) for world in before
        ]
        """The tables before the first slot."""
        self.tables = self.first
        """The tables after the last slot."""
        self.stages: list[Stage] = []
        self.ruleset = ruleset
        self._stood = {self.looks.key(state)[0] for state in stood}
        self._clear: dict[VisibleTable | None, bool] = {}
        """True if a slip may lead to a table with this look."""

    def spread(self, number: int, run: Callable[[Any, Chance], State], reported: Sequence[Value | None]) -> None:
        """Apply `run` to every table, as `engine.play.beliefs.worlds.spread` does. The result is slot `number`."""
        stage = Stage(number)
        self._go_on(stage, self._search(stage, self.tables, run, reported))

    def take(
        self,
        number: int,
        action: Action[Any],
        seat: int,
        reported: Sequence[Value | None],
        anyway: Callable[[Any, Chance], State] | None = None,
        *,
        is_lenient: bool,
        is_marked: bool = False,
        is_allowed: bool = False,
    ) -> None:
        """Take an action on every possible table; `number` is the slot of its event in the line.

        Args:
            anyway: applies the action if it is illegal (default: the action's own `apply`).
            is_lenient: True if players may have taken the action although it is illegal.
            is_marked: True if the event stays in the line when it is broken. Such an event has no effect if it
                cannot be applied.
            is_allowed: True if a house rule allows the action even if the rulebook forbids it.

        Raises:
            IllegalAction: there are too many tables.
        """
        stage = Stage(number)
        # After a slip, the tables can have different looks: search each look separately.
        alike: dict[VisibleTable | None, list[Found]] = {}
        forbidden: list[Found] = []
        for table in self.tables:
            refusal = _refusal(action, table.state, seat)
            if refusal is None or (is_allowed and table.state.outcome is None):
                alike.setdefault(table.board, []).append(table)
            else:
                stage.forbidden[id(table)] = refusal
                forbidden.append(table)

        def run(state: Any, chance: Chance) -> State:
            if is_allowed and anyway is not None:
                return anyway(state, chance)
            after: State = action.apply(state, seat, chance)
            return after

        after: list[Found] = []
        for tables in alike.values():
            found = self._search(stage, tables, run, reported)
            after += self._keep_tables(stage, tables) if is_marked and not found else found
        for table in forbidden if is_lenient else ():
            has_clear_effect = not self._sound_only or self.ruleset.has_clear_effect(action, table.state, seat)
            found = self._run_anyway(stage, table, anyway or run, reported, has_clear_effect=has_clear_effect)
            after += self._keep_tables(stage, [table]) if is_marked and not found else found
        self._go_on(stage, after)

    def change(
        self,
        number: int,
        change: Callable[[State], tuple[State, Judgement | None]],
        *,
        is_seen: bool,
        is_marked: bool = False,
    ) -> None:
        """Apply `change` to every table. The result is slot `number`.

        Args:
            change: returns the table after the change, and the judgement on it.
            is_seen: True to rule out the tables that `change` rejects; False to keep these tables unchanged.
            is_marked: as in `take`.

        Raises:
            IllegalAction: there are too many tables.
        """
        stage, tables = Stage(number), PossibleWorlds(self.looks)
        after: list[Found] = []
        for table in self.tables:
            try:
                state, stage.judgement = change(table.state)
            except EngineError as error:
                stage.error = error
                if not is_seen:
                    after += self._keep_tables(stage, [table])
                continue
            found = tables.add(table.weight, state, None)
            stage.edges.append(Edge(table, None, CERTAIN, found))
            after.append(found)
        if is_marked and not after:
            after = self._keep_tables(stage, self.tables)
        self._go_on(stage, after)

    def idle(self, number: int) -> None:
        """Add a slot that has no effect on any table."""
        stage = Stage(number)
        self._go_on(stage, self._keep_tables(stage, self.tables))

    def condition(self, known: Iterable[World]) -> None:
        """Keep only the tables that are equal to one of `known`."""
        keys = {self.looks.key(world.state) for world in known}
        self.tables = [table for table in self.tables if table.key in keys]

    def points(self) -> dict[Place, MixedPoint]:
        """Return the possible results of each unknown outcome, with probabilities."""
        likelihoods = self.likelihoods()
        names: dict[Place, str] = {}
        chances: dict[Place, defaultdict[Value, Fraction]] = {}
        for stage in self.stages:
            for edge in stage.edges:
                source = edge.source
                if isinstance(source, Way) and edge.value is not None and likelihoods[id(edge.target)]:
                    place = stage.number, source.point.position
                    names[place] = source.point.name
                    weight = source.weight * edge.chance * likelihoods[id(edge.target)]
                    chances.setdefault(place, defaultdict(Fraction))[edge.value] += weight
        totals = {place: sum(found.values()) for place, found in chances.items()}
        return {
            place: MixedPoint.of(
                names[place], place[1], {value: weight / totals[place] for value, weight in chances[place].items()}
            )
            for place in sorted(chances)
        }

    def likelihoods(self, told: AssumedOutcome | None = None) -> Likelihoods:
        """Return the likelihood of all later events, for each table and way, if the outcome `told` is known."""
        found: Likelihoods = defaultdict(int, {id(one): 1 for one in self.tables})
        for stage in reversed(self.stages):
            for edge in reversed(stage.edges):
                effort.spend()
                if may_be(stage, edge, told) and (likelihood := found[id(edge.target)]):
                    found[id(edge.source)] += multiply_weight(likelihood, edge.chance)
        return found

    def _search(
        self,
        stage: Stage,
        before: Sequence[Found],
        run: Callable[[Any, Chance], State],
        reported: Sequence[Value | None],
    ) -> list[Found]:
        search = Search(self.looks, run, tuple(reported), MOST_RERUNS)
        for table in before:
            search.explore(table)
        stage.edges += search.edges
        if None not in reported and search.found_tables:
            return search.found_tables
        try:
            return search.possible_tables()
        except EngineError as error:
            # The result is impossible on these tables; or, after a slip, it would have been visible.
            stage.error = error
            return []

    def _run_anyway(
        self,
        stage: Stage,
        table: Found,
        run: Callable[[Any, Chance], State],
        reported: Sequence[Value | None],
        *,
        has_clear_effect: bool,
    ) -> list[Found]:
        """Return the possible tables after an illegal action. If the effect is unclear, `table` stays unchanged."""
        steps = len(stage.edges)
        if table.state.outcome is None:
            try:
                found = self._search(stage, [table], run, reported)
            except Unclear:
                return self._keep_tables(stage, [table])
            if all(one.board in self._stood or (has_clear_effect and self._is_clear(one)) for one in found):
                return found
            del stage.edges[steps:]
        return self._keep_tables(stage, [table])

    def _is_clear(self, found: Found) -> bool:
        """Return True if a slip may lead to that table. Of several tables that look alike, only one is checked."""
        if found.board not in self._clear:
            is_clear = self.ruleset.is_sound if self._sound_only else self.ruleset.could_be
            self._clear[found.board] = is_clear(found.state)
        return self._clear[found.board]

    def _keep_tables(self, stage: Stage, tables: Sequence[Found]) -> list[Found]:
        """Add a step without effect for each of these tables; return the same tables."""
        same = [msgspec.structs.replace(table) for table in tables]
        stage.edges += [Edge(table, None, CERTAIN, one) for table, one in zip(tables, same, strict=True)]
        stage.idle.update(map(id, same))
        return same

    def _go_on(self, stage: Stage, after: Sequence[Found]) -> None:
        """Append the stage, with the tables `after` it. Equal tables are merged."""
        known: dict[Key, Found] = {}
        for found in after:
            other = known.setdefault(found.key, found)
            if other is not found:
                other.weight += found.weight
                stage.edges.append(Edge(found, None, CERTAIN, other))
        self.tables = stage.tables = list(known.values())
        self.stages.append(stage)


def may_be(stage: Stage, edge: Edge, told: AssumedOutcome | None) -> bool:
    """Return True if the step is possible given `told`, an outcome that is assumed to be known."""
    if told is None or stage.number != told.place[0] or not isinstance(edge.source, Way):
        return True
    return edge.source.point.position != told.place[1] or edge.value == told.value


def _refusal(action: Action[Any], state: State, seat: int) -> Refusal | None:
    if state.outcome is not None:
        return Refusal(RULE, str(GameOver(state.outcome)))
    return action.refusal(state, seat)
