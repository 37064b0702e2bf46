"""Levels: how a record came about, in a few words that combine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import say
from engine.kit.words import counted
from engine.play.line import Line
from engine.review.report import Adjustment, Finding, Kind, Level, Report

SLIPS: frozenset[Kind] = frozenset(("illegal_action", "left_out", "impossible_outcome"))
"""The kinds of findings that a table makes; all others, and what breaks a log, are of the log."""


def levels(
    line: Line,
    found: Sequence[Finding],
    failures: Sequence[Finding],
    adjustments: Sequence[Adjustment],
    *,
    is_broken: bool,
    imported: int = 0,
) -> tuple[Level, ...]:
    """The levels of a record: `by_the_rules` alone where nothing was found, or all others that hold.

    Args:
        line: what stands in it.
        found: what calls for a look in the game that was played.
        failures: what is wrong with the log: no table made it, whatever its kind.
        imported: how many of its events were not recorded here.
    """
    known = (
        [Level("broken", 0, say("The record is broken: nothing after the first fault is proved."))] if is_broken else []
    )
    known += [*_at_the_table(line, found, adjustments), *_elsewhere(line, imported)]
    if not known and not found and not failures:
        known.append(Level("by_the_rules", 0, say("Played by the rules.")))
    return tuple(known)


def besides(report: Report) -> list[str]:
    """Return the sentences of a report's levels that neither its verdict nor its notes tell."""
    said = " ".join((report.message, *report.notes))
    others = [one for one in report.levels if one.level not in {"by_the_rules", "broken"}]
    return [one.message for one in others if one.message not in said]


def _at_the_table(line: Line, found: Sequence[Finding], adjustments: Sequence[Adjustment]) -> Iterator[Level]:
    slips = sum(one.kind in SLIPS for one in found)
    if slips:
        yield Level("with_slips", slips, say("Played with {slips}.", slips=counted(slips, "slip")))
    changes = sum(one.stands and one.changes for one in adjustments)
    if changes:
        message = say("The table was changed by hand {times}, not by play.", times=counted(changes, "time"))
        outcome = None if line[-1].after is None else line[-1].after.outcome
        if outcome is not None and outcome.result != "abandoned":
            message += " " + say("The result rests on that.")
        yield Level("adjusted", changes, message)


def _elsewhere(line: Line, imported: int) -> Iterator[Level]:
    if line and line[0].entry is not None and line[0].entry.params.get("position"):
        yield Level("begun_mid_game", 0, say("The record begins in the middle of a game."))
    if imported:
        message = say("Imported up to event {seq}: this service did not witness it.", seq=imported)
        yield Level("imported", imported, message)
