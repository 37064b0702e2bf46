"""The state of the table, and the questions that the rules ask of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, TypeVar

import msgspec

from engine.core.values import State
from engine.games.forever_island.components import (
    DIRECTIONS,
    HUTS_OF,
    ISLAND_INDEX,
    OWNER,
    SHORES_OF,
    TILE_OF,
    Area,
    Goods,
    HutId,
    Island,
    Mooring,
    Shore,
    Tile,
)
from engine.kit.effects import needed, needed_at
from engine.kit.entries import with_entry
from engine.kit.options import Options, option

T = TypeVar("T")

_YES_NO = {True: "Yes", False: "No"}

replace = msgspec.structs.replace


class ForeverOptions(Options, frozen=True, kw_only=True):
    """What a table chooses: teams, and the rulings on which tables differ."""

    teams: Annotated[
        Literal[0, 2, 3],
        option(
            "Teams",
            "Teams sit alternately around the table: two of them with 4 or 6 players, three with 6.",
            {0: "Everyone alone", 2: "Two teams", 3: "Three teams"},
        ),
    ] = 0
    """How many teams (rulebook: Teams); they alternate around the table. 0: each player alone."""
    connect_side: Annotated[
        Literal[1, 2, 3, 4, 5, 6],
        option(
            "Which number on the back of a tile also reads 'Connect'?",
            titles={side: str(side) for side in range(1, 7)},
            is_ruling=True,
        ),
    ] = 6
    """The side on the back of a tile that also reads 'Connect'."""
    volcano_raids: Annotated[
        bool, option("May canoes on the volcano raid one another?", titles=_YES_NO, is_ruling=True)
    ] = False
    """Whether canoes on the volcano tile may raid one another."""
    harvest_per_hut_per_turn: Annotated[
        Literal[1, "unlimited"],
        option(
            "How often may a hut harvest in a turn?",
            titles={1: "Once", "unlimited": "As often as there are actions"},
            is_ruling=True,
        ),
    ] = 1
    """FV-R4: how often a hut harvests in a turn."""
    erect_requires_hut: Annotated[
        bool, option("Does erecting a totem need a hut there?", titles=_YES_NO, is_ruling=True)
    ] = False
    """FV-R7: whether a totem is only erected where one has a hut."""
    raid_min_throw: Annotated[
        Literal[0, 1],
        option("The fewest spears in a raider's fist", titles={0: "None", 1: "One"}, is_ruling=True),
    ] = 1
    """FV-R16: the fewest spears that may be in the fist."""
    team_shared_control: Annotated[
        Literal["victory_only", "all"],
        option(
            "What is a totem good for that a team controls together?",
            titles={"victory_only": "For winning only", "all": "Each member may tax and extend it, too"},
            is_ruling=True,
        ),
    ] = "victory_only"
    """FV-R21: whether a totem that the team controls is also taxed and extended by each of its members."""


class Hut(msgspec.Struct, frozen=True, gc=False):
    """A hut on the board."""

    id: HutId
    shore: Shore
    built: int
    """The turn in which it was built; 0 for those of the initial placement."""
    harvested: int = 0
    """The last turn in which it harvested; 0 for never."""
    docked: int | None = None
    """The seat whose canoe is docked in it."""


class Totem(msgspec.Struct, frozen=True, gc=False):
    """A totem on its shore, which it never leaves."""

    shore: Shore
    is_standing: bool = False
    extensions: int = 0
    taxed: int = 0
    """How many taxes were collected for it in this turn."""


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """An exchange that the active player offers."""

    partner: int
    give: Goods
    """From the active player to the partner."""
    take: Goods
    """From the partner to the active player."""


class Raid(msgspec.Struct, frozen=True, gc=False):
    """The raid that is being fought; the raider is the active player."""

    defender: int
    area: Area
    spears: int | None = None
    """How many are in the fist: the raider's secret until the guess. None: not yet thrown, or not yet entered."""
    salt: str = ""
    """Secret as long as the number: so a digest of the whole state tells nobody what is in the fist."""
    guess: int | None = None
    loser: int | None = None
    """Who has to choose what is lost, once that is known."""
    losses: int = 0
    """How many pieces the loser has to choose."""


