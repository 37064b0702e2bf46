"""Deleting a game: only a tombstone remains, whatever happens meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.play.forks import fork
from store import Store, keys
from store.deleting import WHY, Deletions
from store.errors import GameDeleted, StoreUnavailable, UnknownGame
from store.library.finding import Filter
from store.library.tallies import ALL
from store.redis import connection
from store.redis.connection import connect
from tests.playouts import clock, playout
from tests.store.logs import key, position

AT = "2026-11-22T20:00:00.000Z"
GAME = playout(seed=3, seats=3)
OTHER = playout(seed=4, seats=3)


def fill(store: Store) -> None:
    """Store two games, a fork of the first, and all data about them."""
    for game_id, events in (("g", GAME), ("other", OTHER)):
        store.events.open(game_id, events, None, key(f"open {game_id}"))
        store.projections.project(game_id)
        store.audits.save(game_id, "a1", {"verdict": "clean"})
        store.sharing.share(game_id, AT)
    _, copies = fork(GAME, 9, game="g", seed="if", recorded_at=clock(300))
    store.events.open("fork", copies, "if")
    store.projections.project("fork")
    writing = store.files.create("print-g")
    writing.write(b"a transcript")
    writing.publish({}, ["g"])
    store.jobs.update(store.jobs.create("print", {"game": "g"}).id, status="done", result={"file": "print-g"})
    store.jobs.create("audit", {"game": "g", "rules": "1"}, same="audit g")


def of_game(store: Store, game_id: str) -> list[bytes]:
    """Return the keys that still refer to a game, by name or by content."""
    reads = {
        b"hash": lambda name: connection.call(store.client, "HGETALL", name),
        b"zset": lambda name: connection.call(store.client, "ZRANGE", name, 0, -1),
        b"set": lambda name: connection.call(store.client, "SMEMBERS", name),
        b"list": lambda name: connection.call(store.client, "LRANGE", name, 0, -1),
        b"string": lambda name: connection.call(store.client, "GET", name),
        b"stream": lambda _: None,
    }
    told, named = [], f"{{{game_id}}}".encode()
    for name in connection.scan(store.client, "*"):
        held = repr(reads[connection.call(store.client, "TYPE", name)](name))
        if named in name or f"'{game_id}'" in held or f'"{game_id}"' in held:
            told.append(name)
    return sorted(told)


def test_nothing_is_left_but_a_tombstone(store: Store) -> None:
    fill(store)
    players = {name: store.projections.tally("player", name) for name in ("Ada", "Bo")}
    store.deletions.delete("g", at=AT, by="Ann's laptop")
    assert store.deletions.list_unfinished() == ["g"]
    assert store.deletions.finish("g")
    assert not store.deletions.finish("g")
    assert store.deletions.list_unfinished() == []

    gone = store.events.tombstone("g")
    assert gone is not None
    assert (gone.version, gone.head, gone.at, gone.by) == (*position(GAME), AT, "Ann's laptop")
    jobs = connection.call(store.client, "HVALS", keys.JOBS)
    assert all(WHY.encode() in job and b"print-g" not in job and b'"rules"' not in job for job in jobs)
    assert store.jobs.list_unfinished() == []
    # A repetition of its opening request does not open it again. The fork names its origin.
    left = {b"{g}:meta", b"{games}:deleted", b"{games}:summaries", b"{jobs}:documents", b"{games}:parent:g"}
    assert set(of_game(store, "g")) <= left | {b"{fork}:events", b"{games}:openings"}
    assert store.files.find("print-g") is None
    assert [game.id for game in store.projections.find(Filter())[0]] == ["other", "fork"]
    assert [game.id for game in store.projections.find(Filter(q="ada"))[0]] == ["other", "fork"]
    assert store.sharing.of("g") == []
    assert len(store.sharing.of("other")) == 1
    for name, before in players.items():
        games = {field: count for field, count in store.projections.tally("player", name).items() if ALL in field}
        assert sum(games.values()) == sum(count for field, count in before.items() if ALL in field) - 1


def test_words_that_only_it_had_are_no_words_any_more(store: Store) -> None:
    store.events.open("g", playout(seed=1, seats=2), None)
    store.projections.project("g")
    assert store.client.zcard(keys.VOCABULARY)
    store.deletions.delete("g", at=AT, by=None)
    assert not store.client.exists(keys.VOCABULARY, keys.ALL_GAMES, keys.OPENED, keys.SUMMARIES)
    assert store.events.absent("g").by is None  # type: ignore[attr-defined]


@pytest.fixture
def process(events_server: str) -> Iterator[Store]:
    """The same store in another process."""
    with connect(events_server) as client:
        yield Store(client)


def test_whoever_asks_is_told_that_it_was_deleted(store: Store, process: Store) -> None:
    fill(store)
    process.games.latest("g")
    store.deletions.delete("g", at=AT, by=None)
    asks: list[Callable[[], object]] = [
        lambda: process.games.latest("g"),
        lambda: process.games.get("g", 3),
        lambda: process.events.head("g"),
        lambda: process.events.read("g"),
        lambda: process.events.append("g", position(GAME[:5]), GAME[5:6]),
        lambda: process.events.open("g", GAME, None),
        lambda: process.projections.project("g"),
        lambda: process.projections.turns("g"),
        lambda: process.deletions.delete("g", at=AT, by=None),
    ]
    for ask in asks:
        with pytest.raises(GameDeleted) as told:
            ask()
        assert told.value.version == len(GAME)
    assert process.games.cached_game("g") is None
    with pytest.raises(UnknownGame) as unknown:
        store.deletions.delete("nowhere", at=AT, by=None)
    assert not isinstance(unknown.value, GameDeleted)


def test_what_was_on_its_way_does_not_bring_it_back(store: Store, process: Store) -> None:
    fill(store)
    (_, summary), _ = process.projections.find(Filter(q="ada"), limit=2)
    store.deletions.delete("g", at=AT, by=None)
    store.deletions.finish("g")
    before = of_game(store, "g")
    games, _ = process.projections.find(Filter())
    assert summary.id == "g"
    assert not process.projections.write(summary)
    process.audits.save("g", "late", {"verdict": "clean"})
    process.snapshots.save("g", process.games.latest("other"))
    assert store.projections.rebuild() == {}
    assert of_game(store, "g") == before
    assert [game.id for game in games] == ["other", "fork"]


def test_a_reader_between_two_pages_is_told(store: Store) -> None:
    store.events.open("g", GAME, None)
    pages = store.events.pages("g", size=10)
    next(pages)
    store.deletions.delete("g", at=AT, by=None)
    with pytest.raises(GameDeleted):
        next(pages)


def delete_and_finish(store: Store) -> None:
    store.deletions.delete("g", at=AT, by="Ann")
    store.deletions.finish("g")


@pytest.mark.parametrize("failing", ["deletions", "projections", "sharing", "jobs", "files"])
def test_a_deletion_that_was_begun_is_finished(store: Store, failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store)

    class Crash:
        def __getattr__(self, name: str) -> object:
            raise StoreUnavailable("killed")

        def __call__(self, *_: object) -> object:
            raise StoreUnavailable("killed")

    if failing == "deletions":
        monkeypatch.setattr(Deletions, "_carry_out", Crash())
    else:
        monkeypatch.setattr(store, failing, Crash())
    with pytest.raises(StoreUnavailable):
        delete_and_finish(store)
    monkeypatch.undo()
    again = Store(store.client)
    assert again.deletions.list_unfinished() == ["g"]
    assert again.deletions.finish("g")
    gone = again.events.tombstone("g")
    assert gone is not None
    assert (gone.at, gone.by) == (AT, "Ann")
    assert [game.id for game in again.projections.find(Filter())[0]] == ["other", "fork"]


def test_appends_and_projections_at_the_same_moment_end(store: Store, events_server: str) -> None:
    store.events.open("g", GAME[:2], None)
    begun, refused = threading.Event(), list[str]()

    def append() -> None:
        with connect(events_server) as client:
            process = Store(client)
            try:
                for at in range(2, len(GAME)):
                    process.events.append("g", position(GAME[:at]), GAME[at : at + 1])
                    begun.set()
            except GameDeleted as told:
                refused.append(told.game_id)

    def project() -> None:
        with connect(events_server) as client:
            process = Store(client)
            try:
                while True:
                    process.projections.project("g")
            except GameDeleted as told:
                refused.append(told.game_id)

    threads = [threading.Thread(target=work) for work in (append, project, project)]
    for thread in threads:
        thread.start()
    begun.wait(60)
    store.deletions.delete("g", at=AT, by=None)
    for thread in threads:
        thread.join(60)
    assert len(refused) >= 2
    assert store.deletions.finish("g")
    assert of_game(store, "g") == [b"{games}:deleted", b"{g}:meta"]


@pytest.mark.parametrize("has_crashed", [False, True])
def test_the_file_of_an_archived_game_goes_too(store: Store, tmp_path: Path, has_crashed: bool) -> None:
    archiving = Store(store.client, str(tmp_path))
    archiving.events.open("g", GAME, None)
    archiving.projections.project("g")
    assert archiving.archive("g")
    assert len(list(tmp_path.rglob("*.gz"))) == 1
    archiving.deletions.delete("g", at=AT, by=None)
    if has_crashed:
        with pytest.raises(StoreUnavailable):
            store.deletions.finish("g")  # has no archive
        assert store.deletions.list_unfinished() == ["g"]
    assert archiving.deletions.finish("g")
    assert not list(tmp_path.rglob("*.gz"))
    assert not archiving.client.exists(keys.ARCHIVED)
    gone = archiving.events.tombstone("g")
    assert gone is not None
    assert (gone.version, gone.head) == position(GAME)
    assert archiving.client.hlen("{g}:meta") == 4
    assert archiving.projections.rebuild() == {}
    assert archiving.projections.count() == 0
