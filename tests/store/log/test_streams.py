"""The contract of the event store."""

from __future__ import annotations

import msgspec
import pytest
import redis

from engine.core.events import GENESIS
from store import Store, keys
from store.errors import Corrupt, Damaged, KeyReused, Suspect, UnknownGame, VersionConflict
from store.log.idempotency import StoredResult
from store.log.reader import PAGE
from store.log.streams import AppendedRange
from store.redis import connection
from tests.playouts import clock, long_record, playout
from tests.store.logs import key, note, notes, position

LOG = notes("one", "two", "three", "four", "five", "six")


def test_append_and_read(store: Store) -> None:
    assert store.events.open("g", LOG[:2], None) == AppendedRange(1, 2)
    assert store.events.append("g", position(LOG[:2]), LOG[2:]) == AppendedRange(3, 6)
    assert store.events.head("g") == position(LOG)
    assert store.events.read("g") == LOG


def test_a_played_game_comes_back_as_it_was(store: Store) -> None:
    events = playout(seed=2)
    store.events.open("g", events, None)
    assert store.events.read("g") == events


def test_the_stream_is_as_it_is_described(store: Store) -> None:
    store.events.open("g", LOG[:1], "the seed")
    store.events.append("g", position(LOG[:1]), LOG[1:2], key("k"))
    entries = connection.call(store.client, "XRANGE", "{g}:events", "-", "+")
    assert [entry[0] for entry in entries] == [b"1-0", b"2-0"]
    assert entries[1][1][::2] == [b"e", b"h"]
    meta = connection.call(store.client, "HGETALL", "{g}:meta")
    assert meta == {b"v": b"2", b"head": bytes.fromhex(LOG[1].hash), b"seed": b"the seed", b"bytes": b"174"}
    (field, value), *others = connection.call(store.client, "HGETALL", "{g}:keys").items()
    assert (len(field), value[6:], others) == (8, b"2:1", [])


def test_the_seed_is_kept_beside_the_log(store: Store) -> None:
    store.events.open("seeded", LOG[:1], "sesame")
    store.events.open("observed", LOG[:1], None)
    assert store.events.seed("seeded") == "sesame"
    assert store.events.seed("observed") is None


def test_a_writer_who_is_behind_gets_the_newer_events(store: Store) -> None:
    store.events.open("g", LOG, None)
    with pytest.raises(VersionConflict) as conflict:
        store.events.append("g", position(LOG[:2]), notes("other", after=LOG[:2]))
    assert (conflict.value.version, conflict.value.events) == (6, LOG[2:])
    assert store.events.read("g") == LOG


def test_a_writer_who_is_far_behind_gets_a_page_of_them(store: Store) -> None:
    log = notes(*map(str, range(PAGE + 5)))
    store.events.open("g", log, None)
    with pytest.raises(VersionConflict) as conflict:
        store.events.append("g", position(log[:2]), notes("other", after=log[:2]))
    assert conflict.value.events == log[2 : PAGE + 2]
    with pytest.raises(VersionConflict) as conflict:
        store.events.open("g", notes("other"), None)
    assert conflict.value.events == log[:PAGE]


def test_a_game_is_opened_once(store: Store) -> None:
    store.events.open("g", LOG[:2], "first")
    with pytest.raises(VersionConflict) as conflict:
        store.events.open("g", notes("other"), "second")
    assert conflict.value.events == LOG[:2]
    assert store.events.seed("g") == "first"


def test_a_writer_of_another_log_gets_no_events(store: Store) -> None:
    """The writer's head differs from the stored one, so it must read the log again."""
    store.events.open("g", LOG, None)
    other = notes("a", "b", "c", "d", "e", "f", "g", "h")
    for at in (3, 6, 7):
        with pytest.raises(VersionConflict) as conflict:
            store.events.append("g", position(other[:at]), other[at:])
        assert (conflict.value.version, conflict.value.events) == (6, [])
    assert store.events.read("g") == LOG


def test_a_list_of_events_is_appended_whole_or_not_at_all(store: Store) -> None:
    store.events.open("g", LOG[:1], None)
    connection.call(store.client, "XSETID", "{g}:events", "2-0")
    with pytest.raises(Corrupt, match="equal or smaller"):
        store.events.append("g", position(LOG[:1]), LOG[1:])
    assert connection.call(store.client, "XLEN", "{g}:events") == 1
    assert store.events.head("g") == position(LOG[:1])


