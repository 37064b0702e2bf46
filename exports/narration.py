"""Narrate a log: return every event with the states before and after it, a sentence about it, and its status."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from engine.core import lifecycle
from engine.core.details import Details
from engine.core.events import Event, Header, Seat
from engine.core.lifecycle import REWRITING
from engine.core.values import Effect, Judgement, State
from engine.kit.chance import Chance
from engine.play.beliefs.belief import Belief
from engine.play.corrections.undo import READ, StoredCorrection, SupersededRange, correction, superseded_events
from engine.play.fold import History, history, steps
from engine.play.line import with_before
from engine.play.past import KnownPast
from engine.play.rules import Rules
from engine.review import turns
from engine.review.redraws import Redraws

if TYPE_CHECKING:
    from exports.log import Log


class Remark(msgspec.Struct, frozen=True):
    """The contents of an annotation."""

    about: int
    """The annotated event; by default the last earlier event that is not an annotation."""
    said: lifecycle.Annotate


class Narrated(turns.NarratedEvent, frozen=True):
    """A narrated event, in effect or not."""

    superseded_by: int | None
    """The undo, amend or reveal that superseded the event."""
    is_undone: bool
    """True if an undo in effect undoes the event."""
    remark: Remark | None
    """The remark, if the event is an annotation, or an amend that contains an annotation."""
    draws_again: int | None
    """The undone event whose draw the service repeated in this event."""
    judgement: Judgement | None = None
    """The judgement; None if the event was legal."""


class MainlineEvent(turns.NarratedEvent, frozen=True):
    """An event of the current line. Its `seq` is the number of the event's place in the line."""

    source: int
    """The number of the event that determines this place now: the original event, or a later amend or reveal."""
    judgement: Judgement | None
    """The judgement at this place; None if the event is legal."""
    broken: Effect | None = None
    """The effect of a correction that made the event illegal; None if the event is legal now.
    """


def narrate(
    log: Log,
    spelled: Callable[[str], str] = str,
    *,
    known: Overview | None = None,
    only: Container[int] | None = None,
    chance: Chance | None = None,
) -> Iterator[Narrated]:
    """Yield every event of `log` with its narration.

    Only the states to which an undo returns are kept in memory. The narration of an amend or reveal contains the new
    sentence about the changed event.

    Args:
        spelled: returns a player's name as it is written in sentences.
        known: the overview of `log`, if already known.
        only: the events to narrate; by default all.
        chance: the source of outcomes (default: the events). A log with rewritten places is replayed completely before
            the first event is narrated.

    Raises:
        EngineError: the log cannot be replayed.
    """
    header = _spell_names(log.header(), spelled)
    known = known or overview(log)
    rules = Rules(header)
    reads: Mapping[int, str] = {}
    details: Mapping[int, Details] = {}
    if known.is_rewritten:
        events = list(log.events)
        played = History(log.header())
        played.fold(events[1:], chance)
        played_steps = _steps_of(played, events)
        reads, details = read_places(played, header, events, spelled), _details(played)
    else:
        played_steps = replay_steps(log, known, rules, chance)
    around = Surroundings(known.fates, reads, 0, known.redraws)
    yield from _narrate_steps(rules, played_steps, None, around, only, spelled=spelled, details=details)


def replay_steps(log: Log, known: Overview, rules: Rules, chance: Chance | None = None) -> Iterator[Step]:
    """Replay a log without rewritten places, and yield each step as soon as its event is read.

    Args:
        known: the overview of `log`.
        chance: the source of outcomes (default: the events).

    Raises:
        EngineError: the log cannot be replayed.
    """
    return _steps(rules, log.events, None, {}, set(known.undo_targets), chance=chance)


def narrate_part(
    header: Header, events: Sequence[Event], states: Mapping[int, State | None], around: Surroundings
) -> Iterator[Narrated]:
    """Narrate consecutive events of a log, as `narrate` does.

    Args:
        states: the states after the events in `needed_states(events)`.
    """
    rules = Rules(header)
    before = states.get(events[0].seq - 1)
    returned_to = {event.params["to"] for event in events if event.type == "undo"}
    yield from _narrate_steps(rules, _steps(rules, events, before, states, returned_to), before, around, None)


