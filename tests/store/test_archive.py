"""Archived logs: whole in one of two places at any moment, read as before, and brought back by whoever appends."""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from engine.core.events import Event
from engine.play.fold import fold
from store import Store, connection, games, keys
from store.archive import Archive
from store.errors import ArchiveUnavailable, Damaged, StoreFull, UnknownGame, VersionConflict
from store.finding import Filter
from store.idempotency import Replayed
from store.streams import PAGE
from tests.playouts import long_record, playout
from tests.store.logs import key, notes, position

GAME = playout(seed=3, seats=3)


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "archive")


@pytest.fixture
def store(store: Store, place: str) -> Store:
    """An empty store with an archive."""
    return Store(store.client, place)


def archived(store: Store, events: list[Event], game_id: str = "g") -> Path:
    """The file of a game that was recorded, projected and archived."""
    store.events.open(game_id, events, None)
    store.projections.project(game_id)
    assert store.archive(game_id)
    name = store.archiving.name(game_id)
    assert name is not None
    return Path(place_of(store)) / name


def place_of(store: Store) -> str:
    return store.archiving.archive.place


def in_redis(store: Store, game_id: str = "g") -> bool:
    return bool(connection.call(store.client, "EXISTS", keys.events(game_id)))


def cold(store: Store) -> Store:
    """The same as another process sees it."""
    return Store(store.client, place_of(store))


