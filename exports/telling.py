"""Telling a log: every event with the states around it, its sentence, and whether it stands."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator

import msgspec

from engine import lifecycle, turns
from engine.chance import Recorded
from engine.events import Event, Header, Seat
from engine.fold import Rules
from engine.history import history
from engine.lifecycle import REWRITING
from engine.lines import Judgement, Line, Past
from engine.ruleset import State
from engine.superseded import READ, Superseded, superseded
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


class Remark(msgspec.Struct, frozen=True):
    """What an annotation says."""

    about: int
    """The event that it is about: by default the last one before it that is no annotation itself."""
    said: lifecycle.Annotate


class Told(turns.Told, frozen=True):
    """An event, also one that does not stand."""

    superseded_by: int | None
    """The undo, amend or reveal because of which it does not stand."""
    is_undone: bool
    """Whether an undo took it back, which another one takes back itself."""
    remarks: tuple[Remark, ...]
    """What annotations that stand say about it, in order."""
    remark: Remark | None
    """What it says itself about another one, if it is an annotation, or brings one by an amend."""


class Standing(turns.Told, frozen=True):
    """What stands in a place of the line: its event as it reads now, its `seq` the number of the place."""

    source: int
    """The event that wrote it: the place itself, or a later amend or reveal."""
    judgement: Judgement | None
    """What the rules say of it there; None where it is legal."""


def tell(log: Log, spelled: Callable[[str], str] = str) -> Iterator[Told]:
    """Every event of `log` in order, told as it is read; of the states only those are kept to which an undo returns.

    What an amend or a reveal made of its place is told with it.

    Args:
        spelled: how the players' names are written in the sentences.

    Raises:
        EngineError: the log does not replay.
    """
    header = _spelled(log.header(), spelled)
    known = _overview(log)
    fates = iter(known.superseded)
    fate = next(fates, None)
    rewriting = {event.seq for event in known.corrections if event.type in REWRITING}
    reads = {one.source: one.sentence for one in standing(log, spelled)} if rewriting else {}
    undos = {event.seq: event.params["to"] for event in known.corrections if event.type == "undo"}
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
        if fate is not None and event.seq > fate.last:
            fate = next(fates, None)
        sentence = turns.sentence(rules, header, event, before, state, judgement=judgement)
        if event.seq in rewriting and event.seq in reads:
            sentence = f"{sentence} It reads: {reads[event.seq]}"
        by = fate.by if fate is not None and fate.first <= event.seq else None
        about, remark = tuple(known.remarks.get(event.seq, ())), known.said.get(event.seq)
        yield Told(event, before, state, sentence, by, by in undos, about, remark)


def standing(log: Log, spelled: Callable[[str], str] = str) -> list[Standing]:
    """What stands at the end of `log`, told in the order of play: event 1, and the places of the line.

    Raises:
        EngineError: the log does not replay.
    """
    events = list(log.events)
    played = history(events)
    line = played.line(len(events))
    told = turns.tell_line(played.rules, _spelled(log.header(), spelled), events, line)
    slots = [slot for slot in line if slot.entry is not None]
    first = told[0]
    return [
        Standing(first.event, None, None, first.sentence, 1, None),
        *(
            Standing(one.event, one.before, one.after, one.sentence, slot.source, slot.judgement)
            for one, slot in zip(told[1:], slots, strict=True)
        ),
    ]


def _spelled(header: Header, spelled: Callable[[str], str]) -> Header:
    return msgspec.structs.replace(header, seats=tuple(Seat(spelled(name)) for name in header.names))


class _Overview(msgspec.Struct):
    """What is known of a log before it is told."""

    corrections: list[Event]
    superseded: list[Superseded]
    said: dict[int, Remark]
    """What each annotation says."""
    remarks: dict[int, list[Remark]]
    """What those say that stand, in order, by the `seq` of the event that each is about."""


def _overview(log: Log) -> _Overview:
    corrections, version, last = [], 0, 0
    said: dict[int, Remark] = {}
    for event in log.events:
        version, body = event.seq, None
        if event.type == "annotate":
            body = lifecycle.parse(event.type, event.actor, event.params)
        else:
            last = version
        if event.type in READ:
            corrections.append(event)
            body = _brought(event)
        if isinstance(body, lifecycle.Annotate):
            said[version] = Remark(body.seq or last, body)
    gone = superseded(corrections, version)
    remarks: dict[int, list[Remark]] = defaultdict(list)
    for seq, remark in said.items():
        if not any(one.first <= seq <= one.last for one in gone):
            remarks[remark.about].append(remark)
    return _Overview(corrections, gone, said, remarks)


def _brought(event: Event) -> lifecycle.Lifecycle | None:
    """The annotation that an amend brings; it is about the place that it is written to, unless it says otherwise."""
    if event.type != "amend":
        return None
    amend = lifecycle.parse(event.type, event.actor, event.params)
    draft = amend.draft if isinstance(amend, lifecycle.Amend) else None
    if draft is None or draft.type != "annotate":
        return None
    return lifecycle.parse(draft.type, draft.actor, {"seq": event.params["seq"], **draft.params})
