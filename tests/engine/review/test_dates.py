from __future__ import annotations

from datetime import date

from engine.core.language import speaking
from engine.kit.words import thousands
from engine.review.dates import long_date, short_date, short_month
from service import languages

# January to December.
DAYS = [date(2026, month, 5) for month in range(1, 13)]


def test_dates_in_english() -> None:
    assert [long_date(day) for day in DAYS[10:]] == ["5 November 2026", "5 December 2026"]
    assert [short_date(day) for day in DAYS[2:6]] == ["5 Mar 2026", "5 Apr 2026", "5 May 2026", "5 Jun 2026"]
    assert ", ".join(map(short_month, DAYS[6:])) == "Jul 2026, Aug 2026, Sep 2026, Oct 2026, Nov 2026, Dec 2026"


def test_dates_in_german() -> None:
    """In the spelling of Unicode's CLDR."""
    with speaking(languages.catalogue("de")):
        assert [long_date(day) for day in DAYS[1:4]] == ["5. Februar 2026", "5. März 2026", "5. April 2026"]
        assert [short_date(day) for day in DAYS[9:]] == ["05.10.2026", "05.11.2026", "05.12.2026"]
        assert ", ".join(map(short_month, DAYS[2:6])) == "März 2026, Apr. 2026, Mai 2026, Juni 2026"
        assert ", ".join(map(short_month, DAYS[8:])) == "Sept. 2026, Okt. 2026, Nov. 2026, Dez. 2026"


def test_thousands() -> None:
    assert [thousands(number) for number in (0, 999, 2400, 1_234_567)] == ["0", "999", "2,400", "1,234,567"]
    with speaking(languages.catalogue("de")):
        assert thousands(2400) == "2.400"
