"""Days and months as people write them."""

from __future__ import annotations

from datetime import date


def day(moment: str) -> str:
    """'20 Nov 2026', of a time in RFC 3339; the text itself where it is none."""
    try:
        found = date.fromisoformat(moment[:10])
    except ValueError:
        return moment
    return f"{found.day} {found:%b %Y}"


def month(text: str) -> str:
    """'Nov 2026', of `2026-11`; the text itself where it is none."""
    try:
        return f"{date.fromisoformat(f'{text}-01'):%b %Y}"
    except ValueError:
        return text
