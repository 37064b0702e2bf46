"""Each kind of request has its own lane."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from api.plumbing.settings import Settings
from cli.web import guests, kinds
from cli.web.kinds import GUESTS, Lanes
from cli.web.lanes import SLOW_SECONDS

NOTES = "/v1/games/g/notes"
EXPORT = "/v1/games/g/export"


class _Asking:
    """A connection with only the members that lanes use."""

    def __init__(self, path: str, token: str = "") -> None:
        headers = [("HOST", "driftlog"), ("AUTHORIZATION", f"Bearer {token}")]
        self.request = SimpleNamespace(path=path, method="GET", query="", headers=headers)
        self.lane: Any = None


def asking(path: str) -> Any:
    return _Asking(path)


@pytest.mark.parametrize("path", [NOTES, EXPORT])
def test_guests_wait_for_each_other_and_nobody_waits_for_them(path: str) -> None:
    lanes = Lanes(Settings(redis_url="redis://", queue_url="redis://"))
    waiting = [asking(f"/s/link{path}") for _ in range(10)]
    assert all(lanes.enter(guest, 0.0) for guest in waiting)
    # One quick request at a time, and one more if the first takes long.
    assert list(lanes.begin(0.0)) == waiting[:1]
    assert list(lanes.begin(SLOW_SECONDS)) == waiting[1:GUESTS]
    assert list(lanes.begin(10 * SLOW_SECONDS)) == []
    table = asking(path)
    assert lanes.enter(table, 1.0)
    assert list(lanes.begin(1.0)) == [table]
    lanes.leave(waiting[0], 0.125)
    assert list(lanes.begin(0.624)) == [], "the lane rests"
    assert list(lanes.begin(0.625)) == [waiting[GUESTS]]


def test_a_guest_who_sends_the_link_as_a_bearer_token_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "LINKS", {"link"})
    monkeypatch.setattr(guests, "LINKS", {"link"})
    lanes = Lanes(Settings(redis_url="redis://", queue_url="redis://"))
    asked = [_Asking(NOTES, "link") for _ in range(2)]
    for one in asked:
        assert lanes.enter(one, 0.0)  # type: ignore[arg-type]  # all that the lanes know of it
    assert list(lanes.begin(0.0)) == asked[:1]


def test_a_guest_who_reads_a_file_slowly_holds_up_no_page() -> None:
    lanes = Lanes(Settings(redis_url="redis://", queue_url="redis://"))
    for at in range(GUESTS):
        assert lanes.enter(asking(f"/s/link{EXPORT}"), float(at))
        assert len(list(lanes.begin(float(at)))) == 1
    page = asking("/s/%6Cink" + NOTES)
    assert lanes.enter(page, 9.0)
    assert list(lanes.begin(9.0)) == [page]
