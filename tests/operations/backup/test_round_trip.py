"""A restored store equals the one that was backed up, even if it grew meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.review.audit import Auditor
from exports import bgstats_reading
from operations.backup import restoring, writing
from operations.backup.restoring import NotEmpty
from proofs import heads
from service.logs import signed_head
from store import Store, keys
from store.deleting import Deletions
from store.errors import Corrupt
from store.library.plays import WantedPlays
from store.log import codec
from store.log.idempotency import IdempotencyKey, StoredResult
from tests.exports.test_bgstats_reading import UUID, of, play
from tests.operations.backup.files import (
    ENDED,
    IDS,
    KEY,
    LONG,
    SEEDED,
    backed_up_data,
    fill,
    logs,
    make_backup,
    read_lines,
    restore_backup,
)
from tests.playouts import playout
from tests.store.logs import notes, position

AT = "2026-11-22T20:00:00.000Z"


def test_all_that_cannot_be_made_again_is_there_again(
    store: Store, elsewhere: Store, tmp_path: Path, work: Callable[[], None]
) -> None:
    fill(store)
    for game_id in IDS:
        store.projections.project(game_id)
    proof = signed_head(store, ENDED, store.games.latest(ENDED), 7)
    before = backed_up_data(store)

    contents = restore_backup(elsewhere, make_backup(store, tmp_path / "backup"))

    assert backed_up_data(elsewhere) == before
    assert set(elsewhere.client.scan_iter()) == set(before)
    assert (contents.sealed.games, contents.key) == (3, store.signing.active().public)
    trusted = [one.key for one in elsewhere.signing.published_keys()]
    assert heads.check(proof, trusted).head.hashes == tuple(elsewhere.events.hashes(ENDED, 7))
    again = heads.check(signed_head(elsewhere, ENDED, elsewhere.games.latest(ENDED), 7))
    assert again.head.head == heads.check(proof).head.head


def test_past_plays_are_there_again_as_they_are_found_and_counted(
    store: Store, elsewhere: Store, tmp_path: Path
) -> None:
    fill(store)
    items = list(bgstats_reading.read(of(play(), play(uuid="11111111-1111-4111-8111-111111111111"))))
    for item in items:
        assert item.play is not None
        store.plays.take(item.play)
    assert items[1].play is not None
    store.plays.take_out(items[1].play.id)
    restore_backup(elsewhere, make_backup(store, tmp_path / "backup"))
    assert [one.id for one in elsewhere.plays.all(WantedPlays(player="bob"))] == [UUID.lower()]
    assert elsewhere.projections.tally("player", "Bob") == store.projections.tally("player", "Bob") != {}
    assert elsewhere.plays.take(items[1].play) == "taken_out"


def test_it_audits_clean_and_goes_on(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    fill(store)
    restore_backup(elsewhere, make_backup(store, tmp_path / "backup"))
    assert sorted(elsewhere.projections.behind()) == sorted(IDS)
    for game_id in IDS:
        auditor = Auditor()
        for event in elsewhere.events.read(game_id):
            auditor.read(event)
        assert auditor.finish().verdict == "clean"
        elsewhere.projections.project(game_id)
    assert elsewhere.projections.count() == 3
    assert elsewhere.events.seed(SEEDED) == "seed-4"
    at = elsewhere.events.head(ENDED)
    assert isinstance(elsewhere.events.append(ENDED, at, notes("x", after=playout(seed=3)), KEY), StoredResult)
    assert elsewhere.events.claim(KEY, "0" * len(SEEDED)) == SEEDED
    more = notes("more", after=elsewhere.events.read(LONG))
    elsewhere.events.append(LONG, (more[0].seq - 1, more[0].prev), more)


def test_what_is_appended_meanwhile_is_in_it_as_a_beginning(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    """Many append meanwhile. The backup has each game at one moment, and no key from later."""
    for game_id in IDS:
        store.events.open(game_id, notes("a"), None, IdempotencyKey("0", b""))
    ended = threading.Event()

    def record(game_id: str) -> None:
        events = notes("a")
        while not ended.is_set():
            more = notes("b", "c", after=events)
            store.events.append(game_id, position(events), more, IdempotencyKey(str(len(events)), b""))
            events += more

    writers = [threading.Thread(target=record, args=(game_id,)) for game_id in IDS]
    for writer in writers:
        writer.start()
    try:
        backups = [make_backup(store, tmp_path / f"backup-{number}") for number in range(5)]
    finally:
        ended.set()
        for writer in writers:
            writer.join()
    for path in backups:
        restoring.examine(path, None)
    restore_backup(elsewhere, backups[-1])
    for game_id in IDS:
        version, _ = elsewhere.events.head(game_id)
        assert elsewhere.events.read(game_id) == store.events.read(game_id, until=version)
        assert elsewhere.client.hlen(keys.idempotency(game_id)) == (version + 1) // 2


def test_kinds_of_keys_and_when_they_go(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    """All kinds of data return, even those that few use today."""
    store.signing.active()
    for number in range(1500):
        store.client.hset(keys.SHARES, str(number), "x")
    families = writing.families.FAMILIES
    more = tuple(
        writing.families.KeyFamily(f"{{shares}}:a-{type_}", type_, is_kept=True) for type_ in ("set", "zset", "string")
    )
    store.client.sadd("{shares}:a-set", *range(1000))
    store.client.zadd("{shares}:a-zset", {str(number): number / 3 for number in range(1000)})
    store.client.set("{shares}:a-string", "text", ex=1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing.families, "FAMILIES", families + more)
        restore_backup(elsewhere, make_backup(store, tmp_path / "backup"))
    for name in ("{shares}:a-set", "{shares}:a-zset", "{shares}:a-string", keys.SHARES):
        assert elsewhere.client.dump(name) is not None
    assert elsewhere.client.smembers("{shares}:a-set") == store.client.smembers("{shares}:a-set")
    assert elsewhere.client.zrange("{shares}:a-zset", 0, -1, withscores=True) == store.client.zrange(
        "{shares}:a-zset", 0, -1, withscores=True
    )
    assert elsewhere.client.get("{shares}:a-string") == b"text"
    assert 900 < elsewhere.client.ttl("{shares}:a-string") <= 1000
    assert elsewhere.client.hlen(keys.SHARES) == 1500


def test_a_damaged_game_is_named_and_left_out(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    fill(store)
    store.client.xdel(keys.events(ENDED), "7-0")
    store.client.hset(keys.meta(SEEDED), "seed", "another")
    store.client.hset(keys.meta("notanid"), mapping={"v": 1, "head": bytes(32)})
    store.client.xadd("{notanid}:events", {"e": "[]", "h": bytes(32)}, id="1-0")
    with (tmp_path / "backup").open("wb") as file:
        told = writing.write(store, file, made_by="test")
    assert told.left_out.keys() == {ENDED, SEEDED, "notanid"}
    assert "at event 7: the event is missing" in told.left_out[ENDED]
    assert "the stored seed" in told.left_out[SEEDED]
    assert restore_backup(elsewhere, tmp_path / "backup").sealed.games == 1
    assert list(elsewhere.events.game_ids()) == [LONG]


@pytest.mark.parametrize("is_listed", [False, True])
@pytest.mark.parametrize("lost", ["events", "meta", "v", "head", "events and head"])
def test_a_game_that_has_lost_a_key_is_named(lost: str, is_listed: bool, store: Store, tmp_path: Path) -> None:
    fill(store)
    if is_listed:
        store.projections.project(ENDED)
    for one in lost.split(" and "):
        if one in ("events", "meta"):
            store.client.delete(f"{{{ENDED}}}:{one}")
        else:
            store.client.hdel(keys.meta(ENDED), one)
    with (tmp_path / "backup").open("wb") as file:
        told = writing.write(store, file, made_by="test")
    assert (told.sealed.games, list(told.left_out)) == (2, [ENDED])


@pytest.mark.parametrize("name", [keys.shares_of(LONG), keys.ALIASES, keys.DELETED, keys.idempotency(ENDED)])
def test_a_key_of_another_kind_is_named(name: str, store: Store, elsewhere: Store, tmp_path: Path) -> None:
    fill(store)
    store.client.delete(name)
    store.client.set(name, "?")
    with (tmp_path / "backup").open("wb") as file:
        told = writing.write(store, file, made_by="test")
    assert list(told.left_out) == [name]
    assert restore_backup(elsewhere, tmp_path / "backup").sealed.games == 3


@pytest.mark.parametrize("kept", range(9))
def test_a_cut_idempotency_entry_spoils_no_backup(kept: int, store: Store, elsewhere: Store, tmp_path: Path) -> None:
    fill(store)
    name = keys.idempotency(ENDED)
    ((field, value),) = store.client.hgetall(name).items()
    store.client.hset(name, field, value[:kept])
    with (tmp_path / "backup").open("wb") as file:
        told = writing.write(store, file, made_by="test")
    assert list(told.left_out) == [name]
    assert restore_backup(elsewhere, tmp_path / "backup").sealed.games == 3


def test_an_archived_game_without_its_version_is_named(store: Store, tmp_path: Path) -> None:
    fill(store)
    assert Store(store.client, str(tmp_path / "archive")).archive(ENDED)
    store.client.delete(keys.meta(ENDED))
    with (tmp_path / "backup").open("wb") as file:
        told = writing.write(store, file, made_by="test")
    assert (told.sealed.games, list(told.left_out)) == (2, [ENDED])


def test_an_event_that_is_no_line_is_damage(store: Store, tmp_path: Path) -> None:
    fill(store)
    (event,) = notes("a")
    row, hash_ = codec.encode(event)
    store.client.delete(keys.events(ENDED))
    store.client.xadd(keys.events(ENDED), {"e": row.replace(b",", b",\n", 1), "h": hash_}, id="1-0")
    store.client.hset(keys.meta(ENDED), mapping={"v": 1, "head": hash_})
    with (tmp_path / "backup").open("wb") as file:
        (reason,) = writing.write(store, file, made_by="test").left_out.values()
    assert reason.endswith("an event has an invalid format")


def test_a_game_that_is_deleted_meanwhile_is_no_damage(store: Store, tmp_path: Path) -> None:
    fill(store)

    def delete(done: int, _total: int) -> None:
        if done == 1:
            store.client.delete(keys.meta(LONG), keys.events(LONG))

    with (tmp_path / "backup").open("wb") as file:
        told = writing.write(store, file, made_by="test", progressed=delete)
    assert (told.sealed.games, told.left_out) == (2, {})


def test_a_store_without_a_key_that_signs_gets_one(store: Store, tmp_path: Path) -> None:
    path = make_backup(store, tmp_path / "backup")
    assert [line[:10] for line in read_lines(path)] == [b'{"is":"bac', b'{"is":"key', b'{"is":"sea']


def test_signing_keys_that_are_damaged_make_no_backup(store: Store, tmp_path: Path) -> None:
    fill(store)
    store.signing.active()
    store.client.lset(keys.SIGNING, -1, "{}")
    with (tmp_path / "backup").open("wb") as file, pytest.raises(Corrupt):
        writing.write(store, file, made_by="test")


def test_of_a_deleted_game_the_tombstone_comes_back(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    fill(store)
    store.deletions.delete(ENDED, at=AT, by="Ann")
    assert store.deletions.finish(ENDED)
    before = backed_up_data(store)
    contents = restore_backup(elsewhere, make_backup(store, tmp_path / "backup"))
    assert contents.sealed.games == 2
    assert backed_up_data(elsewhere) == before
    assert str(elsewhere.events.tombstone(ENDED)) == str(store.events.tombstone(ENDED))
    assert elsewhere.deletions.are_among([ENDED])
    for game_id in (SEEDED, LONG):
        elsewhere.client.delete(keys.meta(game_id))
    with pytest.raises(NotEmpty):
        restore_backup(elsewhere, tmp_path / "backup")


@pytest.mark.parametrize("is_begun", [True, False])
def test_a_deletion_is_finished_where_it_is_restored(
    store: Store, elsewhere: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_begun: bool
) -> None:
    """The deletion stopped before, or after, it removed the log."""
    fill(store)
    with monkeypatch.context() as patch:
        if not is_begun:
            patch.setattr(Deletions, "_carry_out", lambda *_: None)
        store.deletions.delete(ENDED, at=AT, by=None)
    assert restore_backup(elsewhere, make_backup(store, tmp_path / "backup")).sealed.games == (2 if is_begun else 3)
    assert elsewhere.deletions.list_unfinished() == [ENDED]
    assert elsewhere.deletions.finish(ENDED)
    gone = elsewhere.events.tombstone(ENDED)
    assert gone is not None
    assert (gone.head, gone.at, gone.by) == (logs()[0][-1].hash, AT, None)
    assert elsewhere.client.exists(keys.events(ENDED), keys.audits(ENDED)) == 0
    assert elsewhere.deletions.are_among([ENDED])


def test_a_game_that_is_deleted_once_it_is_written_is_there_again(
    store: Store, elsewhere: Store, tmp_path: Path
) -> None:
    fill(store)

    def delete(done: int, _total: int) -> None:
        if done == len(IDS):
            store.deletions.delete(ENDED, at=AT, by=None)
            store.deletions.finish(ENDED)

    with (tmp_path / "backup").open("wb") as file:
        writing.write(store, file, made_by="test", progressed=delete)
    assert restore_backup(elsewhere, tmp_path / "backup").sealed.games == 3
    elsewhere.projections.project(ENDED)
    assert elsewhere.projections.count() == 1
    assert not elsewhere.deletions.are_among([ENDED])


def test_an_archived_game_comes_back_as_one_that_is_not(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    fill(store)
    log = store.events.read(LONG)
    archiving = Store(store.client, str(tmp_path / "archive"))
    assert archiving.archive(LONG)
    assert restore_backup(elsewhere, make_backup(archiving, tmp_path / "backup")).sealed.games == 3
    assert elsewhere.events.read(LONG) == log
    assert elsewhere.client.hget(keys.meta(LONG), "archived") is None
