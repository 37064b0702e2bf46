"""Each kind of request has a lane of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from api.plumbing.settings import Settings
from cli.web.kinds import GUESTS, Lanes
from cli.web.lanes import SLOW_SECONDS

NOTES = "/v1/games/g/notes"
EXPORT = "/v1/games/g/export"


class _Asking:
    """What the lanes know of a connection."""

    def __init__(self, path: str) -> None:
        self.request = SimpleNamespace(path=path, method="GET", query="")
        self.lane: Any = None


def asking(path: str) -> Any:
    return _Asking(path)


@pytest.mark.parametrize("path", [NOTES, EXPORT])
def test_guests_wait_for_each_other_and_nobody_waits_for_them(path: str) -> None:
    lanes = Lanes(Settings(redis_url="redis://", queue_url="redis://"))
    guests = [asking(f"/s/link{path}") for _ in range(10)]
    assert all(lanes.enter(guest, 0.0) for guest in guests)
    # A quick one at a time, and one more once that takes long.
    assert list(lanes.begin(0.0)) == guests[:1]
    assert list(lanes.begin(SLOW_SECONDS)) == guests[1:GUESTS]
    assert list(lanes.begin(10 * SLOW_SECONDS)) == []
    table = asking(path)
    assert lanes.enter(table, 1.0)
    assert list(lanes.begin(1.0)) == [table]
    lanes.leave(guests[0], 0.125)
    assert list(lanes.begin(0.624)) == [], "the lane rests"
    assert list(lanes.begin(0.625)) == [guests[GUESTS]]


def test_a_guest_who_reads_a_file_slowly_holds_up_no_page() -> None:
    lanes = Lanes(Settings(redis_url="redis://", queue_url="redis://"))
    for at in range(GUESTS):
        assert lanes.enter(asking(f"/s/link{EXPORT}"), float(at))
        assert len(list(lanes.begin(float(at)))) == 1
    page = asking("/s/%6Cink" + NOTES)
    assert lanes.enter(page, 9.0)
    assert list(lanes.begin(9.0)) == [page]
