"""Games as rows of tables, which `sqlite` and `parquet` write.

Every table begins with the game's id and its ruleset, so that rows of many games can be concatenated. The columns that
rulesets declare (`engine.kit.columns`) are in `states` and `seat_states`; in the rows of a game, the columns of other
rulesets are empty. Hidden and unknown values are empty. In users' texts U+FFFD replaces control characters; `params` is
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from engine.core.canonical import canonical
from engine.core.events import Event
from engine.core.lifecycle import REWRITING
from engine.core.text import visible
from engine.core.values import SEAT_IDS, Effect, State
from engine.kit.columns import Cell
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from engine.play.beliefs.belief import likeliest, worlds
from engine.play.corrections.undo import SUPERSEDING
from engine.review import findings
from engine.review.playing_time import Clock
from engine.review.redraws import find_redraws
from engine.review.report import Finding
from engine.review.sections import RecordingChance
from engine.review.words import join_sentences
from exports.fields import TABLES
from exports.log import NO_CHANCES, Log
from exports.narration import MainlineEvent, Narrated, Overview, mainline, narrate, overview

BATCH = 1000
"""Number of events per batch of rows."""


class Rows(msgspec.Struct, frozen=True):
    """Rows of one table, in order."""

    table: str
    fields: tuple[str, ...]
    """The names of the columns that these rows fill."""
    rows: list[tuple[Any, ...]]


def rows(log: Log) -> Iterator[Rows]:
    """Read a game, and yield rows in batches, each for one of the exported tables. A corrected game is replayed twice.

    Raises:
        EngineError: the log cannot be replayed.
    """
    known = overview(log)
    reading = _Reading(log, known)
    yield from reading.events()
    line = reading.line
    if line is None:
        line = _PlayOrderReader(log, reading.hidden)
        for one in mainline(log, known=known):
            line.read(one, one.source, one.broken)
    yield from line.rows()
    if known.redraws:
        found = [_row(line.head, finding) for finding in _redraw_findings(log, line.ruleset)]
        yield Rows("findings", _NAMES["findings"], found)
    yield from _game(log, reading)


class _Reading:
    def __init__(self, log: Log, known: Overview) -> None:
        header = log.header()
        self._log, self._known = log, known
        self._head = (log.game_id, header.ruleset)
        self._witness = RecordingChance()
        self._table = _Table(registry.of(header))
        self.hidden: set[int] = set()
        """The events of which something is hidden from the viewer."""
        is_corrected = any(one.type in SUPERSEDING | REWRITING for one in known.corrections)
        self.line = None if is_corrected else _PlayOrderReader(log, self.hidden)
        """Reads the line during the replay, if all events are in effect."""
        self.opened_at = ""
        """Time of the opening."""

    def events(self) -> Iterator[Rows]:
        """Yield the rows of `events`, `outcomes`, `states` and `seat_states`."""
        events, outcomes, states, seats = (list[tuple[Any, ...]]() for _ in range(4))
        drawn: dict[tuple[int, int], tuple[str, float]] = {}
        for narrated in narrate(self._log, known=self._known, chance=self._witness):
            for seq, position, draw in self._witness.drawn:
                drawn[seq, position] = (draw.name, draw.options.count(draw.value) / len(draw.options))
            self._witness.drawn.clear()
            event = self._log.show(narrated.event)
            if event is not narrated.event and event != narrated.event:
                self.hidden.add(event.seq)
            self.opened_at = self.opened_at or event.recorded_at
            if self.line is not None:
                self.line.read(narrated, event.seq)
            events.append(self._event(narrated, event))
            outcomes += self._outcomes(event, drawn)
            if narrated.after is not None:
                head = (*self._head, event.seq)
                table, by_seat = self._table.read(narrated.after)
                states.append(head + table)
                seats += [head + cells for cells in by_seat]
            if len(events) == BATCH:
                yield from self._batch(events, outcomes, states, seats)
                events, outcomes, states, seats = [], [], [], []
        yield from self._batch(events, outcomes, states, seats)

    def _batch(self, *found: list[tuple[Any, ...]]) -> Iterator[Rows]:
        table = self._table
        names = (_NAMES["events"], _NAMES["outcomes"], table.fields, table.seat_fields)
        for name, columns, cells in zip(("events", "outcomes", "states", "seat_states"), names, found, strict=True):
            if cells:
                yield Rows(name, columns, cells)

    def _event(self, narrated: Narrated, event: Event) -> tuple[Any, ...]:
        return (
            *self._head,
            event.seq,
            event.turn,
            event.type,
            event.actor,
            _json(event.params),
            visible(narrated.sentence),
            event.recorded_at,
            event.occurred_at,
            event.recorded_by and visible(event.recorded_by),
            event.note and visible(event.note),
            event.verdict,
            event.rule,
            event.reason,
            narrated.superseded_by,
            event.hash,
            *self._log.chances.get(event.seq, NO_CHANCES),
        )

    def _outcomes(self, event: Event, drawn: dict[tuple[int, int], tuple[str, float]]) -> Iterator[tuple[Any, ...]]:
        for position, value in enumerate(event.outcomes):
            name, p = drawn.pop((event.seq, position), (None, None))
            # The probability may depend on hidden data.
            p = None if self.hidden or value is None else p
            yield (*self._head, event.seq, position, name, None if value is None else str(value), p)


class _Table:
    def __init__(self, ruleset: AnyRuleset) -> None:
        self._ruleset = ruleset
        self._columns: list[Callable[[Any], Cell]] = [column.value for column in ruleset.columns]
        self._seat_columns: list[Callable[[Any, int], Cell]] = [column.value for column in ruleset.seat_columns]
        self._last: State | None = None
        self._cells: tuple[tuple[Cell, ...], list[tuple[Cell, ...]]] = ((), [])
        self.fields = (*_NAMES["states"], *(column.name for column in ruleset.columns))
        self.seat_fields = (*_NAMES["seat_states"], *(column.name for column in ruleset.seat_columns))

    def read(self, state: State) -> tuple[tuple[Cell, ...], list[tuple[Cell, ...]]]:
        """Return the cells of the table, and those of each seat, without the common first columns (up to `seq`)."""
        if state is not self._last:
            self._last = state
            first, *others = (self._of(world.state) for world in worlds(state))
            for other in others:
                first = _common(first[0], other[0]), list(map(_common, first[1], other[1]))
            self._cells = first
        return self._cells

    def _of(self, state: Any) -> tuple[tuple[Cell, ...], list[tuple[Cell, ...]]]:
        phase = state.phase if state.outcome is None else "over"
        table = (state.turn, phase, SEAT_IDS[self._ruleset.active(state)], *[value(state) for value in self._columns])
        seats: list[tuple[Cell, ...]] = [
            (SEAT_IDS[seat], *[value(state, seat) for value in self._seat_columns])
            for seat in range(self._ruleset.seats(state))
        ]
        return table, seats


def _common(one: tuple[Cell, ...], other: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells on which two possible tables agree, with None instead of the other cells."""
    return tuple(cell if cell == its else None for cell, its in zip(one, other, strict=True))


