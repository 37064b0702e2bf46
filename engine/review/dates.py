"""Days and months as people write them."""

from __future__ import annotations

from datetime import date

from engine.core.language import marked, say

_MONTHS = (
    marked("January"),
    marked("February"),
    marked("March"),
    marked("April"),
    marked("May"),
    marked("June"),
    marked("July"),
    marked("August"),
    marked("September"),
    marked("October"),
    marked("November"),
    marked("December"),
)
_SHORT = (
    marked("Jan"),
    marked("Feb"),
    marked("Mar"),
    marked("Apr"),
    marked("May"),
    marked("Jun"),
    marked("Jul"),
    marked("Aug"),
    marked("Sep"),
    marked("Oct"),
    marked("Nov"),
    marked("Dec"),
)


def long_date(day: date) -> str:
    """Return a date in words: '20 November 2026'."""
    return say("{day:%-d} {month} {day.year}", day=day, month=say(_MONTHS[day.month - 1]))


def short_date(day: date) -> str:
    """Return a short date: '20 Nov 2026'; in German '20.11.2026'."""
    return say("{day:%-d %b} {day.year}", day=day)


def short_month(day: date) -> str:
    """Return a month and its year: 'Nov 2026'."""
    return f"{say(_SHORT[day.month - 1])} {day.year}"
