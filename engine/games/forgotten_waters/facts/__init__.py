"""The facts of a Forgotten Waters table."""

from __future__ import annotations

from engine.games.forgotten_waters.facts import book, pirates, ship
from engine.games.forgotten_waters.facts import round as rounds
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.rules.rounds import apply_loss
from engine.games.forgotten_waters.scenario.plain_effects import STATS
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.facts import Fact

FACTS: tuple[type[Fact[WatersState]], ...] = (
    book.PageIs,
    book.PageTurned,
    book.DialIs,
    book.Locked,
    pirates.SheetOf,
    pirates.InfamyAt,
    pirates.BoxesFilled,
    pirates.StarsFilled,
    pirates.EventsOf,
    pirates.RerollsOf,
    pirates.MisfortuneOf,
    pirates.TreasureAt,
    pirates.StoryAt,
    ship.TrackEnds,
    ship.ShipStat,
    ship.CannonsAre,
    ship.Threat,
    ship.ThreatEventsChecked,
    ship.ObjectiveIs,
    ship.TokenAt,
    ship.FaceDown,
    ship.TokensReturned,
    ship.ShipAt,
    ship.ShipHasStopped,
    book.CountIs,
    book.EntriesRead,
    book.CalledSo,
    book.IconIs,
    rounds.TurnIs,
    rounds.RoundIs,
    rounds.PartIs,
    rounds.TimerHasRunOut,
    rounds.NowIs,
    rounds.TurnOf,
    rounds.OrderIs,
    book.StandsOn,
    book.ActionsTaken,
    rounds.Waiting,
)
"""All kinds of facts, in the order of application."""


def complete_table(state: WatersState) -> WatersState:
    """Complete a table by the rules.

    Limit markers to their tracks, apply endings, and resolve pending effects until a player must act.

    Raises:
        CannotBe: a pirate has more constellation events than event stars.
    """
    within = {stat: min(getattr(state, stat), getattr(state.maxima, stat)) for stat in STATS}
    order = () if state.phase == "planning" else state.order
    return settle(apply_loss(pirates.with_events_of_stars(replace(state, order=order, **within))))