class _PlayOrderReader:
    """Reads the line in the order of play, for the tables `turns` and `findings`."""

    def __init__(self, log: Log, hidden: AbstractSet[int]) -> None:
        header = log.header()
        self.head = (log.game_id, header.ruleset)
        self.ruleset = registry.of(header)
        self._header = header
        self._hidden = hidden
        self._soundness = findings.Soundness(self.ruleset)
        self._is_by_rule = True
        self._findings: list[tuple[Any, ...]] = []
        self._turns: list[tuple[Any, ...]] = []
        self._turn, self._first, self._last = 0, 1, 1
        self._before: State | None = None
        self._sentences: list[str] = []

    def read(self, one: Narrated | MainlineEvent, source: int, broken: Effect | None = None) -> None:
        """Read the next event in effect.

        Args:
            source: the number of the event that determines this place now.
            broken: the effect of a correction that made the event illegal.
        """
        place, before = one.event.seq, one.before
        turn = one.turn
        if turn != self._turn:
            self._end_turn()
            self._turn, self._first = turn, place
        self._before, self._last = before, place
        self._sentences.append(visible(one.sentence))
        if one.event.type == "adjust":
            for finding in findings.adjustment_findings(self._header, place, before, one.event.params):
                self._find(finding)
        against = findings.against_the_rules(place, one.event.type, before, one.judgement, broken)
        # Omit the texts of findings about hidden data, which would reveal it.
        if against is not None and source not in self._hidden:
            self._find(against)
        # If a table is sound, a legal action leads to a sound table, as the conformance tests check.
        self._is_by_rule = (
            self._is_by_rule and one.judgement is None and source == place and not _puts_things(one.event)
        )
        if not (self._is_by_rule or self._hidden):
            for finding in self._soundness.read(place, before, one.after):
                self._find(finding)

    def rows(self) -> Iterator[Rows]:
        """Yield the rows of `turns` and `findings`, after all events are read."""
        self._end_turn()
        yield Rows("turns", _NAMES["turns"], self._turns)
        if self._findings:
            yield Rows("findings", _NAMES["findings"], self._findings)

    def _find(self, finding: Finding) -> None:
        self._findings.append(_row(self.head, finding))

    def _end_turn(self) -> None:
        before = self._before
        seat = SEAT_IDS[self.ruleset.active(likeliest(before))] if self._turn and before is not None else None
        text = join_sentences(self._sentences)
        self._turns.append((*self.head, self._turn, seat, self._first, self._last, len(self._sentences), text))
        self._sentences = []


