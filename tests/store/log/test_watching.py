"""Checks of stored logs for damage, before an append and after a projection."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from store import Store, keys
from store.errors import Damaged, Suspect
from store.log import watching
from store.log.watching import Watch
from store.redis import connection
from tests.playouts import playout
from tests.store.logs import notes, position


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Make each check due, and windows short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "SHARE", 1e9)
        patch.setattr(watching, "WINDOW", 10)
        yield


def change_event(store: Store, seq: int, old: bytes, new: bytes) -> None:
    """Replace a part of the text of event `seq`, but not its hash."""
    name = keys.events("g")
    entries = store.client.xrange(name)
    store.client.delete(name)
    for id_, (_, text, _, hash_) in entries:
        stored = text.replace(old, new) if id_ == b"%d-0" % seq else text
        connection.call(store.client, "XADD", name, id_, "e", stored, "h", hash_)


@pytest.mark.parametrize("seq", [2, 10, 11, 25])
def test_events_that_were_checked_are_read_again(seq: int, store: Store) -> None:
    log = notes(*(f"note {seq}." for seq in range(1, 27)))
    store.events.open("g", log, None)
    watch = Watch(store.events, store.games)
    for _ in range(2):
        watch.check("g", 26)
    change_event(store, seq, b"note %d." % seq, b"none %d." % seq)
    with pytest.raises(Damaged) as damaged:
        watch.check("g", 26)
    assert damaged.value.seq == seq


def test_a_repaired_log_is_checked_as_a_whole_and_then_trusted(store: Store) -> None:
    log = playout(limit=26)
    store.events.open("g", log, None)
    watch = Watch(store.events, store.games)
    watch.check("g", 26)
    whole = store.client.dump(keys.events("g"))
    change_event(store, 5, b"[", b"{")
    for _ in range(2):
        with pytest.raises(Damaged):
            watch.check("g", 26)
    with pytest.raises(Suspect):
        store.events.append("g", position(log), notes("more", after=log))
    store.client.restore(keys.events("g"), 0, whole, replace=True)
    watch.check("g", 26)
    store.events.append("g", position(log), notes("more", after=log))


def test_new_events_are_checked_beside_those_that_were_checked(store: Store) -> None:
    log = notes(*(f"note {seq}." for seq in range(1, 40)))
    store.events.open("g", log[:7], None)
    watch = Watch(store.events, store.games)
    known = 7
    for version in (9, 10, 13, 33, 39):
        store.events.append("g", position(log[:known]), log[known:version])
        watch.check("g", known)
        known = version
    change_event(store, 37, b"note", b"none")
    with pytest.raises(Damaged) as damaged:
        watch.check("g", 39)
    assert damaged.value.seq == 37


def test_a_check_ends_after_a_part_of_the_log_and_goes_on_there(store: Store) -> None:
    log = notes(*(f"note {seq}." for seq in range(1, 46)))
    store.events.open("g", log, None)
    watch = Watch(store.events, store.games)
    change_event(store, 35, b"note", b"none")
    watch.check("g", 45, most=20)
    with pytest.raises(Damaged):
        watch.check("g", 45, most=20)


@pytest.mark.parametrize("seq", [1, 3, 5])
def test_nothing_is_appended_to_a_log_that_lacks_an_event(seq: int, store: Store) -> None:
    """The script sees this without a check."""
    log = notes("a", "b", "c", "d", "e", "f")
    store.events.open("g", log[:5], None)
    store.client.xdel(keys.events("g"), f"{seq}-0")
    with pytest.raises(Suspect):
        store.events.append("g", position(log[:5]), log[5:])
    assert store.events.head("g") == position(log[:5])


def test_nothing_is_appended_behind_an_event_with_another_hash(store: Store) -> None:
    log = notes("a", "b", "c")
    store.events.open("g", log[:2], None)
    store.client.xdel(keys.events("g"), "2-0")
    connection.call(store.client, "DEL", keys.events("g"))
    for seq, hash_ in ((1, bytes.fromhex(log[0].hash)), (2, bytes(32))):
        connection.call(store.client, "XADD", keys.events("g"), f"{seq}-0", "e", "[]", "h", hash_)
    with pytest.raises(Suspect):
        store.events.append("g", position(log[:2]), log[2:])
