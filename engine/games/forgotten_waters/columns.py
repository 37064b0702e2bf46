"""Columns of data sets for a Forgotten Waters table."""

from __future__ import annotations

from engine.games.forgotten_waters.state import WatersState
from engine.kit.columns import Column, Curve, SeatColumn, join_ids

COLUMNS: tuple[Column[WatersState], ...] = (
    Column("scenario", str, lambda state: state.options.scenario, "What is sailed."),
    Column("round", int, lambda state: state.round, "The round, from 1."),
    Column("part", int, lambda state: state.part, "The part of the scenario, from 1."),
    Column("page", str, lambda state: state.page, "The page of the location book; empty before the first."),
    Column("ship", str, lambda state: state.ship, "The space on which the ship is."),
    Column("hull", int, lambda state: state.hull, "The ship's hull."),
    Column("supplies", int, lambda state: state.supplies, "The ship's supplies."),
    Column("crew", int, lambda state: state.crew, "The ship's crew."),
    Column("discontent", int, lambda state: state.discontent, "The crew's discontent."),
    Column("cannons", int, lambda state: len(state.cannons), "Cannons on board."),
    Column(
        "cannons_loaded", int, lambda state: sum(one.is_loaded for one in state.cannons), "Cannons that are loaded."
    ),
    Column("threat", int, lambda state: state.threat, "The threat."),
    Column("threat_events", int, lambda state: state.threat_events, "Threat events checked off."),
)
SEAT_COLUMNS: tuple[SeatColumn[WatersState], ...] = (
    SeatColumn("role", str, lambda state, seat: state.pirates[seat].sheet, "Who the player is in this game."),
    SeatColumn("infamy_rank", int, lambda state, seat: state.infamy.index(seat) + 1, "1 has the most infamy."),
    SeatColumn("stars", int, lambda state, seat: len(state.pirates[seat].stars), "Stars filled in."),
    SeatColumn("constellation_events", int, lambda state, seat: state.pirates[seat].events, "Events checked off."),
    SeatColumn("boxes", int, lambda state, seat: sum(state.pirates[seat].boxes), "Boxes of all skills filled in."),
    SeatColumn("cards", int, lambda state, seat: len(state.pirates[seat].treasures), "How many treasures there are."),
    SeatColumn(
        "hand", str, lambda state, seat: join_ids(state.pirates[seat].treasures), "The treasures, as they came."
    ),
    SeatColumn("stories", int, lambda state, seat: len(state.pirates[seat].stories), "Story cards."),
    SeatColumn("rerolls", int, lambda state, seat: state.pirates[seat].rerolls, "Reroll tokens."),
    SeatColumn("misfortune", int, lambda state, seat: state.pirates[seat].misfortune, "Misfortune tokens."),
)
CURVE: Curve[WatersState] = Curve("Threat", lambda state: state.threat)
