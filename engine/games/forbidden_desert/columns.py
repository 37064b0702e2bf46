"""Columns of data sets for a Forbidden Desert table."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.forbidden_desert.components import BLOCKED
from engine.games.forbidden_desert.state import DesertState, Tile
from engine.kit.columns import Column, Curve, SeatColumn, join_ids


def _sand(state: DesertState) -> int:
    return sum(tile.sand for tile in state.tiles().values())


def _tiles(is_counted: Callable[[Tile], bool]) -> Callable[[DesertState], int]:
    return lambda state: sum(map(is_counted, state.tiles().values()))


COLUMNS: tuple[Column[DesertState], ...] = (
    Column("storm_tick", int, lambda state: state.storm_tick, "The tick of the storm meter, from 1."),
    Column("storm_level", int, lambda state: state.storm_level, "Number of storm cards per turn at this tick."),
    Column("storm_due", int, lambda state: state.storm_due, "Number of storm cards left to draw this turn."),
    Column("hole", str, lambda state: state.hole, "The space with the storm."),
    Column("sand", int, _sand, "Number of sand markers on the board."),
    Column("sand_supply", int, lambda state: state.sand_supply, "Number of sand markers left beside the board."),
    Column(
        "tiles_blocked",
        int,
        _tiles(lambda tile: tile.sand >= BLOCKED),
        "Number of tiles with two or more sand markers.",
    ),
    Column("tiles_excavated", int, _tiles(lambda tile: tile.is_excavated), "Number of excavated tiles."),
    Column(
        "parts_collected", int, lambda state: len(state.collected), "Number of flying machine parts picked up, 0 to 4."
    ),
    Column(
        "collected", str, lambda state: join_ids(state.collected), "The parts that the team has picked up, in order."
    ),
    Column("equipment_left", int, lambda state: len(state.equipment_pile), "Number of cards in the equipment deck."),
    Column("storm_cards_left", int, lambda state: len(state.storm_pile), "Number of cards in the storm deck."),
    Column("actions_left", int, lambda state: state.actions_left, "Number of actions left in the turn."),
)
SEAT_COLUMNS: tuple[SeatColumn[DesertState], ...] = (
    SeatColumn("role", str, lambda state, seat: str(state.roles[seat]), "The player's role."),
    SeatColumn("place", str, lambda state, seat: state.pawns[seat], "The space of the player's pawn."),
    SeatColumn(
        "water", int, lambda state, seat: state.water[seat], "The mark on the player's canteen; -1 is the skull."
    ),
    SeatColumn("cards", int, lambda state, seat: len(state.equipment[seat]), "Number of cards in front of the player."),
    SeatColumn("hand", str, lambda state, seat: join_ids(state.equipment[seat]), "The cards in front of the player."),
    SeatColumn(
        "is_shielded", bool, lambda state, seat: state.shielded[seat], "True if the player's Solar Shield is up."
    ),
    SeatColumn(
        "is_buried", bool, lambda state, seat: state.is_buried(seat), "True if the player's pawn must be dug out."
    ),
)
CURVE: Curve[DesertState] = Curve("Sand on the board", _sand)
