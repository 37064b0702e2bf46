"""What nobody saw: which outcomes of a line are not known, and what each of them may have been."""

from __future__ import annotations

from typing import Protocol

import msgspec

from engine.core import lifecycle
from engine.core.errors import IllegalAction, ImpossibleOutcome, Malformed
from engine.core.events import Draft
from engine.core.language import say
from engine.core.lifecycle import RULE
from engine.core.values import ChancePoint, Effect, Judgement, State
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import belief
from engine.play.beliefs.belief import Pooled
from engine.play.beliefs.looks import look
from engine.play.beliefs.presuming import Replayed, Weights, step
from engine.play.beliefs.tracing import Stage, Told, Trace
from engine.play.corrections import amends, counting
from engine.play.impact import Followed, Impacts, followed
from engine.play.line import Chain, Entry, Line, Slot, index_of


class Player(Protocol):
    """The rules of a game."""

    ruleset: AnyRuleset

    def trace(self, trace: Trace, entry: Entry, seq: int, broken: Effect | None) -> None: ...

    def replay(self, state: State | None, entry: Entry, seq: int, *, sound_only: bool) -> Replayed: ...


class Unknown(msgspec.Struct, frozen=True):
    """An outcome that nobody saw."""

    seq: int
    """The place of its event."""
    position: int
    """Which of the event's outcomes it is, from 0."""
    point: ChancePoint
    """What it may have been, by all that is known since."""


def unknowns(rules: Player, line: Line) -> list[Unknown]:
    """Every outcome of `line` that is not known, in order; less those of events that had no effect on any table."""
    if not any(_is_unseen(slot) for slot in line):
        return []
    if _is_pooled(line, 0):
        return [Unknown(*place, point) for place, point in counting.points(rules.ruleset, line).items()]
    traced = _traced(rules, line, _first(line), sound_only=True)
    return [Unknown(*place, point) for place, point in traced.trace.points().items()]


def place(line: Line, seq: int, position: int) -> int:
    """Where in `line` the event `seq` is, whose outcome at `position` is to be revealed.

    Raises:
        Malformed: there is none that is not known.
    """
    index = index_of(line, seq)
    entry = line[index].entry
    if entry is None or position >= len(entry.outcomes) or entry.outcomes[position] is not None:
        message = say("event {seq} has no outcome there that is not known", seq=seq)
        raise Malformed("/params/position", message)
    return index


def revealed(
    rules: Player, line: Line, index: int, told: Told, source: int, *, sound_only: bool
) -> tuple[Chain, Impacts]:
    """`line` as it is once it is told what came up at one of its places; and what becomes of each event that follows.

    The line is as if that had been reported at once. What was presumed of it before stays so as far as it can: where it
    cannot, the line is written anew from before that place on.

    Args:
        index: where the event is.
        source: the `seq` of the event that tells it.
        sound_only: as its own.

    Raises:
        ImpossibleOutcome, IllegalAction: by all that the line tells it cannot have come up.
        Malformed: the event had no effect, and nothing came up there.
    """
    if _is_pooled(line, index):
        return _played_anew(rules, line, index, told, source, sound_only=sound_only)
    point = None
    # By what is presumed first, which is less to look at; then with all the slips that there may have been before.
    for begin in dict.fromkeys((index, _first(line))):
        if _is_pooled(line, begin):
            break
        traced = _traced(rules, line, begin, sound_only=sound_only)
        point = traced.trace.points().get(told.place)
        if point is not None and told.value in point.probabilities():
            return _told_anew(rules.ruleset, Chain.of(line), traced, index, told, source=source)
    if point is None:
        message = say("event {seq} had no effect: nothing came up there", seq=told.place[0])
        raise Malformed("/params/position", message)
    raise ImpossibleOutcome(point, told.value)


def _is_pooled(line: Line, begin: int) -> bool:
    """Return True if there are too many tables to list before an event from `begin` on, or after it."""
    return any(isinstance(slot.after, Pooled) for slot in line[max(begin - 1, 0) :])


