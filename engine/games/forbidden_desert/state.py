"""The state of the table, and queries on it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from engine.core.errors import Unclear
from engine.core.language import say
from engine.core.values import SEAT_INDEX, SeatId, State
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import (
    CitySide,
    DesertSide,
    Difficulty,
    Equipment,
    Part,
    Role,
    Space,
    printed_name,
)
from engine.kit.entries import with_entry
from engine.kit.options import Options, option, ruling
from engine.kit.piles import Pile

replace = msgspec.structs.replace


class DesertOptions(Options, frozen=True, kw_only=True):
    """Options of a game: the difficulty, the first player, and rulings on open questions (FD-R…, see RULINGS.md)."""

    difficulty: Annotated[
        Difficulty,
        option(
            "Difficulty",
            "The storm level at the start.",
            {"novice": "Novice", "normal": "Normal", "elite": "Elite", "legendary": "Legendary"},
        ),
    ] = "novice"
    first_player: Annotated[
        Literal["p1", "p2", "p3", "p4", "p5"], option("Who begins", "By custom, the thirstiest player.")
    ] = "p1"
    storm_reshuffle: Annotated[
        Literal["excludes_current_step", "includes_current_step"],
        ruling(
            "If the storm deck is reshuffled in the middle of a turn, does it include the cards of that turn?",
            {"excludes_current_step": "No, they stay out", "includes_current_step": "Yes"},
        ),
    ] = "excludes_current_step"
    time_throttle: Annotated[
        Literal["own_turn", "any_turn"],
        ruling(
            "When can Time Throttle be played?",
            {"own_turn": "On your own turn", "any_turn": "On any turn, for the active player"},
        ),
    ] = "own_turn"
    storm_tracker: Annotated[
        Literal["off", "on"],
        option("The Storm Tracker card", "One more equipment card.", {"off": "Left in the box", "on": "Shuffled in"}),
    ] = "off"


class Tile(msgspec.Struct, frozen=True, gc=False):
    """A desert tile, with its sand and parts, which move with the tile in the wind."""

    desert_side: DesertSide
    city_side: CitySide | None = None
    """The city side; None if unknown. A city side can be known before excavation, from a Terrascope or on the wreck."""
    is_excavated: bool = False
    sand: int = 0
    """Number of sand markers on the tile."""
    parts: tuple[Part, ...] = ()
    """Flying machine parts on the tile, in the order in which they were placed."""

    @property
    def is_tunnel(self) -> bool:
        """True if the tile is an excavated tunnel."""
        return self.is_excavated and self.city_side == "tunnel"


class DesertState(State, frozen=True, kw_only=True):
    """A game of Forbidden Desert.

    `phase` is `actions`, `draw_equipment`, or `storm` (no actions are left, or storm cards are being drawn). While a
    player is looking at the storm deck, it is `look` or `place`.
    """

    options: DesertOptions
    board: tuple[Tile | None, ...]
    """The tile on each space, in reading order; None on the hole, where the storm is."""
    hole: Space
    hole_parts: tuple[Part, ...] = ()
    """Parts in the hole. They go onto the next tile that moves into the hole."""
    sand_supply: int
    """Number of sand markers beside the board."""
    roles: tuple[Role, ...]
    """The adventurer of each seat."""
    pawns: tuple[Space, ...]
    """The space of each seat's pawn."""
    water: tuple[int, ...]
    """The water on each seat's canteen; -1 is the skull."""
    equipment: tuple[tuple[Equipment, ...], ...]
    """The equipment cards in front of each seat, sorted."""
    shielded: tuple[bool, ...]
    """For each seat, True if the Solar Shield that this seat played is still up."""
    collected: tuple[Part, ...] = ()
    """The parts that the team has picked up, in order."""
    equipment_pile: Pile[Equipment]
    equipment_used: tuple[Equipment, ...] = ()
    """The used equipment cards, in the order of use."""
    storm_pile: Pile[str]
    storm_discard: tuple[str, ...] = ()
    storm_drawn: tuple[str, ...] = ()
    """The storm cards drawn in this step. They join the discard pile at the end of the step."""
    storm_tick: int
    """The tick on the storm meter, from 1; the tick after the last number is the skull."""
    active: int
    """The seat whose turn it is."""
    actions_left: int
    weakened: int = 0
    """Number of actions that the Meteorologist has spent this turn to weaken the storm."""
    storm_left: int | None = None
    """Number of storm cards left to draw this turn; None before the first draw, because the number can still change."""
    must_draw_equipment: bool = False
    """True if a gear was excavated and its card has not been drawn yet."""
    watcher: int | None = None
    """The seat that is looking at the storm deck, or None."""
    looks_left: int = 0
    """Number of cards left in this look."""
    seen: tuple[str, ...] = ()
    """The storm cards seen in this look, from the top; the pile no longer contains them."""
    must_place: bool = False
    """True if a seen card must go to the bottom (Storm Tracker); False if that is optional (Meteorologist)."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.roles)

    @property
    def storm_level(self) -> int:
        """The number of storm cards per turn on the meter; 0 at the skull, unless the players did not notice this."""
        meter = box.METER[len(self.roles)]
        if self.storm_tick > len(meter) and "swept_away" not in self.unnoticed:
            return 0
        return meter[min(self.storm_tick, len(meter)) - 1]

    @property
    def storm_due(self) -> int:
        """The number of storm cards left to draw this turn, which can still change during actions (FD-R7, FD-R23)."""
        return max(0, self.storm_level - self.weakened) if self.storm_left is None else self.storm_left

    def tile(self, space: Space) -> Tile:
        """Return the tile on a space. Raises `Unclear` if the storm is there."""
        tile = self.board[box.INDEX[space]]
        if tile is None:
            raise Unclear
        return tile

    def tiles(self) -> dict[Space, Tile]:
        """Return the tile on each space except the hole."""
        return {space: tile for space, tile in zip(box.SPACES, self.board, strict=True) if tile is not None}

    def tile_of(self, seat: int) -> Tile:
        """Return the tile under the seat's pawn."""
        return self.tile(self.pawns[seat])

    def is_blocked(self, space: Space) -> bool:
        """Return True if the tile on `space` has two or more sand markers; False for the hole."""
        tile = self.board[box.INDEX[space]]
        return tile is not None and tile.sand >= box.BLOCKED

    def climber_at(self) -> Space | None:
        """Return the space of the Climber's pawn; None if nobody plays him."""
        return self.pawns[self.roles.index(Role.CLIMBER)] if Role.CLIMBER in self.roles else None

    def is_buried(self, seat: int) -> bool:
        """Return True if the seat's pawn must be dug out before it can act (FD-R17)."""
        space = self.pawns[seat]
        return self.is_blocked(space) and self.climber_at() != space

    def companions(self, seat: int) -> list[int]:
        """Return the other seats with a pawn on the same tile."""
        here = self.pawns[seat]
        return [other for other, space in enumerate(self.pawns) if space == here and other != seat]

    def canteen(self, seat: int) -> int:
        """Return the maximum water of the seat's adventurer."""
        return box.ROLES[self.roles[seat]].canteen

    def place_name(self, space: Space) -> str:
        """Return the players' name for the tile on a space: the position, and the known side of the tile."""
        tile = self.board[box.INDEX[space]]
        if tile is None or (tile.city_side is None and tile.desert_side == "plain"):
            return printed_name(space)
        if tile.is_excavated:
            return f"{printed_name(space)} ({printed_name(str(tile.city_side))})"
        if tile.city_side is None or tile.desert_side == "crash":
            seen = say("wreck") if tile.desert_side == "crash" else say("water drop")
            return f"{printed_name(space)} ({seen})"
        return say("{place} ({tile}, not excavated)", place=printed_name(space), tile=printed_name(tile.city_side))

    def may_be(self, tile: Tile) -> tuple[CitySide, ...]:
        """Return the possible city sides of `tile`, sorted. A side is repeated for each unknown tile with this side."""
        if tile.city_side is not None:
            return (tile.city_side,)
        return self.unseen(tile.desert_side)

    def unseen(self, desert_side: DesertSide) -> tuple[CitySide, ...]:
        """Return the city sides of the unknown tiles with that desert side, sorted."""
        return _unseen(self.board, desert_side)


