"""A line traced world by world: how likely each value is where nobody saw what came up, by all that the line tells.

By Bayes, forwards and backwards (the forward–backward algorithm of hidden Markov models). Forwards, every event of the
line is played in every table that there may be, and each step from one to the next is kept with its chance. Backwards
over these steps, each table has the likelihood of all that followed it. Both together weigh every value, at each place
that is not known, in one pass over the line.

Where the rules forbid in some tables what was done, a strict record has been of another table. A record `as_played` may
be of a slip: there it tells nothing of what chance did before, and those tables go on with its effect, where that is
clear, or without. So no value has the probability 1 that a reveal may still show to be wrong.
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
from engine.play.beliefs.looks import Key, Look, Looks
from engine.play.beliefs.possible import CERTAIN, Found, PossibleWorlds, Weight, weighed
from engine.play.beliefs.worlds import MOST_RERUNS, Edge, Search, Way

Place = tuple[int, int]
"""The number of a slot, and which of its outcomes, from 0."""

Likelihoods = defaultdict[int, Weight]
"""How likely all that followed is, by the `id` of a table or way."""


class Told(msgspec.Struct, frozen=True):
    """What came up at a place, after all."""

    place: Place
    value: Value


class Stage(msgspec.Struct, eq=False):
    """A slot of a line that is traced."""

    number: int
    edges: list[Edge] = []
    """Every step of it; those from a table or a way behind all that lead to it."""
    tables: list[Found] = []
    """Those after it, each once."""
    forbidden: dict[int, Refusal] = {}
    """Why the rules forbid what was done, by the `id` of the table before, where they do."""
    idle: set[int] = set()
    """The `id` of each table after it on which it had no effect, as it could not be carried out there."""
    judgement: Judgement | None = None
    """What the rules say of it where it is no action, and not simply legal."""
    error: EngineError | None = None
    """Why it could not be carried out, on some of the tables at least."""


class Trace:
    """The tables that there may be as a line goes on, and every step between them.

    Args:
        before: those before the first of its slots.
        sound_only: of each slip, as `engine.play.slips.Slip` has it.
        stood: tables that slips of the line have led to: whatever looks like one of them is believed.
    """

    def __init__(
        self, ruleset: AnyRuleset, before: Iterable[World], *, sound_only: bool, stood: Iterable[State] = ()
    ) -> None:
        self._sound_only = sound_only
        self.looks = Looks(ruleset)
        """What the tables look like."""
        self.first: list[Found] = [
            Found(world.weight, world.state, self.looks.key(world.state), None) for world in before
        ]
        """Those before the first of its slots."""
        self.tables = self.first
        """Those after the last of its slots."""
        self.stages: list[Stage] = []
        self.ruleset = ruleset
        self._stood = {self.looks.key(state)[0] for state in stood}
        self._clear: dict[Look | None, bool] = {}
        """Whether a slip may lead to a table, by what everyone sees of it."""

    def spread(self, number: int, run: Callable[[Any, Chance], State], reported: Sequence[Value | None]) -> None:
        """Something was carried out, as `engine.play.beliefs.worlds.spread`."""
        stage = Stage(number)
        self._go_on(stage, self._searched(stage, self.tables, run, reported))

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
    ) -> None:
        """An action was taken.

        Args:
            anyway: what carries it out where the rules forbid it (default: as where they do not).
            is_lenient: whether the table may have done it although the rules forbid it.
            is_marked: whether it stands although it may not follow: where it cannot be carried out it has no effect.

        Raises:
            IllegalAction: there are too many tables.
        """
        stage = Stage(number)
        # Where the record is of a slip, tables that look different are played side by side.
        alike: dict[Look | None, list[Found]] = {}
        forbidden: list[Found] = []
        for table in self.tables:
            refusal = _refusal(action, table.state, seat)
            if refusal is None:
                alike.setdefault(table.board, []).append(table)
            else:
                stage.forbidden[id(table)] = refusal
                forbidden.append(table)

        def run(state: Any, chance: Chance) -> State:
            after: State = action.apply(state, seat, chance)
            return after

        after: list[Found] = []
        for tables in alike.values():
            found = self._searched(stage, tables, run, reported)
            after += self._left_as_they_are(stage, tables) if is_marked and not found else found
        for table in forbidden if is_lenient else ():
            has_clear_effect = not self._sound_only or self.ruleset.has_clear_effect(action, table.state, seat)
            found = self._done_anyway(stage, table, anyway or run, reported, has_clear_effect=has_clear_effect)
            after += self._left_as_they_are(stage, [table]) if is_marked and not found else found
        self._go_on(stage, after)

    def change(
        self,
        number: int,
        change: Callable[[State], tuple[State, Judgement | None]],
        *,
        is_seen: bool,
        is_marked: bool = False,
    ) -> None:
        """Every table was changed.

        Args:
            change: the table after it, and what the rules say of it.
            is_seen: whether a table that `change` refuses was not the one; else it had no effect there.
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
                    after += self._left_as_they_are(stage, [table])
                continue
            found = tables.add(table.weight, state, None)
            stage.edges.append(Edge(table, None, CERTAIN, found))
            after.append(found)
        if is_marked and not after:
            after = self._left_as_they_are(stage, self.tables)
        self._go_on(stage, after)

    def idle(self, number: int) -> None:
        """What stands there has no effect on any table."""
        stage = Stage(number)
        self._go_on(stage, self._left_as_they_are(stage, self.tables))

    def condition(self, known: Iterable[World]) -> None:
        """Leave only these tables."""
        keys = {self.looks.key(world.state) for world in known}
        self.tables = [table for table in self.tables if table.key in keys]

    def points(self) -> dict[Place, MixedPoint]:
        """What came up where nobody saw it, by the place."""
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
        return {place: _point(names[place], place[1], chances[place]) for place in sorted(chances)}

    def likelihoods(self, told: Told | None = None) -> Likelihoods:
        """How likely all that followed each table and way is.

        Args:
            told: what came up at one of the places, if that is known.
        """
        found: Likelihoods = defaultdict(int, {id(one): 1 for one in self.tables})
        for stage in reversed(self.stages):
            for edge in reversed(stage.edges):
                effort.spend()
                if may_be(stage, edge, told) and (likelihood := found[id(edge.target)]):
                    found[id(edge.source)] += weighed(likelihood, edge.chance)
        return found

    def _searched(
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
        if None not in reported and search.found:
            return search.found
        try:
            return search.kept()
        except EngineError as error:
            # It cannot have come up there; or it would have shown, on a table that a slip has led to.
            stage.error = error
            return []

    def _done_anyway(
        self,
        stage: Stage,
        table: Found,
        run: Callable[[Any, Chance], State],
        reported: Sequence[Value | None],
        *,
        has_clear_effect: bool,
    ) -> list[Found]:
        """What may come of a table where the rules forbid what was done: it stays as it was if that is not clear."""
        steps = len(stage.edges)
        if table.state.outcome is None:
            try:
                found = self._searched(stage, [table], run, reported)
            except Unclear:
                return self._left_as_they_are(stage, [table])
            if all(one.board in self._stood or (has_clear_effect and self._is_clear(one)) for one in found):
                return found
            del stage.edges[steps:]
        return self._left_as_they_are(stage, [table])

    def _is_clear(self, found: Found) -> bool:
        """Whether a slip may lead to that table; of those that look alike, one is looked at."""
        if found.board not in self._clear:
            is_clear = self.ruleset.is_sound if self._sound_only else self.ruleset.could_be
            self._clear[found.board] = is_clear(found.state)
        return self._clear[found.board]

    def _left_as_they_are(self, stage: Stage, tables: Sequence[Found]) -> list[Found]:
        """These tables, on which it had no effect."""
        same = [msgspec.structs.replace(table) for table in tables]
        stage.edges += [Edge(table, None, CERTAIN, one) for table, one in zip(tables, same, strict=True)]
        stage.idle.update(map(id, same))
        return same

    def _go_on(self, stage: Stage, after: Sequence[Found]) -> None:
        """These are the tables now, equal ones as one."""
        known: dict[Key, Found] = {}
        for found in after:
            other = known.setdefault(found.key, found)
            if other is not found:
                other.weight += found.weight
                stage.edges.append(Edge(found, None, CERTAIN, other))
        self.tables = stage.tables = list(known.values())
        self.stages.append(stage)


def may_be(stage: Stage, edge: Edge, told: Told | None) -> bool:
    """Whether a step can have been taken, by what came up after all."""
    if told is None or stage.number != told.place[0] or not isinstance(edge.source, Way):
        return True
    return edge.source.point.position != told.place[1] or edge.value == told.value


def _refusal(action: Action[Any], state: State, seat: int) -> Refusal | None:
    if state.outcome is not None:
        return Refusal(RULE, str(GameOver(state.outcome)))
    return action.refusal(state, seat)


def _point(name: str, position: int, chances: dict[Value, Fraction]) -> MixedPoint:
    total = sum(chances.values())
    values = sorted(chances, key=lambda value: (isinstance(value, str), value))
    return MixedPoint(name, position, tuple(values), tuple(chances[value] / total for value in values))
