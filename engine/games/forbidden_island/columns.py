"""Columns of data sets for a Forbidden Island table."""

from __future__ import annotations

from engine.games.forbidden_island.state import IslandState
from engine.kit.columns import Column, Curve, SeatColumn, join_ids

COLUMNS: tuple[Column[IslandState], ...] = (
    Column("water_level", int, lambda state: state.water_level, "The tick of the water meter, from 1."),
    Column("tiles_flooded", int, lambda state: len(state.flooded), "Number of flooded tiles."),
    Column("tiles_sunk", int, lambda state: len(state.sunk), "Number of sunk tiles."),
    Column("flooded", str, lambda state: join_ids(sorted(state.flooded)), "The flooded tiles."),
    Column("sunk", str, lambda state: join_ids(sorted(state.sunk)), "The sunk tiles."),
    Column("treasures_captured", int, lambda state: len(state.captured), "Number of captured treasures, 0 to 4."),
    Column("captured", str, lambda state: join_ids(state.captured), "The captured treasures, in the order of capture."),
    Column("treasure_cards_left", int, lambda state: len(state.treasure_pile), "Number of cards in the Treasure deck."),
    Column("flood_cards_left", int, lambda state: len(state.flood_pile), "Number of cards in the Flood pile."),
    Column("actions_left", int, lambda state: state.actions_left, "Number of actions left in the turn."),
    Column(
        "treasure_draws_left",
        int,
        lambda state: state.treasure_draws_left,
        "Number of treasure cards left to draw this turn.",
    ),
    Column(
        "flood_draws_left", int, lambda state: state.flood_draws_left, "Number of Flood cards left to draw this turn."
    ),
)
SEAT_COLUMNS: tuple[SeatColumn[IslandState], ...] = (
    SeatColumn("role", str, lambda state, seat: state.roles[seat], "The player's role."),
    SeatColumn("place", str, lambda state, seat: state.pawns[seat], "The tile of the player's pawn."),
    SeatColumn("cards", int, lambda state, seat: len(state.hands[seat]), "Number of cards in front of the player."),
    SeatColumn("hand", str, lambda state, seat: join_ids(state.hands[seat]), "The cards in front of the player."),
    SeatColumn(
        "is_swimming", bool, lambda state, seat: state.pawns[seat] in state.sunk, "True if the pawn's tile has sunk."
    ),
)
CURVE: Curve[IslandState] = Curve("Tiles above water", lambda state: len(state.layout) - len(state.sunk))
