"""Telling a log: every event with the states around it, its sentence, and whether it stands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import msgspec

from engine import turns
from engine.chance import Recorded
from engine.events import Seat
from engine.fold import Rules
from engine.history import history
from engine.lines import Line, Past
from engine.ruleset import State
from exports.log import Log


class _Kept(Past):
    """The states to which an undo returns; what an amend needs is read from the log again."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.states: dict[int, State | None] = {}
        self._log = log

    def state(self, at: int) -> State | None:
        return self.states[at]

    def line(self, at: int) -> Line:
        return history(list(itertools.islice(self._log.events, at))).line(at)


class Told(turns.Told, frozen=True):
    """An event, also one that does not stand."""

    is_undone: bool
    """Whether a later undo took it back. An undo itself is undone only by another one."""


def tell(log: Log, spelled: Callable[[str], str] = str) -> Iterator[Told]:
    """Every event of `log` in order, told as it is read; of the states only those are kept to which an undo returns.

    Args:
        spelled: how the players' names are written in the sentences.

    Raises:
        EngineError: the log does not replay.
    """
    header = log.header()
    header = msgspec.structs.replace(header, seats=tuple(Seat(spelled(name)) for name in header.names))
    undos = {event.seq: event.params["to"] for event in log.events if event.type == "undo"}
    stretches = iter(_taken_back(undos))
    stretch = next(stretches, range(0))
    returned_to = set(undos.values())
    kept = _Kept(log)
    rules, chance = Rules(header), Recorded()
    state: State | None = None
    for event in log.events:
        before, judgement = state, None
        if event.seq > 1:
            state, _, judgement = rules.play(before, event, event.seq, chance, kept)
            chance.finish()
        if event.seq in returned_to:
            kept.states[event.seq] = state
        if event.seq == stretch.stop:
            stretch = next(stretches, range(0))
        sentence = turns.sentence(rules, header, event, before, state, judgement=judgement)
        yield Told(event, before, state, sentence, event.seq in stretch)


def _taken_back(undos: dict[int, int]) -> list[range]:
    """The stretches of a log that do not stand, in order; `undos` has the `to` of each undo by its seq."""
    stretches: list[range] = []
    for seq, to in reversed(undos.items()):
        # An undo within a stretch that a later one took back does nothing.
        if not stretches or seq < stretches[-1].start:
            stretches.append(range(to + 1, seq))
    return stretches[::-1]
