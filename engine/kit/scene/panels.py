"""What the renderer finds a place for by itself, beside or below the planes: players, piles, meters, counters."""

from __future__ import annotations

import msgspec

from engine.core.language import say
from engine.kit.scene.looks import Colour, Form, Ground, Pattern, Symbol
from engine.kit.scene.planes import Piece, Plane
from engine.kit.vignette import Tint


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
