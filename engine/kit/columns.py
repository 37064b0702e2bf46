"""Columns of data sets: a row describes one state of a game, and the author of the game declares its columns.

There are columns for the whole table and columns for each seat. Each column has a name, a type, and a value in every
state. A data set can mix games, so columns of the same name must have the same meaning in all games.
No column contains hidden information.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.values import State

S = TypeVar("S", bound=State)
Cell = int | bool | str | None
"""The value of a cell; None if the cell is empty."""
Kind = type[int] | type[bool] | type[str]
RESERVED = frozenset({"game", "ruleset", "seq", "turn", "phase", "active", "seat"})
"""Columns of every game; a ruleset must not declare columns with these names."""


class Column(msgspec.Struct, Generic[S], frozen=True):
    """A column of the table as a whole."""

    name: str
    """The name in snake_case, the same in all games with this column."""
    kind: Kind
    value: Callable[[S], Cell]
    description: str
    """A sentence that includes the unit and the range."""


class SeatColumn(msgspec.Struct, Generic[S], frozen=True):
    """A column with a value for each seat."""

    name: str
    kind: Kind
    value: Callable[[S, int], Cell]
    """Function from a state and a seat's index to the value."""
    description: str


class Curve(msgspec.Struct, Generic[S], frozen=True):
    """A value of the table. A plot of the value over the turns summarizes a game."""

    title: str
    """The quantity, such as 'Tiles above water'."""
    value: Callable[[S], int]
    """Function from a state to the value, which is never negative."""


def join_ids(ids: Iterable[str]) -> str:
    """Return several ids as the text of one cell, in order; empty if there are none."""
    return ", ".join(ids)


AnyColumn = Column[Any]
AnyCurve = Curve[Any]
AnySeatColumn = SeatColumn[Any]
