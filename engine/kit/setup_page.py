"""Set-up in pictures: what a page offers step by step, where a table lays out and deals its real components.

A ruleset declares it beside its `setup_prompts`: each part names the group of prompts that it answers, so that no page
knows a game. What is not declared is asked prompt by prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine.core.values import Value
from engine.kit.scene.looks import Colour, Form, Ground, Symbol
from engine.kit.scene.planes import Tile
from engine.kit.vignette import Tint


class SetupChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a part offers: a tile, a role, a kind of card."""

    value: Value
    label: str
    """Its printed name."""
    short: str = ""
    """One word for it, under its picture."""
    symbol: Symbol | None = None
    tint: Tint | None = None
    """A card's colour."""
    form: Form | None = None
    colour: Colour | None = None
    """Of its pawn; of a tile, the pawn that starts there."""
    start: Value | None = None
    """The tile on which its pawn starts."""


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """Tiles that belong together in the palette, in an order that never changes."""

    title: str
    choices: tuple[SetupChoice, ...]
    symbol: Symbol | None = None
    tint: Tint | None = None


class SetupPart(msgspec.Struct, frozen=True, kw_only=True):
    """What answers one group of prompts."""

    group: str
    """The group of its prompts."""
    kind: Literal["lay", "mark", "deal"]
    """Lay tiles on numbered spaces, mark tiles on the board, or deal to each player."""
    ask: str
    """The sentence that asks, with `{what}` for one of `names`."""
    names: tuple[str, ...]
    """What is asked at each of its places: 'space 6'."""
    families: tuple[Family, ...] = ()
    """The palette, where tiles are laid."""
    slots: tuple[str, ...] = ()
    """What each mark is called, where the marks differ; else they are numbered and close up."""
    pictures: tuple[str, ...] = ()
    """The picture of each mark, where it is not that of the tile with `.marked`."""
    title: str = ""
    """What is dealt: 'Role'."""
    note: str = ""
    choices: tuple[SetupChoice, ...] = ()
    """What is dealt."""
    each: int = 1
    """How many each player gets."""


class SetupStep(msgspec.Struct, frozen=True, kw_only=True):
    """What is done on one screen."""

    title: str
    parts: tuple[SetupPart, ...]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A space of the board that has its tile from the beginning."""

    at: tuple[int, int]
    """Column and row, from 1."""
    picture: str
    label: str
    value: Value | None = None
    """By which it is marked; None: it cannot be."""


class SetupPage(msgspec.Struct, frozen=True, kw_only=True):
    """The whole set-up as a page shows it."""

    steps: tuple[SetupStep, ...]
    ready: str
    """What is said when nothing is missing: who begins."""
    backdrop: Ground
    pictures: Mapping[str, Tile]
    """By name: a tile's value, or that with `.marked`."""
    cells: tuple[Cell, ...] = ()
    """The board, where it is not laid here."""
