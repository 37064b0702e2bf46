"""Columns: what of a table is a value in a row of a data set, as the author of a game declares it.

A game declares those of the table as a whole, and those of each seat. Each has a name, a type and a value in every
state, so that states of many games stand below each other, and games that share a name share what it means. What a
player may hide is in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.values import State

S = TypeVar("S", bound=State)
Cell = int | bool | str | None
"""What stands in a row; None where there is nothing to say."""
Kind = type[int] | type[bool] | type[str]
RESERVED = frozenset({"game", "ruleset", "seq", "turn", "phase", "active", "seat"})
"""The columns that every game has; no ruleset declares another of these names."""


class Column(msgspec.Struct, Generic[S], frozen=True):
    """A column of the table as a whole."""

    name: str
    """In snake_case; the same in every game that has the same."""
    kind: Kind
    value: Callable[[S], Cell]
    description: str
    """A sentence, with the unit and the range."""


class SeatColumn(msgspec.Struct, Generic[S], frozen=True):
    """A column with a value for each seat."""

    name: str
    kind: Kind
    value: Callable[[S, int], Cell]
    """Of the seat of that index."""
    description: str


class Curve(msgspec.Struct, Generic[S], frozen=True):
    """What of the table rises or falls from turn to turn: a line that tells a game at a glance."""

    title: str
    """What it counts: 'Tiles above water'."""
    value: Callable[[S], int]
    """Not negative."""


def listed(ids: Iterable[str]) -> str:
    """Several ids in one cell, in their order; empty where there are none."""
    return ", ".join(ids)


AnyColumn = Column[Any]
AnyCurve = Curve[Any]
AnySeatColumn = SeatColumn[Any]
