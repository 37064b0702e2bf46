"""Each check of the doctor finds its fault, and mends it if possible."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core.events import Event, Seat, event_hash
from engine.play.record import open_game
from operations import doctor
from operations.backup import restoring
from operations.doctor import CheckResult, lists, server
from operations.doctor.inventory import Inventory
from store import Store, keys
from store.errors import LacksRuleset, StoreUnavailable, UnsupportedServer
from store.library.listing import Entries
from store.library.summaries import parse
from store.log.archive import Archive
from store.redis import connection
from store.redis.embedded import EmbeddedServer
from tests.operations.backup.files import ENDED, IDS, LONG, SEEDED, fill, logs
from tests.playouts import clock

NOBODY = "01kaj5x9f3q8w7e2r4t6y8v0zz"


@pytest.fixture
def kept(store: Store) -> Store:
    """A store without faults."""
    fill(store)
    for game_id in IDS:
        store.projections.project(game_id)
    return store


def run_checks(store: Store, *, sample: int | None = None) -> dict[str, CheckResult]:
    return {finding.check: finding for finding in doctor.examine(store, None, sample=sample)}


def levels(store: Store) -> dict[str, str]:
    """Return the checks that are not ok."""
    return {check: finding.level for check, finding in run_checks(store).items() if finding.level != "ok"}


def test_a_store_in_which_all_is_well(kept: Store) -> None:
    told: list[tuple[int, int]] = []
    findings = list(doctor.examine(kept, None, progressed=lambda *done: told.append(done)))
    assert {finding.level for finding in findings} == {"ok"}
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert doctor.mend(kept) == []
    lines = {finding.check: finding.line for finding in findings}
    assert "Valkey" in lines["redis"] or "Redis" in lines["redis"]
    assert lines["indexes"] == "3 games are listed as in their logs"
    assert (
        run_checks(kept, sample=2)["chains"].line
        == "replayed without errors: 2 of 3, chosen at random (--all: every log)"
    )


def test_an_archive_that_is_away(kept: Store, tmp_path: Path) -> None:
    place = tmp_path / "archive"
    assert run_checks(kept)["archive"].line == "DRIFTLOG_ARCHIVE is not set; 0 games are archived"
    with_archive = Store(kept.client, str(place))
    assert with_archive.archive(ENDED)
    assert run_checks(with_archive)["archive"].line == f"{place} works; 1 games are archived"
    assert run_checks(kept)["archive"].level == "fail"
    connection.call(kept.client, "DEL", keys.turns(ENDED))
    assert doctor.mend(kept) == []
    assert doctor.mend(with_archive) == ["1 games were listed again"]
    place.rename(tmp_path / "elsewhere")
    away = run_checks(Store(kept.client, str(place)))
    assert (away["archive"].level, away["archive"].line.endswith(": 1 games cannot be read")) == ("fail", True)
    assert away["chains"].line == "1 of 3 logs are archived and cannot be read; the other logs are intact"
    (tmp_path / "file").write_text("")
    kept.archiving.archive = Archive(str(tmp_path / "elsewhere"))
    assert kept.archiving.restore(ENDED)
    assert run_checks(Store(kept.client, str(tmp_path / "file")))["archive"].level == "warn"


def test_an_empty_store(store: Store) -> None:
    assert levels(store) == {}
    assert run_checks(store)["chains"].line == "there are no games"


def test_a_damaged_log_is_named_and_left_as_it_is(kept: Store) -> None:
    kept.client.xdel(keys.events(ENDED), "7-0")
    finding = run_checks(kept)["chains"]
    assert (finding.level, finding.about) == ("fail", (ENDED,))
    assert "1 of 3 logs are damaged (the first: the record is damaged at event 7" in finding.line
    doctor.mend(kept)
    assert run_checks(kept)["chains"].about == (ENDED,)


@pytest.mark.parametrize(
    ("key", "others", "mended"),
    [
        (keys.meta, {"chains": "fail"}, []),
        (keys.events, {"chains": "fail"}, []),
        (keys.idempotency, {}, []),
        (keys.turns, {"indexes": "warn"}, ["1 keys of the wrong type were deleted", "1 games were listed again"]),
        (keys.snapshots, {}, ["1 keys of the wrong type were deleted"]),
    ],
)
def test_a_key_of_the_wrong_type_is_named(
    kept: Store, key: Callable[[str], str], others: dict[str, str], mended: list[str]
) -> None:
    kept.client.delete(key(ENDED))
    kept.client.set(key(ENDED), "oops")
    findings = run_checks(kept, sample=1 if key is keys.meta else None)
    bad = {name: finding.level for name, finding in findings.items() if finding.level != "ok"}
    assert bad == {**others, "keys": "fail"}
    assert findings["keys"].about == (key(ENDED),)
    assert {findings[name].about for name in others} <= {(ENDED,)}
    assert findings.keys() >= {"packages", "chains", "indexes", "plays", "orphans", "keys"}
    assert doctor.mend(kept) == mended
    assert kept.projections.count() == 3
    assert (levels(kept) == {}) == bool(mended)


@pytest.mark.parametrize("version", [b"", b"[[", b"0"])
def test_a_version_that_is_no_number_is_named(kept: Store, version: bytes) -> None:
    kept.client.hset(keys.meta(ENDED), "v", version)
    assert run_checks(kept)["chains"].about == (ENDED,)
    assert run_checks(kept, sample=1)["chains"].about == (ENDED,)


def test_rules_that_are_not_installed(kept: Store) -> None:
    (event,) = logs()[0][:1]
    event = _of_rules(event)
    kept.events.open(NOBODY, [event], None)
    with pytest.raises(LacksRuleset):
        kept.projections.project(NOBODY)
    finding = run_checks(kept)["rulesets"]
    assert finding.line == f"go 3: not installed, but games use them: {NOBODY}"
    assert run_checks(kept)["chains"].level == "ok"


def test_a_listed_game_whose_rules_were_removed(kept: Store) -> None:
    assert kept.projections.set_aside(ENDED)
    assert levels(kept) == {}


def _of_rules(event: Event) -> Event:
    params = {**event.params, "ruleset": "go", "ruleset_version": "3"}
    changed = msgspec.structs.replace(event, params=params)
    return msgspec.structs.replace(changed, hash=event_hash(changed))


@pytest.mark.parametrize(
    "harm",
    [
        lambda store: store.client.hdel(keys.SUMMARIES, ENDED),
        lambda store: store.client.delete(keys.turns(ENDED)),
        lambda store: store.client.hset(keys.SUMMARIES, ENDED, "nonsense"),
        lambda store: store.client.hset(keys.SUMMARIES, ENDED, _older(store)),
    ],
)
def test_a_game_that_the_list_does_not_have_as_its_log_does(kept: Store, harm: object) -> None:
    assert callable(harm)
    harm(kept)
    assert run_checks(kept)["indexes"].about == (ENDED,)
    assert run_checks(kept)["indexes"].level == "warn"
    assert "1 games were listed again" in doctor.mend(kept)
    assert levels(kept) == {}
    assert kept.projections.count() == 3


def _older(store: Store) -> bytes:
    document = store.client.hget(keys.SUMMARIES, ENDED)
    assert document is not None
    return msgspec.json.encode(msgspec.structs.replace(parse(document), version=1))


def test_indexes_that_disagree(kept: Store) -> None:
    kept.client.zrem(keys.ALL_GAMES, ENDED)
    assert run_checks(kept)["indexes"].level == "fail"
    assert doctor.mend(kept) == ["all lists and indexes were rebuilt"]
    assert levels(kept) == {}


@pytest.mark.parametrize("field", ["ruleset", "player", "tag", "word", "status", "result", "vocabulary", "opened"])
def test_an_index_that_lacks_one_game(kept: Store, field: str) -> None:
    _, first = open_game(
        ruleset="forbidden-island",
        seats=[Seat("Zoe"), Seat("Yan")],
        options={},
        seed="calm",
        recorded_at=clock(1),
        tags=["club"],
    )
    kept.events.open(NOBODY, [first], "calm")
    kept.projections.project(NOBODY)
    assert levels(kept) == {}
    (name, *_) = sorted(key.decode() for key in kept.client.scan_iter(f"{{games}}:{field}*"))
    (member, *_) = kept.client.zrange(name, 0, 0)
    assert kept.client.zrem(name, member) == 1
    told = run_checks(kept)["indexes"]
    assert told.level == "fail"
    assert "all lists and indexes were rebuilt" in doctor.mend(kept)
    assert levels(kept) == {}
    assert kept.client.zscore(name, member) is not None


@pytest.mark.parametrize("index", ["player:nobody", "tag:club", "word:nothing", "ruleset:chess", "status:setup"])
def test_an_index_that_has_one_game_too_many(kept: Store, index: str) -> None:
    for game_id in (ENDED, NOBODY):
        kept.client.zadd(f"{{games}}:{index}", {game_id: 0})
        assert run_checks(kept)["indexes"].level == "fail"
        assert doctor.mend(kept) == ["all lists and indexes were rebuilt"]
        assert levels(kept) == {}


@pytest.mark.parametrize("harm", ["one more", "one less", "no number", "all gone", "of nobody"])
def test_a_tally_that_counts_what_is_not_so(kept: Store, harm: str) -> None:
    told = {name: kept.client.hgetall(name) for name in kept.client.scan_iter(keys.TALLY_PATTERN)}
    name, fields = min(told.items())
    field = min(fields)
    if harm == "all gone":
        kept.client.delete(name)
    elif harm == "of nobody":
        name = keys.tally("player", "nobody").encode()
        kept.client.hset(name, field.decode(), 1)
    elif harm == "no number":
        kept.client.hset(name.decode(), field.decode(), "many")
    else:
        kept.client.hincrby(name.decode(), field.decode(), 1 if harm == "one more" else -1)
    said = run_checks(kept)["indexes"]
    assert (said.level, said.about) == ("fail", (name.decode(),))
    assert doctor.mend(kept) == ["all lists and indexes were rebuilt"]
    assert levels(kept) == {}
    assert {name: kept.client.hgetall(name) for name in kept.client.scan_iter(keys.TALLY_PATTERN)} == told


def test_what_changes_while_it_is_looked_at_says_nothing(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = lists._expected_counts

    def meanwhile(store: Store, of: Entries[Any]) -> object:
        told = expected(store, of)
        store.projections.drop(ENDED)
        store.projections.project(ENDED)
        store.client.hincrby(keys.tally("ruleset", "forbidden-island"), "more", 1)
        return told

    monkeypatch.setattr(lists, "_expected_counts", meanwhile)
    assert lists.mismatched_keys(kept, kept.projections.entries) == []
    monkeypatch.undo()
    assert lists.mismatched_keys(kept, kept.projections.entries) == [keys.tally("ruleset", "forbidden-island")]


def test_an_entry_that_is_not_what_the_log_says(kept: Store) -> None:
    entry = parse(kept.client.hget(keys.SUMMARIES, ENDED) or b"")
    for harmed in ({"tags": ("forged",)}, {"seats": entry.seats[::-1]}, {"ruleset_version": "0"}):
        forged = msgspec.structs.replace(entry, **harmed)
        kept.client.hset(keys.SUMMARIES, ENDED, msgspec.json.encode(forged))
        assert run_checks(kept)["indexes"].about == (ENDED,)
        doctor.mend(kept)
        assert run_checks(kept)["indexes"].level == "ok"


@pytest.mark.parametrize("when", [2, 1])
def test_games_that_are_written_meanwhile_are_no_fault(kept: Store, monkeypatch: pytest.MonkeyPatch, when: int) -> None:
    """The test acts as a worker that writes an entry before or after the entries are read."""
    read, looks = lists._actual, []

    def late(store: Store, of: Entries[Any]) -> object:
        looks.append(of)
        told = read(store, of)
        if len(looks) == when:
            entry = store.projections.summary(ENDED)
            assert entry is not None
            changed = msgspec.structs.replace(entry, version=entry.version + 1, status="abandoned", tags=("new",))
            assert store.projections.write(changed)
        return told

    monkeypatch.setattr(lists, "_actual", late)
    assert lists.mismatched_keys(kept, kept.projections.entries) == []
    assert len(looks) == {1: 4, 2: 2}[when]


def test_a_game_that_cannot_be_projected_stays_as_it_is(kept: Store) -> None:
    kept.client.xdel(keys.events(ENDED), "7-0")
    kept.client.delete(keys.turns(ENDED))
    doctor.mend(kept)
    assert run_checks(kept)["indexes"].about == (ENDED,)


def test_entries_without_a_log(kept: Store) -> None:
    kept.client.delete(keys.events(ENDED), keys.meta(ENDED))
    kept.client.hset(keys.turns(NOBODY), "v", 3)
    kept.client.hset(keys.SUMMARIES, "01kaj5x9f3q8w7e2r4t6y8v0zy", "nonsense")
    job = kept.jobs.create("audit", {"game": ENDED})
    kept.jobs.create("import", {"game": ENDED})
    finding = run_checks(kept)["orphans"]
    assert finding.level == "warn"
    assert finding.about == (ENDED, "01kaj5x9f3q8w7e2r4t6y8v0zy", NOBODY, job.id)
    assert doctor.mend(kept)[0] == "the data of 3 games without a log was deleted"
    assert run_checks(kept)["orphans"].about == (job.id,)
    assert not [name for name in kept.client.scan_iter() if ENDED.encode() in name]
    assert kept.projections.count() == 2


def test_a_log_without_its_head_is_not_touched(kept: Store) -> None:
    kept.client.delete(keys.meta(ENDED))
    assert run_checks(kept)["orphans"].about == (ENDED,)
    assert run_checks(kept)["orphans"].level == "fail"
    doctor.mend(kept)
    assert kept.client.xlen(keys.events(ENDED)) == len(logs()[0])


def test_of_a_deleted_game_the_tombstone_stays(kept: Store) -> None:
    kept.jobs.create("audit", {"game": ENDED})
    kept.deletions.delete(ENDED, at="2026-11-22T20:00:00.000Z", by="Ann")
    left = kept.client.hgetall(keys.meta(ENDED))
    assert run_checks(kept)["orphans"].line == "every entry has a log, every job a game; 1 games were deleted"
    assert levels(kept) == {}
    assert doctor.mend(kept) == []
    kept.client.hset(keys.turns(ENDED), "v", 3)
    assert run_checks(kept)["orphans"].about == (ENDED,)
    assert doctor.mend(kept) == ["the data of 1 games without a log was deleted"]
    assert levels(kept) == {}
    assert kept.client.hgetall(keys.meta(ENDED)) == left
    assert kept.client.smembers(keys.DELETED) == {ENDED.encode()}


@pytest.mark.parametrize(("stage", "level"), [("writing", "warn"), ("placing", "fail")])
def test_a_restore_that_did_not_come_to_its_end(kept: Store, stage: str, level: str) -> None:
    kept.client.hset(keys.RESTORE_STAGE, mapping={"stage": stage, "digest": "x"})
    kept.client.rename(keys.meta(LONG), f"{keys.meta(LONG)}{keys.RESTORING}")
    kept.client.rename(keys.events(LONG), f"{keys.events(LONG)}{keys.RESTORING}")
    assert run_checks(kept)["restore"].level == level
    assert len(doctor.mend(kept)) == (1 if stage == "placing" else 2)
    assert levels(kept) == {}
    assert kept.events.exists(LONG) == (stage == "placing")
    assert restoring.stage(kept) is None


def test_keys_of_somebody_else(kept: Store) -> None:
    for number in range(7):
        kept.client.set(f"session:{number}", "x")
    line = run_checks(kept)["keys"].line
    assert line.startswith("7 keys are unknown to this version; no backup includes them: session:0, session:1, ")
    assert line.endswith("session:4 and 2 more")


def test_signing_keys_that_are_damaged(kept: Store) -> None:
    kept.client.lset(keys.SIGNING, -1, "{}")
    assert run_checks(kept)["signing"].level == "fail"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    """A store whose settings a test may change."""
    with EmbeddedServer(tmp_path / "own", "events", durable=True) as server:
        yield Store.connect(server.url)


@pytest.mark.parametrize(
    ("name", "value", "check", "level"),
    [
        ("appendfsync", "everysec", "durability", "warn"),
        ("appendonly", "no", "durability", "fail"),
        ("maxmemory-policy", "allkeys-lru", "eviction", "warn"),
        ("maxmemory", "1", "memory", "fail"),
    ],
)
def test_settings_of_the_server(own: Store, name: str, value: str, check: str, level: str) -> None:
    own.signing.active()
    own.client.config_set(name, value)
    assert levels(own)[check] == level


def test_a_limit_at_which_events_would_be_thrown_away(own: Store) -> None:
    own.client.config_set("maxmemory-policy", "allkeys-lru")
    own.client.config_set("maxmemory", 10**9)
    assert levels(own) == {"eviction": "fail"}


def test_a_store_that_takes_no_writes(own: Store) -> None:
    own.signing.active()
    own.client.config_set("min-replicas-to-write", 1)
    assert levels(own)["durability"] == "fail"


def test_a_server_that_tells_little(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.redis.connection.config", lambda *_: None)
    monkeypatch.setattr("store.redis.connection.info", lambda *_: {})
    told = {finding.check: finding.line for finding in server.examine(kept, None)}
    assert told["eviction"].startswith("the server hides its maxmemory-policy")
    assert told["memory"] == "0 MiB used of an unknown amount"


def test_a_server_that_is_too_old(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(_: object) -> None:
        raise UnsupportedServer("the server has version 5.0, but 6.2 or newer is needed")

    monkeypatch.setattr("store.redis.connection.check", check)
    assert next(server.examine(kept, None)).level == "fail"


def test_a_file_that_could_not_be_written(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.redis.connection.info", lambda *_: {"aof_last_write_status": "err"})
    told = [finding for finding in server.examine(kept, None) if finding.check == "disk"]
    assert told[0].line == "the append-only file: its last write failed (aof_last_write_status is err)"


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(("free", "level"), [(99, "fail"), (150, "warn"), (10**10, "ok")])
def test_room_on_the_disk(tmp_path: Path, free: int, level: str) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "file").write_bytes(bytes(100))
    assert server._room(tmp_path, lambda _: Usage(0, 0, free)).level == level


def test_a_store_that_does_not_answer(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "own", "events", durable=True) as embedded:
        store = Store.connect(embedded.url)
    with pytest.raises(StoreUnavailable):
        list(doctor.examine(store, tmp_path))


def test_what_comes_while_the_keys_are_looked_through_is_no_orphan(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scan misses keys that appear during it, but the list already has them."""
    hidden = {keys.meta(SEEDED).encode(), keys.events(LONG).encode(), keys.meta(LONG).encode()}
    scan = connection.scan
    monkeypatch.setattr(connection, "scan", lambda *args: (name for name in scan(*args) if name not in hidden))
    inventory = Inventory.scan(kept)
    assert inventory.versions.keys() == set(IDS)
    assert doctor.games.orphans(kept, inventory).level == "ok"
