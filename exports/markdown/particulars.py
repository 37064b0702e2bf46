"""Facts about a whole log for a transcript: recorders and times, undone events, and notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from engine.core import lifecycle
from engine.core.events import Event
from engine.review.playing_time import Clock, began_at, retime_events
from engine.review.words import recorder
from exports.log import Log
from exports.markdown.escaping import block_quote
from exports.narration import MainlineEvent, Overview

END = 0
"""Key for remarks after the last event."""


class Particulars:
    """Facts about a whole log, collected in one pass.

    Args:
        line: the narrated line, if corrections rewrote events.
    """

    def __init__(self, log: Log, known: Overview, line: Sequence[MainlineEvent] | None) -> None:
        places = None if line is None else {one.event.seq for one in line}
        self._stands: Callable[[int], bool] = known.fates.is_in_effect if places is None else places.__contains__
        self.recorders: set[str] = set()
        self.recorded: tuple[str, str] | None = None
        """The first and last time of recording."""
        self.is_timed = any(event.occurred_at for event in retime_events(log.events))
        """True if the players reported the time of an event."""
        self.idle = 0
        """The number of corrections and of corrected events."""
        self.taken_back: dict[int, tuple[int, int, int]] = {}
        """The undone events, without corrections, by the next event in effect.

        The value is the number of events, the first and the last.
        """
        self.clock = Clock.of(log.events)
        self.began_at = began_at(retime_events(log.events))
        self.head = ""
        """The hash of the last event."""
        self.closed: int | None = None
        """The place of the event `game_closed` in the line."""
        self.seed: str | None = None
        self._places = 0
        """Number of events of the line that were read so far."""
        self._quotes: list[tuple[int, str | None, dict[str, Any]]] = []
        self._read(log, known, is_line=line is None)
        for one in line or ():
            self._read_line(one.event)
        self.quotes = self._block_quotes()
        """Notes and annotations, by the seq of their event."""

    def _read(self, log: Log, known: Overview, *, is_line: bool) -> None:
        count = first = last = 0
        for event in log.events:
            seq, (by, is_undone) = event.seq, known.fates.of(event.seq)
            self.head = event.hash
            begin, end = self.recorded or (event.recorded_at, event.recorded_at)
            self.recorded = min(begin, event.recorded_at), max(end, event.recorded_at)
            name = recorder(event)
            if name:
                self.recorders.add(name)
            self.idle += by is not None or event.type in lifecycle.CORRECTING
            if is_line and self._stands(seq):
                self._read_line(event)
            if event.type in lifecycle.CORRECTING:
                continue
            if self._stands(seq):
                if count:
                    self.taken_back[seq] = count, first, last
                count = first = last = 0
            elif is_undone:
                count, first, last = count + 1, first or seq, seq
        if count:
            self.taken_back[END] = count, first, last

    def _read_line(self, event: Event) -> None:
        if event.type == lifecycle.GAME_CLOSED and self.closed is None:
            self.closed, self.seed = self._places, event.params.get("seed")
        if event.note:
            self._quotes.append((event.seq, recorder(event), {"text": event.note}))
        if event.type == "annotate":
            about = event.params.get("seq")
            place = about if about and self._stands(about) else event.seq
            self._quotes.append((place, recorder(event), event.params))
        self._places += 1

    def _block_quotes(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for place, name, said in self._quotes:
            by = name if len(self.recorders) > 1 else None
            text = said.get("text") or ""
            found[place].append(block_quote(text, by, mark=said.get("mark"), bookmark=said.get("bookmark")))
        return found
