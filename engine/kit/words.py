"""How a player says a number of things."""

from __future__ import annotations

from engine.core.language import plural, say


def counted(count: int, one: str, several: str = "", *, none: str = "0") -> str:
    """So many of a thing: '1 card', '2 cards'.

    Args:
        one: what one of them is called in English.
        several: what two of them are called, where that is not `one` with an s.
        none: what stands in place of the number where there is none: 'no cards'.
    """
    return f"{count or say(none)} {plural(count, one, several or f'{one}s')}"


def thousands(number: int) -> str:
    """'2,400'."""
    return f"{number:,}".replace(",", say(","))
