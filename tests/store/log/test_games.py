from __future__ import annotations

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Draft, Event, Seat
from engine.core.values import State
from engine.play.fold import fold, history
from engine.play.game import Game, parse_header
from engine.play.record import chance_for, open_game, record
from store import Store, keys
from store.errors import Corrupt, Damaged, UnknownEvent, UnknownGame, VersionConflict
from store.log.games import GameStore
from store.log.reader import PAGE
from store.log.replay_plans import replay_plan
from store.redis import connection
from tests.playouts import clock, long_record, playout
from tests.quick import quick
from tests.store.logs import key, notes, position

LONG = long_record(1300)


def states_of(events: list[Event]) -> list[State | None]:
    return history(events).states


STATES = states_of(LONG)


def at(seq: int) -> Game:
    """The long game after its event `seq`."""
    return Game(header=parse_header(LONG[0]), version=seq, head=LONG[seq - 1].hash, state=STATES[seq])


def cold(store: Store) -> GameStore:
    """Return the games as another process sees them."""
    return GameStore(store.client, store.events)


def cold_store(store: Store) -> Store:
    """The same store as another process sees it."""
    return Store(store.client)


def put(store: Store, game_id: str, events: list[Event], *, projected: int | None = None) -> None:
    """Store a log, projected up to its event `projected`."""
    if projected is not None:
        store.events.open(game_id, events[:projected], None)
        store.projections.project(game_id)
        if events[projected:]:
            store.events.append(game_id, position(events[:projected]), events[projected:])
    else:
        store.events.open(game_id, events, None)


@pytest.mark.parametrize("projected", quick([None, 1, 249, 250, 377, 520], {None, 377}.__contains__))
def test_a_game_at_every_event_is_the_fold_up_to_it(store: Store, projected: int | None) -> None:
    log = LONG[:520]
    put(store, "g", log, projected=projected)
    games = cold(store)
    for seq in range(1, len(log) + 1):
        assert games.get("g", at=seq) == at(seq)
    assert cold(store).get("g") == cold(store).latest("g") == games.replay("g") == fold(log) == at(520)


def test_a_snapshot_of_another_log_or_another_engine_is_not_used(store: Store) -> None:
    put(store, "g", LONG, projected=1300)
    other = long_record(1300, seed=1)
    put(store, "other", other, projected=1300)
    forged = connection.call(store.client, "HGET", "{other}:snapshots", "1250")
    plain = zlib.decompress(forged)
    old = json.dumps({**json.loads(plain), "format": 0}).encode()
    for document in (forged, plain, b"garbage", forged[:-9], old, zlib.compress(old)):
        connection.call(store.client, "HSET", "{g}:snapshots", "1250", document)
        assert cold(store).get("g", at=1251) == at(1251)
        nearest = store.snapshots.nearest("g", at=1251)
        assert nearest is not None
        assert (nearest.version == 1250) == (document in {forged, plain})
        assert store.snapshots.nearest("g", at=249) is None
    store.snapshots.drop("g")
    assert store.snapshots.nearest("g", at=1251) is None
    store.snapshots.save("g")
    assert store.snapshots.seqs("g") == []
    assert cold(store).get("g", at=1251) == at(1251)


def test_there_is_no_game_after_an_event_that_is_not_there(store: Store) -> None:
    put(store, "g", LONG[:10])
    for seq in (0, -1, 11):
        with pytest.raises(UnknownEvent) as unknown:
            store.games.get("g", at=seq)
        assert (unknown.value.seq, unknown.value.version) == (seq, 10)
    for ask in (store.games.latest, store.games.get, store.games.replay, store.games.opened_at):
        with pytest.raises(UnknownGame):
            ask("nowhere")


def test_a_log_with_a_gap_is_said_to_be_corrupt(store: Store) -> None:
    put(store, "g", LONG[:100])
    store.games.keep("g", at(1))
    connection.call(store.client, "XDEL", "{g}:events", "2-0")
    for ask in (cold(store).latest, cold(store).replay, store.games.latest):
        with pytest.raises(Corrupt, match=r"gap|event 2: the event is missing"):
            ask("g")


