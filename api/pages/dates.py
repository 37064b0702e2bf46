"""Days and months as people write them."""

from __future__ import annotations

from datetime import date

from babel.dates import format_date

from engine.core.language import ENGLISH, spoken


def day(moment: str) -> str:
    """'20 Nov 2026', of a time in RFC 3339; the text itself where it is none."""
    try:
        found = date.fromisoformat(moment[:10])
    except ValueError:
        return moment
    language = spoken()
    return format_date(found, "d MMM y" if language == ENGLISH else "medium", language)


def month(text: str) -> str:
    """'Nov 2026', of `2026-11`; the text itself where it is none."""
    try:
        return format_date(date.fromisoformat(f"{text}-01"), "MMM y", spoken())
    except ValueError:
        return text