def narrate_played(played: History, events: Sequence[Event], around: Surroundings) -> Iterator[Narrated]:
    """Narrate `events` of a log that was replayed completely."""
    before = played.state(events[0].seq - 1) if events[0].seq > 1 else None
    yield from _narrate_steps(played.rules, _steps_of(played, events), before, around, None)


def needed_states(events: Sequence[Event]) -> set[int]:
    """Return the `seq`s after which `narrate_part` needs the state, to narrate the consecutive `events`."""
    first = events[0].seq
    wanted = {first - 1}
    for event in events:
        if event.type == "undo":
            wanted.add(event.params["to"])
        elif event.type in REWRITING:
            wanted.add(event.seq)
    return {seq for seq in wanted if 0 < seq < first or events[seq - first].type in REWRITING}


def reads(log: Log) -> tuple[dict[int, str], History]:
    """Return the current sentence about each place that an amend or reveal changed, and the replayed log."""
    events = list(log.events)
    played = history(events)
    return read_places(played, log.header(), events), played


class Fates:
    """The undone and replaced events of a log.

    Args:
        corrections: the corrections in the log.
    """

    def __init__(self, gone: Sequence[SupersededRange], corrections: Iterable[StoredCorrection]) -> None:
        self._gone = gone
        self._undos = {one.seq for one in corrections if one.type == "undo"}

    def of(self, seq: int) -> tuple[int | None, bool]:
        """Return the correction that superseded event `seq`, if any; and True if that correction is an undo."""
        index = bisect_right(self._gone, seq, key=attrgetter("first")) - 1
        if index < 0 or self._gone[index].last < seq:
            return None, False
        by = self._gone[index].by
        return by, by in self._undos

    def is_in_effect(self, seq: int) -> bool:
        """Return True if event `seq` is in effect, in a log without rewritten places. An undo is never in effect."""
        return seq not in self._undos and self.of(seq)[0] is None


class Surroundings(msgspec.Struct, frozen=True):
    """Facts from the whole log that the narration of some events needs."""

    fates: Fates
    """The superseded events of the whole log."""
    reads: Mapping[int, str]
    """For each place that a narrated amend or reveal changed: the current sentence, by the place's number."""
    last: int
    """The last event before the narrated events, ignoring annotations."""
    redraws: Mapping[int, int]
    """For each event that repeated an undone draw: the event of the first draw."""


Step = tuple[Event, State | None, Judgement | None]
"""An event, the state after it, and its verdict."""


def _narrate_steps(
    rules: Rules,
    played: Iterable[Step],
    before: State | None,
    around: Surroundings,
    only: Container[int] | None,
    *,
    spelled: Callable[[str], str] = str,
    details: Mapping[int, Details] = MappingProxyType({}),
) -> Iterator[Narrated]:
    last, reads = around.last, around.reads
    for event, state, judgement in played:
        seq = event.seq
        if event.type != "annotate":
            last = seq
        if only is None or seq in only:
            if before is not None and seq in details:
                before = msgspec.structs.replace(before, details=details[seq])
            sentence = turns.sentence(rules, rules.header, event, before, state, judgement=judgement, spelled=spelled)
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
    """Replay events one by one as they are read. Keep the states to which undos return.

    Args:
        before: the state before the first event.
        known: the earlier states to which undos return, and the states after events that rewrote the line, because
            those events are not replayed.
    """
    state, states = before, dict(known)
    past = KnownPast(states)
    for is_played, run in itertools.groupby(events, lambda event: event.seq > 1 and event.type not in REWRITING):
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


def _steps_of(played: History, events: Iterable[Event]) -> Iterator[Step]:
    for event in events:
        yield event, played.state(event.seq), played.judgements.get(event.seq)


def read_places(
    played: History, header: Header, events: Sequence[Event], spelled: Callable[[str], str] = str
) -> dict[int, str]:
    """Return the current sentence of each event that an amend or reveal changed, by the `seq` of the original event."""
    found: dict[int, str] = {}
    for before, slot in with_before(played.mainline):
        if slot.entry is not None and events[slot.source - 1].type in REWRITING:
            narrated = turns.narrate_line(played.rules, header, events, [slot], before, spelled=spelled)
            found[slot.source] = narrated[-1].sentence
    return found


