"""The state of the table, and queries on it."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from engine.core.values import State
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Area, Goods, HutId, Island, Mooring, Shore, Tile
from engine.kit.effects import needed, needed_at
from engine.kit.entries import with_entry, without
from engine.kit.options import Options, option, ruling

replace = msgspec.structs.replace


class ForeverOptions(Options, frozen=True, kw_only=True):
    """Options of a game: teams, and rulings on open questions (FV-R…, see RULINGS.md)."""

    teams: Annotated[
        Literal[0, 2, 3],
        option(
            "Teams",
            "Teams sit alternately around the table: two teams with 4 or 6 players, three with 6.",
            {0: "Every player for themselves", 2: "Two teams", 3: "Three teams"},
        ),
    ] = 0
    connect_side: Annotated[
        Literal[1, 2, 3, 4, 5, 6],
        ruling(
            "Which number on the back of a tile is also marked 'Connect'?", {side: str(side) for side in range(1, 7)}
        ),
    ] = 6
    volcano_raids: Annotated[bool, ruling("Can canoes on the volcano raid one another?")] = False
    harvest_per_hut_per_turn: Annotated[
        Literal[1, "unlimited"],
        ruling("How often can a hut harvest in a turn?", {1: "Once", "unlimited": "As often as you have actions left"}),
    ] = 1
    erect_requires_hut: Annotated[bool, ruling("Do you need a hut there to erect a totem?")] = False
    raid_min_throw: Annotated[Literal[0, 1], ruling("The fewest spears in a raider's fist", {0: "None", 1: "One"})] = 1
    team_shared_control: Annotated[
        Literal["victory_only", "all"],
        ruling(
            "How can a team use a totem that it controls together?",
            {"victory_only": "For winning only", "all": "Each member may tax and extend it, too"},
        ),
    ] = "victory_only"


class Hut(msgspec.Struct, frozen=True, gc=False):
    """A hut on the board."""

    id: HutId
    shore: Shore
    built: int
    """The turn in which the hut was built; 0 for the initial placement."""
    harvested: int = 0
    """The last turn in which the hut harvested; 0 if it never has."""
    docked: int | None = None
    """The seat whose canoe is docked in the hut, or None."""


class Totem(msgspec.Struct, frozen=True, gc=False):
    """A totem on its shore, which it never leaves."""

    shore: Shore
    is_standing: bool = False
    extensions: int = 0
    taxed: int = 0
    """Number of taxes collected for the totem this turn."""


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """An exchange that the active player offers."""

    partner: int
    give: Goods
    """Goods from the active player to the partner."""
    take: Goods
    """Goods from the partner to the active player."""


class Raid(msgspec.Struct, frozen=True, gc=False):
    """The current raid; the raider is the active player."""

    defender: int
    area: Area
    spears: int | None = None
    """Number of spears in the fist, which is secret until the guess. None: not yet thrown, or not yet entered."""
    salt: str = ""
    """Random text, secret while `spears` is secret. It keeps the digest of the state from revealing the number."""
    guess: int | None = None
    loser: int | None = None
    """The seat that must choose its losses; None until the loser is known."""
    losses: int = 0
    """Number of pieces that the loser must give up."""


class ForeverState(State, frozen=True, kw_only=True):
    """A game of Forever Island.

    `phase` is `placement` (turn 0), `weather`, `actions`, `double_up`, `exchange`, `throw`, `guess`, `open_fist` or
    `losses`.
    """

    options: ForeverOptions
    is_observed: bool = False
    """True if a recorder follows a real table, where a throw can be entered after the guess."""
    tiles: tuple[Tile, ...]
    """The tiles, in the order of placing."""
    coordinates: tuple[tuple[int, int], ...]
    """The axial coordinates (q, r) of each of `tiles`."""
    fertility: tuple[int, ...]
    """Fertility of each of `ISLANDS`, 0 to 6."""
    piles: Goods
    """Resources in the supply: all that are neither on an island nor in a hand."""
    hands: tuple[Goods, ...]
    """The resources of each seat."""
    huts: tuple[tuple[Hut, ...], ...]
    """The huts of each seat, by number."""
    canoes: tuple[tuple[Area, ...], ...]
    """The areas of each seat's undocked canoes, sorted."""
    totems: tuple[Totem, ...]
    """All five totems, in the order of `SHORES`."""
    has_erected: bool = False
    """True if a totem has ever been erected; from then on, raids are allowed."""
    volcano: int
    """Position of the volcano token, 3 to 1."""
    first: int
    """The seat that placed a hut first."""
    active: int
    """The seat whose turn it is."""
    eliminated: tuple[int, ...] = ()
    """The eliminated seats, in order."""
    doubled: tuple[Island, ...] = ()
    """The islands used to double up this turn."""
    raided: tuple[tuple[int, Area], ...] = ()
    """The raids declared this turn: the defender's seat, and the area."""
    double_up: HutId | None = None
    """The hut whose owner must answer an offer to double up, or None."""
    exchange: Exchange | None = None
    raid: Raid | None = None

    def side(self, seat: int) -> int:
        """Return the seat's team number; without teams, the seat itself. Team-mates never sit side by side."""
        return seat % self.options.teams if self.options.teams else seat

    def alive(self) -> list[int]:
        """Return the seats that are not eliminated."""
        return [seat for seat in range(len(self.hands)) if seat not in self.eliminated]

    def awaited_seats(self) -> tuple[int, ...]:
        """Return the seats that the game is waiting for; empty once the game has ended."""
        if self.double_up is not None:
            return (box.OWNER[self.double_up],)
        if self.exchange is not None:
            return (self.exchange.partner,)
        raid = self.raid
        if raid is None or self.phase == "open_fist":
            return (self.active,)
        if self.phase == "throw":
            return tuple(sorted({self.active, raid.defender})) if self.is_observed else (self.active,)
        return (raid.defender if raid.loser is None else raid.loser,)

    def hut(self, id_: HutId) -> Hut | None:
        """Return the hut with that id; None if it is not on the board."""
        seat = box.OWNER[id_]
        huts = self.huts[seat] if seat < len(self.huts) else ()
        return next((hut for hut in huts if hut.id == id_), None)

    def every_hut(self) -> list[Hut]:
        """Return all huts on the board, by seat and number."""
        return [hut for huts in self.huts for hut in huts]

    def huts_on(self, seat: int, area: Area) -> list[Hut]:
        """Return the seat's huts on a shore."""
        return [hut for hut in self.huts[seat] if hut.shore == area]

    def has_hut_on(self, seat: int, area: Area) -> bool:
        """Return True if `seat` has a hut on a shore."""
        return any(hut.shore == area for hut in self.huts[seat])

    def docked_huts(self, seat: int) -> list[Hut]:
        """Return the huts of any player in which the seat's canoes are docked."""
        return [hut for huts in self.huts for hut in huts if hut.docked == seat]

    def canoe_count(self, seat: int) -> int:
        """Return the number of the seat's canoes on the board, docked or not."""
        return len(self.canoes[seat]) + len(self.docked_huts(seat))

    def pieces_in(self, seat: int, area: Area) -> int:
        """Return the number of the seat's huts and canoes in an area, including docked canoes."""
        docked = sum(hut.docked == seat and hut.shore == area for huts in self.huts for hut in huts)
        return len(self.huts_on(seat, area)) + self.canoes[seat].count(area) + docked

    def is_inhabited(self, island: Island) -> bool:
        """Return True if there is a hut on the island."""
        shores = box.SHORES_OF[box.ISLAND_INDEX[island]]
        return any(hut.shore in shores for huts in self.huts for hut in huts)

    def area_of(self, seat: int, canoe: Mooring) -> Area | None:
        """Return the area of a canoe; None if the seat has no such canoe."""
        undocked = next((area for area in self.canoes[seat] if area == canoe), None)
        return undocked or next((hut.shore for hut in self.docked_huts(seat) if hut.id == canoe), None)

    def moorings(self, seat: int) -> list[Mooring]:
        """Return the seat's canoes as arguments for `area_of`. Undocked canoes in the same area are listed once."""
        return [*sorted(set(self.canoes[seat])), *(hut.id for hut in self.docked_huts(seat))]

    def totem(self, shore: Shore) -> Totem | None:
        """Return the totem on a shore, or None."""
        return next((totem for totem in self.totems if totem.shore == shore), None)

    @property
    def standing_totems(self) -> int:
        """The number of standing totems."""
        return sum(totem.is_standing for totem in self.totems)

    def controls(self, seat: int, totem: Totem) -> bool:
        """Return True if `seat` can tax and extend `totem` (FV-R13, FV-R21)."""
        owners = [other for other in range(len(self.huts)) if self.has_hut_on(other, totem.shore)]
        if not totem.is_standing or not owners:
            return False
        if self.options.team_shared_control == "all":
            return all(self.side(owner) == self.side(seat) for owner in owners)
        return owners == [seat]

    def borders(self, area: Area | Tile) -> frozenset[Tile]:
        """Return the tiles adjacent to a tile, or to the tile of an area."""
        return neighbours(self.tiles, self.coordinates)[box.TILE_OF[area]]

    def with_hand(self, seat: int, hand: Goods) -> ForeverState:
        """Return the state in which `seat` has the resources `hand`."""
        return replace(self, hands=with_entry(self.hands, seat, hand))

    def pay(self, seat: int, cost: Goods) -> ForeverState:
        """Return the state with `cost`, or as much of it as the seat's hand has, moved to the piles."""
        cost = cost.up_to(self.hands[seat])
        return replace(self, hands=with_entry(self.hands, seat, self.hands[seat] - cost), piles=self.piles + cost)

    def gain(self, seat: int, goods: Goods) -> ForeverState:
        """Return the state with `goods` moved from the piles to the seat's hand."""
        return replace(self, hands=with_entry(self.hands, seat, self.hands[seat] + goods), piles=self.piles - goods)

    def build_hut(self, seat: int, shore: Shore) -> ForeverState:
        """Return the state with another hut of `seat` on `shore`. The hut gets the lowest free number."""
        standing = {hut.id for hut in self.huts[seat]}
        id_ = needed_at([id_ for id_ in box.HUTS_OF[seat] if id_ not in standing], 0)
        return self.with_hut(Hut(id_, shore, self.turn))

    def with_hut(self, hut: Hut) -> ForeverState:
        """Return the state with `hut`, which replaces a hut with the same id."""
        seat = box.OWNER[hut.id]
        huts = {other.id: other for other in self.huts[seat]} | {hut.id: hut}
        return replace(self, huts=with_entry(self.huts, seat, tuple(huts[id_] for id_ in sorted(huts))))

    def with_totem(self, totem: Totem) -> ForeverState:
        """Return the state with `totem` in place of the totem on the same shore."""
        return replace(self, totems=tuple(totem if other.shore == totem.shore else other for other in self.totems))

    def remove_hut(self, hut: Hut) -> ForeverState:
        """Return the state without a hut. A canoe docked in it stays undocked on the shore (FV-R29)."""
        seat = box.OWNER[hut.id]
        huts = tuple(other for other in self.huts[seat] if other.id != hut.id)
        after = replace(self, huts=with_entry(self.huts, seat, huts))
        return after if hut.docked is None else after.launch(hut.docked, hut.shore)

    def launch(self, seat: int, area: Area) -> ForeverState:
        """Return the state with another undocked canoe of `seat` in `area`."""
        canoes = tuple(sorted((*self.canoes[seat], area)))
        return replace(self, canoes=with_entry(self.canoes, seat, canoes))

    def remove_canoe(self, seat: int, canoe: Mooring) -> ForeverState:
        """Return the state without a canoe of `seat`. Raises `Unclear` if there is no such canoe."""
        own: tuple[Mooring, ...] = self.canoes[seat]
        if canoe in own:
            return replace(self, canoes=with_entry(self.canoes, seat, without(own, canoe)))
        hut = needed(next((hut for hut in self.docked_huts(seat) if hut.id == canoe), None))
        return self.with_hut(replace(hut, docked=None))


@lru_cache(maxsize=1024)
def neighbours(tiles: tuple[Tile, ...], coordinates: tuple[tuple[int, int], ...]) -> dict[Tile, frozenset[Tile]]:
    """Return the adjacent tiles of each tile."""
    at = dict(zip(coordinates, tiles, strict=True))
    return {
        tile: frozenset(at[near] for dq, dr in box.DIRECTIONS if (near := (q + dq, r + dr)) in at)
        for tile, (q, r) in zip(tiles, coordinates, strict=True)
    }