def test_a_stream_with_more_events_than_the_version_is_suspect(store: Store) -> None:
    store.events.open("g", LOG[:3], None)
    connection.call(store.client, "HSET", "{g}:meta", "v", 2, "head", bytes.fromhex(LOG[1].hash))
    for expected in (LOG[:2], LOG[:3]):
        with pytest.raises(Suspect):
            store.events.append("g", position(expected), notes("again", after=expected), key("k"))
    assert store.events.read("g") == LOG[:3]
    assert store.events.stored_result("g", key("k")) is None


def test_events_must_follow_the_head_and_each_other(store: Store) -> None:
    store.events.open("g", LOG[:2], None)
    forged = msgspec.structs.replace(LOG[3], prev=GENESIS)
    for events in ([], LOG[3:], [LOG[2], LOG[4]], [LOG[2], forged], [note("?", 3, GENESIS)]):
        with pytest.raises(ValueError, match=r"follow|nothing"):
            store.events.append("g", position(LOG[:2]), events)
    with pytest.raises(ValueError, match="opens"):
        store.events.append("g", (0, GENESIS), LOG[:1])
    with pytest.raises(ValueError, match="follow"):
        store.events.open("g", LOG[1:], None)
    assert store.events.read("g") == LOG[:2]


def test_the_same_request_is_carried_out_once(store: Store) -> None:
    store.events.open("g", LOG[:1], None)
    assert store.events.append("g", position(LOG[:1]), LOG[1:3], key("k", "body")) == AppendedRange(2, 3)
    store.events.append("g", position(LOG[:3]), LOG[3:])
    # Its version is old by now, and its events got new hashes.
    again = notes("sealed", "anew", after=LOG[:5])
    assert store.events.append("g", position(LOG[:5]), again, key("k", "body")) == StoredResult(2, 3)
    assert store.events.stored_result("g", key("k", "body")) == StoredResult(2, 3)
    assert store.events.stored_result("g", key("other")) is None
    assert store.events.read("g") == LOG


def test_a_key_is_for_one_body(store: Store) -> None:
    store.events.open("g", LOG[:1], None)
    store.events.append("g", position(LOG[:1]), LOG[1:2], key("k", "body"))
    with pytest.raises(KeyReused):
        store.events.append("g", position(LOG[:2]), LOG[2:], key("k", "another"))
    with pytest.raises(KeyReused):
        store.events.stored_result("g", key("k", "another"))
    assert store.events.read("g") == LOG[:2]


def test_a_refused_request_does_not_use_its_key_up(store: Store) -> None:
    store.events.open("g", LOG[:2], None)
    with pytest.raises(VersionConflict):
        store.events.append("g", position(LOG[:1]), LOG[1:2], key("k"))
    assert store.events.append("g", position(LOG[:2]), LOG[2:3], key("k")) == AppendedRange(3, 3)


def test_a_key_is_for_one_game(store: Store) -> None:
    for game in ("a", "b"):
        assert store.events.open(game, LOG[:1], None, key("k")) == AppendedRange(1, 1)
        assert store.events.open(game, LOG[:1], None, key("k")) == StoredResult(1, 1)


def test_a_request_that_opens_a_game_opens_one(store: Store) -> None:
    assert store.events.claim(key("k", "body"), "first") == "first"
    assert store.events.claim(key("k", "body"), "other") == "first"
    with pytest.raises(KeyReused):
        store.events.claim(key("k", "another"), "third")


def test_an_unknown_game(store: Store) -> None:
    with pytest.raises(UnknownGame):
        store.events.append("nowhere", position(LOG[:1]), LOG[1:])
    with pytest.raises(UnknownGame):
        store.events.read("nowhere")
    with pytest.raises(UnknownGame):
        store.events.read("nowhere", after=3)
    with pytest.raises(UnknownGame):
        store.events.head("nowhere")
    assert not store.events.exists("nowhere")
    assert store.events.seed("nowhere") is None


