"""Reveals: find the unknown outcomes of a line with their possible values, and fill one in."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import msgspec

from engine.core import lifecycle
from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed
from engine.core.events import Draft
from engine.core.language import say
from engine.core.values import SEAT_INDEX, ChancePoint, Effect, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import belief
from engine.play.beliefs.belief import Pooled
from engine.play.beliefs.looks import look
from engine.play.beliefs.presuming import Weights, step
from engine.play.beliefs.tracing import AssumedOutcome, Place, Stage, Trace
from engine.play.corrections import amends, counting
from engine.play.impact import FollowedEntry, Impacts, follow_entry
from engine.play.line import Chain, Entry, Line, Slot, index_of


class TracingRules(amends.Replayer, counting.SetupRules, Protocol):
    """The rules of a game, with methods that set up the game, and that replay and trace entries."""

    def trace(
        self, trace: Trace, entry: Entry, seq: int, broken: Effect | None, *, keeps_turn: bool = False
    ) -> None: ...


class UnknownOutcome(msgspec.Struct, frozen=True):
    """An unknown outcome."""

    seq: int
    """The number of the event's place in the line."""
    position: int
    """Index of the outcome in the event, from 0."""
    point: ChancePoint
    """The possible values, given all events of the line."""


def unknowns(rules: TracingRules, line: Line) -> list[UnknownOutcome]:
    """Return every unknown outcome of `line`, in order. Events without effect on any possible table are omitted."""
    if not any(_is_unseen(slot) for slot in line):
        return []
    if _is_pooled(line, 0):
        return [UnknownOutcome(*place, point) for place, point in counting.points(rules, line).items()]
    traced = _trace_line(rules, line, _first(line), sound_only=True)
    return [UnknownOutcome(*place, point) for place, point in traced.trace.points().items()]


def unknown_places(line: Line, seats: Collection[int]) -> tuple[Place, ...]:
    """Return the places of these seats' unknown outcomes; if they have none, the places of all unknown outcomes."""
    unseen = [(slot.number, slot.entry) for slot in line if slot.entry is not None and None in slot.entry.outcomes]
    own = [one for one in unseen if SEAT_INDEX.get(one[1].actor or "") in seats]
    return tuple(
        (seq, position)
        for seq, entry in own or unseen
        for position, outcome in enumerate(entry.outcomes)
        if outcome is None
    )


def place(line: Line, seq: int, position: int) -> int:
    """Return the index in `line` of event `seq`, whose outcome at `position` a reveal fills in.

    Raises:
        Malformed: there is no unknown outcome at that position.
    """
    index = index_of(line, seq)
    entry = line[index].entry
    if entry is None or position >= len(entry.outcomes) or entry.outcomes[position] is not None:
        message = say("event {seq} has no unknown result at that position", seq=seq)
        raise Malformed("/params/position", message)
    return index


def reveal_result(
    rules: TracingRules, line: Line, index: int, told: AssumedOutcome, source: int, *, sound_only: bool
) -> tuple[Chain, Impacts]:
    """Return `line` with a result filled in, and the impact on each later event.

    The new line is the same as if the result had been reported with its event. The line presumes that earlier actions
    were legal (see `engine.play.beliefs.presuming`). If the result contradicts this, the line is rewritten from an
    earlier place on.

    Args:
        index: the index of the event in `line`.
        source: the `seq` of the reveal.
        sound_only: as in the reveal.

    Raises:
        ImpossibleOutcome, IllegalAction: the line rules out this result.
        Malformed: the event had no effect, so it has no result.
    """
    if _is_pooled(line, index):
        return _replay_with_result(rules, line, index, told, source, sound_only=sound_only)
    point = None
    # First assume that earlier actions were legal, which takes less work. Then allow for earlier slips.
    for begin in dict.fromkeys((index, _first(line))):
        if _is_pooled(line, begin):
            break
        traced = _trace_line(rules, line, begin, sound_only=sound_only)
        point = traced.trace.points().get(told.place)
        if point is not None and told.value in point.probabilities():
            return _reweigh_chain(rules, Chain.of(line), traced, index, told, source=source)
    if point is None:
        raise _no_result(told)
    raise ImpossibleOutcome(point, told.value)


def _is_pooled(line: Line, begin: int) -> bool:
    """Return True if, right before index `begin` or later, there are too many possible tables to list."""
    return any(isinstance(slot.after, Pooled) for slot in line[max(begin - 1, 0) :])


def _replay_with_result(
    rules: TracingRules, line: Line, index: int, told: AssumedOutcome, source: int, *, sound_only: bool
) -> tuple[Chain, Impacts]:
    """Reveal a result in a line with too many possible tables to list: replay the line with the result."""
    point = counting.points(rules, line, index).get(told.place)
    if point is None:
        raise _no_result(told)
    if told.value not in point.options:
        raise ImpossibleOutcome(point, told.value)
    old, entry = line[index], _with_result(line[index], told)
    before = line[index - 1].after if index else None
    after, judgement, _ = rules.replay(before, entry, old.number, sound_only=sound_only, keeps_turn=old.keeps_turn)
    has_effect = judgement is None or judgement.has_effect
    # Reject an impossible result before replaying later events.
    if has_effect and _look_alike(rules.ruleset, after, line[index].after):
        slot = Slot(old.number, source, entry, after, judgement, old.broken, old.keeps_turn)
        anew, impact = amends.write_anew(rules, line, index, index + 1, slot, sound_only=sound_only)
        if not impact.newly_broken():
            return anew, impact
    raise ImpossibleOutcome(counting.without(point, told.value), told.value)


