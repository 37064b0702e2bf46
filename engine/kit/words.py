"""Counted nouns in a player's words."""

from __future__ import annotations

from engine.core.language import plural, say


def counted(count: int, one: str, several: str = "", *, none: str = "0") -> str:
    """Return a counted noun: '1 card', '2 cards'.

    Args:
        one: the English singular.
        several: the English plural, if it is not `one` with an s.
        none: replaces the number 0: 'no cards'.
    """
    return f"{count or say(none)} {plural(count, one, several or f'{one}s')}"


def thousands(number: int) -> str:
    """Return a number with separators between thousands: '2,400'."""
    return f"{number:,}".replace(",", say(","))
