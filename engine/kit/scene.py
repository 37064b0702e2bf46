"""The picture's vocabulary: what lies on a table, said in a few words that a renderer draws.

A game says *what* is there, in `Ruleset.board`; package `drawing` says how it looks. A `Scene` has planes, on which
things have a position (a map, a grid of tiles, the page of a book), and panels, which the renderer lays out beside or
below the planes by itself (players, piles, meters, counters).

- Lengths on a plane are in units, one of them a tile's width; x grows to the right and y downwards; the position of a
  thing is its centre. `hexagon(q, r)` is the centre of an axial coordinate.
- Every element has an `id` that is its own in the scene and stays the same from event to event: what differs under
  the same id has changed (`changes`), and the picture rings it.
- `place` is the value by which the params of actions mean the element (a tile's id, a seat, a card): a page lights up
  the elements whose place is in the params of a legal action. No two tiles of a plane have the same place. Where a
  param is a number, or its values mean something else in another param, it is in the place by name: `number:3`; where
  several params mean the same, by all of their names: `to,space:b5`.
- Colour is never the only sign: a tile has a pattern beside its ground, a pawn a shape beside its colour.
- What is secret comes in masked: a scene holds nothing that its viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Literal

import msgspec

from engine.core.language import say
from engine.kit.vignette import Family, Metal, Tint, Vignette

Colour = Literal["black", "blue", "green", "orange", "pink", "purple", "red", "sky", "white", "yellow"]
"""Of a pawn or another piece of a player: colours that stay apart for the colour-blind."""

Form = Literal["circle", "square", "triangle", "diamond", "pentagon", "hexagon", "star", "shield", "drop", "cross"]
"""The outline of a pawn: the sign beside its colour."""

FORMS: dict[Colour, Form] = {
    "black": "circle",
    "blue": "square",
    "green": "triangle",
    "orange": "diamond",
    "pink": "cross",
    "purple": "hexagon",
    "red": "pentagon",
    "sky": "drop",
    "white": "shield",
    "yellow": "star",
}
"""The form that goes with each colour, in every game."""

Ground = Literal["land", "water", "sand", "stone", "forest", "meadow", "lava", "wood", "paper", "night"]
"""What a tile is made of, or a card is tinted with. `paper` is neutral, `night` is dark: a hole, a storm, fog."""

Pattern = Literal["", "hatch", "cross", "dots", "waves", "dunes"]
"""What is drawn over the ground, so that its meaning survives without colour."""

Symbol = Literal[
    "anchor", "arrow_down", "arrow_left", "arrow_right", "arrow_up", "barrel", "beast", "blast", "book", "cannon",
    "canoe", "card", "check", "chest", "clock", "column", "crew", "crown", "cross", "crystal", "cup", "die", "drop",
    "draw", "engine", "eye", "flag", "flame", "fog", "frog", "gear", "give", "heart", "helicopter", "hog", "hourglass",
    "hull", "hut", "island", "jet", "lock", "log", "moon", "mountain", "note", "pad", "pawn", "propeller",
    "question", "rock", "row",
    "sandbag", "sand", "shield", "shore", "ship", "skull", "spear", "star", "statue", "stone", "storm", "sun",
    "swim", "swords",
    "token", "totem", "tunnel", "volcano", "walk", "water", "well", "wheel", "wind",
]  # fmt: skip
"""A small drawing of a thing."""


class Badge(msgspec.Struct, frozen=True, gc=False):
    """A small sign on a tile: a symbol (or a pawn's form), a short text, or both."""

    symbol: Symbol | None = None
    text: str = ""
    title: str = ""
    """What it means, in words."""
    form: Form | None = None
    """A form in `colour` instead of a symbol."""
    colour: Colour | None = None
    tint: Tint | None = None
    """Of a sign that one looks for: where there is a vignette, only such badges are drawn over it."""
    pips: tuple[int, int] | None = None
    """A small number and its most, as so many dots: fertility 5 of 6."""


class Tile(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A space on a plane: a tile, a hex, a star, a line of a page."""

    id: str
    x: float
    y: float
    shape: Literal["square", "rectangle", "hexagon", "flat_hexagon", "circle", "polygon"] = "square"
    """`hexagon` stands on a point, `flat_hexagon` lies on a side. A rectangle is wider than high, and its pieces stand
    at its right."""
    width: float = 1.0
    height: float = 1.0
    """Of a square, circle or hexagon, `width` alone counts; of a polygon both say how much room its text has."""
    points: tuple[tuple[float, float], ...] = ()
    """Of a polygon: the convex outline, from the tile's centre, clockwise."""
    label: str = ""
    """Its name. It is written where there is room for it in letters that can be read, else two letters stand for it;
    where there is a vignette, that is the sign, and the name is in `title`."""
    vignette: Vignette = ()
    """What it shows. One for a polygon is 48 by 16, and fits where the polygon is that wide."""
    family: Family = "rocky"
    """The palette of the vignette."""
    metal: Metal = "wood"
    is_flooded: bool = False
    """Whether water stands on it."""
    heap: int = 0
    """How many markers of sand lie on it."""
    ground: Ground = "land"
    pattern: Pattern = ""
    state: str = ""
    """In a word or two, what the ground and the pattern say: 'flooded'."""
    is_gone: bool = False
    """Whether it is not there any more: only its outline is drawn, and its name is faint."""
    is_strong: bool = False
    """Whether it has a strong outline: it stands out from those around it."""
    badges: tuple[Badge, ...] = ()
    place: str | None = None
    title: str = ""
    """All of it in words; by default label and state."""


class Piece(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A thing that stands on a tile, or somewhere on the plane."""

    id: str
    on: str | None = None
    """The id of the tile on which it stands; the renderer finds it a spot beside the others there."""
    x: float = 0.0
    y: float = 0.0
    """Where it stands, if it is on no tile."""
    form: Form | None = None
    """A pawn: this outline in its colour, `text` inside."""
    symbol: Symbol | None = None
    """Anything else: this drawing, in `colour`; it has the outline of its form behind it if it has one."""
    colour: Colour | None = None
    text: str = ""
    """One or two characters: in a pawn, in a symbol that has a colour, beside any other symbol."""
    tint: Tint | None = None
    """It is a plinth with its symbol on it, and this is the colour of the symbol."""
    pips: tuple[int, int] | None = None
    """On a plinth: how many of how many."""
    is_done: bool = False
    """Whether what the plinth stands for is reached: it is filled."""
    rider: Colour | None = None
    """Of whose colour and form a smaller piece is in it, shown at its upper right: a canoe docked in a hut."""
    count: int = 1
    """How many of them stand there: shown from two on."""
    size: float = 1.0
    """How large, beside other pieces."""
    is_faint: bool = False
    """Whether it lies there spent, asleep or fallen."""
    is_active: bool = False
    """Whether it is the pawn whose turn it is."""
    seat: str | None = None
    """Whose it is: p1, p2, …"""
    place: str | None = None
    title: str = ""


class Path(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line over the plane: a link between stars, a tunnel, a border."""

    id: str
    points: tuple[tuple[float, float], ...]
    dash: Literal["", "dashed", "dotted"] = ""
    has_arrow: bool = False
    is_strong: bool = False
    title: str = ""


class Caption(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A text on the plane: a heading, the number of a row."""

    id: str
    x: float
    y: float
    text: str
    is_strong: bool = False


class Plane(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A part of the table where things have a position. They are drawn in this order: tiles, paths, pieces."""

    id: str
    width: float
    height: float
    """In units, from (0, 0)."""
    title: str = ""
    backdrop: Ground | None = "water"
    """What is under everything; None: nothing."""
    tiles: tuple[Tile, ...] = ()
    paths: tuple[Path, ...] = ()
    captions: tuple[Caption, ...] = ()
    pieces: tuple[Piece, ...] = ()


class Card(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A card, or anything that is counted like one: in a hand, on a shelf, in a pile."""

    id: str
    label: str
    count: int = 1
    symbol: Symbol | None = None
    ground: Ground = "paper"
    tint: Tint | None = None
    """Its colour where the symbol stands for it alone: in a hand, on a button."""
    is_any_time: bool = False
    """Whether it may be played at any time."""
    is_faint: bool = False
    """Whether it is not there (yet, or any more): an empty place for it."""
    place: str | None = None
    title: str = ""


class Gauge(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A small number: water 3 of 4, crew 12, hogs 2. With a maximum up to ten it is drawn as boxes, filled and not."""

    id: str
    label: str
    value: int
    of: int | None = None
    """The most that it can be."""
    symbol: Symbol | None = None
    boxes: str = ""
    """One character a box, where boxes differ: `#` filled, `.` open, `*` open with a star, `x` cannot be filled."""
    is_grave: bool = False
    """Whether it is about to lose the game."""
    note: str = ""
    """What is said of it besides, in a few words."""


class PlayerMat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies before a player."""

    id: str
    seat: str
    """p1, p2, …; it is its place too."""
    name: str
    initials: str
    """As they stand on the pawn (see `engine.kit.default_scene.initials`)."""
    colour: Colour
    form: Form
    role: str = ""
    is_active: bool = False
    """Whether it is this player's turn."""
    is_awaited: bool = False
    """Whether the game waits for this player."""
    is_out: bool = False
    cards: tuple[Card, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    actions: tuple[int, int] | None = None
    """How many actions of this turn are left, of how many; that it differs is not a change."""
    note: str = ""
    """What may be said besides, such as what is left of the turn; that it differs is not a change."""
    empty: str = msgspec.field(default_factory=lambda: say("No cards"))
    """What is said where there are no cards; empty: nothing."""


class Level(msgspec.Struct, frozen=True, gc=False):
    """A tick of a meter."""

    label: str = ""
    """What the tick says: how many cards are drawn there."""
    note: str = ""
    """What stands beside it: 'Novice'."""
    symbol: Symbol | None = None
    """In place of a label: the skull."""


class Meter(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A scale with a marker on one of its ticks."""

    id: str
    title: str
    levels: tuple[Level, ...]
    """From the first tick to the last."""
    at: int
    """The place in `levels` of the marker, from 0."""
    reading: str = ""
    """What it says now, in words: '3 Flood cards a turn'."""
    symbol: Symbol | None = None


class CardStack(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A pile of cards: how many lie face down, what is among them as far as it is known, and what was discarded."""

    id: str
    title: str
    count: int
    left: tuple[Card, ...] = ()
    """What is among the cards face down, each kind once."""
    discarded: int | None = None
    """How many lie in the discard pile; None: there is none."""
    discard: tuple[Card, ...] = ()
    """What lies there, each kind once."""
    top: str = ""
    """The card on top of the discard pile."""
    notes: tuple[str, ...] = ()
    """What is known besides, a paragraph each: which cards come before which."""


class Shelf(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Things side by side under a heading: treasures captured and not, tokens in the box."""

    id: str
    title: str
    cards: tuple[Card, ...]


class Counters(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Numbers under a heading."""

    id: str
    title: str
    gauges: tuple[Gauge, ...]
    is_vital: bool = False
    """Whether a table has them in sight all the time, as it has a meter."""


class Step(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A place of a track, and the pieces on it (their `on` is not read)."""

    id: str
    label: str
    pieces: tuple[Piece, ...] = ()
    place: str | None = None


class Track(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Places in a row: an order of infamy, a countdown, the steps of a round."""

    id: str
    title: str
    steps: tuple[Step, ...]
    at: int | None = None
    """The place in `steps` that is now, if one is."""


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Rows and columns of short texts; the first column is the widest."""

    id: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Note(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A paragraph under a heading."""

    id: str
    title: str
    text: str


class Charts(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Small planes side by side, each under its title: what each player draws on a sheet."""

    id: str
    title: str
    planes: tuple[Plane, ...]


class Sign(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of a legend: what a look means."""

    text: str
    ground: Ground | None = None
    pattern: Pattern = ""
    is_gone: bool = False
    symbol: Symbol | None = None


class Legend(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What the looks mean that do not explain themselves."""

    id: str
    title: str
    signs: tuple[Sign, ...]


Panel = PlayerMat | Meter | CardStack | Shelf | Counters | Track | Table | Note | Charts | Legend
"""What the renderer finds a place for by itself."""

Element = Tile | Path | Caption | Piece | Card | Gauge | Step | Panel
"""What has an id."""


class Scene(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table, as one picture."""

    title: str
    """The game's name."""
    subtitle: str = ""
    """Where the game stands: 'Turn 7 · Ann · 2 actions left'."""
    description: str
    """The table in words, for those who do not see the picture."""
    planes: tuple[Plane, ...] = ()
    panels: tuple[Panel, ...] = ()

    def elements(self) -> Iterator[Element]:
        """Everything in it that has an id, each with what is in it after it."""
        for plane in self.planes:
            yield from on_plane(plane)
        for panel in self.panels:
            yield panel
            yield from parts(panel)

    def places(self) -> list[str]:
        """The place of every element that has one, in the order of `elements`."""
        return [place for element in self.elements() if (place := place_of(element)) is not None]


def on_plane(plane: Plane) -> tuple[Element, ...]:
    """What has an id on a plane."""
    return (*plane.tiles, *plane.paths, *plane.captions, *plane.pieces)


def parts(panel: Panel) -> tuple[Element, ...]:
    """What has an id within a panel."""
    match panel:
        case PlayerMat():
            return (*panel.gauges, *panel.cards)
        case CardStack():
            return (*panel.left, *panel.discard)
        case Shelf():
            return panel.cards
        case Counters():
            return panel.gauges
        case Track():
            return (*panel.steps, *(piece for step in panel.steps for piece in step.pieces))
        case Charts():
            return tuple(element for plane in panel.planes for element in on_plane(plane))
        case _:
            return ()


def place_of(element: Element) -> str | None:
    """Its place, if it has one."""
    if isinstance(element, PlayerMat):
        return element.seat
    return element.place if isinstance(element, Tile | Piece | Card | Step) else None


def hexagon(q: int, r: int) -> tuple[float, float]:
    """The centre of the hexagon at the axial coordinate (q, r), of width 1 and standing on a point."""
    return q + r / 2, r * sqrt(3) / 2
