"""Facts of the ship's log and the Gunner's board: the ship's markers, cannons, the threat and the objective."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from msgspec import Meta

from engine.games.forgotten_waters.headings import (
    CANNONS,
    GAINING_LOSING_CHECKING_THREAT,
    GAINING_LOSING_SHIP_STATS,
    OBJECTIVE_CARDS,
)
from engine.games.forgotten_waters.scenario.effect_values import STATS, Id, Stat
from engine.games.forgotten_waters.scenario.pack import Cannon, Natural
from engine.games.forgotten_waters.state import CANNON_LIMIT, WatersState, replace
from engine.games.forgotten_waters.words import named, printed
from engine.kit.facts import Fact, Texts, Told
from engine.kit.words import counted


class _OfStat(Fact[WatersState], frozen=True):
    """A fact about a ship stat."""

    word = staticmethod(named)
    stat: Stat
    value: Natural


class TrackEnds(_OfStat, frozen=True):
    """The length of a ship stat's track."""

    texts = Texts("The ship's {stat} can be {value} at most.")

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(stat, state.maxima.of(stat)) for stat in STATS)

    def put(self, state: WatersState, told: Told) -> WatersState:
        return replace(state, maxima=replace(state.maxima, **{self.stat: self.value}))


class ShipStat(_OfStat, frozen=True):
    """The position of the marker of a ship stat."""

    texts = Texts("The ship's log has {stat} at {value}.", "The ship's log no longer has {stat} at {value}.")

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(stat, getattr(state, stat)) for stat in STATS)

    def put(self, state: WatersState, told: Told) -> WatersState:
        most = state.maxima.of(self.stat)
        self.require(self.value <= most, "The track of {stat} ends at {value}.", GAINING_LOSING_SHIP_STATS, value=most)
        return replace(state, **{self.stat: self.value})


Slots = Annotated[int, Meta(ge=0, le=CANNON_LIMIT)]


class CannonsAre(Fact[WatersState], frozen=True):
    """The number of cannons of a level on the Gunner's board, loaded and unloaded."""

    about = ("level",)
    none = {"loaded": 0, "unloaded": 0}
    texts = Texts("The ship has {loaded} loaded and {unloaded} unloaded level-{level} cannons.")
    level: Annotated[int, Meta(ge=1, le=9)]
    loaded: Slots = 0
    unloaded: Slots = 0

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        for level in sorted({cannon.level for cannon in state.cannons}):
            loaded, unloaded = (state.cannons.count(Cannon(level, is_loaded)) for is_loaded in (True, False))
            yield cls(level, loaded, unloaded)

    def put(self, state: WatersState, told: Told) -> WatersState:
        there = state.pack.supply.get(self.level, 0)
        is_possible = self.loaded + self.unloaded <= there
        self.require(is_possible, "There are only {count} level-{level} cannons.", CANNONS, count=there)
        own = (*(Cannon(self.level, is_loaded=True),) * self.loaded, *(Cannon(self.level),) * self.unloaded)
        others = [cannon for cannon in state.cannons if cannon.level != self.level]
        fits = len(own) + len(others) <= CANNON_LIMIT
        self.require(fits, "The Gunner's board has room for {count} cannons.", CANNONS, count=CANNON_LIMIT)
        return replace(state, cannons=tuple(sorted((*others, *own))))


class Threat(Fact[WatersState], frozen=True):
    """The number of threat tokens on the objective."""

    none = {"count": 0}
    member = "threat"
    texts = Texts("The threat is at {count}.")
    count: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        there = state.pack.tokens.threat
        tokens = counted(there, "threat token")
        self.require(self.count <= there, "There are only {tokens}.", GAINING_LOSING_CHECKING_THREAT, tokens=tokens)
        return super().put(state, told)


class ThreatEventsChecked(Fact[WatersState], frozen=True):
    """The number of threat events that are checked off."""

    none = {"count": 0}
    member = "threat_events"
    texts = Texts("Threat events checked off: {count}.")
    texts_of = {0: Texts("Threat events checked off: none.")}
    count: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        last, rule = state.last_threat_event, GAINING_LOSING_CHECKING_THREAT
        self.require(self.count <= last, "The ship's log has {count} threat events.", rule, count=last)
        return super().put(state, told)


class ObjectiveIs(Fact[WatersState], frozen=True):
    """The objective card, and the threat at which a threat event occurs."""

    texts = Texts("The objective is {objective}; its threat limit is {threat_limit}.")
    word = staticmethod(printed)
    objective: Id
    threat_limit: Annotated[int, Meta(ge=1, le=5)]

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        yield cls(state.objective, state.threat_limit)

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_known = state.pack.is_open or self.objective in state.pack.objective_card
        self.require(is_known, "The scenario has no objective {objective}.", OBJECTIVE_CARDS)
        return replace(state, objective=self.objective, threat_limit=self.threat_limit)