def _details(played: History) -> dict[int, Details]:
    """Return the details (such as players' names) before each event in effect, if an amend has changed them since."""
    found: dict[int, Details] = {}
    for before, slot in with_before(played.mainline):
        then = played.states[slot.number - 1]
        is_known = not (isinstance(before, Belief) or isinstance(then, Belief))
        if slot.number == slot.source and is_known and before and then and before.details != then.details:
            found[slot.number] = before.details
    return found


def mainline(
    log: Log, spelled: Callable[[str], str] = str, *, known: Overview | None = None
) -> Iterator[MainlineEvent]:
    """Yield the events of the current line of `log` with their narration: first event 1, then each place.

    Args:
        spelled, known: as in `narrate`.

    Raises:
        EngineError: the log cannot be replayed.
    """
    known = known or overview(log)
    header = _spell_names(log.header(), spelled)
    rules, before = Rules(header), None
    if known.is_rewritten:
        mainline_steps: Iterable[tuple[int, Step, Effect | None]] = _steps_of_line(list(log.events))
    else:
        # Replaying the events in effect is enough, because an undo returns to an earlier table of the same line.
        line = (event for event in log.events if known.fates.is_in_effect(event.seq))
        mainline_steps = ((step[0].seq, step, None) for step in _steps(rules, line, None, {}))
    for source, (event, after, judgement), broken in mainline_steps:
        if source:
            sentence = turns.sentence(rules, header, event, before, after, judgement=judgement, spelled=spelled)
            yield MainlineEvent(event, before, after, sentence, source, judgement, broken)
        before = after


def _steps_of_line(events: Sequence[Event]) -> Iterator[tuple[int, Step, Effect | None]]:
    """Yield each step of the line, the number of its event, and the effect that made the event illegal.

    The number is 0 if the place is empty.
    """
    yield 1, (events[0], None, None), None
    for before, slot in with_before(history(events).mainline):
        event, source = events[slot.source - 1], 0
        if slot.entry is not None:
            event, source = turns.corrected_event(event, slot.number, slot.entry, before), slot.source
        yield source, (event, slot.after, slot.judgement), slot.broken


def _spell_names(header: Header, spelled: Callable[[str], str]) -> Header:
    return msgspec.structs.replace(header, seats=tuple(Seat(spelled(name)) for name in header.names))


class Overview(msgspec.Struct, frozen=True):
    """Data about a log, collected before the log is narrated."""

    version: int
    """The number of the last event."""
    corrections: list[StoredCorrection]
    said: dict[int, Remark]
    """The contents of each annotation."""
    noted: set[int]
    """The events that were recorded with a note."""

    redraws: dict[int, int]
    """For each event that repeated an undone draw: the event of the first draw."""
    fates: Fates

    @property
    def is_rewritten(self) -> bool:
        """True if an amend or a reveal rewrote a place in the line."""
        return any(one.type in REWRITING for one in self.corrections)

    @property
    def undo_targets(self) -> list[int]:
        """The events that undos return to."""
        return [one.params["to"] for one in self.corrections if one.type == "undo"]

    def remarks(self) -> dict[int, list[Remark]]:
        """Return the annotations in effect, in order, by the `seq` of the event that each is about."""
        found: dict[int, list[Remark]] = defaultdict(list)
        for seq, remark in self.said.items():
            if self.fates.of(seq)[0] is None:
                found[remark.about].append(remark)
        return found


def overview(log: Log) -> Overview:
    """Read `log` and return its overview, without replaying it."""
    version = last = 0
    corrections: list[StoredCorrection] = []
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
    redraws |= {one.again: one.first for one in found.unrepeated_draws()}
    fates = Fates(superseded_events(corrections, version), corrections)
    return Overview(version, corrections, said, noted, redraws, fates)


def _remark(event: Event, last: int) -> Remark | None:
    """Return the remark of an annotation, or of an amend that contains an annotation; otherwise None.

    Args:
        last: the last earlier event that is not an annotation.
    """
    if event.type not in {"annotate", "amend"}:
        return None
    body = lifecycle.parse(event.type, event.actor, event.params)
    if isinstance(body, lifecycle.Amend) and body.draft is not None and body.draft.type == "annotate":
        # The annotation in an amend is about the amended place, unless it names another event.
        body = lifecycle.parse(body.draft.type, body.draft.actor, {"seq": event.params["seq"], **body.draft.params})
    return Remark(body.seq or last, body) if isinstance(body, lifecycle.Annotate) else None
