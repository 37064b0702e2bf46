"""Telling a log: every event with the states around it, its sentence, and whether it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from engine import lifecycle, turns
from engine.chance import Recorded
from engine.events import Event, Header, Seat
from engine.fold import Rules
from engine.history import History, history
from engine.lifecycle import REWRITING
from engine.lines import Judgement, NoPast
from engine.ruleset import State
from engine.superseded import READ, Superseded, superseded
from exports.log import Log


class _Returned(NoPast):
    """The states to which undos return, in a log that nothing writes anew."""

    def __init__(self, undos: Iterable[int]) -> None:
        super().__init__()
        self._states: dict[int, State | None] = dict.fromkeys(undos)

    def keep(self, seq: int, state: State | None) -> None:
        """Event `seq` has been played."""
        if seq in self._states:
            self._states[seq] = state

    def state(self, at: int) -> State | None:
        return self._states[at]


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
    undos = {event.seq: event.params["to"] for event in known.corrections if event.type == "undo"}
    reads: dict[int, str] = {}
    if any(event.type in REWRITING for event in known.corrections):
        events = list(log.events)
        played = history(events)
        steps = _steps_of(played, events)
        reads = {one.source: one.sentence for one in _standing(played, header, events)}
    else:
        steps = _steps(log, undos.values())
    rules, before = Rules(header), None
    for event, state, judgement in steps:
        if fate is not None and event.seq > fate.last:
            fate = next(fates, None)
        sentence = turns.sentence(rules, header, event, before, state, judgement=judgement)
        if event.type in REWRITING and event.seq in reads:
            sentence = f"{sentence} It reads: {reads[event.seq]}"
        by = fate.by if fate is not None and fate.first <= event.seq else None
        about, remark = tuple(known.remarks.get(event.seq, ())), known.said.get(event.seq)
        yield Told(event, before, state, sentence, by, by in undos, about, remark)
        before = state


_Step = tuple[Event, State | None, Judgement | None]
"""An event, the state after it, and what the rules say of it."""


def _steps(log: Log, returned_to: Iterable[int]) -> Iterator[_Step]:
    """A log that nothing writes anew, played as it is read."""
    rules, chance, past = Rules(log.header()), Recorded(), _Returned(returned_to)
    state: State | None = None
    for event in log.events:
        judgement = None
        if event.seq > 1:
            state, _, judgement = rules.play(state, event, event.seq, chance, past)
            chance.finish()
        past.keep(event.seq, state)
        yield event, state, judgement


def _steps_of(played: History, events: Iterable[Event]) -> Iterator[_Step]:
    for event in events:
        yield event, played.state(event.seq), played.judgements.get(event.seq)


def standing(log: Log, spelled: Callable[[str], str] = str) -> list[Standing]:
    """What stands at the end of `log`, told in the order of play: event 1, and the places of the line.

    Raises:
        EngineError: the log does not replay.
    """
    events = list(log.events)
    return _standing(history(events), _spelled(log.header(), spelled), events)


def _standing(played: History, header: Header, events: Sequence[Event]) -> list[Standing]:
    line = played.standing
    told = turns.tell_line(played.rules, header, events, line)
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