def test_a_log_that_the_rules_refuse_does_not_fold(store: Store) -> None:
    put(store, "g", [*LONG[:5], *notes("no action", after=LONG[:5])])
    for ask in (cold(store).latest, cold(store).replay):
        with pytest.raises(Damaged) as damaged:
            ask("g")
        assert damaged.value.seq == 6


def test_a_wrong_index_of_undos_is_noticed(store: Store) -> None:
    put(store, "g", LONG[:249], projected=249)
    undo = next(event.seq for event in LONG if event.type == "undo")
    connection.call(store.client, "HSET", "{g}:turns", "undos", "[]")
    with pytest.raises(Damaged, match=rf"damaged at event {undo}: .* is unknown here"):
        cold(store).get("g", at=undo)


def test_what_this_process_knows_is_brought_up_to_date(store: Store) -> None:
    put(store, "g", LONG[:100])
    assert store.games.cached_game("g") is None
    assert store.games.latest("g") == at(100)
    store.events.append("g", position(LONG[:100]), LONG[100:])
    assert store.games.cached_game("g") == at(100)
    assert store.games.latest("g") == at(1300)
    assert store.games.cached_game("g") == store.games.latest("g") == store.games.get("g", at=1300) == at(1300)


def test_much_that_is_newer_comes_in_pages(store: Store) -> None:
    put(store, "g", LONG[:10])
    store.games.latest("g")
    store.events.append("g", position(LONG[:10]), LONG[10 : 11 + PAGE])
    assert store.games.latest("g") == at(11 + PAGE)


def test_only_what_is_newer_is_kept(store: Store) -> None:
    for seq in (5, 9, 7):
        store.games.keep("g", at(seq))
    assert store.games.cached_game("g") == at(9)


def test_what_was_not_used_for_long_is_forgotten(store: Store) -> None:
    games = GameStore(store.client, store.events, size=2)
    for game_id in ("a", "b"):
        games.keep(game_id, at(9))
    games.cached_game("a")
    games.keep("c", at(9))
    assert [game_id for game_id in "abc" if games.cached_game(game_id)] == ["a", "c"]


def test_a_game_that_the_store_does_not_have_any_more_is_dropped(store: Store) -> None:
    put(store, "g", LONG[:100])
    store.games.latest("g")
    store.games.opened_at("g")
    store.client.flushdb()
    with pytest.raises(UnknownGame):
        store.games.latest("g")
    assert store.games.cached_game("g") is None


def test_a_store_brought_back_from_a_backup_is_believed(store: Store) -> None:
    put(store, "g", LONG[:300], projected=300)
    store.games.latest("g")
    kept = [(name, store.client.dump(name)) for name in ("{g}:turns", "{g}:snapshots")]
    store.client.flushdb()
    put(store, "g", LONG[:60])
    for name, dump in kept:
        assert isinstance(dump, bytes)
        store.client.restore(name, 0, dump)
    # This process and the projections know a newer state than the log has.
    assert store.games.get("g", at=50) == at(50)
    assert store.games.latest("g") == at(60)
    assert store.games.cached_game("g") == at(60)


def test_another_log_under_the_same_id_is_believed(store: Store) -> None:
    put(store, "g", LONG[:100])
    store.games.latest("g")
    store.client.flushdb()
    other = long_record(120, seed=1)
    put(store, "g", other)
    assert store.games.get("g", at=100) == fold(other[:100])
    assert store.games.latest("g") == fold(other)


def test_catching_up_with_a_conflict(store: Store) -> None:
    put(store, "g", LONG[:120])
    store.events.append("g", position(LONG[:120]), LONG[120:1240])
    for behind in (1, 100, 119, 1239):
        with pytest.raises(VersionConflict) as conflict:
            store.events.append("g", position(LONG[:behind]), notes("mine", after=LONG[:behind]))
        games = cold(store)
        assert games.catch_up("g", at(behind), conflict.value.events) == at(1240)
        assert games.cached_game("g") == at(1240)


