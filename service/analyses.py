"""Analyses of a game: check if one is possible, return the latest, and plot the win chance."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from engine.core.events import Event
from engine.core.language import current_language, say
from engine.core.values import SEAT_INDEX
from engine.kit.presentation import PERIODS
from engine.play.game import Game
from engine.players.value import RARELY, percent
from engine.review import swings
from engine.review.words import join_words
from exports.log import Chances
from service.access import Caller, Role
from service.errors import Forbidden
from store import Store

LATEST = "latest"
"""Name of the latest completed analysis among a game's analyses; it has all languages."""
JOB = "job"
"""Name under which the id of the last job is stored."""


class CurvePoint(msgspec.Struct, frozen=True):
    """The value of the curve after a turn."""

    turn: int
    seq: int
    """The last event of that turn."""
    level: int


class CurveValues(msgspec.Struct, frozen=True):
    """The values of a curve after each turn of a game, from the setup on."""

    title: str
    points: tuple[CurvePoint, ...]
    is_chance: bool = False
    """True if it is the win chance in percent."""

    side: str = ""
    """The names of the side's players; empty if all win or lose together."""
    unit: str = "turn"
    """`turn` or `round`: the period that each point ends."""

    def words(self, level: int) -> str:
        """Return a value of the curve in words, such as '40 %'. A very small chance is 'under 5 %'."""
        if not self.is_chance:
            return str(level)
        return say("under 5 %") if level < percent(RARELY) else say("{percent} %", percent=level)

    def largest(self) -> list[tuple[CurvePoint, CurvePoint]]:
        """Return the changes before the last turn, largest first. Each change is the points before and after it."""
        steps = [step for step in pairwise(self.points) if step[0].level != step[1].level]
        # Omit the last turn: its last event has a line of its own in the recap.
        return sorted(
            (step for step in steps if step[1] != self.points[-1]), key=lambda step: -abs(step[1].level - step[0].level)
        )

    def path(self, width: float, height: float) -> list[tuple[float, float]]:
        """Return the points of the curve, scaled to a box. Zero is at the lower edge, the maximum at the upper edge."""
        most = 100 if self.is_chance else max(1, *(point.level for point in self.points))
        last = max(1, len(self.points) - 1)
        return [(width * at / last, height * (1 - point.level / most)) for at, point in enumerate(self.points)]


def check(store: Store, game_id: str) -> int:
    """Check that a game can be analysed, and return the number of its events. Raise `NotPlayable` if it cannot."""
    game = store.games.get(game_id)
    swings.check(game.header, game.version, game.state)
    return game.version


def latest(store: Store, game_id: str) -> dict[str, Any] | None:
    """Return the latest analysis of a game in the current language; None if there is none."""
    told: dict[str, dict[str, Any]] | None = store.analyses.get(game_id, LATEST)
    if told is None:
        return None
    found = told[current_language()]
    later = store.events.read(game_id, found["version"])
    return {**found, "stale_from": min(map(_first_changed, later), default=None)}


def _first_changed(event: Event) -> int:
    """Return the first event whose part of an analysis becomes outdated because of the later `event`."""
    params = event.params
    match event.type:
        case "undo":
            return int(params["to"]) + 1
        case "amend" | "reveal":
            return int(params["seq"])
        case _:
            return event.seq


def show_skill(store: Store, game_id: str, caller: Caller, seat: str, viewers: Collection[str]) -> None:
    """Show the skill of a seat only to `viewers` (ids of seats, or `public`).

    Raises:
        Forbidden: the caller is not the player of that seat.
    """
    if not _is_player(caller, seat):
        raise Forbidden(
            Role.RECORDER, say("only the player, with the token for that seat, can show the seat's skill to others")
        )
    store.skills.save(game_id, _player(store.games.get(game_id), seat), sorted(set(viewers)))


def skills(store: Store, game_id: str, caller: Caller, found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the skills that the caller may see in an analysis, each with its viewers."""
    me, shown = {"public", caller.seat}, []
    if not found["skills"]:
        return []
    game = store.games.get(game_id, found["version"])
    for one in found["skills"]:
        viewers = store.skills.get(game_id, _player(game, one["seat"])) or []
        may_show = _is_player(caller, one["seat"])
        if may_show or me & set(viewers):
            shown.append({**one, "shown_to": viewers, "may_show": may_show})
    return shown


def _player(game: Game, seat: str) -> str:
    """Return a key for the current player of a seat. The key changes when another player takes over the seat."""
    return f"{seat}:{game.details.changes(SEAT_INDEX[seat])}"


def _is_player(caller: Caller, seat: str) -> bool:
    return caller.seat == seat or caller.token is None


def win_chance(store: Store, game_id: str, game: Game) -> CurveValues | None:
    """Return the win chance after each turn, for the side that did best in the game.

    Return None if there is no analysis of all events.
    """
    found = latest(store, game_id)
    if found is None or found["version"] != game.version:
        return None
    ends = [value["p"] for value in found["points"][-1]["sides"]]
    best = ends.index(max(ends))
    # A point is the start of its turn, which is the end of the turn before it.
    turns = [0, *(point["turn"] for point in found["points"][:-1])]
    pairs = zip(turns, found["points"], strict=True)
    points = tuple(CurvePoint(turn, point["seq"], percent(point["sides"][best]["p"])) for turn, point in pairs)
    side = join_words([game.names[SEAT_INDEX[seat]] for seat in found["sides"][best]]) if len(ends) > 1 else ""
    title = say("Win chance: {side}", side=side) if side else say("Win chance")
    return CurveValues(title, points, is_chance=True, side=side, unit=found["unit"])


def turning_point(store: Store, game_id: str, game: Game) -> str | None:
    """Return a sentence about the turn that changed the win chance most; None before the end or without an analysis."""
    curve = None if game.outcome is None else win_chance(store, game_id, game)
    largest = [] if curve is None else curve.largest()
    if curve is None or not largest:
        return None
    before, after = largest[0]
    period = say(PERIODS[curve.unit], number=after.turn)
    levels = {"before": curve.words(before.level), "after": curve.words(after.level)}
    if curve.side:
        return say(
            "The turning point was {period}: the win chance of {side} went from {before} to {after}.",
            period=period,
            side=curve.side,
            **levels,
        )
    return say("The turning point was {period}: the win chance went from {before} to {after}.", period=period, **levels)


def edition(store: Store, game_id: str) -> int:
    """Return the number of the latest analysis; 0 if there is none. Each new analysis has a higher number."""
    return store.analyses.newest(game_id, LATEST)


def chances(store: Store, game_id: str) -> dict[int, Chances]:
    """Return the chances in the latest analysis, by event.

    Omit events that a correction has changed since the analysis.
    """
    analysis = latest(store, game_id)
    if analysis is None:
        return {}
    sides = {seat: at for at, side in enumerate(analysis["sides"]) for seat in side}
    competing = store.events.read(game_id) if len(analysis["sides"]) > 1 else ()
    side_of = {event.seq: sides[event.actor] for event in competing if event.actor is not None}
    found: dict[int, Chances] = {
        point["seq"]: (*_interval(point["sides"][side_of.get(point["seq"], 0)]), None, None)
        for point in analysis["points"]
    }
    found |= {one["seq"]: (*_interval(one["after"]), one["luck"], one["skill"]) for one in analysis["events"]}
    end = analysis["stale_from"] or math.inf
    return {seq: columns for seq, columns in found.items() if seq < end}


def _interval(value: dict[str, float]) -> tuple[float, float, float]:
    return value["p"], value["low"], value["high"]
