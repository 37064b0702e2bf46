"""A restore is complete or changes nothing. After a failure, a message says what it contains and what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from operations.backup import restoring
from operations.backup.lines import NotABackup
from operations.backup.restoring import NotEmpty, Restoring, Unfinished
from store import Store, keys
from store.errors import StoreUnavailable
from store.redis.embedded import EmbeddedServer
from tests.operations.backup.files import ENDED, IDS, backed_up_data, fill, make_backup
from tests.playouts import playout
from tests.store.logs import notes
from tests.waiting import until


@pytest.fixture
def backup(store: Store, tmp_path: Path) -> Path:
    """A complete backup, without the store that it came from."""
    fill(store)
    path = make_backup(store, tmp_path / "backup")
    store.client.flushdb()
    return path


def restore(store: Store, path: Path, progressed: Callable[..., None] | None = None) -> None:
    restoring.restore(store, path, restoring.examine(path, None), progressed)


def failing(at: str, error: BaseException) -> Callable[..., None]:
    """Return a progress callback that raises `error` after the second item of the step `at`."""

    def stop_at_step(what: str, done: int, _total: int | None) -> None:
        if what == at and done == 2:
            raise error

    return stop_at_step


def test_nothing_is_restored_beside_what_is_there(store: Store, backup: Path) -> None:
    store.events.open(ENDED, playout(seed=9), None)
    before = backed_up_data(store)
    with pytest.raises(NotEmpty):
        restore(store, backup)
    assert backed_up_data(store) == before
    assert restoring.stage(store) is None


@pytest.mark.parametrize("error", [StoreUnavailable("gone"), OSError("unreadable"), NotABackup("changed")])
def test_what_fails_while_it_is_written_leaves_the_store_as_it_was(
    store: Store, backup: Path, error: Exception
) -> None:
    store.client.set("somebody's", "own")
    signs = store.signing.active().public
    with pytest.raises(Unfinished, match="The store was not changed"):
        restore(store, backup, failing("games", error))
    assert set(store.client.scan_iter()) == {b"somebody's", keys.SIGNING.encode()}
    assert store.signing.active().public == signs
    restore(store, backup)
    assert sorted(store.events.game_ids()) == sorted(IDS)


def test_a_running_service_hears_of_every_game_that_is_there_again(store: Store, backup: Path) -> None:
    hints, heard = store.hints(), []
    listener = threading.Thread(target=lambda: heard.extend(hints.listen()))
    listener.start()
    try:
        # From here on, all data is there.
        until(lambda: heard == [None])
        restore(store, backup)
        until(lambda: len(heard) > len(IDS))
    finally:
        hints.stop()
        listener.join()
    assert set(heard[1:]) == {(id_, store.events.head(id_)[0]) for id_ in IDS}


def test_it_is_asked_to_end(store: Store, backup: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        restore(store, backup, failing("games", KeyboardInterrupt()))
    assert list(store.client.scan_iter()) == []


def test_a_file_that_changes_while_it_is_restored(store: Store, backup: Path, tmp_path: Path) -> None:
    contents = restoring.examine(backup, None)
    store.signing.active()
    store.events.open(ENDED, playout(seed=9), None)
    other = make_backup(store, tmp_path / "other")
    store.client.flushdb()
    with pytest.raises(Unfinished, match=r"was changed while it was being restored\. The store was not changed"):
        restoring.restore(store, other, contents)
    assert list(store.client.scan_iter()) == []


class Killed(BaseException):
    """Ends a restore like SIGKILL, without cleaning up."""


def kill_restore(store: Store, backup: Path, at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore a backup, but stop after two items of the step `at` without cleaning up, as if killed."""
    with monkeypatch.context() as patch:
        patch.setattr(restoring, "_take_back", lambda *_: None)
        patch.setattr(restoring._Lock, "__exit__", lambda *_: None)
        with pytest.raises(Killed):
            restore(store, backup, failing(at, Killed()))


