"""Narrating a log: every event with the states around it, its sentence, and whether it stands."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

import msgspec

from engine.core import lifecycle
from engine.core.events import Event, Header, Seat
from engine.core.lifecycle import REWRITING
from engine.core.values import Effect, Judgement, State
from engine.kit.chance import Chance
from engine.play.corrections.superseded import READ, Correction, Superseded, correction, superseded
from engine.play.fold import History, history, steps
from engine.play.past import Known
from engine.play.rules import Rules
from engine.review import turns
from engine.review.redraws import Redraws
from exports.log import Log


class Remark(msgspec.Struct, frozen=True):
    """What an annotation says."""

    about: int
    """The event that it is about: by default the last one before it that is no annotation itself."""
    said: lifecycle.Annotate


class Narrated(turns.Narrated, frozen=True):
    """An event, also one that does not stand."""

    superseded_by: int | None
    """The undo, amend or reveal because of which it does not stand."""
    is_undone: bool
    """Whether an undo took it back, which another one takes back itself."""
    remark: Remark | None
    """What it says itself about another one, if it is an annotation, or brings one by an amend."""
    draws_again: int | None
    """The event whose draw was taken back, and which the service drew once more in this one."""
    judgement: Judgement | None = None
    """What the rules said of it; None where it was legal."""


class MainlineEvent(turns.Narrated, frozen=True):
    """What stands in a place of the mainline: its event as it reads now, its `seq` the number of the place."""

    source: int
    """The event that wrote it: the place itself, or a later amend or reveal."""
    judgement: Judgement | None
    """What the rules say of it there; None where it is legal."""
    broken: Effect | None = None
    """How a correction broke it, where none has mended it since."""


def narrate(
    log: Log,
    spelled: Callable[[str], str] = str,
    *,
    known: Overview | None = None,
    only: Container[int] | None = None,
    chance: Chance | None = None,
) -> Iterator[Narrated]:
    """Every event of `log` in order, narrated as it is read; only the states are kept to which an undo returns.

    What an amend or a reveal made of its place is narrated with it.

    Args:
        spelled: how the players' names are written in the sentences.
        known: the overview of `log`, where it is known already.
        only: the events that are to be narrated; by default all.
        chance: where outcomes come from (default: as the events say); a log in which something was written anew is
            played as a whole before the first of it is narrated.

    Raises:
        EngineError: the log does not replay.
    """
    header = _spelled(log.header(), spelled)
    known = known or overview(log)
    rules = Rules(header)
    reads: Mapping[int, str] = {}
    if known.is_rewritten:
        events = list(log.events)
        played = History(log.header())
        played.fold(events[1:], chance)
        played_steps = _steps_of(played, events)
        reads = _reads(played, header, events)
    else:
        played_steps = played_of(log, known, rules, chance)
    yield from _narrated(rules, played_steps, None, Surroundings(known.fates, reads, 0, known.redraws), only)


def played_of(log: Log, known: Overview, rules: Rules, chance: Chance | None = None) -> Iterator[Step]:
    """Every event of a log in which nothing was written anew, played as it is read.

    Args:
        known: the overview of `log`.
        chance: where outcomes come from (default: as the events say).

    Raises:
        EngineError: the log does not replay.
    """
    return _steps(rules, log.events, None, {}, set(known.returned_to), chance=chance)


def standing_of(known: Overview, rules: Rules, events: Iterable[Event], chance: Chance | None = None) -> Iterator[Step]:
    """Those events of a log that are in effect, played; nothing in it may be written anew.

    Args:
        known: the overview of the log.
        chance: where outcomes come from (default: as the events say).

    Raises:
        EngineError: the log does not replay.
    """
    # What stands follows from itself: where an undo returned to, the table was as it was now.
    return _steps(rules, (event for event in events if known.fates.stands(event.seq)), None, {}, chance=chance)


def narrate_part(
    header: Header, events: Sequence[Event], states: Mapping[int, State | None], around: Surroundings
) -> Iterator[Narrated]:
    """Some events of a log that follow each other, narrated as `narrate` does.

    Args:
        states: the states after those events that `needed` names.

    Raises:
        EngineError: they do not replay.
    """
    rules = Rules(header)
    before = states.get(events[0].seq - 1)
    returned_to = {event.params["to"] for event in events if event.type == "undo"}
    yield from _narrated(rules, _steps(rules, events, before, states, returned_to), before, around, None)


def narrate_played(played: History, events: Sequence[Event], around: Surroundings) -> Iterator[Narrated]:
    """The same of a log that was played as a whole."""
    before = played.state(events[0].seq - 1) if events[0].seq > 1 else None
    yield from _narrated(played.rules, _steps_of(played, events), before, around, None)


def needed(events: Sequence[Event]) -> set[int]:
    """The events after which the state has to be known where `events`, which follow each other, are to be narrated."""
    first = events[0].seq
    wanted = {first - 1}
    for event in events:
        if event.type == "undo":
            wanted.add(event.params["to"])
        elif event.type in REWRITING:
            wanted.add(event.seq)
    return {seq for seq in wanted if 0 < seq < first or events[seq - first].type in REWRITING}


def reads(log: Log) -> tuple[dict[int, str], History]:
    """What stands because of each amend and reveal at the end of `log`, narrated; and the log, played for that.

    Raises:
        EngineError: the log does not replay.
    """
    events = list(log.events)
    played = history(events)
    return _reads(played, log.header(), events), played


class Fates:
    """What does not stand at the end of a log.

    Args:
        corrections: of the log.
    """

    def __init__(self, gone: Sequence[Superseded], corrections: Iterable[Correction]) -> None:
        self._gone = gone
        self._undos = {one.seq for one in corrections if one.type == "undo"}

    def of(self, seq: int) -> tuple[int | None, bool]:
        """Because of which correction event `seq` does not stand, if it does not; and whether that is an undo."""
        index = bisect_right(self._gone, seq, key=_first) - 1
        if index < 0 or self._gone[index].last < seq:
            return None, False
        by = self._gone[index].by
        return by, by in self._undos

    def stands(self, seq: int) -> bool:
        """Whether event `seq` stands in the line, in a log that nothing writes anew: an undo itself does not."""
        return seq not in self._undos and self.of(seq)[0] is None


class Surroundings(msgspec.Struct, frozen=True):
    """What is known of a log around the events that are narrated."""

    fates: Fates
    """Of the whole log."""
    reads: Mapping[int, str]
    """What stands because of each amend and reveal among the events that are narrated."""
    last: int
    """The last event before them that is no annotation."""
    redraws: Mapping[int, int]
    """What was drawn first, by the event that drew it again."""


def _first(one: Superseded) -> int:
    return one.first


Step = tuple[Event, State | None, Judgement | None]
"""An event, the state after it, and what the rules say of it."""


def _narrated(
    rules: Rules, played: Iterable[Step], before: State | None, around: Surroundings, only: Container[int] | None
) -> Iterator[Narrated]:
    last, reads = around.last, around.reads
    for event, state, judgement in played:
        seq = event.seq
        if event.type != "annotate":
            last = seq
        if only is None or seq in only:
            sentence = turns.sentence(rules, rules.header, event, before, state, judgement=judgement)
            if seq in reads:
                sentence = f"{sentence} It reads: {reads[seq]}"
            fate, again = around.fates.of(seq), around.redraws.get(seq)
            yield Narrated(event, before, state, sentence, *fate, _remark(event, last), again, judgement)
        before = state


def _steps(
    rules: Rules,
    events: Iterable[Event],
    before: State | None,
    known: Mapping[int, State | None],
    returned_to: Container[int] = (),
    *,
    chance: Chance | None = None,
) -> Iterator[Step]:
    """Events played as they are read: of the states since, those are kept that undos return to.

    Args:
        before: the state before the first of them.
        known: the states that undos return to from before that, and those after what writes the line anew, which is
            not played.
    """
    state, states = before, dict(known)
    past = Known(states)
    for is_played, run in itertools.groupby(events, key=_is_played):
        numbered = ((event.seq, event) for event in run)
        played: Iterable[Step] = (
            steps(rules, numbered, state, past, chance)
            if is_played
            else ((event, states.get(seq), None) for seq, event in numbered)
        )
        for event, state, judgement in played:
            if event.seq in returned_to:
                states[event.seq] = state
            yield event, state, judgement


def _is_played(event: Event) -> bool:
    return event.seq > 1 and event.type not in REWRITING


def _steps_of(played: History, events: Iterable[Event]) -> Iterator[Step]:
    for event in events:
        yield event, played.state(event.seq), played.judgements.get(event.seq)


def _reads(played: History, header: Header, events: Sequence[Event]) -> dict[int, str]:
    found: dict[int, str] = {}
    before: State | None = None
    for slot in played.mainline:
        if slot.entry is not None and events[slot.source - 1].type in REWRITING:
            found[slot.source] = turns.narrate_line(played.rules, header, events, [slot], before)[-1].sentence
        before = slot.after
    return found


def mainline(
    log: Log, spelled: Callable[[str], str] = str, *, known: Overview | None = None
) -> Iterator[MainlineEvent]:
    """The mainline of `log`, narrated in order as it is asked for: event 1, and the places of its last line.

    Args:
        known: as in `narrate`.

    Raises:
        EngineError: the log does not replay.
    """
    known = known or overview(log)
    header = _spelled(log.header(), spelled)
    rules, before = Rules(header), None
    if known.is_rewritten:
        mainline_steps: Iterable[tuple[int, Step, Effect | None]] = _steps_of_line(list(log.events))
    else:
        # What stands follows from itself: where an undo returned to, the table was as it is now.
        line = (event for event in log.events if known.fates.stands(event.seq))
        mainline_steps = ((step[0].seq, step, None) for step in _steps(rules, line, None, {}))
    for source, (event, after, judgement), broken in mainline_steps:
        if source:
            sentence = turns.sentence(rules, header, event, before, after, judgement=judgement)
            yield MainlineEvent(event, before, after, sentence, source, judgement, broken)
        before = after


def _steps_of_line(events: Sequence[Event]) -> Iterator[tuple[int, Step, Effect | None]]:
    """The steps of the mainline, each with the event that wrote it (0 where a place is empty) and how it is broken."""
    yield 1, (events[0], None, None), None
    before: State | None = None
    for slot in history(events).mainline:
        event, source = events[slot.source - 1], 0
        if slot.entry is not None:
            event, source = turns.as_it_reads(event, slot.number, slot.entry, before), slot.source
        yield source, (event, slot.after, slot.judgement), slot.broken
        before = slot.after


def _spelled(header: Header, spelled: Callable[[str], str]) -> Header:
    return msgspec.structs.replace(header, seats=tuple(Seat(spelled(name)) for name in header.names))


class Overview(msgspec.Struct, frozen=True):
    """What is known of a log before it is narrated."""

    version: int
    """Its last event."""
    corrections: list[Correction]
    said: dict[int, Remark]
    """What each annotation says."""
    noted: set[int]
    """The events that were recorded with a note."""

    redraws: dict[int, int]
    """What was drawn first, by the event that drew it again."""
    fates: Fates

    @property
    def is_rewritten(self) -> bool:
        """Whether an amend or a reveal wrote a place of the line anew."""
        return any(one.type in REWRITING for one in self.corrections)

    @property
    def returned_to(self) -> list[int]:
        """The events to which undos return."""
        return [one.params["to"] for one in self.corrections if one.type == "undo"]

    def remarks(self) -> dict[int, list[Remark]]:
        """What annotations say that stand, in order, by the `seq` of the event that each is about."""
        found: dict[int, list[Remark]] = defaultdict(list)
        for seq, remark in self.said.items():
            if self.fates.of(seq)[0] is None:
                found[remark.about].append(remark)
        return found


def overview(log: Log) -> Overview:
    """What is known of `log` once it is read, without playing it."""
    version = last = 0
    corrections: list[Correction] = []
    said: dict[int, Remark] = {}
    noted: set[int] = set()
    found, redraws = Redraws(log.header()), dict[int, int]()
    for event in log.events:
        version = event.seq
        if event.type != "annotate":
            last = version
        if event.type in READ:
            corrections.append(correction(version, event))
        if event.note is not None:
            noted.add(version)
        if (again := found.read(event)) is not None:
            redraws[again.again] = again.first
        remark = _remark(event, last)
        if remark is not None:
            said[version] = remark
    redraws |= {one.again: one.first for one in found.left()}
    fates = Fates(superseded(corrections, version), corrections)
    return Overview(version, corrections, said, noted, redraws, fates)


def _remark(event: Event, last: int) -> Remark | None:
    """What an event says about another one, if it is an annotation or brings one.

    Args:
        last: the last event up to it that is no annotation.
    """
    if event.type == "annotate":
        body: lifecycle.Lifecycle | None = lifecycle.parse(event.type, event.actor, event.params)
    else:
        body = _brought(event)
    return Remark(body.seq or last, body) if isinstance(body, lifecycle.Annotate) else None


def _brought(event: Event) -> lifecycle.Lifecycle | None:
    """The annotation that an amend brings; it is about the place that it is written to, unless it says otherwise."""
    if event.type != "amend":
        return None
    amend = lifecycle.parse(event.type, event.actor, event.params)
    draft = amend.draft if isinstance(amend, lifecycle.Amend) else None
    if draft is None or draft.type != "annotate":
        return None
    return lifecycle.parse(draft.type, draft.actor, {"seq": event.params["seq"], **draft.params})
