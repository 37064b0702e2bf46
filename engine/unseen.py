"""What nobody saw: which outcomes of a line are not known, and what each of them may have been."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Protocol

import msgspec

from engine import beliefs, lifecycle, worlds
from engine.chance import ChancePoint
from engine.errors import EngineError, Malformed, OutcomeRequired
from engine.events import Draft, Value
from engine.lines import Entry, Line, Slot, index_of
from engine.ruleset import Ruleset, State


class Player(Protocol):
    """The rules of a game."""

    ruleset: Ruleset[Any, Any]

    def weigh(
        self, state: State | None, entry: Entry, seq: int, *, is_illegal: bool = False
    ) -> tuple[State | None, Fraction]: ...


class Unknown(msgspec.Struct, frozen=True):
    """An outcome that nobody saw."""

    seq: int
    """The place of its event."""
    position: int
    """Which of the event's outcomes it is, from 0."""
    point: ChancePoint
    """What it may have been, by all that is known since."""


def unknowns(rules: Player, line: Line) -> Iterator[Unknown]:
    """Every outcome of `line` that is not known, in order."""
    for index, slot in enumerate(line):
        if slot.entry is not None:
            for position, value in enumerate(slot.entry.outcomes):
                if value is None:
                    yield Unknown(slot.place, position, point(rules, line, index, position))


def place(line: Line, seq: int, position: int) -> int:
    """Where in `line` the event `seq` is, whose outcome at `position` is to be revealed.

    Raises:
        Malformed: there is none that is not known.
    """
    index = index_of(line, seq)
    entry = line[index].entry
    if entry is None or position >= len(entry.outcomes) or entry.outcomes[position] is not None:
        raise Malformed("/params/position", f"event {seq} has no outcome there that is not known")
    return index


def told(slot: Slot, position: int, value: Value | None) -> Draft:
    """The entry of a place with one of its outcomes told."""
    entry = slot.entry
    assert entry is not None
    outcomes = (*entry.outcomes[:position], value, *entry.outcomes[position + 1 :])
    return Draft(
        type=entry.type,
        actor=entry.actor,
        params=entry.params,
        outcomes=outcomes,
        note=getattr(entry, "note", None),
        occurred_at=getattr(entry, "occurred_at", None),
    )


def point(rules: Player, line: Line, index: int, position: int) -> ChancePoint:
    """What the outcome at `position` of the place `index` may have been, by all that the line tells.

    By Bayes: how likely the whole line is with each value that could have come up there.
    """
    before = line[index - 1].after if index else None
    entry = line[index].entry
    assert entry is not None
    cut = msgspec.structs.replace(told(line[index], position, None), outcomes=entry.outcomes[:position])
    asked = _asked(rules, before, cut, line[index])
    chances = {value: _likelihood(rules, line, index, position, value) for value in asked.probabilities()}
    total = sum(chances.values())
    possible = {value: chance / total for value, chance in chances.items() if chance}
    return beliefs.MixedPoint(asked.name, position, tuple(possible), tuple(possible.values()))


def _asked(rules: Player, before: State | None, cut: Draft, slot: Slot) -> ChancePoint:
    found: list[ChancePoint] = []
    try:
        rules.weigh(before, cut, slot.place, is_illegal=_is_illegal(slot))
    except OutcomeRequired as required:
        found.append(required.point)
    return found[0]


def _likelihood(rules: Player, line: Line, index: int, position: int, value: Value) -> Fraction:
    before = line[index - 1].after if index else None
    slot = line[index]
    try:
        state, likelihood = rules.weigh(before, told(slot, position, value), slot.place, is_illegal=_is_illegal(slot))
        if not is_silent(rules.ruleset, state, slot.after):
            return Fraction(0)
        for follower in line[index + 1 :]:
            if _is_played(follower):
                assert follower.entry is not None
                state, mass = rules.weigh(state, follower.entry, follower.place, is_illegal=_is_illegal(follower))
                likelihood *= mass
    except EngineError:
        return Fraction(0)
    return likelihood


def _is_illegal(slot: Slot) -> bool:
    return slot.judgement is not None and slot.judgement.verdict == "illegal"


def _is_played(slot: Slot) -> bool:
    """Whether it had an effect."""
    if slot.entry is None or slot.entry.type == lifecycle.GAME_CLOSED:
        return False
    return slot.judgement is None or slot.judgement.has_effect


def is_silent(ruleset: Ruleset[Any, Any], revealed: State | None, believed: State | None) -> bool:
    """Whether a value leaves the board as it was found when nobody had seen the value."""
    assert revealed is not None
    assert believed is not None
    now, then = (worlds.shown(ruleset, beliefs.likeliest(state)) for state in (revealed, believed))
    return now == then
