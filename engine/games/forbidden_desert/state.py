"""The state of the table, and the questions that the rules ask of it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from engine.core.errors import Unclear
from engine.core.language import say
from engine.core.values import State
from engine.games.forbidden_desert.components import (
    BLOCKED,
    CITY_SIDES,
    INDEX,
    METER,
    ROLES,
    SKULL_MARK,
    CitySide,
    DesertSide,
    Difficulty,
    Equipment,
    Part,
    Role,
    Space,
    printed,
)
from engine.kit.effects import place_of
from engine.kit.options import Options, option
from engine.kit.piles import Pile

replace = msgspec.structs.replace


class DesertOptions(Options, frozen=True, kw_only=True):
    """What a table chooses: the difficulty, who begins, and the rulings on which tables differ."""

    difficulty: Annotated[
        Difficulty,
        option(
            "Difficulty",
            "How strong the storm is when you begin.",
            {"novice": "Novice", "normal": "Normal", "elite": "Elite", "legendary": "Legendary"},
        ),
    ] = "novice"
    first_player: Annotated[
        Literal["p1", "p2", "p3", "p4", "p5"], option("Who begins", "By custom, whoever is the thirstiest.")
    ] = "p1"
    """FD-R32."""
    storm_reshuffle: Annotated[
        Literal["excludes_current_step", "includes_current_step"],
        option(
            "When the storm deck is shuffled anew in the middle of a turn, does it hold the cards of that turn?",
            titles={"excludes_current_step": "No, they stay out", "includes_current_step": "Yes"},
            is_ruling=True,
        ),
    ] = "excludes_current_step"
    """FD-R8: whether a new storm pile holds the cards drawn earlier in the same step."""
    time_throttle: Annotated[
        Literal["own_turn", "any_turn"],
        option(
            "When may Time Throttle be played?",
            titles={"own_turn": "On one's own turn", "any_turn": "On any turn, for whoever is taking it"},
            is_ruling=True,
        ),
    ] = "own_turn"
    """FD-R27: when Time Throttle is played; on another's turn the actions are that player's."""
    storm_tracker: Annotated[
        Literal["off", "on"],
        option("The Storm Tracker card", "One more equipment card.", {"off": "Left in the box", "on": "Shuffled in"}),
    ] = "off"
    """Whether the extra equipment card is in the deck."""


class Tile(msgspec.Struct, frozen=True, gc=False):
    """A desert/city tile and what lies on it: all that travels when the wind moves it."""

    desert_side: DesertSide
    city_side: CitySide | None = None
    """None as long as nobody has seen it; seen and not excavated: after a Terrascope, or on the wreck."""
    is_excavated: bool = False
    sand: int = 0
    """Sand markers on it."""
    parts: tuple[Part, ...] = ()
    """The flying machine parts that lie on it, in the order of placing."""

    @property
    def is_tunnel(self) -> bool:
        """Whether it is a tunnel that has been found."""
        return self.is_excavated and self.city_side == "tunnel"


class DesertState(State, frozen=True, kw_only=True):
    """A game of Forbidden Desert.

    `phase` is actions, storm (the actions are over, or storm cards are being drawn), draw_equipment, look or place
    (both in a look at the storm deck).
    """

    options: DesertOptions
    board: tuple[Tile | None, ...]
    """The tile on each space, in reading order; None on the hole, where the storm is."""
    hole: Space
    hole_parts: tuple[Part, ...] = ()
    """The parts that wait in the hole for the next tile that moves there."""
    sand_supply: int
    """The sand markers that are not on the board."""
    roles: tuple[Role, ...]
    """The adventurer of each seat."""
    pawns: tuple[Space, ...]
    """Where each seat's pawn stands."""
    water: tuple[int, ...]
    """The mark on each seat's canteen: 0 is alive, -1 the skull."""
    equipment: tuple[tuple[Equipment, ...], ...]
    """The cards before each seat, sorted."""
    shielded: tuple[bool, ...]
    """Whether each seat's own Solar Shield is up."""
    collected: tuple[Part, ...] = ()
    """The parts that the team has picked up, in that order."""
    equipment_pile: Pile[Equipment]
    equipment_used: tuple[Equipment, ...] = ()
    """The cards that are out of the game, in the order of use."""
    storm_pile: Pile[str]
    storm_discard: tuple[str, ...] = ()
    storm_drawn: tuple[str, ...] = ()
    """The storm cards of this step that have not joined the discard yet."""
    storm_tick: int
    """The tick on the storm meter, from 1; the one after the last number is the skull."""
    active: int
    """The seat whose turn it is."""
    actions_left: int
    weakened: int = 0
    """The actions that the Meteorologist has spent this turn on drawing fewer storm cards."""
    storm_left: int | None = None
    """The storm cards still to be drawn this turn; None until the first is revealed: their number is not fixed."""
    must_draw_equipment: bool = False
    """Whether a gear has been excavated and its card not been drawn yet."""
    watcher: int | None = None
    """The seat that looks at the storm deck; None: nobody does."""
    looks_left: int = 0
    """How many more cards are to be looked at."""
    seen: tuple[str, ...] = ()
    """The storm cards looked at, from the top of the pile, off which they have been taken."""
    must_place: bool = False
    """Whether one of the cards seen has to go to the bottom (Storm Tracker), or may (Meteorologist)."""

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.roles)

    @property
    def storm_level(self) -> int:
        """How many storm cards the meter asks for; 0 at the skull."""
        meter = METER[len(self.roles)]
        return meter[self.storm_tick - 1] if self.storm_tick <= len(meter) else 0

    @property
    def storm_due(self) -> int:
        """How many storm cards this turn is still to bring, as things stand (FD-R7, FD-R23)."""
        return max(0, self.storm_level - self.weakened) if self.storm_left is None else self.storm_left

    def tile(self, space: Space) -> Tile:
        """The tile there; in the hole is none, and that is `Unclear`."""
        tile = self.board[INDEX[space]]
        if tile is None:
            raise Unclear
        return tile

    def tile_of(self, seat: int) -> Tile:
        """The tile under that seat's pawn."""
        return self.tile(self.pawns[seat])

    def is_blocked(self, space: Space) -> bool:
        """Whether two or more markers lie there; the hole is not a tile."""
        tile = self.board[INDEX[space]]
        return tile is not None and tile.sand >= BLOCKED

    def climber_at(self) -> Space | None:
        """Where the Climber is, if he is in the game."""
        return self.pawns[self.roles.index(Role.CLIMBER)] if Role.CLIMBER in self.roles else None

    def is_buried(self, seat: int) -> bool:
        """Whether that seat's pawn has to be dug out before it can act (FD-R17)."""
        space = self.pawns[seat]
        return self.is_blocked(space) and self.climber_at() != space

    def companions(self, seat: int) -> list[int]:
        """The other seats whose pawns stand on the same tile."""
        here = self.pawns[seat]
        return [other for other, space in enumerate(self.pawns) if space == here and other != seat]

    def canteen(self, seat: int) -> int:
        """The most water that seat's adventurer can have."""
        return ROLES[self.roles[seat]].canteen

    def place_name(self, space: Space) -> str:
        """What a player calls the tile there: where it lies, and what is known of it."""
        tile = self.board[INDEX[space]]
        if tile is None or (tile.city_side is None and tile.desert_side == "plain"):
            return printed(space)
        if tile.is_excavated:
            return f"{printed(space)} ({printed(str(tile.city_side))})"
        if tile.city_side is None or tile.desert_side == "crash":
            seen = say("wreck") if tile.desert_side == "crash" else say("water drop")
            return f"{printed(space)} ({seen})"
        return say("{place} ({tile}, not excavated)", place=printed(space), tile=printed(tile.city_side))

    def may_be(self, tile: Tile) -> tuple[CitySide, ...]:
        """What may be under `tile`: if nobody has seen it, one entry for each tile that nobody has seen, sorted."""
        if tile.city_side is not None:
            return (tile.city_side,)
        return self.unseen(tile.desert_side)

    def unseen(self, desert_side: DesertSide) -> tuple[CitySide, ...]:
        """What is under the tiles with that desert side that nobody has seen, sorted."""
        return _unseen(self.board, desert_side)