def test_catching_up_from_another_game_reads_it_anew(store: Store) -> None:
    put(store, "g", LONG[:100])
    elsewhere = fold(long_record(90, seed=1))
    assert cold(store).catch_up("g", elsewhere, []) == at(100)
    assert cold(store).catch_up("g", elsewhere, LONG[90:100]) == at(100)


def test_recall_is_what_recording_an_undo_asks_for(store: Store) -> None:
    put(store, "g", LONG[:600], projected=500)
    game = store.games.latest("g")
    undo = Draft(type="undo", params={"to": 40})
    after, events = record(game, [undo], chance_for(game.header, None), store.games.past("g"), recorded_at=clock(601))
    assert after.state == STATES[40]
    store.events.append("g", (game.version, game.head), events)
    assert cold(store).latest("g") == after


def test_what_a_list_goes_back_to_again_is_remembered(store: Store) -> None:
    put(store, "g", LONG, projected=1000)
    past = cold(store).past("g")
    wanted = [5, 3, 900, 1200, 2]
    assert [past.state(seq) for seq in wanted] == [STATES[seq] for seq in wanted]
    store.client.delete(keys.events("g"), keys.meta("g"), keys.snapshots("g"))
    assert [past.state(seq) for seq in wanted] == [STATES[seq] for seq in wanted]


def test_a_whole_log_is_held_against_its_hashes_and_its_rules(store: Store) -> None:
    put(store, "g", LONG[:20])
    cold(store).check("g")
    store.client.hset(keys.meta("g"), "v", 21)
    with pytest.raises(Damaged) as short:
        cold(store).check("g")
    store.client.xdel(keys.events("g"), b"7-0")
    with pytest.raises(Damaged) as gap:
        cold(store).check("g")
    assert (short.value.seq, gap.value.seq) == (21, 7)


def test_the_seed_of_a_seeded_game_is_asked_for_once(store: Store) -> None:
    game, first = open_game(
        ruleset="forbidden-island", seats=[Seat("Ada"), Seat("Bo")], options={}, seed="sesame", recorded_at=clock(1)
    )
    assert store.open("g", game, [first], seed="sesame") == ("g", False)
    assert store.games.cached_game("g") == game
    assert store.games.seed("g", game) == "sesame"
    connection.call(store.client, "HDEL", "{g}:meta", "seed")
    assert store.games.seed("g", game) == "sesame"
    assert cold(store).seed("g", game) is None
    assert store.games.seed("observed", at(10)) is None


def test_the_same_request_opens_one_game(store: Store) -> None:
    assert store.open("first", at(1), LONG[:1], key=key("k", "body")) == ("first", False)
    again = cold_store(store)
    assert again.open("other", at(1), LONG[:1], key=key("k", "body")) == ("first", True)
    assert list(again.events.game_ids()) == ["first"]
    assert again.games.cached_game("first") is None


def test_when_a_game_was_opened_is_asked_for_once(store: Store) -> None:
    put(store, "g", LONG[:3])
    assert store.games.opened_at("g") == LONG[0].recorded_at
    store.client.flushdb()
    assert store.games.opened_at("g") == LONG[0].recorded_at


def test_a_game_just_opened(store: Store) -> None:
    put(store, "g", playout(limit=1))
    assert cold(store).latest("g").status == "setup"
    assert cold(store).replay("g").version == 1


@given(st.data())
def test_a_route_leads_to_what_stands(data: st.DataObject) -> None:
    """By the definition of undo: after it, the events up to its target are in effect."""
    length = data.draw(st.integers(1, 60))
    undos: list[tuple[int, int]] = []
    standing: list[list[int]] = [[]]
    for seq in range(1, length + 1):
        to = data.draw(st.integers(1, seq - 2)) if seq > 2 and data.draw(st.booleans()) else None
        if to is not None:
            undos.append((seq, to))
        standing.append([*standing[-1], seq] if to is None else standing[to])
    end = data.draw(st.integers(1, length))
    kept = sorted(data.draw(st.sets(st.integers(1, length))))
    found = replay_plan(end, undos, kept)
    assert found is not None
    base, ranges = found
    path = [seq for first, last in ranges for seq in range(first, last + 1)]
    assert base is None or base in kept
    assert standing[base or 0] + path == standing[end]
