"""Play in every world of a belief at once: what is carried out in each, and which worlds are left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NoReturn

import msgspec

from engine.beliefs import AnyRuleset, Belief, MixedPoint, World, worlds
from engine.canonical import canonical
from engine.chance import Chance, ChancePoint, Observed, V
from engine.errors import IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired, Undetermined
from engine.events import Value
from engine.lifecycle import RULE
from engine.lines import Judgement
from engine.ruleset import Action, LegalAction, State

MOST_WORLDS = 1000
"""That a belief may have; what nobody saw beyond that has to be found out."""


class _Weighing(Observed):
    """Takes the reported outcomes one after the other, and keeps how likely they were."""

    __slots__ = ("likelihood",)

    def __init__(self, reported: tuple[Value | None, ...]) -> None:
        super().__init__()
        self.begin(0, reported)
        self.likelihood = Fraction(1)

    def draw(self, name: str, options: Sequence[V]) -> V:
        if self._position < len(self._reported) and self._reported[self._position] is None:
            raise _Unseen(ChancePoint(name, self._position, tuple(options)))
        value = super().draw(name, options)
        self.likelihood *= Fraction(options.count(value), len(options))
        return value


class _Unseen(Exception):
    """The next outcome was reported as None."""

    def __init__(self, point: ChancePoint) -> None:
        super().__init__()
        self.point = point


class _Found(msgspec.Struct, frozen=True):
    """A world that there may be afterwards."""

    weight: Fraction
    state: Any
    supposed: tuple[Value, ...]
    """What is supposed to have come up in the places of None."""


class _Misses(msgspec.Struct):
    """What was asked in the worlds that lead to none, and in those that lead to several: the weight of each."""

    asked: list[tuple[Fraction, ChancePoint]] = []
    impossible: list[tuple[Fraction, ChancePoint, Value | None]] = []
    too_many: Malformed | None = None
    unseen: list[tuple[Fraction, ChancePoint]] = []
    """The questions to which the first None stands for an answer."""


def spread(
    ruleset: AnyRuleset,
    before: Sequence[World],
    run: Callable[[Any, Chance], State],
    reported: tuple[Value | None, ...],
) -> tuple[State, Fraction]:
    """Carry something out in every world: the state after it, and how likely what was reported is.

    Raises:
        OutcomeRequired: more has to be reported; `look` says where a None can be looked up.
        ImpossibleOutcome, Malformed: in no world can that have been reported.
        Undetermined: what the board looks like now depends on what nobody saw before.
        IllegalAction: there would be too many worlds.
    """
    total = sum(world.weight for world in before)
    misses = _Misses()
    found: list[_Found] = []
    for world in before:
        for one in _expand(world, run, reported, misses):
            found.append(one)
            if len(found) > MOST_WORLDS:
                message = f"More than {MOST_WORLDS} tables are possible now: find out some of what nobody saw first."
                raise IllegalAction(RULE, message)
    # Where something went unseen, a world that asks for more than was reported is not the one that was.
    if misses.asked and not (found and misses.unseen):
        raise OutcomeRequired(mixed(misses.asked))
    if not found:
        _raise(misses)
    kept = _hidden(ruleset, found, misses.unseen)
    mass = sum((one.weight for one in kept), Fraction(0)) / total
    return _believed(kept), mass


def _expand(
    world: World, run: Callable[[Any, Chance], State], reported: tuple[Value | None, ...], misses: _Misses
) -> Iterator[_Found]:
    todo: list[tuple[tuple[Value | None, ...], tuple[Value, ...]]] = [(reported, ())]
    while todo:
        outcomes, supposed = todo.pop()
        chance = _Weighing(outcomes)
        try:
            after = run(world.state, chance)
            chance.finish()
        except _Unseen as unseen:
            at = unseen.point.position
            if not supposed:
                misses.unseen.append((world.weight * chance.likelihood, unseen.point))
            todo += [
                ((*outcomes[:at], value, *outcomes[at + 1 :]), (*supposed, value))
                for value in unseen.point.probabilities()
            ]
        except OutcomeRequired as error:
            misses.asked.append((world.weight * chance.likelihood, error.point))
        except ImpossibleOutcome as error:
            misses.impossible.append((world.weight * chance.likelihood, error.point, error.given))
        except Malformed as error:
            misses.too_many = error
        else:
            yield _Found(world.weight * chance.likelihood, after, supposed)


def _raise(misses: _Misses) -> NoReturn:
    if misses.too_many is not None:
        raise misses.too_many
    given = misses.impossible[0][2]
    raise ImpossibleOutcome(mixed([(weight, point) for weight, point, _ in misses.impossible]), given)


def mixed(asked: Sequence[tuple[Fraction, ChancePoint]]) -> ChancePoint:
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


def _hidden(ruleset: AnyRuleset, found: list[_Found], unseen: Sequence[tuple[Fraction, ChancePoint]]) -> list[_Found]:
    """The worlds among `found` whose boards look the same: the one board on which it does not show what came up.

    Args:
        unseen: the questions to which the first None stands for an answer, each with its weight.
    """
    boards: dict[bytes, tuple[dict[str, Any], list[_Found]]] = {}
    for one in found:
        board = shown(ruleset, one.state)
        boards.setdefault(canonical(board), (board, []))[1].append(one)
    if len(boards) == 1:
        return found
    look = tuple(sorted(_differing([board for board, _ in boards.values()])))
    if not unseen:
        raise Undetermined(RULE, look)
    silent = [ones for _, ones in boards.values() if len({one.supposed for one in ones}) > 1]
    if len(silent) != 1:
        raise OutcomeRequired(mixed(unseen), look)
    return silent[0]


def shown(ruleset: AnyRuleset, state: State) -> dict[str, Any]:
    """The document of what everyone sees on the table: of what does not show, how much it is."""
    seen = ruleset.to_document(state)
    for path in ruleset.unseen:
        seen = _counted(seen, path.split("/"))
    return {**seen, "awaiting": ruleset.awaiting(state) if state.outcome is None else ()}


def _counted(document: Any, path: Sequence[str]) -> Any:
    """`document` with how much there is in the place of what stands at `path`."""
    if not path:
        return _size(document)
    key, *rest = path
    if key == "*":
        return [_counted(one, rest) for one in document]
    return {**document, key: _counted(document[key], rest)}


def _size(document: Any) -> int:
    if isinstance(document, dict):
        return sum(map(_size, document.values()))
    return sum(map(_size, document)) if isinstance(document, list | tuple) else 1


def _differing(documents: list[dict[str, Any]]) -> set[str]:
    first = documents[0]
    return {key for key in first if any(other[key] != first[key] for other in documents)}


def _believed(found: list[_Found]) -> State:
    """The belief that holds these worlds; a single one is simply the state."""
    weights: dict[bytes, tuple[Any, Fraction]] = {}
    for one in found:
        key = canonical(one.state)
        weights[key] = (one.state, one.weight + (weights[key][1] if key in weights else 0))
    if len(weights) == 1:
        state: State = found[0].state
        return state
    scale = math.lcm(*(weight.denominator for _, weight in weights.values()))
    whole = {key: int(weight * scale) for key, (_, weight) in weights.items()}
    common = math.gcd(*whole.values())
    first = found[0].state
    return Belief(
        turn=first.turn,
        phase=first.phase,
        outcome=first.outcome,
        worlds=tuple(World(whole[key] // common, weights[key][0]) for key in sorted(weights)),
    )


def agreeing(ruleset: AnyRuleset, found: Sequence[tuple[int, State]]) -> State:
    """The belief that holds these weighed states, whose boards have to look the same.

    Raises:
        Undetermined: they do not.
    """
    return _believed(_hidden(ruleset, [_Found(Fraction(weight), state, ()) for weight, state in found], ()))


def carried_out(
    ruleset: AnyRuleset,
    before: Sequence[World],
    action: Action[Any],
    seat: int,
    reported: tuple[Value | None, ...],
) -> tuple[State, Fraction]:
    """Take an action in every world, legal or not: the state after it, and how likely what was reported is.

    Raises:
        As `spread`; and whatever rules raise that were not meant to run there.
    """
    return spread(ruleset, before, lambda world, chance: action.apply(world, seat, chance), reported)


def step(
    ruleset: AnyRuleset,
    state: State,
    action: Action[Any],
    seat: int,
    reported: tuple[Value | None, ...],
) -> tuple[State, Judgement | None, Fraction]:
    """Take an action where something is not known: the state after it, what the rules say, and how likely it was.

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
    after, mass = carried_out(ruleset, legal, action, seat, reported)
    share = Fraction(sum(world.weight for world in legal), sum(world.weight for world in before))
    return after, judgement, mass * share


