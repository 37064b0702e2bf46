"""Days and months of what is stored, as people write them."""

from __future__ import annotations

from datetime import date

from engine.review.dates import short_date, short_month


def day(moment: str) -> str:
    """'20 Nov 2026', of a time in RFC 3339; the text itself where it is none."""
    try:
        return short_date(date.fromisoformat(moment[:10]))
    except ValueError:
        return moment


def month(text: str) -> str:
    """'Nov 2026', of `2026-11`; the text itself where it is none."""
    try:
        return short_month(date.fromisoformat(f"{text}-01"))
    except ValueError:
        return text