def _row(head: tuple[str, str], finding: Finding) -> tuple[Any, ...]:
    return (*head, *(getattr(finding, field) for field in _NAMES["findings"][len(head) :]))


def _puts_things(event: Event) -> bool:
    """Return True if the event changes the table directly, regardless of the rules."""
    return event.type == "adjust" or bool(event.params.get("position"))


def _redraw_findings(log: Log, ruleset: AnyRuleset) -> Iterator[Finding]:
    again = find_redraws(log.header(), log.events)
    wanted = {seq for one in again for seq in (one.first, one.again)}
    events = {event.seq: event for event in log.events if event.seq in wanted}
    for one in again:
        yield findings.redraw_finding(ruleset, one, events[one.first], events[one.again])


def _game(log: Log, reading: _Reading) -> Iterator[Rows]:
    game = log.fold()
    header, outcome = game.header, game.outcome
    head = (log.game_id, header.ruleset)
    clock = Clock.of(log.events)
    ended_at = None if outcome is None else clock.ended_at(game.details.played_at)
    row = (
        *head,
        header.ruleset_version,
        len(header.seats),
        header.chance,
        header.mode,
        game.status,
        None if outcome is None else outcome.result,
        None if outcome is None else outcome.by_hand,
        None if outcome is None else outcome.reason,
        game.turn,
        game.version,
        reading.opened_at,
        game.details.played_at or clock.began_at or reading.opened_at,
        ended_at,
        None if ended_at is None else round(clock.milliseconds / 60_000, 2),
        None if header.fork is None else header.fork.game,
        _json(game.options),
        _json(game.tags),
        game.head,
    )
    yield Rows("games", _NAMES["games"], [row])
    seats = [
        (
            *head,
            seat,
            visible(name),
            None if game.state is None else ", ".join(game.ruleset.role(likeliest(game.state), at).values()) or None,
            None if outcome is None else seat in outcome.winners,
        )
        for at, (seat, name) in enumerate(zip(header.seat_ids, game.names, strict=True))
    ]
    yield Rows("seats", _NAMES["seats"], seats)


def _json(value: Any) -> str:
    return canonical(value).decode()


_NAMES = {table: tuple(field.name for field in columns) for table, columns in TABLES.items()}
