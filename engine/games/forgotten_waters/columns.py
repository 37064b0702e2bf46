"""Columns of data sets for a Forgotten Waters table."""

from __future__ import annotations

from engine.games.forgotten_waters.state import WatersState
from engine.kit.columns import Column, Curve, SeatColumn, join_ids

COLUMNS: tuple[Column[WatersState], ...] = (
    Column("scenario", str, lambda state: state.options.scenario, "The id of the scenario."),
    Column("round", int, lambda state: state.round, "The round, from 1."),
    Column("part", int, lambda state: state.part, "The part of the scenario, from 1."),
    Column("page", str, lambda state: state.page, "The page of the location book; empty before the first."),
    Column("ship", str, lambda state: state.ship, "The space of the ship."),
    Column("hull", int, lambda state: state.hull, "The hull of the ship."),
    Column("supplies", int, lambda state: state.supplies, "The ship's supplies."),
    Column("crew", int, lambda state: state.crew, "The ship's crew."),
    Column("discontent", int, lambda state: state.discontent, "The crew's discontent."),
    Column("cannons", int, lambda state: len(state.cannons), "Number of cannons on the ship."),
    Column("cannons_loaded", int, lambda state: sum(one.is_loaded for one in state.cannons), "Loaded cannons."),
    Column("threat", int, lambda state: state.threat, "Number of threat tokens on the objective."),
    Column("threat_events", int, lambda state: state.threat_events, "Number of threat events checked off."),
)
SEAT_COLUMNS: tuple[SeatColumn[WatersState], ...] = (
    SeatColumn("role", str, lambda state, seat: state.pirates[seat].sheet, "The player's sheet."),
    SeatColumn("infamy_rank", int, lambda state, seat: state.infamy.index(seat) + 1, "Infamy place; 1 has the most."),
    SeatColumn("stars", int, lambda state, seat: len(state.pirates[seat].stars), "Number of filled-in stars."),
    SeatColumn("constellation_events", int, lambda state, seat: state.pirates[seat].events, "Checked-off events."),
    SeatColumn("boxes", int, lambda state, seat: sum(state.pirates[seat].boxes), "Number of filled skill boxes."),
    SeatColumn("cards", int, lambda state, seat: len(state.pirates[seat].treasures), "Number of treasures in play."),
    SeatColumn("hand", str, lambda state, seat: join_ids(state.pirates[seat].treasures), "Treasures, oldest first."),
    SeatColumn("stories", int, lambda state, seat: len(state.pirates[seat].stories), "Number of story cards."),
    SeatColumn("rerolls", int, lambda state, seat: state.pirates[seat].rerolls, "Number of re-roll tokens."),
    SeatColumn("misfortune", int, lambda state, seat: state.pirates[seat].misfortune, "Number of misfortune tokens."),
)
CURVE: Curve[WatersState] = Curve("Threat", lambda state: state.threat)