@lru_cache(maxsize=256)
def _unseen(board: tuple[Tile | None, ...], desert_side: DesertSide) -> tuple[CitySide, ...]:
    """Compute `DesertState.unseen`. The result is cached, because a Terrascope needs it for every tile and outcome."""
    left = Counter(box.CITY_SIDES[desert_side])
    left.subtract(
        tile.city_side
        for tile in board
        if tile is not None and tile.desert_side == desert_side and tile.city_side is not None
    )
    return tuple(left.elements())


def with_tile(state: DesertState, space: Space, **changes: Any) -> DesertState:
    """Return `state` with `changes` to the tile on `space`."""
    return replace(state, board=with_entry(state.board, box.INDEX[space], replace(state.tile(space), **changes)))


def with_sand(state: DesertState, space: Space, removed: int) -> DesertState:
    """Return `state` with `removed` sand markers moved from `space` to the supply."""
    tile = state.tile(space)
    board = with_entry(state.board, box.INDEX[space], replace(tile, sand=tile.sand - removed))
    return replace(state, board=board, sand_supply=state.sand_supply + removed)


def with_pawns(state: DesertState, to: Space, seat: int, passenger: SeatId | None) -> tuple[Space, ...]:
    """Return the pawns' spaces, with the pawns of `seat` and its passenger on `to`."""
    seats = (seat,) if passenger is None else (seat, SEAT_INDEX[passenger])
    return tuple([to if other in seats else space for other, space in enumerate(state.pawns)])


def with_water(state: DesertState, gains: dict[int, int]) -> tuple[int, ...]:
    """Return the canteens after the seats in `gains` gain (or lose) water, within each canteen's limits (FD-R15)."""
    water = list(state.water)
    for seat, gain in gains.items():
        water[seat] = max(box.SKULL_MARK, min(state.canteen(seat), water[seat] + gain))
    return tuple(water)


def with_cards(state: DesertState, seat: int, cards: tuple[Equipment, ...]) -> tuple[tuple[Equipment, ...], ...]:
    """Return all equipment, with `cards` in front of `seat`."""
    return with_entry(state.equipment, seat, tuple(sorted(cards)))
