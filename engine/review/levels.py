"""The level of a record: how it came about, and what a reader is told of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import say
from engine.core.values import State
from engine.kit.words import counted
from engine.play.line import Line
from engine.review.report import Adjustment, Finding, Kind, Level

SLIPS: frozenset[Kind] = frozenset(("illegal_action", "left_out", "impossible_outcome"))
"""The kinds of findings that a table makes; all others, and what breaks a log, are of the log."""


def level_of(
    line: Line,
    found: Sequence[Finding],
    failures: Sequence[Finding],
    adjustments: Sequence[Adjustment],
    *,
    is_broken: bool,
    imported: int = 0,
) -> Level:
    """The level of a record.

    Args:
        line: what stands in it.
        found: what calls for a look in the game that was played.
        failures: what is wrong with the log: no table made it, whatever its kind.
        imported: how many of its events were not recorded here.
    """
    adjusted = sum(one.stands and one.changes for one in adjustments)
    return Level(
        by_the_rules=not (found or failures or adjusted),
        slips=sum(one.kind in SLIPS for one in found),
        adjusted=adjusted,
        begun_mid_game=bool(line and line[0].entry is not None and line[0].entry.params.get("position")),
        imported=imported,
        broken=is_broken,
    )


def told_of(level: Level, state: State | None) -> Iterator[str]:
    """What a reader has to know besides the findings, a sentence each.

    Args:
        state: the last one.
    """
    if level.adjusted:
        message = say("The table was changed by hand {times}, not by play.", times=counted(level.adjusted, "time"))
        outcome = None if state is None else state.outcome
        if outcome is not None and outcome.result != "abandoned":
            message += " " + say("The result rests on that.")
        yield message
    if level.begun_mid_game:
        yield say("The record begins in the middle of a game.")
    if level.imported:
        yield say("Imported up to event {seq}: this service did not witness it.", seq=level.imported)
