"""Days and months as shown on pages."""

from __future__ import annotations

from datetime import date

from engine.review.dates import short_date, short_month


def day(moment: str) -> str:
    """Convert an RFC 3339 time to its day, such as '20 Nov 2026'. Return any other text unchanged."""
    try:
        return short_date(date.fromisoformat(moment[:10]))
    except ValueError:
        return moment


def month(text: str) -> str:
    """Convert a month such as `2026-11` to the form 'Nov 2026'. Return any other text unchanged."""
    try:
        return short_month(date.fromisoformat(f"{text}-01"))
    except ValueError:
        return text