class ForeverState(State, frozen=True, kw_only=True):
    """A game of Forever Island.

    `phase` is placement (turn 0), weather, actions, double_up, exchange, throw, guess, open_fist or losses.
    """

    options: ForeverOptions
    is_observed: bool = False
    """Whether a recorder follows a real table: then a throw may be entered after the guess."""
    tiles: tuple[Tile, ...]
    """In the order in which they were laid."""
    coordinates: tuple[tuple[int, int], ...]
    """The axial coordinates (q, r) of each of `tiles`."""
    fertility: tuple[int, ...]
    """Of each of `ISLANDS`, 0 to 6."""
    piles: Goods
    """What is not on an island or in a hand."""
    hands: tuple[Goods, ...]
    """What lies before each seat."""
    huts: tuple[tuple[Hut, ...], ...]
    """Those of each seat, by their number."""
    canoes: tuple[tuple[Area, ...], ...]
    """Where the undocked canoes of each seat lie, sorted."""
    totems: tuple[Totem, ...]
    """All five, in the order of `SHORES`."""
    has_erected: bool = False
    """Whether a totem has ever been erected: raids are open then."""
    volcano: int
    """Where the volcano token lies, 3 to 1."""
    first: int
    """The seat that placed first."""
    active: int
    """The seat whose turn it is."""
    eliminated: tuple[int, ...] = ()
    """In the order of going out."""
    doubled: tuple[Island, ...] = ()
    """The islands used for a double up in this turn."""
    raided: tuple[tuple[int, Area], ...] = ()
    """The raids declared in this turn: the defender, and where."""
    double_up: HutId | None = None
    """The hut whose owner is asked to double up with the active player."""
    exchange: Exchange | None = None
    raid: Raid | None = None

    def side(self, seat: int) -> int:
        """The team of that seat; without teams, the seat itself. Team-mates never sit side by side."""
        return seat % self.options.teams if self.options.teams else seat

    def alive(self) -> list[int]:
        """The seats that are not eliminated."""
        return [seat for seat in range(len(self.hands)) if seat not in self.eliminated]

    def awaited(self) -> tuple[int, ...]:
        """The seats that the game waits for, while it goes on."""
        if self.double_up is not None:
            return (OWNER[self.double_up],)
        if self.exchange is not None:
            return (self.exchange.partner,)
        raid = self.raid
        if raid is None or self.phase == "open_fist":
            return (self.active,)
        if self.phase == "throw":
            return tuple(sorted({self.active, raid.defender})) if self.is_observed else (self.active,)
        return (raid.defender if raid.loser is None else raid.loser,)

    def hut(self, id_: HutId) -> Hut | None:
        """The hut of that id; None if it is not on the board."""
        seat = OWNER[id_]
        if seat < len(self.huts):
            for hut in self.huts[seat]:
                if hut.id == id_:
                    return hut
        return None

    def every_hut(self) -> list[Hut]:
        """All huts on the board, by seat and number."""
        return [hut for huts in self.huts for hut in huts]

    def huts_on(self, seat: int, area: Area) -> list[Hut]:
        """The huts of that seat on that shore."""
        return [hut for hut in self.huts[seat] if hut.shore == area]

    def has_hut_on(self, seat: int, area: Area) -> bool:
        """Whether that seat has a hut on that shore."""
        return any(hut.shore == area for hut in self.huts[seat])

    def docked(self, seat: int) -> list[Hut]:
        """The huts in which canoes of that seat are docked, whosever they are."""
        return [hut for huts in self.huts for hut in huts if hut.docked == seat]

    def canoe_count(self, seat: int) -> int:
        """How many canoes that seat has on the board, docked or not."""
        return len(self.canoes[seat]) + len(self.docked(seat))

    def pieces_in(self, seat: int, area: Area) -> int:
        """How many huts and canoes that seat has in that area, docked canoes too."""
        docked = sum(hut.docked == seat and hut.shore == area for huts in self.huts for hut in huts)
        return len(self.huts_on(seat, area)) + self.canoes[seat].count(area) + docked

    def is_inhabited(self, island: Island) -> bool:
        """Whether there is a hut on that island."""
        shores = SHORES_OF[ISLAND_INDEX[island]]
        return any(hut.shore in shores for huts in self.huts for hut in huts)

    def area_of(self, seat: int, canoe: Mooring) -> Area | None:
        """Where that canoe of that seat lies; None if the seat has none there."""
        for hut in self.docked(seat):
            if hut.id == canoe:
                return hut.shore
        return next((area for area in self.canoes[seat] if area == canoe), None)

    def moorings(self, seat: int) -> list[Mooring]:
        """Every canoe of that seat, as `area_of` reads it; undocked ones in the same area once."""
        return [*sorted(set(self.canoes[seat])), *(hut.id for hut in self.docked(seat))]

    def totem(self, shore: Shore) -> Totem | None:
        """The totem on that shore, if there is one."""
        for totem in self.totems:
            if totem.shore == shore:
                return totem
        return None

    def controls(self, seat: int, totem: Totem) -> bool:
        """Whether that seat may tax and extend `totem` (FV-R13, FV-R21)."""
        owners = [other for other in range(len(self.huts)) if self.has_hut_on(other, totem.shore)]
        if not totem.is_standing or not owners:
            return False
        if self.options.team_shared_control == "all":
            return all(self.side(owner) == self.side(seat) for owner in owners)
        return owners == [seat]

    def borders(self, area: Area | Tile) -> frozenset[Tile]:
        """The tiles that share an edge with a tile, or with that of an area."""
        return neighbours(self.tiles, self.coordinates)[TILE_OF[area]]


