"""Counts and lists in words, as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence


def times(count: int) -> str:
    """'once', '2 times'."""
    return "once" if count == 1 else f"{count} times"


def lasted(seconds: int) -> str:
    """'52 minutes', '2 h 5 min'."""
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return "under a minute" if minutes == 0 else f"{minutes} minute{'s' if minutes > 1 else ''}"


def listed(words: Sequence[str], last: str = " and ") -> str:
    """'Ada', 'Ada and Bo', 'Ada, Bo and Cleo'; of none, nothing."""
    return ", ".join(words[:-1]) + last + words[-1] if len(words) > 1 else "".join(words)
