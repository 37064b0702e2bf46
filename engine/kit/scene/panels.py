"""Panels that the renderer places beside or below the planes: players, piles, meters, counters."""

from __future__ import annotations

import msgspec

from engine.core.language import say
from engine.kit.scene.looks import Colour, Form, Ground, Pattern, Symbol
from engine.kit.scene.planes import Piece, Plane
from engine.kit.vignette import Tint


class _Labelled(msgspec.Struct, frozen=True, gc=False):
    """A part of a panel."""

    id: str
    label: str


class _Titled(msgspec.Struct, frozen=True, gc=False):
    """A panel with a heading."""

    id: str
    title: str


class Card(_Labelled, frozen=True, gc=False, kw_only=True):
    """A card, or anything counted like a card: in a hand, on a shelf, in a pile."""

    count: int = 1
    symbol: Symbol | None = None
    ground: Ground = "paper"
    tint: Tint | None = None
    """The colour behind or of the symbol if it is drawn without the card, as in a hand or on a button."""
    is_any_time: bool = False
    """True if the card can be played at any time."""
    is_faint: bool = False
    """True if the card is missing: its empty place is drawn."""
    place: str | None = None
    title: str = ""


class Gauge(_Labelled, frozen=True, gc=False, kw_only=True):
    """A small number: water 3 of 4, crew 12, hogs 2. With a maximum of at most ten, it is drawn as boxes."""

    value: int
    of: int | None = None
    """The maximum, if there is one."""
    symbol: Symbol | None = None
    boxes: str = ""
    """One character per box, if boxes differ: `#` filled, `.` open, `*` open with a star, `x` cannot be filled."""
    is_grave: bool = False
    """True if the players are about to lose the game because of this number."""
    note: str = ""
    """A short note."""


class PlayerMat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The mat of a player."""

    id: str
    seat: str
    """The seat's id (p1, p2, …), which is also the `place` of the mat."""
    name: str
    initials: str
    """The initials on the pawn (see `engine.kit.default_scene.initials`)."""
    colour: Colour
    form: Form
    role: str = ""
    is_active: bool = False
    """True if it is this player's turn."""
    is_awaited: bool = False
    """True if the game waits for this player."""
    is_out: bool = False
    cards: tuple[Card, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    actions: tuple[int, int] | None = None
    """Actions left in this turn, and their total. `engine.kit.scenes.changes` ignores this member."""
    note: str = ""
    """Another note, such as the rest of the turn. `engine.kit.scenes.changes` ignores this member."""
    empty: str = msgspec.field(default_factory=lambda: say("No cards"))
    """Text if there are no cards; empty: no text."""


class Level(msgspec.Struct, frozen=True, gc=False):
    """A tick of a meter."""

    label: str = ""
    """Text of the tick, such as the number of cards drawn there."""
    note: str = ""
    """Text beside the tick, such as 'Novice'."""
    symbol: Symbol | None = None
    """Symbol instead of the label, such as the skull."""


class Meter(_Titled, frozen=True, gc=False, kw_only=True):
    """A scale with a marker on one of its ticks."""

    levels: tuple[Level, ...]
    """The ticks, from first to last."""
    at: int
    """Index of the marker's tick in `levels`."""
    reading: str = ""
    """The current value in words, such as '3 Flood cards a turn'."""
    symbol: Symbol | None = None


class Spot(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A place for things that players move with taps on a page. The picture shows it, too."""

    id: str
    """The id of the place in the params of actions."""
    title: str
    seat: str | None = None
    """The owner; None if the place belongs to the table."""
    is_drawn: bool = False
    """True if the place is a tile on a plane."""
    cards: tuple[Card, ...] = ()
    """The components at the place. Those without a `place` are face down."""


class Dial(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A meter that players set by taps on a page."""

    id: str
    """The id of the meter in the params of actions."""
    title: str
    value: int | str
    seat: str | None = None
    """The owner; None if the meter belongs to the table."""


class CardStack(_Titled, frozen=True, gc=False, kw_only=True):
    """A pile of cards: the number of face-down cards, the known cards among them, and the discard pile."""

    count: int
    left: tuple[Card, ...] = ()
    """The face-down cards, each kind once."""
    discarded: int | None = None
    """Number of cards in the discard pile; None: there is no such pile."""
    discard: tuple[Card, ...] = ()
    """The discarded cards, each kind once."""
    top: str = ""
    """The card on top of the discard pile."""
    notes: tuple[str, ...] = ()
    """Other known facts, a paragraph each, such as the order of known cards."""


class Shelf(_Titled, frozen=True, gc=False, kw_only=True):
    """Things side by side under a heading, such as captured and missing treasures, or tokens in the box."""

    cards: tuple[Card, ...]


class Counters(_Titled, frozen=True, gc=False, kw_only=True):
    """Numbers under a heading."""

    gauges: tuple[Gauge, ...]
    is_vital: bool = False
    """True if the panel stays visible on a page, as a meter does."""


class Step(_Labelled, frozen=True, gc=False, kw_only=True):
    """A place of a track, and the pieces on that place. The member `on` of these pieces is ignored."""

    pieces: tuple[Piece, ...] = ()
    place: str | None = None


class Track(_Titled, frozen=True, gc=False, kw_only=True):
    """Places in a row: the infamy track, a countdown, the steps of a round."""

    steps: tuple[Step, ...]
    at: int | None = None
    """The index of the current step, if there is one."""


class Table(_Titled, frozen=True, gc=False, kw_only=True):
    """Rows and columns of short texts; the first column is the widest."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Note(_Titled, frozen=True, gc=False, kw_only=True):
    """A paragraph under a heading."""

    text: str


class Passage(msgspec.Struct, frozen=True, gc=False):
    """The prose that the players read now."""

    id: str
    title: str
    text: str


class Charts(_Titled, frozen=True, gc=False, kw_only=True):
    """Small planes side by side, each under its title, such as drawings on players' sheets."""

    planes: tuple[Plane, ...]


class Sign(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of the legend: a colour, pattern or symbol, and its meaning."""

    text: str
    ground: Ground | None = None
    pattern: Pattern = ""
    is_gone: bool = False
    symbol: Symbol | None = None


class Legend(_Titled, frozen=True, gc=False, kw_only=True):
    """Legend for signs that are not self-explanatory."""

    signs: tuple[Sign, ...]


Panel = PlayerMat | Meter | CardStack | Shelf | Counters | Track | Table | Note | Charts | Legend
"""A panel, placed by the renderer."""
