"""Play in every world of a belief at once: what is carried out in each, and which worlds are left."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

import msgspec

from engine.core import effort
from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired, Undetermined
from engine.core.lifecycle import RULE
from engine.core.values import ChancePoint, Judgement, State, Value
from engine.kit.chance import Chance, Observed, V
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs import Belief, MixedPoint, World, worlds
from engine.play.looks import Key, Looks, covered

MOST_WORLDS = 1000
"""That a belief may have; what nobody saw beyond that has to be found out."""
MOST_RUNS = 10_000
"""How often rules may be run to find the tables that there may be after a new event."""
MOST_RERUNS = 100_000
"""The same after an event that stands in a log: what was recorded once stays readable."""


CERTAIN = Fraction(1)
_fraction = lru_cache(maxsize=1000)(Fraction)

Weight = Fraction | int


class _Weighing(Observed):
    """Takes the reported outcomes one after the other, and counts how likely they were.

    Args:
        since: the first outcome that counts for that.
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
        if position < len(self._reported) and self._reported[position] is None:
            point = ChancePoint(name, position, tuple(options))
            raise _Unseen(point, (point, matters, self._came_before(name, matters)))
        value = super().draw(name, options)
        self._asked.append((name, value))
        if position >= self._since:
            self._found *= options.count(value)
            self._listed *= len(options)
        return value

    @property
    def likelihood(self) -> Fraction:
        """How likely that is which was reported so far."""
        return CERTAIN if self._listed == 1 else _fraction(self._found, self._listed)

    def _came_before(self, name: str, matters: Hashable) -> Hashable:
        """What came up, less that of which `matters` tells what still does."""
        return tuple(one for one in self._asked if matters is None or one[0] != name)


class _Unseen(Exception):
    """The next outcome was reported as None.

    Args:
        key: equal where what follows is the same, whatever came up before.
    """

    def __init__(self, point: ChancePoint, key: Hashable) -> None:
        super().__init__()
        self.point = point
        self.key = key


class Way(msgspec.Struct, eq=False):
    """What may have come up, as far as it is supposed; several that lead to the same are one."""

    outcomes: tuple[Value | None, ...]
    supposed: tuple[Value | None, ...]
    """What is supposed to have come up in the places of None."""
    weight: Weight
    point: ChancePoint
    """What is asked next, to which None stands for an answer."""
    is_several: bool = False
    """Whether other outcomes than `supposed` lead here, too."""


class Found(msgspec.Struct, eq=False):
    """A world that there may be afterwards."""

    weight: Weight
    state: Any
    key: Key
    """What tells it from all others."""
    before: Any
    """The state that it came of, or one of these."""
    supposed: tuple[Value | None, ...] = ()
    is_several: bool = False
    """As in `Way`."""

    @property
    def board(self) -> bytes:
        """What everyone sees of it, in its canonical form."""
        return self.key[0]


class Edge(msgspec.Struct, frozen=True):
    """One step of a search: from a world before, or from what was supposed so far, to what that leads to."""

    source: World | Found | Way
    value: Value | None
    """What is supposed to have come up where a way asks; None where nothing has to be supposed."""
    chance: Fraction
    """How likely that is, with all that was reported until `target`."""
    target: Way | Found


class _Misses(msgspec.Struct):
    """What was asked in the worlds that lead to none, and in those that lead to several: the weight of each."""

    asked: list[tuple[Weight, ChancePoint]] = []
    impossible: list[tuple[Weight, ChancePoint, Value | None]] = []
    too_many: Malformed | None = None
    unseen: list[tuple[Weight, ChancePoint]] = []
    """The questions to which the first None stands for an answer."""


def spread(
    ruleset: AnyRuleset,
    before: Sequence[World],
    run: Callable[[Any, Chance], State],
    reported: tuple[Value | None, ...],
    most: int,
) -> State:
    """Carry something out in every world: the state after it.

    Args:
        most: how often `run` may be run.

    Raises:
        OutcomeRequired: more has to be reported; `hints` says where a None can be looked up.
        ImpossibleOutcome, Malformed: in no world can that have been reported.
        Undetermined: what the board looks like now depends on what nobody saw before.
        IllegalAction: there would be too many worlds.
    """
    search = Search(Looks(ruleset), run, reported, most)
    for world in before:
        search.explore(world)
    return _as_found(search.kept())