def _played_anew(
    rules: Player, line: Line, index: int, told: Told, source: int, *, sound_only: bool
) -> tuple[Chain, Impacts]:
    """As `revealed`, where there are too many tables to trace: the line is played with what came up."""
    point = counting.points(rules.ruleset, line, index).get(told.place)
    if point is not None and told.value not in point.options:
        raise ImpossibleOutcome(point, told.value)
    old, entry = line[index], _told(line[index], told)
    before = line[index - 1].after if index else None
    after, judgement, effect = rules.replay(before, entry, old.number, sound_only=sound_only)
    # What cannot have come up is refused before all that follows is played again.
    if effect != "outcome_impossible" and _look_alike(rules.ruleset, after, line[index].after):
        slot = Slot(old.number, source, entry, after, judgement, old.broken)
        anew, impact = amends.write_anew(rules, line, index, index + 1, slot, sound_only=sound_only)
        if not impact.newly_broken():
            return anew, impact
    if point is not None:
        raise ImpossibleOutcome(counting.without(point, told.value), told.value)
    message = say("The events recorded since then rule out {value}.", value=rules.ruleset.value_label(told.value))
    raise IllegalAction(RULE, message)


def _look_alike(ruleset: AnyRuleset, one: State | None, other: State | None) -> bool:
    return look(ruleset, belief.likeliest(one)) == look(ruleset, belief.likeliest(other))


def _told_anew(
    ruleset: AnyRuleset, old: Chain, traced: _Traced, index: int, told: Told, *, source: int
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
    played: list[Followed] = []
    for at, slot in enumerate(old[start:stop], start):
        judgement: Judgement | None = None
        effect: Effect = "unchanged"
        if at in staged:
            tables, (state, judgement, effect) = step(ruleset, staged[at], tables, likelihoods, told)
        if at == index:
            slots.append(Slot(slot.number, source, _told(slot, told), state, judgement))
        elif slot.entry is None:
            slots.append(msgspec.structs.replace(slot, after=state))
        else:
            played.append(followed(slot, state, judgement, effect))
            slots.append(played[-1].new)
    return amends.written(ruleset, old, start, stop, slots=slots, played=played)


def _standing(trace: Trace, stage: Stage, state: State | None) -> Weights:
    """The tables of a trace that a line has after a slot."""
    weights = {trace.looks.key(world.state): world.weight for world in belief.worlds(state)}
    return {id(one): weights[one.key] for one in stage.tables if one.key in weights}


def _told(slot: Slot, told: Told) -> Draft:
    """The entry of a slot with one of its outcomes told."""
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


class _Traced(msgspec.Struct, frozen=True):
    """A line traced from a place on."""

    trace: Trace
    places: list[int]
    """Where in the line each of its stages is."""


def _first(line: Line) -> int:
    """Where in `line` the first outcome is that is not known."""
    return next(at for at, slot in enumerate(line) if _is_unseen(slot))


def _traced(rules: Player, line: Line, begin: int, *, sound_only: bool) -> _Traced:
    last = max(at for at, slot in enumerate(line) if _is_unseen(slot))
    before = belief.worlds(line[begin - 1].after if begin else None)
    # What a slip did was judged when it was recorded.
    stood = [
        belief.likeliest(slot.after)
        for slot in line[begin:]
        if slot.judgement is not None and slot.judgement.has_effect
    ]
    trace = Trace(rules.ruleset, before, sound_only=sound_only, stood=stood)
    places = []
    for at, slot in enumerate(line[begin:], begin):
        if at > last and len(trace.tables) == 1:
            # What follows a table that is known tells nothing of how it came about.
            break
        if slot.entry is None or slot.entry.type in {lifecycle.GAME_CLOSED, "annotate"}:
            continue
        try:
            rules.trace(trace, slot.entry, slot.number, slot.broken)
        except IllegalAction:
            # More tables than can be looked at, if every slip is thought possible: then those that the line knows.
            trace.condition(belief.worlds(line[at - 1].after))
            if slot.judgement is None or slot.judgement.has_effect:
                rules.trace(trace, slot.entry, slot.number, slot.broken)
            else:
                trace.idle(slot.number)
        places.append(at)
    return _Traced(trace, places)
