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
    Column("storm_level", int, lambda state: state.storm_level, "Storm cards a turn that the meter asks for."),
    Column("storm_due", int, lambda state: state.storm_due, "Storm cards that the turn is still to bring."),
    Column("hole", str, lambda state: state.hole, "The space on which the storm is."),
    Column("sand", int, _sand, "Sand markers on the board."),
    Column("sand_supply", int, lambda state: state.sand_supply, "Sand markers that are left."),
    Column(
        "tiles_blocked", int, _tiles(lambda tile: tile.sand >= BLOCKED), "How many tiles have two or more sand markers."
    ),
    Column("tiles_excavated", int, _tiles(lambda tile: tile.is_excavated), "How many tiles are excavated."),
    Column("parts_collected", int, lambda state: len(state.collected), "Parts of the machine picked up, 0 to 4."),
    Column("collected", str, lambda state: join_ids(state.collected), "The parts picked up, in that order."),
    Column("equipment_left", int, lambda state: len(state.equipment_pile), "Cards in the equipment deck."),
    Column("storm_cards_left", int, lambda state: len(state.storm_pile), "Cards in the storm deck."),
    Column("actions_left", int, lambda state: state.actions_left, "Actions left in the turn."),
)
SEAT_COLUMNS: tuple[SeatColumn[DesertState], ...] = (
    SeatColumn("role", str, lambda state, seat: str(state.roles[seat]), "Who the player is in this game."),
    SeatColumn("place", str, lambda state, seat: state.pawns[seat], "Where the pawn stands."),
    SeatColumn("water", int, lambda state, seat: state.water[seat], "The mark of the canteen; -1 is the skull."),
    SeatColumn("cards", int, lambda state, seat: len(state.equipment[seat]), "How many cards lie before the player."),
    SeatColumn("hand", str, lambda state, seat: join_ids(state.equipment[seat]), "The cards before the player."),
    SeatColumn("is_shielded", bool, lambda state, seat: state.shielded[seat], "Whether the own Solar Shield is up."),
    SeatColumn("is_buried", bool, lambda state, seat: state.is_buried(seat), "Whether the pawn has to be dug out."),
)
CURVE: Curve[DesertState] = Curve("Sand on the board", _sand)
