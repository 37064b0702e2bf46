"""Logs to export: one for each kind of game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import msgspec

from engine.core.events import Draft, Event, Seat
from engine.kit.chance import Observed
from engine.play import registry
from engine.play.fold import fold, history
from engine.play.forks import fork
from engine.play.game import Game
from engine.play.record import open_game, record
from exports import FORMATS, Log
from tests.engine.recording import dealt, played
from tests.playouts import clock, long_record, playout

GAME = "01JD3Z8QK5V7N2M4P6R8T0W1X3"


def export(name: str, events: list[Event]) -> bytes:
    """Return a log in the format with this name."""
    return b"".join(FORMATS[name].write(Log(GAME, events)))


def as_read(events: list[Event]) -> list[Event]:
    """Return the events as parsed from JSON, which has lists in place of tuples."""
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Event])


class Record:
    """An observed game that continues a log, correction by correction."""

    def __init__(self, events: list[Event]) -> None:
        self.events = list(events)
        self._game: Game = fold(events)

    def add(self, type_: str, *, note: str | None = None, by: str | None = None, **params: Any) -> Record:
        """Append a lifecycle event."""
        draft = Draft(type=type_, params=params, note=note)
        at = clock(len(self.events) + 1)
        self._game, added = record(
            self._game, [draft], Observed(), history(self.events), recorded_at=at, recorded_by=by
        )
        self.events += added
        return self


def opened_log(*names: str) -> list[Event]:
    """Return a game that was opened but not set up."""
    _, event = open_game(
        ruleset="forbidden-island",
        seats=[Seat(name) for name in names],
        options={},
        seed=None,
        recorded_at=clock(1),
        recorded_by="Ada",
    )
    return [event]


def with_undos() -> list[Event]:
    """Return a game with undos: to event 9, then to event 6, and then of the second undo."""
    return Record(playout(limit=12)).add("undo", to=9).add("undo", to=6).add("undo", to=13).events


def forked_log() -> list[Event]:
    _, events = fork(playout(seed=2), 15, game=GAME, seed=None, recorded_at=clock(400), recorded_by="Bo")
    return events


def corrected_log() -> list[Event]:
    """Return a game with notes, marks, and every kind of correction."""
    begun = (
        Record(played().events)
        .add("annotate", mark="?!", bookmark="The *turn*", text="Hm.\nWell.", seq=4, by="Cleo")
        .add("annotate", mark="!!", by="Dov")
    )
    move = {"type": "move", "actor": "p1", "params": {"to": "silver_gate"}}
    shore_up = {"type": "shore_up", "actor": "p1", "params": {"tiles": ["gold_gate"]}}
    return (
        begun.add("amend", seq=4, event=move)
        .add("amend", seq=4, event={**move, "params": {"to": "gold_gate"}}, note="It *was* gold.")
        .add("amend", seq=5, insert=shore_up)
        .add("adjust", patch=[{"op": "replace", "path": "/water_level", "value": 4}], reason="We *forgot* it.")
        .add("amend", seq=3, remove=True, accept_broken=True)
        .add("amend", seq=3, event={**move, "params": {"to": "howling_garden"}})
        .add("amend", seq=10, remove=True)
        .events
    )


def unseen() -> list[Event]:
    """Return a game in which the card of event 3 is unknown."""
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    return recording.events


_MADE: dict[str, Callable[[], list[Event]]] = {
    **{
        f"{ruleset.id} of {seats}, {chance}": partial(playout, ruleset.id, seats, seats, chance=chance)
        for ruleset in registry.rulesets()
        for seats in ruleset.players
        for chance in ruleset.sources
    },
    "opened": lambda: opened_log("Ada", "Bo"),
    "set up": lambda: playout(limit=2),
    "in progress": lambda: playout(seed=3, limit=20),
    "undos": with_undos,
    "redone": lambda: Record(playout(limit=12)).add("undo", to=9).add("undo", to=12).events,
    "back and forth": lambda: long_record(300),
    "set up twice": lambda: Record(playout(limit=2)).add("undo", to=1).events,
    "reopened": lambda: Record(playout()).add("undo", to=30).events,
    "annotated": lambda: Record(playout(limit=9)).add("annotate", text="Well\nplayed", seq=4, by="Cleo").events,
    "abandoned": lambda: Record(playout(limit=9)).add("abandon", reason="the *cat*, mostly").events,
    "fork": forked_log,
    "corrected": corrected_log,
    "unseen": unseen,
    "revealed": lambda: Record(unseen()).add("reveal", seq=3, value="sandbags").events,
}


@cache
def _log(kind: str) -> tuple[Event, ...]:
    """Return a log, cached: playing a game takes longer than exporting it."""
    return tuple(_MADE[kind]())


@cache
def export_log(name: str, kind: str) -> bytes:
    """Return a log in the format with this name, cached for all tests of it."""
    return export(name, LOGS[kind]())


LOGS: dict[str, Callable[[], list[Event]]] = {kind: lambda kind=kind: list(_log(kind)) for kind in _MADE}
