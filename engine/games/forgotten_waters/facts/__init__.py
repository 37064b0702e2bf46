"""The facts of a Forgotten Waters table."""

from __future__ import annotations

from engine.games.forgotten_waters.facts.log import CalledSo, CountIs, EntriesRead, IconIs
from engine.games.forgotten_waters.facts.page import ActionsTaken, DialIs, Locked, PageIs, PageTurned, StandsOn
from engine.games.forgotten_waters.facts.pirates import (
    BoxesFilled,
    EventsOf,
    InfamyAt,
    MisfortuneOf,
    RerollsOf,
    SheetOf,
    StarsFilled,
    StoryAt,
    TreasureAt,
    with_events_of_stars,
)
from engine.games.forgotten_waters.facts.round import (
    NowIs,
    OrderIs,
    PartIs,
    RoundIs,
    TimerHasRunOut,
    TurnIs,
    TurnOf,
    Waiting,
)
from engine.games.forgotten_waters.facts.sea import FaceDown, ShipAt, ShipHasStopped, TokenAt, TokensReturned
from engine.games.forgotten_waters.facts.ship import (
    CannonsAre,
    ObjectiveIs,
    ShipStat,
    Threat,
    ThreatEventsChecked,
    TrackEnds,
)
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.rules.rounds import ended
from engine.games.forgotten_waters.scenario.effect_values import STATS
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.facts import Fact

FACTS: tuple[type[Fact[WatersState]], ...] = (
    PageIs,
    PageTurned,
    DialIs,
    Locked,
    SheetOf,
    InfamyAt,
    BoxesFilled,
    StarsFilled,
    EventsOf,
    RerollsOf,
    MisfortuneOf,
    TreasureAt,
    StoryAt,
    TrackEnds,
    ShipStat,
    CannonsAre,
    Threat,
    ThreatEventsChecked,
    ObjectiveIs,
    TokenAt,
    FaceDown,
    TokensReturned,
    ShipAt,
    ShipHasStopped,
    CountIs,
    EntriesRead,
    CalledSo,
    IconIs,
    TurnIs,
    RoundIs,
    PartIs,
    TimerHasRunOut,
    NowIs,
    TurnOf,
    OrderIs,
    StandsOn,
    ActionsTaken,
    Waiting,
)
"""All kinds of facts, in the order of application."""


def settled(state: WatersState) -> WatersState:
    """Complete a table by the rules.

    Limit markers to their tracks, apply endings, and resolve pending effects until a player must act.

    Raises:
        CannotBe: a pirate has more constellation events than event stars.
    """
    within = {stat: min(getattr(state, stat), state.maxima.of(stat)) for stat in STATS}
    order = () if state.phase == "planning" else state.order
    return settle(ended(with_events_of_stars(replace(state, order=order, **within))))
