"""The contents of the box (rulebook: Components), as lists that you can compare with the box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from engine.core.language import marked, plural, say
from engine.core.values import SEAT_IDS

Resource = Literal["hog", "log", "frog"]
Terrain = Literal["hog", "log", "frog", "volcano"]
Island = Literal["hog_1", "hog_2", "log_1", "log_2", "frog_1", "frog_2"]
"""The two islands of a kind are numbered in the order of placing."""
Tile = Literal[Island, "volcano"]
Shore = Literal[
    "hog_1_a", "hog_1_b", "hog_2_a", "hog_2_b",
    "log_1_a", "log_1_b", "log_2_a", "log_2_b",
    "frog_1_a", "frog_1_b", "frog_2_a", "frog_2_b",
]  # fmt: skip  # a line for each kind of island
Area = Literal[Shore, "volcano"]
"""A place for a canoe: a shore, or the volcano tile, which has no shores."""
HutId = Literal[
    "p1_hut_1", "p1_hut_2", "p1_hut_3", "p1_hut_4", "p1_hut_5", "p1_hut_6", "p1_hut_7", "p1_hut_8",
    "p2_hut_1", "p2_hut_2", "p2_hut_3", "p2_hut_4", "p2_hut_5", "p2_hut_6", "p2_hut_7", "p2_hut_8",
    "p3_hut_1", "p3_hut_2", "p3_hut_3", "p3_hut_4", "p3_hut_5", "p3_hut_6", "p3_hut_7", "p3_hut_8",
    "p4_hut_1", "p4_hut_2", "p4_hut_3", "p4_hut_4", "p4_hut_5", "p4_hut_6", "p4_hut_7", "p4_hut_8",
    "p5_hut_1", "p5_hut_2", "p5_hut_3", "p5_hut_4", "p5_hut_5", "p5_hut_6", "p5_hut_7", "p5_hut_8",
    "p6_hut_1", "p6_hut_2", "p6_hut_3", "p6_hut_4", "p6_hut_5", "p6_hut_6", "p6_hut_7", "p6_hut_8",
]  # fmt: skip  # a line for each colour
"""The id of a hut: the seat and a number. A hut keeps its number; a new one gets the lowest free number."""
Mooring = Literal[Area, HutId]
"""Identifies a player's canoe: an undocked canoe by its area, a docked canoe by its hut."""

RESOURCES: tuple[Resource, ...] = get_args(Resource)
ISLANDS: tuple[Island, ...] = get_args(Island)
TILES: tuple[Tile, ...] = get_args(Tile)
SHORES: tuple[Shore, ...] = get_args(Shore)
AREAS: tuple[Area, ...] = get_args(Area)
HUT_IDS: tuple[HutId, ...] = get_args(HutId)
VOLCANO: Literal["volcano"] = "volcano"

TERRAINS: tuple[Terrain, ...] = ("hog", "hog", "log", "log", "frog", "frog", "volcano")
"""The terrains of the seven tiles."""

HUTS = 8
"""Number of huts of each colour, which is also the maximum on the board."""
CANOES = 10
"""Number of canoes of each colour, which is also the maximum on the board."""
TOTEMS = 5
EXTENSIONS = 5
"""Number of totem tokens. They mark the totems' shores in the setup, and extend totems later."""
SPEARS = 7
TOKENS = 29
"""Number of tokens of each resource."""
REGIONS = 6
"""Maximum fertility of each island."""
START_FERTILITY = (5, 4, 3)
"""Initial fertility of an island with no, one or two totems."""
COUNTDOWN = 3
"""Start position of the volcano token: the number of sixes until an eruption."""
DIE = (1, 2, 3, 4, 5, 6)
TOTEMS_TO_WIN = 3

TILE_OF: dict[Area | Tile, Tile] = {
    **{area: tile for area in AREAS for tile in TILES if area.startswith(tile)},
    **{tile: tile for tile in TILES},
}
"""The tile of each area."""
ISLAND_INDEX: dict[str, int] = {
    name: index for index, island in enumerate(ISLANDS) for name in (island, f"{island}_a", f"{island}_b")
}
"""For each island and each shore, the index of the island in `ISLANDS`."""
ISLAND_OF: dict[str, Island] = {place: ISLANDS[index] for place, index in ISLAND_INDEX.items()}
"""The island of each island and shore."""
RESOURCE_OF: tuple[Resource, ...] = ("hog", "hog", "log", "log", "frog", "frog")
"""The resource of each of `ISLANDS`."""
SHORES_OF: tuple[tuple[Shore, Shore], ...] = tuple((SHORES[at], SHORES[at + 1]) for at in range(0, len(SHORES), 2))
"""The two shores of each of `ISLANDS`."""
OWNER: dict[str, int] = {hut: SEAT_IDS.index(hut[:2]) for hut in HUT_IDS}
"""The seat that owns each hut."""
HUTS_OF: tuple[tuple[HutId, ...], ...] = tuple(HUT_IDS[at : at + HUTS] for at in range(0, len(HUT_IDS), HUTS))
"""The huts of each seat."""

DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six sides of a hexagon as steps in axial coordinates, clockwise."""

Count = Annotated[int, Meta(ge=0, le=TOKENS)]


class Goods(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Numbers of resource tokens: a hand, a price, one side of a trade, or the three piles."""

    hog: Annotated[Count, Meta(title="Hogs")] = 0
    log: Annotated[Count, Meta(title="Logs")] = 0
    frog: Annotated[Count, Meta(title="Frogs")] = 0

    def __add__(self, other: Goods) -> Goods:
        return Goods(self.hog + other.hog, self.log + other.log, self.frog + other.frog)

    def __sub__(self, other: Goods) -> Goods:
        return Goods(self.hog - other.hog, self.log - other.log, self.frog - other.frog)

    def __ge__(self, other: Goods) -> bool:
        """Return True if there are at least as many resources of each kind as in `other`."""
        return self.hog >= other.hog and self.log >= other.log and self.frog >= other.frog

    def up_to(self, most: Goods) -> Goods:
        """Return these resources, limited to `most` of each kind."""
        return Goods(min(self.hog, most.hog), min(self.log, most.log), min(self.frog, most.frog))

    def of(self, resource: Resource) -> int:
        """Return the number of tokens of the kind `resource`."""
        count: int = getattr(self, resource)
        return count

    def __str__(self) -> str:
        """Return the goods in words: '2 hogs and 1 log'."""
        told = [f"{count} {resource_noun(kind, count)}" for kind in RESOURCES if (count := self.of(kind))]
        return say(" and ").join(told) or say("nothing")


NOTHING = Goods()
ONE: dict[Resource, Goods] = {"hog": Goods(hog=1), "log": Goods(log=1), "frog": Goods(frog=1)}
OPENING_HAND = Goods(1, 1, 1)
CARVE_COST = Goods(log=1)
SETTLE_COST = Goods(hog=1, frog=1)
ERECT_COST = Goods(hog=5)
TRAVEL_COST = Goods(frog=1)
EXTEND_COST = Goods(3, 3, 3)


def on_islands(fertility: Sequence[int], kind: Resource) -> int:
    """Return the number of resources of a kind on islands with the given fertility."""
    return sum(count for count, resource in zip(fertility, RESOURCE_OF, strict=True) if resource == kind)


def printed_name(place: str) -> str:
    """Return the translated name of a place or a hut: 'Hog Island 1, shore A', 'hut 2'."""
    if place == VOLCANO:
        return say("the Volcano")
    if place.startswith("hut_"):
        return say("hut {number}", number=place.removeprefix("hut_"))
    kind, number, *shore = place.split("_")
    island = f"{say(ISLAND_NAMES[kind])} {number}"
    return say("{island}, shore {letter}", island=island, letter=shore[0].upper()) if shore else island


def resource_noun(resource: Resource, count: int = 1) -> str:
    """Return the noun for a number of tokens: 'hog', 'hogs'."""
    match resource:
        case "hog":
            return plural(count, "hog", "hogs")
        case "log":
            return plural(count, "log", "logs")
        case _:
            return plural(count, "frog", "frogs")


def join_words(words: Sequence[str]) -> str:
    """Join words as in '1, 2 and 4'."""
    *others, last = words
    return say(" and ").join((", ".join(others), last)) if others else last


ISLAND_NAMES = {"hog": marked("Hog Island"), "log": marked("Log Island"), "frog": marked("Frog Island")}


WORDS: dict[str, str] = {
    "hog": marked("hogs"),
    "frog": marked("frogs"),
    "log": marked("logs"),
    "none": marked("no totem"),
    "standing": marked("a totem that stands"),
    "fallen": marked("a totem that has fallen"),
    "not_built": marked("not built yet"),
}
"""Names of things other than places."""


_PLACES = frozenset((*AREAS, *TILES))


def word(value: str) -> str:
    """Return the translated name of a place; return other values unchanged."""
    return printed_name(value) if value in _PLACES else value


PHASES = {
    "placement": "placing huts and canoes",
    "weather": "rolling for the weather",
    "actions": "taking actions",
    "exchange": "answering an exchange",
    "double_up": "answering a doubling up",
    "throw": "taking spears into a fist",
    "guess": "guessing the spears",
    "open_fist": "opening the fist",
    "losses": "choosing the lost pieces",
}
"""The text for each phase."""


def components() -> dict[str, object]:
    """Return the contents of the box as a JSON document."""
    return {
        "tiles": [{"terrain": terrain, "count": TERRAINS.count(terrain)} for terrain in dict.fromkeys(TERRAINS)],
        "huts_per_player": HUTS,
        "canoes_per_player": CANOES,
        "totems": TOTEMS,
        "totem_tokens": EXTENSIONS,
        "spear_tokens": SPEARS,
        "resource_tokens": dict.fromkeys(RESOURCES, TOKENS),
        "volcano_tokens": 1,
        "dice": 1,
        "shores": list(SHORES),
        "regions_per_island": REGIONS,
        "costs": msgspec.to_builtins(
            {
                "carve": CARVE_COST,
                "settle": SETTLE_COST,
                "erect": ERECT_COST,
                "travel": TRAVEL_COST,
                "extend": EXTEND_COST,
            }
        ),
    }
