"""A box: the components of a game as a JSON document, without its rules.

In a box, an id has no player: `hand` means the hand of every player. Events name each of them: `p1_hand`, `p2_hand`, ….
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

LARGEST = 64 * 1024
"""Maximum size of a box in bytes, as compact JSON."""
MOST = 1_000_000
"""Largest value of a meter without bounds of its own."""

Id = Annotated[
    str, Meta(pattern=r"^(?!p[1-8]_)[a-z][a-z0-9_]{0,30}$", description="an id in snake case, such as `draw_pile`")
]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Number = Annotated[int, Meta(ge=-MOST, le=MOST)]
Count = Annotated[int, Meta(ge=1, le=500)]
Size = Annotated[int, Meta(ge=1, le=20)]
Cards = Annotated[str, Meta(min_length=1, max_length=30_000)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a box."""


class Grid(Part, frozen=True, kw_only=True):
    """A board of squares or hexagons, in columns A, B, … and rows 1, 2, …."""

    shape: Literal["square", "hex"]
    columns: Size
    rows: Size


class Place(Part, frozen=True, kw_only=True):
    """A place for things."""

    id: Id
    title: Name | None = None
    kind: Literal["open", "pile", "hand"] = "open"
    """`open`: everyone sees the things. `pile`: a shuffled face-down pile. `hand`: each player has one and hides it."""
    per_player: bool = False
    """True if each player has their own copy of the place."""
    spaces: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """The names of the spaces of the place, on which players put things."""
    grid: Grid | None = None


class Thing(Part, frozen=True, kw_only=True):
    """A kind of thing, or several kinds: a list of cards, or one kind for each combination of words."""

    name: Name | None = None
    place: Name
    """The place where the things begin. For a space of a board, join the two ids with a point: `board.A1`."""
    count: Count | Literal["unlimited"] = 1
    per_player: bool = False
    """True if each player has such things in a colour of their own."""
    each: Annotated[
        tuple[Annotated[tuple[Name, ...], Meta(min_length=1, max_length=100)], ...], Meta(max_length=5)
    ] = ()
    """Lists of words. Each combination of one word per list is a thing: `[["red", "blue"], ["1", "2", "3"]]`."""
    cards: Cards | None = None
    """`deck52`, or a list from a spreadsheet: a card per line, with the number of copies in a separate column."""


class Dice(Part, frozen=True, kw_only=True):
    """Dice that are rolled together."""

    id: Id
    title: Name | None = None
    count: Annotated[int, Meta(ge=1, le=20)] = 1
    faces: Annotated[tuple[Annotated[int, Meta(ge=0, le=1000)] | Name, ...], Meta(min_length=2, max_length=100)]


class Counter(Part, frozen=True, kw_only=True):
    """A meter: a number, or one of several words."""

    id: Id
    title: Name | None = None
    per_player: bool = True
    least: Number = -MOST
    most: Number = MOST
    start: Number | Name = 0
    words: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()
    """The words that the meter can show; it begins with the first. Empty if the meter shows a number."""


class Take(Part, frozen=True, kw_only=True, tag_field="do", tag="take"):
    """Move things."""

    thing: Name
    from_: Id = field(name="from")
    to: Id
    count: Count = 1


class Draw(Part, frozen=True, kw_only=True, tag_field="do", tag="draw"):
    """Draw from a pile."""

    from_: Id = field(name="from")
    to: Id | None = None
    """The id of the place that receives the cards (default: the player's hand)."""
    count: Count = 1


class Set(Part, frozen=True, kw_only=True, tag_field="do", tag="set"):
    """Change a meter of the player, or of the table."""

    meter: Id
    to: Number | Name | None = None
    by: Number | None = None


class Roll(Part, frozen=True, kw_only=True, tag_field="do", tag="roll"):
    """Roll dice."""

    dice: Id


Step = Take | Draw | Set | Roll


class Button(Part, frozen=True, kw_only=True):
    """A sequence of steps with a name."""

    id: Id
    title: Name | None = None
    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=10)]


class Box(Part, frozen=True, kw_only=True, cache_hash=True):
    """The components of a game."""

    id: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=40, description="an id in kebab case")]
    title: Name
    version: Annotated[str, Meta(min_length=1, max_length=20)] = "1"
    players: tuple[Annotated[int, Meta(ge=1, le=8)], Annotated[int, Meta(ge=1, le=8)]] = (1, 8)
    """The minimum and the maximum number of players."""
    places: Annotated[tuple[Place, ...], Meta(max_length=60)] = ()
    things: Annotated[tuple[Thing | Cards, ...], Meta(max_length=200)] = ()
    """The things. A text in this list has the form of `cards`; its cards begin in the first pile."""
    dice: Annotated[tuple[Dice | Name, ...], Meta(max_length=10)] = ()
    """The dice. A text gives the number of dice and their faces: `5d6` means five dice with six faces."""
    meters: Annotated[tuple[Counter, ...], Meta(max_length=40)] = ()
    score: Annotated[tuple[Id, ...], Meta(max_length=40)] = ()
    """The ids of the meters whose sum is a player's score. Each player has these meters."""
    wins: Literal["highest", "lowest", "together", "table"] = "highest"
    """`highest`, `lowest`: the score that wins.

    `together`: all players win or lose together. `table`: the players name the winners.
    """
    begins: Literal["first", "table"] = "first"
    """`first`: the first player begins. `table`: the players report who begins."""
    turns: Literal["clockwise", "counterclockwise", "free"] = "clockwise"
    """The order of turns; `free`: anyone acts at any time."""
    buttons: Annotated[tuple[Button, ...], Meta(max_length=30)] = ()
