"""The level of a record: how it came about, and what a reader is told of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import say
from engine.kit.words import counted
from engine.play.game import Game
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


def is_clean(level: Level) -> bool:
    """Return True if the record was made here, from the first event on, by the rules, and not changed by hand."""
    return level.by_the_rules and not (level.begun_mid_game or level.imported)


def told_of(level: Level, game: Game | None) -> Iterator[str]:
    """What a reader has to know besides the findings, a sentence each."""
    if level.adjusted:
        message = say("The table was changed by hand {times}, not by play.", times=counted(level.adjusted, "time"))
        if game is not None and game.by_hand:
            message += " " + say("That decided the result.")
        elif game is not None and game.status == "finished":
            message += " " + say("The game ends the same way without these changes.")
        yield message
    if level.begun_mid_game:
        yield say("The record begins in the middle of a game.")
    if level.imported:
        yield say("Imported up to event {seq}: this service did not witness it.", seq=level.imported)
