"""Archived logs: complete in one of two places at any moment, readable as before, and moved back by an append."""

from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from engine.core.events import Event
from engine.play.fold import fold
from store import Store
from store.errors import UnknownGame, VersionConflict
from store.library.finding import Filter
from store.log.idempotency import StoredResult
from store.log.reader import PAGE
from tests.playouts import long_record, playout
from tests.store.log.archive.archives import GAME, archive_game, cold, in_redis
from tests.store.logs import key, notes, position


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
            list(store.events.read_verified("g", last)),
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
    file = archive_game(store, GAME)
    about, first, *_ = gzip.decompress(file.read_bytes()).decode().splitlines()
    assert about == (
        f'{{"driftlog": "archived log", "format": 1, "game": "g", "version": {len(GAME)}, "head": "{GAME[-1].hash}"}}'
    )
    assert first.startswith('["game_opened",null,{')
    assert first.endswith(f"\t{GAME[0].hash}")


def test_who_appends_brings_it_back(store: Store) -> None:
    archive_game(store, GAME)
    more = notes("And then?", after=GAME)
    store.events.append("g", position(GAME), more, key("k"))
    assert in_redis(store)
    assert store.events.read("g") == GAME + more
    again = store.events.append("g", position(GAME), more, key("k"))
    assert isinstance(again, StoredResult)
    assert store.archive("g")
    assert store.events.read("g") == GAME + more
    assert isinstance(store.events.append("g", position(GAME), more, key("k")), StoredResult)
    with pytest.raises(VersionConflict) as conflict:
        store.events.append("g", position(GAME), notes("Late", after=GAME))
    assert conflict.value.events == more


def test_it_is_brought_back_when_asked(store: Store) -> None:
    archive_game(store, GAME)
    assert store.archiving.restore("g")
    assert not store.archiving.restore("g")
    assert store.events.read("g") == GAME
    assert not store.archiving.restore("nowhere")


def test_archived_twice_is_archived_once(store: Store) -> None:
    file = archive_game(store, GAME)
    assert not store.archive("g")
    assert file.exists()
    assert store.events.read("g") == GAME


def test_what_is_not_in_use_goes_when_an_operator_says_so(store: Store) -> None:
    old = archive_game(store, GAME)
    store.archiving.restore("g")
    assert store.archiving.tidy("g") == 0
    old.with_name("killed.part").touch()
    assert store.archive("g")
    assert len(list(old.parent.iterdir())) == 3
    assert store.archiving.tidy("g") == 2
    assert [f"g/{file.name}" for file in old.parent.iterdir()] == [store.archiving.name("g")]
    assert cold(store).events.read("g") == GAME


def test_only_its_owner_reads_a_file(store: Store, place: str) -> None:
    file = archive_game(store, GAME)
    assert [path.stat().st_mode & 0o777 for path in (Path(place), file.parent, file)] == [0o700, 0o700, 0o600]


def test_what_root_archives_belongs_to_whose_the_folder_is(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[str | int, int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, *owner: given.append((path, *owner)))
    deep = Store(store.client, str(tmp_path / "a" / "b"))
    file = archive_game(deep, GAME)
    status = tmp_path.stat()
    assert {owner for _, *owner in map(list, given) for owner in [tuple(owner)]} == {(status.st_uid, status.st_gid)}
    folders = {path for path, _, _ in given if isinstance(path, Path)}
    assert folders == {tmp_path / "a", tmp_path / "a" / "b", file.parent}
    assert any(isinstance(path, int) for path, _, _ in given)


def test_there_is_no_such_game(store: Store) -> None:
    with pytest.raises(UnknownGame):
        store.archive("nowhere")


def test_another_kind_of_storage(store: Store) -> None:
    elsewhere = Store(store.client, f"memory://{uuid4().hex}")
    elsewhere.events.open("g", GAME, None)
    assert elsewhere.archive("g")
    assert cold(elsewhere).events.read("g") == GAME
    assert elsewhere.archiving.restore("g")
    assert elsewhere.events.read("g") == GAME


def test_a_list_that_is_made_anew_has_archived_games(store: Store) -> None:
    archive_game(store, GAME)
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