class Offer(msgspec.Struct, frozen=True):
    """An action that may be legal now."""

    legal: LegalAction[Any]
    probability: Fraction
    """That it is; 1 where it is legal whatever nobody saw."""


def offers(ruleset: AnyRuleset, state: State) -> list[Offer]:
    """All that is legal in a world at least, in the order of the rulebook."""
    kinds = {kind.type: order for order, kind in enumerate(ruleset.actions)}
    weights: dict[tuple[int, int, bytes], tuple[LegalAction[Any], int]] = {}
    total = 0
    for world in worlds(state):
        total += world.weight
        for legal in ruleset.legal_actions(world.state):
            key = (kinds[legal.action.type], legal.seat, canonical(legal.action))
            weights[key] = (legal, world.weight + (weights[key][1] if key in weights else 0))
    return [Offer(legal, Fraction(weight, total)) for _, (legal, weight) in sorted(weights.items(), key=_key)]


def _key(item: tuple[tuple[int, int, bytes], object]) -> tuple[int, int, bytes]:
    return item[0]


def point(ruleset: AnyRuleset, state: State, legal: LegalAction[Any]) -> ChancePoint | None:
    """What the rules of an action, legal in a world at least, ask chance first; None if they ask nothing."""
    if not isinstance(state, Belief):
        return ruleset.chance_point(state, legal)
    asked = [
        (Fraction(world.weight), one)
        for world in state.worlds
        if legal.action.refusal(world.state, legal.seat) is None
        and (one := ruleset.chance_point(world.state, legal)) is not None
    ]
    return mixed(asked) if asked else None


def may_be_unseen(ruleset: AnyRuleset, state: State, legal: LegalAction[Any]) -> bool:
    """Whether the first outcome that an action asks for may be reported as None."""
    if not ruleset.unseen:
        return False
    try:
        step(ruleset, state, legal.action, legal.seat, (None,))
    except OutcomeRequired as error:
        # Another outcome is asked for after it.
        return not error.look and error.point.position > 0
    except IllegalAction:
        return False
    return True