class Search:
    """Looks for the worlds that there may be after something was carried out."""

    def __init__(
        self,
        looks: Looks,
        run: Callable[[Any, Chance], State],
        reported: tuple[Value | None, ...],
        most: int,
    ) -> None:
        """
        Args:
            run, reported, most: as `spread`.
        """
        self.edges: list[Edge] = []
        """Every step that led somewhere: those from a way or a world behind all that lead to it."""
        self._found = Tables(looks)
        self._misses = _Misses()
        self._run = run
        self._reported = reported
        self._left = most
        self._waiting: dict[int, dict[Hashable, Way]] = {}
        """What is to be gone on with, by the place of its question, and by all that the rest depends on."""

    @property
    def found(self) -> list[Found]:
        """All that was found, each once."""
        return self._found.all()

    def explore(self, world: World | Found) -> None:
        """Find those that come of `world`.

        Raises:
            IllegalAction: there are too many.
        """
        self._try(world, world)
        # Question by question, so that all the ways that lead to one are together when it is asked.
        while self._waiting:
            at = min(self._waiting)
            for way in self._waiting.pop(at).values():
                for value in way.point.probabilities():
                    self._try(world, way, value)

    def kept(self) -> list[Found]:
        """Those among what was found whose boards look as they do where nobody saw what came up.

        Raises:
            As `spread`.
        """
        misses = self._misses
        # Where something went unseen, a world that asks for more than was reported is not the one that was.
        if misses.asked and not (self.found and misses.unseen):
            raise OutcomeRequired(mixed(misses.asked))
        if not self.found:
            _raise(misses, len(self._reported) - 1)
        return _hidden(self._found, misses.unseen)

    def _try(self, world: World | Found, source: World | Found | Way, value: Value | None = None) -> None:
        """Go on from `source`, a way that began in `world` or that itself, supposing `value` where a way asks."""
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
            way = Way(outcomes, supposed, weighed(source.weight, chance.likelihood), unseen.point, is_several)
            if not supposed:
                misses.unseen.append((way.weight, way.point))
            self.edges.append(Edge(source, value, chance.likelihood, self._wait(way, unseen.key)))
        except OutcomeRequired as error:
            misses.asked.append((weighed(source.weight, chance.likelihood), error.point))
        except ImpossibleOutcome as error:
            misses.impossible.append((weighed(source.weight, chance.likelihood), error.point, error.given))
        except Malformed as error:
            misses.too_many = error
        else:
            likelihood = chance.likelihood
            weight = weighed(source.weight, likelihood)
            found = self._found.add(weight, after, world.state, supposed, is_several=is_several)
            self.edges.append(Edge(source, value, likelihood, found))

    def _wait(self, way: Way, key: Hashable) -> Way:
        ways = self._waiting.setdefault(way.point.position, {})
        other = ways.get(key)
        if other is None:
            ways[key] = way
            self._left -= len(set(way.point.options))
            if self._left < 0:
                message = "More tables are possible than can be looked at: find out some of what nobody saw first."
                raise IllegalAction(RULE, message)
            return way
        other.weight += way.weight
        other.is_several = True
        return other


def weighed(weight: Weight, chance: Fraction) -> Weight:
    """So much of a weight as `chance` leaves of it."""
    # Where chance is asked nothing there are many of them, and a product of fractions is dear.
    return weight if chance is CERTAIN else weight * chance


class Tables:
    """Worlds with their weights: equal ones are one."""

    def __init__(self, looks: Looks) -> None:
        self.ruleset = looks.ruleset
        self._looks = looks
        self._found: dict[Key, Found] = {}
        """By what tells them from each other."""
        self.seen: dict[bytes, dict[str, Any]] = {}
        """What everyone sees of them, by its canonical form."""
        self._on_board: Counter[bytes] = Counter()
        """How many of them look so."""

    def all(self) -> list[Found]:
        """Each of them once."""
        return list(self._found.values())

    def add(
        self,
        weight: Weight,
        state: State,
        before: State | None,
        supposed: tuple[Value | None, ...] = (),
        *,
        is_several: bool = False,
    ) -> Found:
        """One more way to a world, from `before`.

        Raises:
            IllegalAction: more tables look like this one than a belief may have.
        """
        look, key = self._looks.of(state)
        found = self._found.get(key)
        if found is not None:
            found.weight += weight
            found.is_several = found.is_several or is_several or found.supposed != supposed
            return found
        board = look.board
        self.seen[board] = look.document
        found = self._found[key] = Found(weight, state, key, before, supposed, is_several)
        self._on_board[board] += 1
        if self._on_board[board] > MOST_WORLDS:
            message = f"More than {MOST_WORLDS} tables are possible now: find out some of what nobody saw first."
            raise IllegalAction(RULE, message)
        return found


def _raise(misses: _Misses, last: int) -> NoReturn:
    """Refuse what is possible in no world; the `last` outcome is not one too many where one asks for it."""
    is_asked = any(point.position == last for _, point, _ in misses.impossible)
    if misses.too_many is not None and not is_asked:
        raise misses.too_many
    given = misses.impossible[0][2]
    raise ImpossibleOutcome(mixed([(weight, point) for weight, point, _ in misses.impossible]), given)


