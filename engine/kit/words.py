"""Nouns with a number, in the words that players use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.language import marked, plural, say


def counted(count: int, one: str, several: str = "", *, none: str = "0") -> str:
    """Return a counted noun: '1 card', '2 cards'.

    Args:
        one: the English singular.
        several: the English plural, if it is not `one` with an s.
        none: replaces the number 0: 'no cards'.
    """
    return f"{count or say(none)} {plural(count, one, several or f'{one}s')}"


_ACTIONS_LEFT = (
    marked("No actions left"),
    marked("One action left"),
    marked("Two actions left"),
    marked("Three actions left"),
    marked("Four actions left"),
)


def actions_left(count: int) -> str:
    """Return the number of actions left: 'Two actions left'."""
    return say(_ACTIONS_LEFT[count]) if count < len(_ACTIONS_LEFT) else say("{count} actions left", count=count)


def player_number(seat: int) -> str:
    """Return the word for a player without a name: 'Player 1' for seat 0."""
    return say("Player {number}", number=seat + 1)


def alternatives(words: Sequence[str]) -> str:
    """Return a choice: 'move, shore up, or draw cards'; empty if there are no words."""
    *others, last = words or [""]
    joint = say(" or ") if len(others) < 2 else say(", or ")
    return f"{', '.join(others)}{joint}{last}" if others else last


def one_after_the_other(words: Sequence[str]) -> str:
    """Return several steps in one text: 'hull −2, threat +1, then turn to page 12'; empty if there are none."""
    if len(words) < 2:
        return "".join(words)
    return say("{effects}, then {last}", effects=", ".join(words[:-1]), last=words[-1])


def join_words(things: Iterable[object]) -> str:
    """Return several things in one text: 'hull, crew'; 'nothing' if there are none."""
    return ", ".join(map(str, things)) or say("nothing")


def thousands(number: int) -> str:
    """Return a number with thousands separators: '2,400'."""
    return f"{number:,}".replace(",", say(","))
