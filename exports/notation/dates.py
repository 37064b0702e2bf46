"""Parse dates as people write them at the top of a page."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

_MONTHS = ("jan", "feb", "mar|mär|mrz", "apr", "may|mai", "jun", "jul", "aug", "sep", "oct|okt", "nov", "dec|dez")
_NAME = "|".join(_MONTHS)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?P<y>\d{4})[-./](?P<m>\d{1,2})[-./](?P<d>\d{1,2})\b",
        r"\b(?P<d>\d{1,2})[-./] ?(?P<m>\d{1,2})[-./] ?(?P<y>\d{4}|\d\d)\b",
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)? ?(?:of )?(?P<n>{_NAME})[a-zä]*\.?,? ?(?P<y>\d{{4}})?(?!\d)",
        rf"\b(?P<n>{_NAME})[a-zä]*\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b,? ?(?P<y>\d{{4}})?(?!\d)",
    )
)
_TIME = re.compile(r"\b([01]?\d|2[0-3])[:.h]([0-5]\d)\b(?![./-])")
NOON = time(12)
"""The time of day for a date without a time. At noon UTC, almost all time zones have the same date."""


def moment(text: str, recorded_at: str) -> str | None:
    """Return the date in a text as RFC 3339 in UTC; None if the text has no date.

    Args:
        recorded_at: the time of recording. A date without a year means the last such day before this time.
    """
    for form in _FORMS:
        found = form.search(text)
        if found is None:
            continue
        parts = found.groupdict()
        month = int(parts["m"]) if parts.get("m") else _month(parts["n"])
        today = datetime.fromisoformat(recorded_at).date()
        year = int(parts["y"]) if parts["y"] else today.year
        year += 2000 if year < 100 else 0
        try:
            day = date(year, month, int(parts["d"]))
            if not parts["y"] and day > today + timedelta(days=1):
                day = day.replace(year=year - 1)
        except ValueError:
            continue
        clock = _TIME.search(text[: found.start()] + " " + text[found.end() :])
        at = time(int(clock[1]), int(clock[2])) if clock else NOON
        return datetime.combine(day, at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return None


def split_time(text: str) -> tuple[str | None, str]:
    """Return the time of day in a text, such as '19:40', and the rest of the text; None if it has no time."""
    found = _TIME.search(text)
    return (
        (None, text) if found is None else (f"{found[1]}:{found[2]}", f"{text[: found.start()]} {text[found.end() :]}")
    )


def _month(name: str) -> int:
    return next(number for number, names in enumerate(_MONTHS, 1) if name.lower() in names.split("|"))
