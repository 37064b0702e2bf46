"""The reports of audits."""

from __future__ import annotations

from store import Store, keys
from tests.playouts import playout


def test_audits_are_kept(store: Store) -> None:
    assert store.audits.get("g", "a1") is None
    assert store.audits.of("g") == {}
    store.audits.save("g", "a0", {})
    assert store.audits.of("g") == {}, "there is no such game"
    store.events.open("g", playout(limit=2), None)
    for audit_id in ("a1", "a2"):
        store.audits.save("g", audit_id, {"id": audit_id, "findings": []})
    assert store.audits.get("g", "a1") == {"id": "a1", "findings": []}
    assert sorted(store.audits.of("g")) == ["a1", "a2"]


def test_damaged_rewards_of_playouts_are_computed_again(store: Store) -> None:
    store.client.set(keys.playouts("table"), b"[1,")
    assert list(store.playouts.each(["table"])) == [("table", None)]
    store.playouts.put("table", [1.0])
    assert list(store.playouts.each(["table"])) == [("table", [1.0])]
