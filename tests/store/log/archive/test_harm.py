"""Unusable archives, changed files, logs that do not verify: they are noticed, and nothing is lost."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from store import Store
from store.errors import ArchiveUnavailable, Damaged, StoreFull
from store.log.archive import Archive
from store.redis import connection
from tests.store.log.archive.archives import GAME, archive_game, cold, in_redis, place_of
from tests.store.logs import notes, position


def test_nothing_is_moved_where_it_cannot_be_handed_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", refuse)
    store.events.open("g", GAME, None)
    with pytest.raises(ArchiveUnavailable, match="not permitted"):
        store.archive("g")
    assert in_redis(store)
    assert not list(Path(place_of(store)).rglob("*.gz*"))


@pytest.mark.parametrize("name", ["file", "file/deeper", "nonsense://away"])
def test_an_archive_that_cannot_be_used_is_noticed(store: Store, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    away = Store(store.client, name if ":" in name else str(tmp_path / name))
    assert "the archive: " in str(away.archiving.fault())
    assert away.archiving.fault_monitor.fault(10.0) == away.archiving.fault()


def test_an_archive_that_cannot_be_written_is_noticed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.archiving.fault() is None
    assert not Path(place_of(store)).exists(), "it is made when it is needed"
    assert Store(store.client, "").archiving.fault() is None
    assert Store(store.client, "memory://archive").archiving.fault() is None
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "cannot be written by " in str(store.archiving.fault())


def test_an_archive_whose_disk_is_not_mounted_is_noticed(store: Store, tmp_path: Path) -> None:
    archive_game(store, GAME)
    assert store.archiving.fault() is None
    Path(place_of(store)).rename(tmp_path / "elsewhere")
    assert "is not the archive that was used before" in str(store.archiving.fault())
    gone = Store(connection.connect("unix:///nowhere"), place_of(store))
    assert gone.archiving.fault() is None, "that Redis does not answer is told elsewhere"


def test_what_does_not_verify_is_not_archived(store: Store) -> None:
    store.events.open("g", notes("one"), None)
    (_, (_, e, _, h)), *_ = connection.call(store.client, "XRANGE", "{g}:events", "-", "+")
    for fields in (("e", e.replace(b"one", b"won"), "h", h), ("e", e), ("e", b"?", "h", h)):
        connection.call(store.client, "DEL", "{g}:events")
        connection.call(store.client, "XADD", "{g}:events", "1-0", *fields)
        with pytest.raises(Damaged):
            store.archive("g")
        assert in_redis(store)


def test_a_log_with_a_gap_is_not_archived(store: Store) -> None:
    store.events.open("g", GAME, None)
    connection.call(store.client, "XDEL", "{g}:events", "3-0")
    with pytest.raises(Damaged, match="event 3: the event is missing"):
        store.archive("g")


@pytest.mark.parametrize(
    "harm",
    [
        lambda file: file.write_bytes(file.read_bytes()[:-20]),
        lambda file: file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()).replace(b"p1", b"p2", 1))),
        lambda file: file.write_bytes(b""),
    ],
)
def test_a_file_that_was_changed_is_noticed(store: Store, harm: Callable[[Path], object]) -> None:
    harm(archive_game(store, GAME))
    with pytest.raises(Damaged, match="was changed"):
        cold(store).games.latest("g")


def test_a_file_of_something_else_is_damaged(store: Store, place: str) -> None:
    document = b"nothing that gzip wrote"
    name = f"g/1-{hashlib.sha256(document).hexdigest()}.log.gz"
    Path(place, "g").mkdir(parents=True)
    Path(place, name).write_bytes(document)
    with pytest.raises(Damaged, match="cannot be read"):
        Archive(place).read("g", name)


def test_an_archive_that_is_away_is_told__and_nothing_is_lost(store: Store) -> None:
    archive_game(store, GAME)
    place = Path(place_of(store))
    place.rename(place.with_suffix(".away"))
    with pytest.raises(ArchiveUnavailable):
        cold(store).events.read("g")
    with pytest.raises(ArchiveUnavailable):
        cold(store).events.append("g", position(GAME), notes("Hello?", after=GAME))
    place.with_suffix(".away").rename(place)
    assert cold(store).events.read("g") == GAME


def test_an_archive_that_is_away_is_not_taken_for_a_new_one(store: Store) -> None:
    archive_game(store, GAME)
    place = Path(place_of(store))
    place.rename(place.with_name("unmounted"))
    place.mkdir()
    store.events.open("h", GAME, None)
    with pytest.raises(ArchiveUnavailable, match="not the archive that was used before: it does not have g/"):
        store.archive("h")
    assert in_redis(store, "h")
    assert list(place.iterdir()) == []
    place.rmdir()
    place.with_name("unmounted").rename(place)
    assert store.archive("h")


def test_without_an_archive_nothing_is_archived(store: Store) -> None:
    plain = Store(store.client)
    plain.events.open("g", GAME, None)
    with pytest.raises(ArchiveUnavailable, match="DRIFTLOG_ARCHIVE"):
        plain.archive("g")
    assert in_redis(store)


def test_an_archive_that_cannot_be_written(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    full = Store(store.client, str(tmp_path / "file"))
    full.events.open("g", GAME, None)
    with pytest.raises(ArchiveUnavailable):
        full.archive("g")
    with pytest.raises(ArchiveUnavailable, match="nonsense"):
        Store(store.client, "nonsense://x").archive("g")
    assert in_redis(store)


def test_what_is_read_back_has_to_be_what_was_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.events.open("g", GAME, None)
    monkeypatch.setattr(store.archiving.archive, "_bytes", lambda _: b"something else")
    with pytest.raises(ArchiveUnavailable, match="does not contain the data that was written to it"):
        store.archive("g")
    assert in_redis(store)


def test_a_store_that_is_full_can_archive_and_brings_nothing_back(store: Store) -> None:
    events = GAME
    store.events.open("g", events, None)
    store.projections.project("g")
    store.client.config_set("maxmemory", "1")
    try:
        # The remaining steps must wait; the log has moved.
        with pytest.raises(StoreFull):
            store.archive("g")
        assert not in_redis(store)
        with pytest.raises(StoreFull):
            cold(store).events.append("g", position(events), notes("late", after=events))
        assert cold(store).events.read("g") == events
    finally:
        store.client.config_set("maxmemory", "0")
    late = notes("late", after=events)
    cold(store).events.append("g", position(events), late)
    assert store.events.read("g") == [*events, *late]