def mixed(asked: Sequence[tuple[Weight, ChancePoint]]) -> ChancePoint:
    """What several worlds ask, each with its weight, as one question."""
    if len(asked) == 1:
        return asked[0][1]
    total = sum(weight for weight, _ in asked)
    chances: dict[Value, Fraction] = {}
    for weight, point in asked:
        for value, p in point.probabilities().items():
            chances[value] = chances.get(value, Fraction(0)) + weight * p / total
    first = asked[0][1]
    values = sorted(chances, key=lambda value: (isinstance(value, str), value))
    return MixedPoint(first.name, first.position, tuple(values), tuple(chances[value] for value in values))


def _hidden(tables: Tables, unseen: Sequence[tuple[Weight, ChancePoint]]) -> list[Found]:
    """The worlds among `tables` whose boards look the same: the one board on which it does not show what came up.

    Args:
        unseen: the questions to which the first None stands for an answer, each with its weight.
    """
    found = tables.all()
    if len(tables.seen) == 1:
        return found
    boards: dict[bytes, list[Found]] = {}
    for one in found:
        boards.setdefault(one.board, []).append(one)
    parts = tuple(sorted(_differing(list(tables.seen.values()))))
    if not unseen:
        raise Undetermined(RULE, parts)
    silent = [ones for ones in boards.values() if _are_several(ones)]
    if not silent:
        # What has to be there, where all else would have come into the open.
        left = (ones for ones in boards.values() if _stays_covered(tables.ruleset, ones[0]))
        silent = list(itertools.islice(left, 2))
    if len(silent) != 1:
        raise OutcomeRequired(mixed(unseen), parts)
    return silent[0]


def _stays_covered(ruleset: AnyRuleset, found: Found) -> bool:
    """Whether all that does not show in a world is what did not show before."""
    return found.before is not None and covered(ruleset, found.before) == covered(ruleset, found.state)


def _are_several(found: list[Found]) -> bool:
    """Whether different outcomes lead to these worlds."""
    return any(one.is_several or one.supposed != found[0].supposed for one in found)


def _differing(documents: list[dict[str, Any]]) -> set[str]:
    first = documents[0]
    return {key for key in first if any(other[key] != first[key] for other in documents)}


def _as_found(found: Sequence[Found]) -> State:
    return believed([(one.weight, one) for one in found])


def believed(found: Sequence[tuple[Weight, Found]]) -> State:
    """The belief that holds these worlds with these weights, no two of them equal; a single one is simply the state."""
    if len(found) == 1:
        state: State = found[0][1].state
        return state
    scale = math.lcm(*(weight.denominator for weight, _ in found))
    whole = [(weight.numerator * (scale // weight.denominator), one) for weight, one in found]
    common = math.gcd(*(weight for weight, _ in whole))
    first = found[0][1].state
    return Belief(
        turn=first.turn,
        phase=first.phase,
        outcome=first.outcome,
        worlds=tuple(World(weight // common, one.state) for weight, one in sorted(whole, key=lambda one: one[1].key)),
    )


def agreeing(ruleset: AnyRuleset, found: Sequence[tuple[int, State]]) -> State:
    """The belief that holds these weighed states, whose boards have to look the same.

    Raises:
        Undetermined: they do not.
    """
    tables = Tables(Looks(ruleset))
    for weight, state in found:
        tables.add(weight, state, None)
    return _as_found(_hidden(tables, ()))


def carried_out(
    ruleset: AnyRuleset,
    before: Sequence[World],
    action: Action[Any],
    seat: int,
    reported: tuple[Value | None, ...],
    *,
    most: int,
) -> State:
    """Take an action in every world, legal or not: the state after it.

    Raises:
        As `spread`; and `Unclear`, where the rules forbid it and it is not clear what it does.
    """
    return spread(ruleset, before, lambda world, chance: action.apply(world, seat, chance), reported, most)


def step(
    ruleset: AnyRuleset,
    state: State,
    action: Action[Any],
    seat: int,
    reported: tuple[Value | None, ...],
    *,
    most: int,
) -> tuple[State, Judgement | None]:
    """Take an action where something is not known: the state after it, and what the rules say.

    Raises:
        IllegalAction: in no world is it legal.
        As `spread`.
    """
    before = worlds(state)
    refusals = [action.refusal(world.state, seat) for world in before]
    legal = [world for world, refusal in zip(before, refusals, strict=True) if refusal is None]
    refusal = next(filter(None, refusals), None)
    if not legal:
        assert refusal is not None
        raise IllegalAction(refusal.rule, refusal.message)
    judgement = None if refusal is None else Judgement("unknowable", refusal.rule, refusal.message)
    return carried_out(ruleset, legal, action, seat, reported, most=most), judgement
