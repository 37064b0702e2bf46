"""Archiving while other processes work: a late archiver removes nothing, and readers and writers lose nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.play.fold import fold
from store import Store, keys
from store.log import games
from store.redis import connection
from tests.store.log.archive.archives import GAME, archive_game, cold, in_redis, place_of
from tests.store.logs import key, notes, position


def test_a_game_that_goes_on_meanwhile_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.events.open("g", GAME, None)
    write, more = store.archiving.archive.write, notes("Wait!", after=GAME)

    def slow(*args: object) -> str:
        name = write(*args)  # type: ignore[arg-type]
        store.events.append("g", position(GAME), more)
        return name

    monkeypatch.setattr(store.archiving.archive, "write", slow)
    assert not store.archive("g")
    assert in_redis(store)
    assert store.events.read("g") == GAME + more
    assert list(Path(place_of(store)).rglob("*.gz")) == []


def late(store: Store, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Store], object]) -> None:
    """Run `meanwhile` when a file of the archive is written, but its name is not stored yet."""
    write = store.archiving.archive.write

    def slow(*args: object) -> str:
        name = write(*args)  # type: ignore[arg-type]
        meanwhile(cold(store))
        return name

    monkeypatch.setattr(store.archiving.archive, "write", slow)


def test_who_archives_too_late_names_no_file_that_is_gone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(other: Store) -> None:
        assert other.archive("g")
        assert other.archiving.restore("g")

    store.events.open("g", GAME, None)
    late(store, monkeypatch, meanwhile)
    assert not store.archive("g")
    assert in_redis(store)
    assert cold(store).events.read("g") == GAME


def test_who_archives_too_late_deletes_no_file_that_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.events.open("g", GAME, None)
    late(store, monkeypatch, lambda other: other.archive("g"))
    assert not store.archive("g")
    assert not in_redis(store)
    assert cold(store).events.read("g") == GAME
    assert len(list(Path(place_of(store)).rglob("*.gz"))) == 1


@pytest.mark.parametrize("is_back", [False, True])
def test_a_file_that_another_archiver_took_away_is_no_fault(
    store: Store, monkeypatch: pytest.MonkeyPatch, *, is_back: bool
) -> None:
    store.events.open("g", GAME, None)
    kept, bytes_of = list[str](), store.archiving.archive._bytes

    def archive_meanwhile(name: str) -> bytes:
        kept.append(name)
        other = cold(store)
        assert other.archive("g")
        assert other.archiving.tidy("g") == 1
        assert not is_back or other.archiving.restore("g")
        return bytes_of(name)

    monkeypatch.setattr(store.archiving.archive, "_bytes", archive_meanwhile)
    assert not store.archive("g")
    assert in_redis(store) == is_back
    assert store.archiving.name("g") not in kept
    assert cold(store).events.read("g") == GAME


def test_a_server_that_forgets_that_a_game_came_back_finds_its_file(store: Store) -> None:
    archive_game(store, GAME)
    before = connection.call(store.client, "DUMP", "{g}:meta")
    assert store.archiving.restore("g")
    connection.call(store.client, "RESTORE", "{g}:meta", 0, before, "REPLACE")
    connection.call(store.client, "DEL", "{g}:events")
    assert cold(store).events.read("g") == GAME
    assert store.archiving.restore("g")
    assert store.events.read("g") == GAME


def test_nothing_goes_once_the_game_came_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    archive_game(store, GAME)
    names = store.archiving.archive.names

    def slow(game_id: str) -> list[str]:
        assert cold(store).archiving.restore(game_id)
        store.archiving.archive.write("g", [entry for page in store.events.entries("g", 1) for entry in page])
        return names(game_id)

    monkeypatch.setattr(store.archiving.archive, "names", slow)
    assert store.archiving.tidy("g") == 0
    assert len(names("g")) == 2


def test_two_copies_of_a_service_take_nothing_from_each_other(store: Store) -> None:
    archive_game(store, GAME)
    kept = connection.call(store.client, "DUMP", "{g}:meta")
    more = notes("And then?", after=GAME)
    store.events.append("g", position(GAME), more)
    assert store.archive("g")
    connection.call(store.client, "RESTORE", "{g}:meta", 0, kept, "REPLACE")
    copy = cold(store)
    assert copy.events.read("g") == GAME
    copy.events.append("g", position(GAME), more)
    assert copy.events.read("g") == GAME + more


def test_an_archiver_that_is_killed_before_the_list_has_it_is_made_up_for(store: Store) -> None:
    archive_game(store, GAME)
    connection.call(store.client, "SREM", keys.ARCHIVED, "g")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert list(store.projections.ended_before(tomorrow)) == ["g"]
    assert not store.archive("g")
    assert list(store.projections.ended_before(tomorrow)) == []


def test_who_reads_while_it_comes_and_goes_reads_all_of_it(store: Store) -> None:
    log = notes(*map(str, range(1500)))
    store.events.open("g", log, None)
    stop, failures = threading.Event(), list[object]()

    def read() -> None:
        other = cold(store)
        while not stop.is_set():
            paged = [event for page in other.events.pages("g", size=400) for event in page]
            for found in (other.events.read("g"), paged):
                if found != log:
                    failures.append(len(found))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(20):
            assert store.archive("g")
            assert store.archiving.restore("g")
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert failures == []


def test_a_reader_is_told_no_gap_however_often_it_moves(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    archive_game(store, GAME)
    log, moves = store.archiving.log, iter(range(8))

    def moving(game_id: str) -> object:
        other = cold(store)
        if next(moves, None) is None:
            return log(game_id)
        other.archiving.restore(game_id)
        found = log(game_id)
        other.archive(game_id)
        return found

    monkeypatch.setattr(store.archiving, "log", moving)
    assert store.events.read("g") == GAME


def test_a_game_that_goes_between_two_pages_is_folded_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.events.open("g", GAME, None)
    store.projections.project("g")
    store.snapshots.drop("g")
    monkeypatch.setattr(games, "PAGE", 20)
    pipe = connection.pipe

    def restore_meanwhile(
        client: connection.Client, commands: list[connection.Command], *, is_lenient: bool = False
    ) -> list[object]:
        if commands[0][0] != "XRANGE":
            return pipe(client, commands, is_lenient=is_lenient)
        cold(store).archiving.restore("g")
        first = pipe(client, commands[:1])
        cold(store).archive("g")
        return first + pipe(client, commands[1:])

    monkeypatch.setattr(connection, "pipe", restore_meanwhile)
    assert store.games.get("g", at=len(GAME) - 1).state == fold(GAME[:-1]).state
    assert not in_redis(store)


def test_many_who_archive_restore_and_append_lose_nothing(store: Store) -> None:
    store.events.open("g", GAME, None)
    stop, failures, written = threading.Event(), list[object](), list(GAME)

    def move() -> None:
        other = cold(store)
        while not stop.is_set():
            try:
                other.archive("g")
                other.archiving.tidy("g")
                other.archiving.restore("g")
            except Exception as error:  # noqa: BLE001  # whatever it is
                failures.append(error)

    movers = [threading.Thread(target=move) for _ in range(4)]
    for mover in movers:
        mover.start()
    try:
        writer = cold(store)
        for number in range(25):
            more = notes(str(number), after=written)
            writer.events.append("g", position(written), more, key(str(number)))
            written += more
            assert cold(store).events.read("g") == written
    finally:
        stop.set()
        for mover in movers:
            mover.join()
    assert failures == []
    store.archive("g")
    store.archiving.tidy("g")
    assert list(cold(store).events.read_verified("g", len(written))) == written
    assert len(store.archiving.archive.names("g")) == 1