def test_ranges(store: Store) -> None:
    store.events.open("g", LOG, None)
    read = store.events.read
    assert read("g", after=2) == LOG[2:]
    assert read("g", after=2, until=4) == LOG[2:4]
    assert read("g", until=4) == LOG[:4]
    assert read("g", after=1, limit=2) == LOG[1:3]
    assert read("g", after=1, until=2, limit=2) == LOG[1:2]
    assert read("g", limit=0) == read("g", after=4, until=4) == read("g", after=6) == read("g", after=60) == []


@pytest.mark.parametrize("size", [1, 2, 3, 6, 100])
def test_pages(store: Store, size: int) -> None:
    store.events.open("g", LOG, None)
    for after in range(7):
        pages = list(store.events.pages("g", after=after, size=size))
        assert [event for page in pages for event in page] == LOG[after:]
        assert all(0 < len(page) <= size for page in pages)


def test_more_than_a_page(store: Store) -> None:
    log = notes(*map(str, range(2 * PAGE + 1)))
    store.events.open("g", log, None)
    assert store.events.read("g") == log
    assert [len(page) for page in store.events.entries("g", 1)] == [PAGE, PAGE, 1]


def test_all_games_are_listed(store: Store) -> None:
    for number in range(50):
        store.events.open(f"game-{number}", LOG[:1], None)
    assert sorted(store.events.game_ids()) == sorted(f"game-{number}" for number in range(50))


def test_a_game_is_listed_once_though_redis_may_name_it_twice(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "scan", lambda _client, _pattern: iter([b"{a}:meta", b"{b}:meta", b"{a}:meta"]))
    assert list(store.events.game_ids()) == ["a", "b"]


def test_an_append_is_hinted_at(store: Store) -> None:
    hints = store.hints()
    heard = hints.listen()
    assert next(heard) is None
    store.events.open("g", LOG[:2], None)
    store.events.append("g", position(LOG[:2]), LOG[2:])
    assert [next(heard), next(heard)] == [("g", 2), ("g", 6)]
    hints.stop()
    assert list(heard) == []


@pytest.mark.parametrize("message", [b"", b"g", b"g -1", b"\xff \xff"])
def test_a_message_of_another_program_stands_for_any_hint(store: Store, message: bytes) -> None:
    heard = store.hints().listen()
    assert next(heard) is None
    connection.call(store.client, "PUBLISH", keys.append_channel(connection.database(store.client)), message)
    store.events.open("g", LOG[:2], None)
    assert [next(heard), next(heard)] == [None, ("g", 2)]


def test_what_happens_in_another_database_of_the_server_is_not_heard(store: Store, events_server: str) -> None:
    with connection.connect(f"{events_server}?db=1") as client:
        client.flushdb()
        other = Store(client)
        heard = store.hints().listen()
        assert next(heard) is None
        other.events.open("elsewhere", LOG[:2], None)
        other.deletions.delete("elsewhere", at=clock(1), by=None)
        _, token = other.tokens.create("viewer", created_at=clock(1))
        other.tokens.withdraw(token.id)
        store.events.open("here", LOG[:2], None)
        assert next(heard) == ("here", 2)


def test_entries_are_read_through_an_ordinary_client_too(store: Store, events_server: str) -> None:
    store.events.open("g", LOG, None)
    with redis.Redis.from_url(events_server) as client:
        ordinary = Store(client)
        assert ordinary.events.read("g", after=1) == LOG[1:]


def test_names_of_keys() -> None:
    assert keys.game_of(keys.meta("01m7").encode()) == "01m7"


def test_a_whole_log_is_read_page_by_page(store: Store) -> None:
    log = long_record(PAGE + 20)
    store.events.open("g1", log[:1], seed=None)
    store.events.append("g1", (1, log[0].hash), log[1:])
    assert list(store.events.read_verified("g1", PAGE + 10)) == log[: PAGE + 10]


def test_a_whole_log_with_a_gap(store: Store) -> None:
    log = playout(limit=9)
    store.events.open("g1", log, seed=None)
    for gone, first in (("9-0", 9), ("7-0", 7), ("4-0", 4)):
        store.client.xdel(keys.events("g1"), gone)
        with pytest.raises(Damaged) as damaged:
            list(store.events.read_verified("g1", 9))
        assert damaged.value.seq == first
