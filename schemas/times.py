"""Times in RFC 3339."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def utc(text: str) -> str:
    """Convert an RFC 3339 time to UTC, to the millisecond; raise a `ValueError` if it has another format."""
    if not _TIME.fullmatch(text):
        raise ValueError("must be an RFC 3339 time, such as 2026-11-20T19:04:11Z")
    return rfc3339(datetime.fromisoformat(text.upper()))


def rfc3339(moment: datetime) -> str:
    """Format a timezone-aware datetime in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """Return the current time in the format of events."""
    return rfc3339(datetime.now(UTC))
