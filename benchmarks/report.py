"""What was measured, and how it is shown: a table for the terminal, or the same in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

COLUMNS = ("what", "ours", "reference", "ratio", "goal", "met", "pinning")
_NONE = "–"


class Goal(msgspec.Struct, frozen=True):
    """What a figure is held against."""

    text: str
    is_met: bool


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One figure, and what ran beside it; both with their units."""

    what: str
    ours: str
    reference: str = _NONE
    ratio: float | None = None
    """Ours to the reference."""
    goal: Goal | None = None
    pinning: str
    """Which cores did what."""

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `COLUMNS`."""
        ratio = _NONE if self.ratio is None else f"{self.ratio:.2f}"
        goal, met = (_NONE, _NONE) if self.goal is None else (self.goal.text, "yes" if self.goal.is_met else "no")
        return (self.what, self.ours, self.reference, ratio, goal, met, self.pinning)


def at_least(value: float, bound: float, unit: str = "×") -> Goal:
    """The goal that `value` reaches `bound`."""
    return Goal(f"≥ {bound:,.10g} {unit}", value >= bound)


def at_most(value: float, bound: float, unit: str = "×") -> Goal:
    """The goal that `value` stays within `bound`."""
    return Goal(f"≤ {bound:,.10g} {unit}", value <= bound)


def exactly(value: Any, wanted: Any, unit: str) -> Goal:
    """The goal that `value` is `wanted`."""
    return Goal(f"{wanted} {unit}", value == wanted)


def show(console: Console, rows: Iterable[Row]) -> None:
    """Print the rows as a table."""
    table = Table(*COLUMNS)
    for column in table.columns[1:5]:
        column.justify = "right"
    for row in rows:
        missed = row.goal is not None and not row.goal.is_met
        table.add_row(*row.cells(), style="bold red" if missed and console.is_terminal else None)
    console.print(table)


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [COLUMNS, tuple("---:" if 1 <= place <= 4 else "---" for place in range(len(COLUMNS)))]
    lines += [row.cells() for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
