"""Run the rules in a browser, so that the record page can answer taps while the service is unreachable.

This module runs under Pyodide in a web worker (`api/static/record/rules.js`), with the modules listed in
`api/pages/offline.py`. Later the service judges every tap again, and only the service's verdict counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

import drawing
from engine.core import lifecycle
from engine.core.details import IfIllegal
from engine.core.errors import OutcomeRequired
from engine.core.events import Draft, Event
from engine.core.language import speak
from engine.play.corrections.undo import READ, correction, superseded_events
from engine.play.fold import History
from engine.play.game import Game, parse_header
from engine.play.record import chance_for, record
from engine.review.redraws import find_redraws
from exports.narration import Fates, Surroundings, narrate_played, read_places
from service.access import OPEN
from service.chance import chance_document
from service.languages import merge
from service.story_lines import StoryLine, line
from service.table import legal_actions, position, scene


def begin(language: str, folder: str) -> None:
    """Set the language of all answers; the folder `folder` contains the catalogues."""
    speak(merge(language, sorted(Path(folder).rglob(f"{language}.po"))))


class Tap(msgspec.Struct, frozen=True):
    """A tap on the record page: the events to append, and the options of the append."""

    bodies: tuple[Draft, ...]
    at: str
    """The time of the tap, RFC 3339 in UTC."""
    after: int
    """The last event that the page already shows in its story."""
    layout: drawing.Layout
    seat: str | None = None
    """The only seat that the page acts for."""
    if_illegal: IfIllegal = "ask"


class Ahead:
    """A game as the page expects it: the logged events, followed by the page's own events that are not confirmed yet.

    Args:
        log: the events of the game from event 1 on, as JSON.

    Raises:
        EngineError: the log does not replay here, for example because the page sees only masked events.
    """

    def __init__(self, log: str) -> None:
        self._events = msgspec.json.decode(log, type=list[Event])
        self._played = History(parse_header(self._events[0]))
        self._played.fold(self._events[1:])

    @property
    def version(self) -> int:
        """The number of the last event."""
        return len(self._events)

    def follow(self, events: str) -> None:
        """Add events from the log, as JSON."""
        self._add(msgspec.json.decode(events, type=list[Event]))

    def append(self, tap: str) -> str:
        """Judge a tap, add its events, and return the JSON that the service would return.

        If the players must first report a result, add nothing, and return only the draw or roll.

        Raises:
            EngineError: the tap is illegal, or the service must draw its result. Nothing was added.
        """
        asked = msgspec.json.decode(tap, type=Tap)
        before = self._game()
        try:
            game, events = record(
                before,
                asked.bodies,
                chance_for(before.header, None),
                self._played,
                recorded_at=asked.at,
                recorded_by=None,
                if_illegal=asked.if_illegal,
                as_played=False,
            )
        except OutcomeRequired as missing:
            return msgspec.json.encode({"chance": chance_document(missing.point, before.ruleset)}).decode()
        self._add(events)
        caller = msgspec.structs.replace(OPEN, seat=asked.seat)
        story: dict[str, Any] = {"story": self._story(asked.after), "next_cursor": None}
        shown = None if before.state is None else scene(self._game(self.version - 1), None)
        answer = msgspec.json.encode(
            {
                **position(game),
                "events": events,
                "actions": legal_actions(game, caller),
                "story": {**position(game), **story},
                "board": drawing.svg(scene(game, None), shown, layout=asked.layout).decode(),
            }
        )
        return answer.decode()

    def _add(self, events: list[Event]) -> None:
        self._played.fold(events)
        self._events += events

    def _game(self, at: int | None = None) -> Game:
        played, last = self._played, self._events[(at or self.version) - 1]
        state = played.state(last.seq)
        return Game(header=played.rules.header, version=last.seq, head=last.hash, state=state, by_hand=played.by_hand)

    def _story(self, after: int) -> list[StoryLine]:
        played, events = self._played, self._events
        corrections = [correction(event.seq, event) for event in events if event.type in READ]
        fates = Fates(superseded_events(corrections, self.version), corrections)
        rest = events[after:]
        is_rewriting = any(event.type in lifecycle.REWRITING for event in rest)
        reads = read_places(played, played.rules.header, events) if is_rewriting else {}
        last = max((event.seq for event in events[:after] if event.type != "annotate"), default=0)
        again = {one.again: one.first for one in find_redraws(played.rules.header, events)} if corrections else {}
        around = Surroundings(fates, reads, last, again)
        return [line(one, one.event, played.rules.ruleset) for one in narrate_played(played, rest, around)]
