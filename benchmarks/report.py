"""Results, as a table for the terminal or in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

COLUMNS = ("what", "ours", "reference", "ratio", "goal", "met", "pinning")
_NONE = "–"
NOISE = 0.05
"""The fraction by which the ratios of two runs of the same code can differ."""
Key = tuple[str, str]
"""Identifies a figure by its pinning and its name. Counts in the name, which differ between runs, are removed."""


class Goal(msgspec.Struct, frozen=True):
    """The goal of a figure."""

    text: str
    is_met: bool


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A measured figure and its reference, each with its unit."""

    what: str
    ours: str
    reference: str = _NONE
    ratio: float | None = None
    """Our figure divided by the reference."""
    goal: Goal | None = None
    pinning: str
    """The cores that the measured processes use."""

    @property
    def key(self) -> Key:
        """The key that identifies the figure in a run."""
        return _key(self.what, self.pinning)

    def is_worse(self, before: float | None) -> bool:
        """Return True if the ratio is worse than in an earlier run, and not only because of noise."""
        if self.ratio is None or self.goal is None or not before:
            return False
        change = self.ratio / before - 1
        return change > NOISE if self.goal.text.startswith(("≤", "<")) else change < -NOISE

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `COLUMNS`."""
        ratio = _NONE if self.ratio is None else f"{self.ratio:.2f}"
        goal, met = (_NONE, _NONE) if self.goal is None else (self.goal.text, "yes" if self.goal.is_met else "no")
        return (self.what, self.ours, self.reference, ratio, goal, met, self.pinning)


def at_least(value: float, bound: float, unit: str = "×") -> Goal:
    """Return a goal that is met if `value` is at least `bound`."""
    return Goal(f"≥ {bound:,.10g} {unit}", value >= bound)


def at_most(value: float, bound: float, unit: str = "×") -> Goal:
    """Return a goal that is met if `value` is at most `bound`."""
    return Goal(f"≤ {bound:,.10g} {unit}", value <= bound)


def exactly(value: Any, wanted: Any, unit: str) -> Goal:
    """Return a goal that is met if `value` equals `wanted`."""
    return Goal(f"{wanted} {unit}", value == wanted)


def show(console: Console, rows: Iterable[Row], before: Mapping[Key, float] = MappingProxyType({})) -> None:
    """Print the rows as a table, with the ratios of an earlier run. An arrow marks a ratio that is now worse."""
    table = Table(*COLUMNS, "before")
    for column in [*table.columns[1:5], table.columns[-1]]:
        column.justify = "right"
    for row in rows:
        missed = row.goal is not None and not row.goal.is_met
        ratio = before.get(row.key)
        told = _NONE if ratio is None else f"{'↓ ' * row.is_worse(ratio)}{ratio:.2f}"
        table.add_row(*row.cells(), told, style="bold red" if missed and console.is_terminal else None)
    console.print(table)


def ratios(text: str) -> dict[Key, float]:
    """Return the ratios in a document that `markdown` wrote. If a figure occurs twice, return its first ratio."""
    found: dict[Key, float] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(COLUMNS) and re.fullmatch(r"[\d.]+", cells[3]):
            found.setdefault(_key(cells[0], cells[-1]), float(cells[3]))
    return found


def _key(what: str, pinning: str) -> Key:
    return re.sub(r"[\d.,]*\d", "#", what), pinning


def markdown(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    aligned = "|".join("---:" if 1 <= place <= 4 else "---" for place in range(len(COLUMNS)))
    heading, *lines = (f"| {' | '.join(line)} |\n" for line in (COLUMNS, *(row.cells() for row in rows)))
    return "".join((heading, f"|{aligned}|\n", *lines))
