"""Columns of data sets: the columns of the base game, and the clock."""

from __future__ import annotations

from engine.games.forbidden_island.columns import COLUMNS as BASE
from engine.games.forbidden_island_archaens.state import ArchaenState
from engine.kit.columns import AnyColumn, Column

COLUMNS: tuple[AnyColumn, ...] = (
    *BASE,
    Column[ArchaenState](
        "deadline", int, lambda state: state.deadline, "The turn by whose end the quota has to be sunk."
    ),
    Column[ArchaenState]("is_quota_sunk", bool, lambda state: state.is_quota_sunk, "Whether enough tiles have sunk."),
)
