"""The access log: newest entries first, with a maximum number."""

from __future__ import annotations

import pytest

from store import Store
from store.access import access_log
from store.access.access_log import Use


def test_uses_are_read_page_by_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.access_log.page() == []
    monkeypatch.setattr(access_log, "MOST", 5)
    uses = [Use(at=f"2026-11-22T20:00:0{n}.000Z", by="Eve", action="DELETE", game=str(n)) for n in range(7)]
    for use in uses:
        store.access_log.note(use)
    first = store.access_log.page(limit=3)
    assert [use.game for use in first] == ["6", "5", "4"]
    assert [use.game for use in store.access_log.page(before=first[-1].id, limit=3)] == ["3", "2"]
    with pytest.raises(ValueError, match="not the id of an entry"):
        store.access_log.page(before="+")


def test_what_others_do_takes_no_room_from_admins(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_log, "MOST", 3)
    for number in range(12):
        use = Use(at="2026-11-22T20:00:00.000Z", action="DELETE", game=str(number))
        store.access_log.note(use, by_admin=number in {2, 5, 11})
    whole = store.access_log.page()
    assert [use.game for use in whole] == ["11", "10", "9", "8", "5", "2"]
    for size in range(1, 7):
        assert store.access_log.page(before=whole[size - 1].id) == whole[size:]
    assert len({use.id for use in whole}) == len(whole)
