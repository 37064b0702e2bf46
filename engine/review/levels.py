"""The level of a record (how reliable it is), and notes for its reader."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import say
from engine.kit.words import counted
from engine.play.game import Game
from engine.review.report import Kind, Level
from engine.review.words import times

SLIPS: frozenset[Kind] = frozenset(("illegal_action", "left_out", "impossible_outcome"))
"""Kinds of findings that are mistakes of players. All other findings, and failures, are errors in the log."""


def is_clean(level: Level) -> bool:
    """Return True if all events were recorded here, by the rules, and nothing was changed by hand."""
    return level.by_the_rules and not (level.begun_mid_game or level.imported)


def level_notes(level: Level, game: Game | None) -> Iterator[str]:
    """Yield the notes that a reader needs besides the findings, a sentence each."""
    if level.adjusted:
        message = say("The position was changed by hand {times}.", times=times(level.adjusted))
        if game is not None and game.by_hand:
            message += " " + say("This decided the result.")
        elif game is not None and game.status == "finished":
            message += " " + say("The game ends the same way without these changes.")
        yield message
    if level.begun_mid_game:
        yield say("The record begins in the middle of a game. Nothing before that can be checked.")
    if level.imported:
        yield say("Imported, and not recorded by this service: {events}.", events=counted(level.imported, "event"))