def _no_result(told: AssumedOutcome) -> Malformed:
    message = say("event {seq} had no effect, so it has no result", seq=told.place[0])
    return Malformed("/params/position", message)


def _look_alike(ruleset: AnyRuleset, one: State | None, other: State | None) -> bool:
    return look(ruleset, belief.likeliest(one)) == look(ruleset, belief.likeliest(other))


def _reweigh_chain(
    rules: TracingRules, old: Chain, traced: _TracedLine, index: int, told: AssumedOutcome, *, source: int
) -> tuple[Chain, Impacts]:
    stages, places, likelihoods = traced.trace.stages, traced.places, traced.trace.likelihoods(told)
    tables: Weights = {id(one): one.weight for one in traced.trace.first}
    stage = 0
    while places[stage] < index:
        stands = _standing(traced.trace, stages[stage], old[places[stage]].after)
        if not any(likelihoods[one] for one in stands):
            break
        tables, stage = stands, stage + 1
    start, stop = places[stage], places[-1] + 1
    staged = dict(zip(places[stage:], stages[stage:], strict=True))
    state = old[start - 1].after if start else None
    slots: list[Slot] = []
    played: list[FollowedEntry] = []
    for at, slot in enumerate(old[start:stop], start):
        judgement: Judgement | None = None
        effect: Effect = "unchanged"
        if at in staged:
            tables, (state, judgement, effect) = step(rules.ruleset, staged[at], tables, likelihoods, told)
        if at == index:
            slots.append(Slot(slot.number, source, _with_result(slot, told), state, judgement))
        elif slot.entry is None:
            slots.append(msgspec.structs.replace(slot, after=state))
        else:
            played.append(follow_entry(slot, state, judgement, effect, keeps_turn=slot.keeps_turn))
            slots.append(played[-1].new)
    return amends.rewrite(rules, old, start, stop, slots=slots, played=played)


def _standing(trace: Trace, stage: Stage, state: State | None) -> Weights:
    """Return the weights of a stage's tables that are possible in `state`, the line's state after that stage."""
    weights = {trace.looks.key(world.state): world.weight for world in belief.worlds(state)}
    return {id(one): weights[one.key] for one in stage.tables if one.key in weights}


def _with_result(slot: Slot, told: AssumedOutcome) -> Draft:
    entry, position = slot.entry, told.place[1]
    assert entry is not None
    return Draft(
        type=entry.type,
        actor=entry.actor,
        params=entry.params,
        outcomes=(*entry.outcomes[:position], told.value, *entry.outcomes[position + 1 :]),
        note=entry.note,
        occurred_at=entry.occurred_at,
    )


def _is_unseen(slot: Slot) -> bool:
    return slot.entry is not None and None in slot.entry.outcomes


class _TracedLine(msgspec.Struct, frozen=True):
    trace: Trace
    places: list[int]
    """For each stage of the trace, its index in the line."""


def _first(line: Line) -> int:
    """Return the index in `line` of the first unknown outcome."""
    return next(at for at, slot in enumerate(line) if _is_unseen(slot))


def _trace_line(rules: TracingRules, line: Line, begin: int, *, sound_only: bool) -> _TracedLine:
    last = max(at for at, slot in enumerate(line) if _is_unseen(slot))
    before = belief.worlds(line[begin - 1].after if begin else None)
    # Accept states after illegal actions, because their effect was accepted at the time of recording.
    stood = [
        belief.likeliest(slot.after)
        for slot in line[begin:]
        if slot.judgement is not None and slot.judgement.has_effect
    ]
    trace = Trace(rules.ruleset, before, sound_only=sound_only, stood=stood)
    places = []
    for at, slot in enumerate(line[begin:], begin):
        if at > last and len(trace.tables) == 1:
            # After a fully known table, later events add no information about earlier results.
            break
        if slot.entry is None or slot.entry.type in {lifecycle.GAME_CLOSED, "annotate"}:
            continue
        try:
            rules.trace(trace, slot.entry, slot.number, slot.broken, keeps_turn=slot.keeps_turn)
        except IllegalAction:
            # With every possible slip, there are too many tables: use only those of the line's own state.
            trace.condition(belief.worlds(line[at - 1].after))
            if slot.judgement is None or slot.judgement.has_effect:
                rules.trace(trace, slot.entry, slot.number, slot.broken, keeps_turn=slot.keeps_turn)
            else:
                trace.idle(slot.number)
        places.append(at)
    return _TracedLine(trace, places)
