"""Columns of data sets for a Forbidden Island table."""

from __future__ import annotations

from engine.games.forbidden_island.state import IslandState
from engine.kit.columns import Column, Curve, SeatColumn, join_ids

COLUMNS: tuple[Column[IslandState], ...] = (
    Column("water_level", int, lambda state: state.water_level, "The tick of the water meter, from 1."),
    Column("tiles_flooded", int, lambda state: len(state.flooded), "How many tiles are flooded."),
    Column("tiles_sunk", int, lambda state: len(state.sunk), "How many tiles have sunk."),
    Column("flooded", str, lambda state: join_ids(sorted(state.flooded)), "The flooded tiles."),
    Column("sunk", str, lambda state: join_ids(sorted(state.sunk)), "The tiles that have sunk."),
    Column("treasures_captured", int, lambda state: len(state.captured), "How many treasures are captured, 0 to 4."),
    Column("captured", str, lambda state: join_ids(state.captured), "The treasures captured, in that order."),
    Column("treasure_cards_left", int, lambda state: len(state.treasure_pile), "Cards in the Treasure deck."),
    Column("flood_cards_left", int, lambda state: len(state.flood_pile), "Cards in the Flood pile."),
    Column("actions_left", int, lambda state: state.actions_left, "Actions left in the turn."),
    Column("treasure_draws_left", int, lambda state: state.treasure_draws_left, "Treasure cards to draw in the turn."),
    Column("flood_draws_left", int, lambda state: state.flood_draws_left, "Flood cards to draw in the turn."),
)
SEAT_COLUMNS: tuple[SeatColumn[IslandState], ...] = (
    SeatColumn("role", str, lambda state, seat: state.roles[seat], "Who the player is in this game."),
    SeatColumn("place", str, lambda state, seat: state.pawns[seat], "Where the pawn stands."),
    SeatColumn("cards", int, lambda state, seat: len(state.hands[seat]), "How many cards lie before the player."),
    SeatColumn("hand", str, lambda state, seat: join_ids(state.hands[seat]), "The cards before the player."),
    SeatColumn("is_swimming", bool, lambda state, seat: state.pawns[seat] in state.sunk, "Whether its tile has sunk."),
)
CURVE: Curve[IslandState] = Curve("Tiles above water", lambda state: len(state.layout) - len(state.sunk))