@lru_cache(maxsize=256)
def _unseen(board: tuple[Tile | None, ...], desert_side: DesertSide) -> tuple[CitySide, ...]:
    """As `DesertState.unseen`: a list of actions asks it of one board for every tile and outcome of a Terrascope."""
    left = Counter(CITY_SIDES[desert_side])
    left.subtract(
        tile.city_side
        for tile in board
        if tile is not None and tile.desert_side == desert_side and tile.city_side is not None
    )
    return tuple(left.elements())


def with_tile(state: DesertState, space: Space, tile: Tile) -> tuple[Tile | None, ...]:
    """The board, with `tile` on `space`."""
    at = INDEX[space]
    return (*state.board[:at], tile, *state.board[at + 1 :])


def with_sand(state: DesertState, space: Space, removed: int) -> DesertState:
    """`state` with `removed` markers back in the supply."""
    tile = state.tile(space)
    board = with_tile(state, space, replace(tile, sand=tile.sand - removed))
    return replace(state, board=board, sand_supply=state.sand_supply + removed)


def with_pawns(state: DesertState, to: Space, *seats: int) -> tuple[Space, ...]:
    """The pawns, with those of `seats` on `to`."""
    return tuple(to if seat in seats else space for seat, space in enumerate(state.pawns))


def with_water(state: DesertState, gains: dict[int, int]) -> tuple[int, ...]:
    """The canteens after each seat of `gains` has gained (or lost) so much, none above its maximum (FD-R15)."""
    return tuple(
        max(SKULL_MARK, min(state.canteen(seat), water + gains.get(seat, 0))) for seat, water in enumerate(state.water)
    )


def with_cards(state: DesertState, seat: int, cards: tuple[Equipment, ...]) -> tuple[tuple[Equipment, ...], ...]:
    """The equipment, with `cards` before `seat`."""
    return (*state.equipment[:seat], tuple(sorted(cards)), *state.equipment[seat + 1 :])


def without(cards: tuple[Equipment, ...], card: Equipment) -> tuple[Equipment, ...]:
    """`cards` without one of `card`; where it is not among them that is `Unclear`."""
    at = place_of(card, cards)
    return cards[:at] + cards[at + 1 :]
