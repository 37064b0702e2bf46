"""Columns of data sets for a Forever Island table. None contains the number of spears in a raider's fist."""

from __future__ import annotations

from engine.games.forever_island.components import ISLANDS
from engine.games.forever_island.state import ForeverState
from engine.kit.columns import Column, Curve, SeatColumn

COLUMNS: tuple[Column[ForeverState], ...] = (
    *(
        Column[ForeverState](
            f"fertility_{island}",
            int,
            lambda state, index=index: state.fertility[index],  # type: ignore[misc]  # the index of this island
            "The island's fertility, 0 to 6.",
        )
        for index, island in enumerate(ISLANDS)
    ),
    Column("volcano", int, lambda state: state.volcano, "Position of the volcano token, 3 to 1."),
    Column("huts_standing", int, lambda state: len(state.every_hut()), "Number of huts on the board."),
    Column("totems_standing", int, lambda state: state.standing_totems, "Number of standing totems, 0 to 5."),
    Column("hogs_left", int, lambda state: state.piles.hog, "Number of hogs in the pile."),
    Column("logs_left", int, lambda state: state.piles.log, "Number of logs in the pile."),
    Column("frogs_left", int, lambda state: state.piles.frog, "Number of frogs in the pile."),
)
SEAT_COLUMNS: tuple[SeatColumn[ForeverState], ...] = (
    SeatColumn("hogs", int, lambda state, seat: state.hands[seat].hog, "Number of hogs in front of the player."),
    SeatColumn("logs", int, lambda state, seat: state.hands[seat].log, "Number of logs in front of the player."),
    SeatColumn("frogs", int, lambda state, seat: state.hands[seat].frog, "Number of frogs in front of the player."),
    SeatColumn("huts", int, lambda state, seat: len(state.huts[seat]), "Number of the player's huts on the board."),
    SeatColumn(
        "canoes", int, lambda state, seat: state.canoe_count(seat), "Number of the player's canoes, docked or not."
    ),
    SeatColumn(
        "is_eliminated", bool, lambda state, seat: seat in state.eliminated, "True if the player is eliminated."
    ),
)
CURVE: Curve[ForeverState] = Curve("Fertility of the islands", lambda state: sum(state.fertility))