@pytest.mark.parametrize("at", ["games", "games restored"])
def test_one_that_was_killed_is_made_good_by_the_next(
    store: Store, backup: Path, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_restore(store, backup, at, monkeypatch)
    seen = list(store.events.game_ids())
    assert len(seen) == (0 if at == "games" else 2)
    assert restoring.stage(store) == ("writing" if at == "games" else "placing")
    with pytest.raises(Restoring, match="was killed less than 60 seconds ago"):
        restore(store, backup)
    store.client.delete(keys.RESTORE_LOCK)
    if seen:
        game = store.events.read(seen[0])
        more = notes("recorded meanwhile", after=game)
        store.events.append(seen[0], (game[-1].seq, game[-1].hash), more)
    restore(store, backup)
    assert sorted(store.events.game_ids()) == sorted(IDS)
    assert restoring.stage(store) is None
    assert list(store.client.scan_iter(match="*:restoring")) == []
    if seen:
        # Events acknowledged meanwhile are there.
        assert store.events.read(seen[0]) == game + more


def test_one_that_was_killed_is_not_mixed_with_another_file(
    store: Store, backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_restore(store, backup, "games restored", monkeypatch)
    store.client.delete(keys.RESTORE_LOCK)
    with EmbeddedServer(tmp_path / "empty", "events", durable=True) as server:
        other = make_backup(Store.connect(server.url), tmp_path / "other")
    with pytest.raises(NotEmpty):
        restore(store, other)
    assert sorted(store.events.game_ids()) == sorted(IDS)


@pytest.mark.parametrize(("at", "games"), [("games", 0), ("games restored", 3)])
def test_one_that_was_killed_is_finished_without_its_file(
    store: Store, backup: Path, at: str, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_restore(store, backup, at, monkeypatch)
    store.client.delete(keys.RESTORE_LOCK)
    assert restoring.finish(store) == ("placing" if games else "writing")
    assert len(list(store.events.game_ids())) == games
    assert restoring.finish(store) is None
    assert list(store.client.scan_iter(match="*restor*")) == []


def test_two_at_once(store: Store, backup: Path) -> None:
    refused: list[Exception] = []

    def second(what: str, done: int, _total: int | None) -> None:
        if what == "games" and done == 2:
            with pytest.raises(Restoring) as caught:
                restore(store, backup)
            refused.append(caught.value)

    restore(store, backup, second)
    assert len(refused) == 1
    assert sorted(store.events.game_ids()) == sorted(IDS)


def test_one_that_stood_still_lets_the_other_be(store: Store, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock has expired, and another restore has started, to which the temporary keys belong."""
    monkeypatch.setattr(restoring._Lock, "_is_due", lambda _: True)

    def other(what: str, done: int, _total: int | None) -> None:
        if what == "games" and done == 2:
            store.client.set(keys.RESTORE_LOCK, "another's")
            store.client.set("{x}:meta:restoring", "another's")

    with pytest.raises(Restoring, match="the restore paused"):
        restore(store, backup, other)
    assert store.client.exists("{x}:meta:restoring", keys.RESTORE_LOCK) == 2


def test_the_lock_is_held_on_to(store: Store, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring._Lock, "_is_due", lambda _: True)
    restore(store, backup)
    assert sorted(store.events.game_ids()) == sorted(IDS)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(tmp_path / "mortal", "events", durable=True) as server:
        yield server


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("games", "Nothing was restored, but temporary data is still in the store"),
        ("games restored", "The restore stopped near its end, and nothing is lost"),
    ],
)
def test_a_store_that_dies(server: EmbeddedServer, backup: Path, at: str, words: str) -> None:
    store = Store.connect(server.url)

    def die(what: str, done: int, _total: int | None) -> None:
        if what == at and done == 2:
            assert server._process is not None
            server._process.kill()
            server._process.wait()

    with pytest.raises(Unfinished, match=words):
        restore(store, backup, die)
    server.start()
    store.client.delete(keys.RESTORE_LOCK)
    restore(store, backup)
    assert sorted(store.events.game_ids()) == sorted(IDS)
    assert restoring.stage(store) is None


def test_a_store_whose_memory_is_full(server: EmbeddedServer, backup: Path) -> None:
    store = Store.connect(server.url)
    contents = restoring.examine(backup, None)
    store.client.config_set("maxmemory", 1)
    assert restoring.room_in(store.client) == 0
    with pytest.raises((Unfinished, StoreUnavailable)):
        restoring.restore(store, backup, contents)
    store.client.config_set("maxmemory", 0)
    assert list(store.client.scan_iter()) in ([], [keys.RESTORE_LOCK.encode()])
    assert (restoring.room_in(store.client) or 0) > 10**8


def test_the_store_may_be_read_and_written_meanwhile(store: Store, backup: Path) -> None:
    """Somebody opens a new game, and nobody sees half of a restored game."""
    ended = threading.Event()
    seen: set[int] = set()

    def look() -> None:
        while not ended.is_set():
            for game_id in store.events.game_ids():
                seen.add(len(store.events.read(game_id)) - store.events.head(game_id)[0])

    looker = threading.Thread(target=look)
    looker.start()
    try:
        restore(store, backup)
        until(lambda: bool(seen))
    finally:
        ended.set()
        looker.join()
    assert seen == {0}
