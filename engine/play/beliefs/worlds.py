"""Apply an event to every possible table of a belief, and find the possible tables after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

import msgspec

from engine.core import effort
from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired
from engine.core.language import say
from engine.core.values import ChancePoint, Judgement, State, Value
from engine.kit.chance import Chance, Observed, V
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs import dealing, running
from engine.play.beliefs.belief import MixedPoint, World, merge_points
from engine.play.beliefs.covering import OnPile
from engine.play.beliefs.looks import Looks
from engine.play.beliefs.possible import (
    CERTAIN,
    Found,
    PossibleWorlds,
    TooManyTables,
    Weight,
    belief_of,
    looking_alike,
    multiply_weight,
)

MOST_RUNS = 10_000
"""Maximum number of runs of rules to find the possible tables after a new event."""
MOST_RERUNS = 100_000
"""Maximum number of runs for a stored event. It is higher than `MOST_RUNS`, so that stored records stay readable."""


_fraction = lru_cache(maxsize=1000)(Fraction)


class _Weighing(Observed):
    """Source of chance that uses the reported outcomes one after the other, and computes their probability.

    Args:
        since: the index of the first outcome that counts for the probability.
    """

    __slots__ = ("_asked", "_found", "_listed", "_since")

    def __init__(self, reported: tuple[Value | None, ...], since: int) -> None:
        super().__init__()
        self.begin(0, reported)
        self._since = since
        self._found = self._listed = 1
        self._asked: list[tuple[str, Value]] = []

    def draw(self, name: str, options: Sequence[V], matters: Hashable = None) -> V:
        position = self._position
        if options and isinstance(options[0], OnPile):
            return self._draw_covered(name, options[0])  # type: ignore[return-value]  # it is a card, too
        if position < len(self._reported) and self._reported[position] is None:
            point = ChancePoint(name, position, tuple(options))
            raise _Unseen(point, (point, matters, self._earlier_results(name, matters)))
        value = super().draw(name, options)
        self._asked.append((name, value))
        if position >= self._since:
            self._found *= options.count(value)
            self._listed *= len(options)
        return value

    def _draw_covered(self, name: str, top: OnPile) -> str:
        position, odds = self._position, top.deck.odds()
        point = MixedPoint(name, position, *odds, top.deck.has_odds)
        if position == len(self._reported):
            raise OutcomeRequired(point)
        value = self._reported[position]
        if value is None:
            raise _Unseen(point, (point, None, self._earlier_results(name, None)))
        if value not in odds.values:
            top.deck.read(value)
            raise ImpossibleOutcome(point, value)
        self._position = position + 1
        self._asked.append((name, value))
        if position >= self._since:
            chance = odds.chances[odds.values.index(value)]
            self._found *= chance.numerator
            self._listed *= chance.denominator
        return top.deck.take(value)

    @property
    def likelihood(self) -> Fraction:
        """The probability of the results reported from `since` on."""
        return CERTAIN if self._listed == 1 else _fraction(self._found, self._listed)

    def _earlier_results(self, name: str, matters: Hashable) -> Hashable:
        """Return the earlier results of the event.

        If `matters` is given, omit results with this name: `matters` covers them.
        """
        return tuple(one for one in self._asked if matters is None or one[0] != name)


class _Unseen(Exception):
    """Raised at a draw whose outcome was reported as None.

    Args:
        key: equal for two draws if the run continues in the same way after both. Earlier results may differ.
    """

    def __init__(self, point: ChancePoint, key: Hashable) -> None:
        super().__init__()
        self.point = point
        self.key = key


class Way(msgspec.Struct, eq=False):
    """An incomplete run of the rules, with assumed results, up to an unseen draw; equivalent runs are merged."""

    outcomes: tuple[Value | None, ...]
    supposed: tuple[Value | None, ...]
    """The assumed results of the unseen draws so far."""
    weight: Weight
    point: ChancePoint
    """The next unseen draw."""
    is_several: bool = False
    """True if this point can also be reached with assumed results that differ from `supposed`."""


class Edge(msgspec.Struct, frozen=True):
    """One step of a search: from a table or way to the next table or way."""

    source: World | Found | Way
    value: Value | None
    """The result assumed for the unseen draw of a way; None if the step starts from a table."""
    chance: Fraction
    """The joint probability of `value` and of all results that were reported between `source` and `target`."""
    target: Way | Found


class _Misses(msgspec.Struct):
    """The draws at which runs of the rules stopped, with the weights of their tables. Error messages need them."""

    asked: list[tuple[Weight, ChancePoint]] = []
    impossible: list[tuple[Weight, ChancePoint, Value | None]] = []
    too_many: Malformed | None = None
    unseen: list[tuple[Weight, ChancePoint]] = []
    """For each table before the event, the first draw whose result was reported as None."""


def spread(
    ruleset: AnyRuleset,
    state: State | None,
    run: Callable[[Any, Chance], State],
    reported: tuple[Value | None, ...],
    most: int,
) -> State:
    """Apply an event to every possible table, and return the state after it.

    Args:
        run: applies the event to one table.
        most: maximum number of calls of `run`.

    Raises:
        OutcomeRequired: another result is required. For an unknown result, `hints` says where players can look it up.
        ImpossibleOutcome, Malformed: the report is impossible on every table.
        Undetermined: the visible table depends on an unknown result.
        IllegalAction: there are too many possible tables.
    """

    def spread_tables(before: Sequence[World], tables: running.ListedTables) -> State:
        return _spread(
            Search(Looks(ruleset), tables.running(run), reported, most, most_alike=tables.most_alike), before, tables
        )

    return running.run_on_tables(ruleset, state, spread_tables)


MOST_DEALT = 4
"""Maximum number of unseen outcomes of a setup whose tables are listed. Beyond it, hands are counted."""


def set_up(ruleset: AnyRuleset, run: Callable[[Chance], State], reported: tuple[Value | None, ...], most: int) -> State:
    """Apply a setup in every way that matches the report, like `spread`; count hands if there are too many tables."""

    def counted_belief() -> State | None:
        return dealing.counted_belief(ruleset, run, reported)

    state = counted_belief() if reported.count(None) > MOST_DEALT else None
    if state is not None:
        return state
    try:
        return spread(ruleset, None, lambda _, chance: run(chance), reported, most)
    except IllegalAction:
        state = counted_belief()
        if state is None:
            raise
        return state


def _spread(
    search: Search,
    before: Sequence[World],
    tables: running.ListedTables,
    believed: Callable[[Sequence[Found]], State] = belief_of,
) -> State:
    for world in before:
        search.explore(world)
    return tables.collapse(search.possible_tables(tables.count_hidden), believed)


class Search:
    """Searches for the possible tables after an event."""

    def __init__(
        self,
        looks: Looks,
        run: Callable[[Any, Chance], State],
        reported: tuple[Value | None, ...],
        most: int,
        *,
        most_alike: int | None = None,
    ) -> None:
        """Create a search, with arguments as in `spread` and `engine.play.beliefs.possible.PossibleWorlds`."""
        self.edges: list[Edge] = []
        """Every successful step. The steps to a table or way come before the steps from it."""
        self._found = PossibleWorlds(looks, most_alike)
        self._misses = _Misses()
        self._run = run
        self._reported = reported
        self._left = most
        self._waiting: dict[int, dict[Hashable, Way]] = {}
        """Incomplete runs, by the index of their next draw, and by all that the rest of the run depends on."""

    @property
    def found_tables(self) -> list[Found]:
        """All tables found, each once."""
        return self._found.all()

    def explore(self, world: World | Found) -> None:
        """Find the tables to which `world` leads.

        Raises:
            IllegalAction: there are too many tables.
        """
        self._try(world, world)
        # Explore one draw at a time, to merge equivalent runs before they continue.
        while self._waiting:
            at = min(self._waiting)
            for way in self._waiting.pop(at).values():
                for value in way.point.probabilities():
                    self._try(world, way, value)

    def possible_tables(self, hidden: Callable[[State], Counter[Any]] | None = None) -> list[Found]:
        """Return the tables that the search found and on which the unknown result stays hidden.

        Args:
            hidden: as in `engine.play.beliefs.possible.looking_alike`.

        Raises:
            As `spread`.
        """
        misses = self._misses
        # If a result is unseen, ignore the tables that need more results than were reported.
        if misses.asked and not (self.found_tables and misses.unseen):
            raise OutcomeRequired(merge_points(misses.asked))
        if not self.found_tables:
            _raise(misses, len(self._reported) - 1)
        return looking_alike(self._found, misses.unseen, hidden)

    def _try(self, world: World | Found, source: World | Found | Way, value: Value | None = None) -> None:
        """Continue a run from `source`, which is `world` or a way that began there.

        If `source` is a way, assume `value` for its unseen draw.
        """
        outcomes, since, is_several = self._reported, 0, False
        supposed: tuple[Value | None, ...] = ()
        if isinstance(source, Way):
            since, is_several, supposed = source.point.position, source.is_several, (*source.supposed, value)
            outcomes = (*source.outcomes[:since], value, *source.outcomes[since + 1 :])
        effort.spend()
        misses = self._misses
        chance = _Weighing(outcomes, since)
        try:
            after = self._run(world.state, chance)
            chance.finish()
        except _Unseen as unseen:
            way = Way(outcomes, supposed, multiply_weight(source.weight, chance.likelihood), unseen.point, is_several)
            if not supposed:
                misses.unseen.append((way.weight, way.point))
            self.edges.append(Edge(source, value, chance.likelihood, self._wait(way, unseen.key)))
        except OutcomeRequired as error:
            misses.asked.append((multiply_weight(source.weight, chance.likelihood), error.point))
        except ImpossibleOutcome as error:
            misses.impossible.append((multiply_weight(source.weight, chance.likelihood), error.point, error.given))
        except Malformed as error:
            misses.too_many = error
        else:
            likelihood = chance.likelihood
            weight = multiply_weight(source.weight, likelihood)
            found = self._found.add(weight, after, world.state, supposed, is_several=is_several)
            self.edges.append(Edge(source, value, likelihood, found))

    def _wait(self, way: Way, key: Hashable) -> Way:
        ways = self._waiting.setdefault(way.point.position, {})
        other = ways.get(key)
        if other is None:
            ways[key] = way
            self._left -= len(set(way.point.options))
            if self._left < 0:
                raise TooManyTables
            return way
        other.weight += way.weight
        other.is_several = True
        return other


def _raise(misses: _Misses, last: int) -> NoReturn:
    """Reject results that are impossible on every table. Accept the `last` result if any table needs it."""
    is_asked = any(point.position == last for _, point, _ in misses.impossible)
    if misses.too_many is not None and not is_asked:
        raise misses.too_many
    given = misses.impossible[0][2]
    raise ImpossibleOutcome(merge_points([(weight, point) for weight, point, _ in misses.impossible]), given)


def step(
    ruleset: AnyRuleset,
    state: State,
    action: Action[Any],
    seat: int,
    reported: tuple[Value | None, ...],
    *,
    most: int,
    believed: Callable[[Sequence[Found]], State] = belief_of,
) -> tuple[State, Judgement | None]:
    """Take an action on a partly unknown table; return the state after it and the judgement.

    Args:
        believed: function that combines the possible tables into one state, if the tables are listed.

    Raises:
        IllegalAction: the action is legal on no table.
        As `spread`.
    """
    unread = running.unread(ruleset, state, action, seat, reported)
    if unread is not None:
        return unread, None

    def run(world: Any, chance: Chance) -> State:
        after: State = action.apply(world, seat, chance)
        return after

    def take(before: Sequence[World], tables: running.ListedTables) -> tuple[State, Judgement | None]:
        refusals = [action.refusal(tables.cover(world.state), seat) for world in before]
        legal = [world for world, refusal in zip(before, refusals, strict=True) if refusal is None]
        refusal = next(filter(None, refusals), None)
        if not legal:
            assert refusal is not None
            raise IllegalAction(refusal.rule, say(refusal.message))
        judgement = None if refusal is None else Judgement("unknowable", refusal.rule, say(refusal.message))
        search = Search(Looks(ruleset), tables.running(run), reported, most, most_alike=tables.most_alike)
        return _spread(search, legal, tables, believed), judgement

    return running.run_on_tables(ruleset, state, take)