@lru_cache(maxsize=1024)
def neighbours(tiles: tuple[Tile, ...], coordinates: tuple[tuple[int, int], ...]) -> dict[Tile, frozenset[Tile]]:
    """The tiles that share an edge with each tile, whether or not they were joined in the laying."""
    at = dict(zip(coordinates, tiles, strict=True))
    return {
        tile: frozenset(at[near] for dq, dr in DIRECTIONS if (near := (q + dq, r + dr)) in at)
        for tile, (q, r) in zip(tiles, coordinates, strict=True)
    }


def pay(state: ForeverState, seat: int, cost: Goods) -> ForeverState:
    """`cost` from that seat's hand to the piles; all that there is, where a table paid too little."""
    cost = cost.up_to(state.hands[seat])
    hands = with_entry(state.hands, seat, state.hands[seat] - cost)
    return replace(state, hands=hands, piles=state.piles + cost)


def gain(state: ForeverState, seat: int, goods: Goods) -> ForeverState:
    """`goods` from the piles to that seat's hand."""
    hands = with_entry(state.hands, seat, state.hands[seat] + goods)
    return replace(state, hands=hands, piles=state.piles - goods)


def build_hut(state: ForeverState, seat: int, shore: Shore) -> ForeverState:
    """A new hut on `shore`, with the lowest number that is free."""
    own = state.huts[seat]
    standing = {hut.id for hut in own}
    id_ = needed_at([id_ for id_ in HUTS_OF[seat] if id_ not in standing], 0)
    huts = sorted((*own, Hut(id_, shore, state.turn)), key=lambda hut: hut.id)
    return replace(state, huts=with_entry(state.huts, seat, tuple(huts)))


def with_hut(state: ForeverState, hut: Hut) -> ForeverState:
    """The hut of that id as it is now."""
    seat = OWNER[hut.id]
    huts = tuple(hut if other.id == hut.id else other for other in state.huts[seat])
    return replace(state, huts=with_entry(state.huts, seat, huts))


def remove_hut(state: ForeverState, hut: Hut) -> ForeverState:
    """Take a hut from the board; a canoe docked in it lies undocked on its shore then (FV-R29)."""
    seat = OWNER[hut.id]
    if hut.docked is not None:
        state = launch(state, hut.docked, hut.shore)
    huts = tuple(other for other in state.huts[seat] if other.id != hut.id)
    return replace(state, huts=with_entry(state.huts, seat, huts))


def launch(state: ForeverState, seat: int, area: Area) -> ForeverState:
    """One more undocked canoe of that seat in `area`."""
    canoes = tuple(sorted((*state.canoes[seat], area)))
    return replace(state, canoes=with_entry(state.canoes, seat, canoes))


def remove_canoe(state: ForeverState, seat: int, canoe: Mooring) -> ForeverState:
    """Take that canoe of that seat from the board; where it is not there that is `Unclear`."""
    own = state.canoes[seat]
    for at, area in enumerate(own):
        if area == canoe:
            return replace(state, canoes=with_entry(state.canoes, seat, own[:at] + own[at + 1 :]))
    hut = needed(next((hut for hut in state.docked(seat) if hut.id == canoe), None))
    return with_hut(state, replace(hut, docked=None))