@pytest.mark.parametrize("events", [GAME, long_record(2 * PAGE)], ids=len)
def test_everything_reads_an_archived_game_as_before(store: Store, events: list[Event]) -> None:
    store.events.open("g", events, None)
    store.projections.project("g")
    last = len(events)

    def readings(store: Store) -> list[object]:
        return [
            store.events.read("g"),
            store.events.read("g", after=5, limit=10),
            store.events.read("g", after=last),
            list(store.events.pages("g", 3, size=7)),
            list(store.events.entries("g", PAGE, PAGE + 1)),
            store.events.head("g"),
            store.events.hashes("g", last),
            store.events.verified("g", last),
            store.events.last_but("g", "annotate", last),
            list(store.events.game_ids()),
            store.games.latest("g"),
            store.games.get("g", at=last // 2),
            store.games.replay("g"),
            store.games.states("g", [2, last - 1, last]),
            store.games.opened_at("g"),
            store.projections.turns("g"),
            store.projections.find(Filter())[0],
        ]

    before = readings(cold(store))
    assert store.archive("g")
    assert not in_redis(store)
    warm = cold(store)
    assert readings(cold(store)) == readings(warm) == readings(warm) == before


def test_a_file_is_lines_that_anyone_can_read(store: Store) -> None:
    file = archived(store, GAME)
    about, first, *_ = gzip.decompress(file.read_bytes()).decode().splitlines()
    assert about == (
        f'{{"driftlog": "archived log", "format": 1, "game": "g", "version": {len(GAME)}, "head": "{GAME[-1].hash}"}}'
    )
    assert first.startswith('["game_opened",null,{')
    assert first.endswith(f"\t{GAME[0].hash}")


def test_who_appends_brings_it_back(store: Store) -> None:
    archived(store, GAME)
    more = notes("And then?", after=GAME)
    store.events.append("g", position(GAME), more, key("k"))
    assert in_redis(store)
    assert store.events.read("g") == GAME + more
    again = store.events.append("g", position(GAME), more, key("k"))
    assert isinstance(again, Replayed)
    assert store.archive("g")
    assert store.events.read("g") == GAME + more
    assert isinstance(store.events.append("g", position(GAME), more, key("k")), Replayed)
    with pytest.raises(VersionConflict) as conflict:
        store.events.append("g", position(GAME), notes("Late", after=GAME))
    assert conflict.value.events == more


def test_it_is_brought_back_when_asked(store: Store) -> None:
    archived(store, GAME)
    assert store.archiving.restore("g")
    assert not store.archiving.restore("g")
    assert store.events.read("g") == GAME
    assert not store.archiving.restore("nowhere")


def test_archived_twice_is_archived_once(store: Store) -> None:
    file = archived(store, GAME)
    assert not store.archive("g")
    assert file.exists()
    assert store.events.read("g") == GAME


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
    """What somebody else does to the archive of "g" between a file of it and its name."""
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


def test_a_file_that_another_archiver_took_away_is_no_fault(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.events.open("g", GAME, None)
    kept, bytes_of = list[str](), store.archiving.archive._bytes

    def gone(name: str) -> bytes:
        kept.append(name)
        other = cold(store)
        assert other.archive("g")
        assert other.archiving.tidy("g") == 1
        return bytes_of(name)

    monkeypatch.setattr(store.archiving.archive, "_bytes", gone)
    assert not store.archive("g")
    assert store.archiving.name("g") not in (*kept, None)
    assert cold(store).events.read("g") == GAME


def test_a_server_that_forgets_that_a_game_came_back_finds_its_file(store: Store) -> None:
    archived(store, GAME)
    before = connection.call(store.client, "DUMP", "{g}:meta")
    assert store.archiving.restore("g")
    connection.call(store.client, "RESTORE", "{g}:meta", 0, before, "REPLACE")
    connection.call(store.client, "DEL", "{g}:events")
    assert cold(store).events.read("g") == GAME
    assert store.archiving.restore("g")
    assert store.events.read("g") == GAME


def test_what_is_not_in_use_goes_when_an_operator_says_so(store: Store) -> None:
    old = archived(store, GAME)
    store.archiving.restore("g")
    assert store.archiving.tidy("g") == 0
    old.with_name("killed.part").touch()
    assert store.archive("g")
    assert len(list(old.parent.iterdir())) == 3
    assert store.archiving.tidy("g") == 2
    assert [f"g/{file.name}" for file in old.parent.iterdir()] == [store.archiving.name("g")]
    assert cold(store).events.read("g") == GAME


def test_nothing_goes_once_the_game_came_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    archived(store, GAME)
    names = store.archiving.archive.names

    def slow(game_id: str) -> list[str]:
        assert cold(store).archiving.restore(game_id)
        store.archiving.archive.write("g", [entry for page in store.events.entries("g", 1) for entry in page])
        return names(game_id)

    monkeypatch.setattr(store.archiving.archive, "names", slow)
    assert store.archiving.tidy("g") == 0
    assert len(names("g")) == 2


def test_two_copies_of_a_service_take_nothing_from_each_other(store: Store) -> None:
    archived(store, GAME)
    kept = connection.call(store.client, "DUMP", "{g}:meta")
    more = notes("And then?", after=GAME)
    store.events.append("g", position(GAME), more)
    assert store.archive("g")
    connection.call(store.client, "RESTORE", "{g}:meta", 0, kept, "REPLACE")
    copy = cold(store)
    assert copy.events.read("g") == GAME
    copy.events.append("g", position(GAME), more)
    assert copy.events.read("g") == GAME + more


def test_only_its_owner_reads_a_file(store: Store, place: str) -> None:
    file = archived(store, GAME)
    assert [path.stat().st_mode & 0o777 for path in (Path(place), file.parent, file)] == [0o700, 0o700, 0o600]


def test_what_root_archives_belongs_to_whose_the_folder_is(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[str | int, int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, *owner: given.append((path, *owner)))
    deep = Store(store.client, str(tmp_path / "a" / "b"))
    file = archived(deep, GAME)
    status = tmp_path.stat()
    assert {owner for _, *owner in map(list, given) for owner in [tuple(owner)]} == {(status.st_uid, status.st_gid)}
    folders = {path for path, _, _ in given if isinstance(path, Path)}
    assert folders == {tmp_path / "a", tmp_path / "a" / "b", file.parent}
    assert any(isinstance(path, int) for path, _, _ in given)


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
    assert away.archiving.aside.fault(10.0) == away.archiving.fault()


def test_an_archive_that_cannot_be_written_is_noticed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.archiving.fault() is None
    assert not Path(place_of(store)).exists(), "it is made when it is needed"
    assert Store(store.client, "").archiving.fault() is None
    assert Store(store.client, "memory://archive").archiving.fault() is None
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "cannot be written by " in str(store.archiving.fault())


def test_an_archive_whose_disk_is_not_mounted_is_noticed(store: Store, tmp_path: Path) -> None:
    archived(store, GAME)
    assert store.archiving.fault() is None
    Path(place_of(store)).rename(tmp_path / "elsewhere")
    assert "is not the one that was written before" in str(store.archiving.fault())
    gone = Store(connection.connect("unix:///nowhere"), place_of(store))
    assert gone.archiving.fault() is None, "that Redis does not answer is told elsewhere"


def test_an_archiver_that_is_killed_before_the_list_has_it_is_made_up_for(store: Store) -> None:
    archived(store, GAME)
    connection.call(store.client, "SREM", keys.ARCHIVED, "g")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert list(store.projections.ended_before(tomorrow)) == ["g"]
    assert not store.archive("g")
    assert list(store.projections.ended_before(tomorrow)) == []


def test_there_is_no_such_game(store: Store) -> None:
    with pytest.raises(UnknownGame):
        store.archive("nowhere")


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
    with pytest.raises(Damaged, match="gap"):
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
    harm(archived(store, GAME))
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
    file = archived(store, GAME)
    file.rename(file.with_suffix(".away"))
    with pytest.raises(ArchiveUnavailable):
        cold(store).events.read("g")
    with pytest.raises(ArchiveUnavailable):
        cold(store).events.append("g", position(GAME), notes("Hello?", after=GAME))
    file.with_suffix(".away").rename(file)
    assert cold(store).events.read("g") == GAME


def test_an_archive_that_is_away_is_not_taken_for_a_new_one(store: Store) -> None:
    archived(store, GAME)
    place = Path(place_of(store))
    place.rename(place.with_name("unmounted"))
    place.mkdir()
    store.events.open("h", GAME, None)
    with pytest.raises(ArchiveUnavailable, match="not the one that was written before: it lacks g/"):
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
    with pytest.raises(ArchiveUnavailable, match="not what was written"):
        store.archive("g")
    assert in_redis(store)


def test_another_kind_of_storage(store: Store) -> None:
    elsewhere = Store(store.client, f"memory://{uuid4().hex}")
    elsewhere.events.open("g", GAME, None)
    assert elsewhere.archive("g")
    assert cold(elsewhere).events.read("g") == GAME
    assert elsewhere.archiving.restore("g")
    assert elsewhere.events.read("g") == GAME


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
    archived(store, GAME)
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

    def interrupted(client: connection.Client, commands: list[connection.Command]) -> list[object]:
        if commands[0][0] != "XRANGE":
            return pipe(client, commands)
        cold(store).archiving.restore("g")
        first = pipe(client, commands[:1])
        cold(store).archive("g")
        return first + pipe(client, commands[1:])

    monkeypatch.setattr(connection, "pipe", interrupted)
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
    assert cold(store).events.verified("g", len(written)) == written
    assert len(store.archiving.archive.names("g")) == 1


def test_a_list_that_is_made_anew_has_archived_games(store: Store) -> None:
    archived(store, GAME)
    store.events.open("h", playout(seed=4), None)
    store.projections.project("h")
    before = store.projections.find(Filter())[0]
    assert store.projections.rebuild() == {}
    assert store.projections.find(Filter())[0] == before
    assert list(store.projections.ended_before(datetime.now(UTC) + timedelta(days=1))) == ["h"]
    assert store.games.latest("g").state == fold(GAME).state


def test_games_that_ended_long_ago_are_due(store: Store) -> None:
    now = datetime.now(UTC)
    for game_id, events in (("ended", GAME), ("running", GAME[:-10]), ("old", playout(seed=4))):
        store.events.open(game_id, events, None)
        store.projections.project(game_id)
    assert sorted(store.projections.ended_before(now + timedelta(days=1))) == ["ended", "old"]
    assert list(store.projections.ended_before(datetime(2000, 1, 1, tzinfo=UTC))) == []
    assert store.archive("old")
    assert list(store.projections.ended_before(now + timedelta(days=1))) == ["ended"]
    assert store.archiving.restore("old")
    assert sorted(store.projections.ended_before(now + timedelta(days=1))) == ["ended", "old"]


def test_a_store_that_is_full_can_archive_and_brings_nothing_back(store: Store) -> None:
    events = GAME
    store.events.open("g", events, None)
    store.projections.project("g")
    store.client.config_set("maxmemory", "1")
    try:
        # What is noted of it besides has to wait; the log has moved.
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
