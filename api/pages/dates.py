"""Days and months as shown on pages."""

from __future__ import annotations

from datetime import date

from engine.review.dates import short_date, short_month


def day(moment: str) -> str:
    """Return the day of an RFC 3339 time, such as '20 Nov 2026'; return any other text unchanged."""
    try:
        return short_date(date.fromisoformat(moment[:10]))
    except ValueError:
        return moment


def month(text: str) -> str:
    """Return the month `2026-11` as 'Nov 2026'; return any other text unchanged."""
    try:
        return short_month(date.fromisoformat(f"{text}-01"))
    except ValueError:
        return text
