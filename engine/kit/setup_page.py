"""Setup in pictures: a page on which players enter the components that they laid out and dealt.

A ruleset declares the page as data, in addition to `setup_prompts`, so no game needs its own page code. Each part of
the page names the group of prompts that it answers. The page asks other prompts one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from engine.core.language import say
from engine.core.values import Value
from engine.kit.options import ordinal
from engine.kit.scene.looks import FORMS, Colour, Form, Ground, Symbol
from engine.kit.scene.planes import Tile
from engine.kit.vignette import Tint


class SetupChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A component to choose in a part: a tile, a role, a kind of card."""

    value: Value
    label: str
    """The printed name."""
    short: str = ""
    """A short name to show in the picture of the component."""
    symbol: Symbol | None = None
    tint: Tint | None = None
    """A card's colour."""
    form: Form | None = None
    colour: Colour | None = None
    """The colour (and so the form) of a role's pawn, or of the pawn that starts on a tile."""
    start: Value | None = None
    """For a role: the tile on which the pawn starts."""


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """Tiles that are together in the palette. Their order never changes."""

    title: str
    choices: tuple[SetupChoice, ...]
    symbol: Symbol | None = None
    tint: Tint | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that a part of a late page reports."""

    facts: tuple[dict[str, Any], ...]
    """The fact of each place, without its value."""
    member: str
    """The member of the fact that holds the value."""
    stock: tuple[Value, ...]
    """The values to choose from; equal components are separate entries."""
    returns: bool = False
    """True if several places can have the same value."""
    rest: dict[str, Any] | None = None
    """The fact about everything that the players do not enter."""
    size: str = ""
    """For cards: the kind of fact about the number of cards of a seat, of which some may be unknown."""
    unknown: Value | None = None
    """For cards: the value of an unknown card."""
    is_optional: bool = False
    """True if places can stay empty."""
    count: str = ""
    """The member of the fact that holds the number of things with the same value; empty if there is one fact each."""
    spaces: tuple[tuple[int, int], ...] = ()
    """For `lay`: the column and row of each place, from 1."""
    coordinates: tuple[str, ...] = ()
    """For `lay` after a `walk`: the members of the fact that hold the axial coordinates of a place."""
    ids: tuple[Value, ...] = ()
    """For `lay`: the id of each place, if other facts name the places; if empty, they name the tiles."""
    means: dict[Any, tuple[dict[str, Any], ...]] = {}
    """For `lay`: the members of the fact for a value, if `member` does not hold it: the first entry for the first tile
    with that value, and so on; the last entry for all further tiles.
    """


class SetupPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the setup page, which answers one group of prompts."""

    group: str
    """The group of its prompts."""
    kind: Literal["lay", "mark", "deal", "walk", "find", "rank", "state", "list", "stand", "pick"]
    """`lay` tiles on numbered spaces, `mark` tiles on the board, `deal` components to players, `walk` from hexagon to
    hexagon, `find` the places of equal components, or `rank` players. On a late page also: change the `state` of tiles,
    or of things in a `list`, `stand` pawns on tiles, or `pick` values.
    """
    ask: str
    """The question, with `{what}` for one of `names`."""
    names: tuple[str, ...]
    """The name of each place, such as 'space 6'. For `find`, the names of the components to find."""
    families: tuple[Family, ...] = ()
    """For `lay`: the palette of tiles. For `find`: the places. For `state` and `list`: the tiles or things, in the
    order of the places.
    """
    slots: tuple[str, ...] = ()
    """The names of the marks, if marks differ. Otherwise the marks have numbers without gaps."""
    pictures: tuple[str, ...] = ()
    """The names of the marks' pictures in `SetupPage.pictures`; by default, the name of the tile with `.marked`."""
    title: str = ""
    """The kind of component dealt, such as 'Role'."""
    note: str = ""
    choices: tuple[SetupChoice, ...] = ()
    """The components that are dealt. For `rank`: the players, with the same pawns as in the other parts.

    For `state` and `list`: the states, in the order of taps. For `stand`: places beside the board.
    """
    range: tuple[int, int] | None = None
    """The lowest and highest number, if players type a number instead of choosing a component."""
    owners: tuple[SetupChoice, ...] = ()
    """The things to which components are dealt, or that stand on tiles; if empty, these are the players."""
    of: str = ""
    """For `list`: the group in which the things get their places. Things without a place are not shown."""
    each: int = 1
    """Number of components for each player or thing."""
    value: Value | None = None
    """For `find`: the component to find. The other places get the rest of the pile."""
    connect: int = 1
    """For `walk`: the side of each hexagon that faces the previous one. Sides are numbered clockwise. The value of a
    place is the number of the previous hexagon's side that touches the place.
    """
    report: Report | None = None
    """On a late page: the facts that the part reports."""


def role_choice(value: Value, label: str, symbol: Symbol, pawn: Colour, start: Value | None = None) -> SetupChoice:
    """Return a role, with its pawn."""
    return SetupChoice(value=value, label=label, symbol=symbol, form=FORMS[pawn], colour=pawn, start=start)


def deal_roles(group: str, names: Sequence[str], choices: Iterable[SetupChoice], note: str = "") -> SetupPart:
    """Return the part in which each player is dealt a role."""
    return SetupPart(
        group=group,
        kind="deal",
        ask=say("Tap {what}."),
        names=tuple(say("{name}'s role", name=name) for name in names),
        title=say("Role"),
        note=note,
        choices=tuple(choices),
    )


def deal_hands(
    group: str, names: Sequence[str], each: int, choices: Iterable[SetupChoice], note: str = ""
) -> SetupPart:
    """Return the part in which each player is dealt a hand of `each` cards."""
    numbers = tuple(map(ordinal, range(1, each + 1)))
    return SetupPart(
        group=group,
        kind="deal",
        ask=say("Tap {what}."),
        names=tuple(say("{name}'s {ordinal} card", name=name, ordinal=number) for name in names for number in numbers),
        title=say("Card"),
        note=note,
        choices=tuple(choices),
        each=each,
    )


class SetupStep(msgspec.Struct, frozen=True, kw_only=True):
    """One screen of the setup."""

    title: str
    parts: tuple[SetupPart, ...]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A space of the board that has its tile from the beginning."""

    at: tuple[int, int]
    """Column and row, from 1."""
    picture: str
    label: str
    value: Value | None = None
    """The value if the space is marked; None if it cannot be marked."""


class SetupPage(msgspec.Struct, frozen=True, kw_only=True):
    """The whole setup page, or a late page, on which players enter the table of a game that is already under way."""

    steps: tuple[SetupStep, ...]
    ready: str
    """Text when everything is entered, such as the name of the player who begins."""
    backdrop: Ground
    pictures: Mapping[str, Tile]
    """Pictures by name: a tile's value, or the value with `.marked`, or with `.` and a state."""
    cells: tuple[Cell, ...] = ()
    """The spaces of the board; empty if the players lay the board on this page."""
