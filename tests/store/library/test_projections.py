"""Projections follow the logs, in any process and any number of times."""

from __future__ import annotations

import random
import threading
from typing import Any

import msgspec
import pytest

from engine.core.events import Event
from engine.kit.scene.panels import PlayerMat
from engine.play import registry
from engine.play.fold import fold
from engine.play.forks import fork
from engine.play.game import parse_header
from engine.review.playing_time import Clock, began_at
from engine.review.turns import Turn, index, narrate
from store import Store, keys
from store.errors import Damaged, UnknownGame
from store.library import tallies
from store.library.finding import Filter
from store.library.projections import Summary
from store.redis import connection
from tests.engine.play.explaining import drawn_late
from tests.playouts import clock, long_record, playout
from tests.recording import Recording
from tests.store.logs import key, notes, position

GAME = playout(seed=3, seats=3)


def turns_of(events: list[Event]) -> list[Turn]:
    header = parse_header(events[0])
    return index(narrate(header, events), registry.ruleset(header.ruleset))


def everything(store: Store) -> dict[bytes, Any]:
    """Return all contents of the store in a comparable form."""
    reads = {
        b"hash": lambda name: connection.call(store.client, "HGETALL", name),
        b"zset": lambda name: connection.call(store.client, "ZRANGE", name, 0, -1, "WITHSCORES"),
        b"stream": lambda name: _entries(name, connection.call(store.client, "XRANGE", name, "-", "+")),
    }
    names = list(connection.scan(store.client, "*"))
    return {name: reads[connection.call(store.client, "TYPE", name)](name) for name in names}


def _entries(name: bytes, found: list[Any]) -> list[Any]:
    # Ids of entries in the feed are times, which can come from several games in any order.
    return sorted(fields for _, fields in found) if name == keys.FEED.encode() else found


@pytest.mark.parametrize(
    "events", [GAME, playout(seed=5, limit=1), playout(seed=4, limit=2), long_record(560), drawn_late().events]
)
def test_a_game_projected_step_by_step_is_the_same_as_at_once(store: Store, events: list[Event]) -> None:
    rng = random.Random(0)
    store.events.open("g", events[:1], None)
    at = 1
    while True:
        assert store.projections.project("g") == at == store.projections.projected_version("g")
        assert store.projections.turns("g") == turns_of(events[:at])
        if at == len(events):
            break
        step = rng.randrange(1, 60)
        store.events.append("g", position(events[:at]), events[at : at + step])
        at = min(at + step, len(events))
    stepwise = everything(store)
    assert store.projections.rebuild() == {}
    assert everything(store) == stepwise
    assert store.snapshots.seqs("g") == [seq for seq in (250, 500) if seq <= len(events)]


def test_a_game_with_unknown_results_has_a_snapshot_after_each(store: Store) -> None:
    """Without them, a process that starts would spend its whole time budget on the draws of an evening."""
    recording = Recording()
    recording.add("set_up", outcomes=playout(limit=2)[1].outcomes)
    for _ in range(2):
        recording.add("draw_treasure_card", "p1", [None])
    store.events.open("g", recording.events, None)
    store.projections.project("g")
    assert store.snapshots.seqs("g") == [3, 4]
    assert store.snapshots.nearest("g", at=4) == recording.game


def test_projecting_twice_changes_nothing(store: Store) -> None:
    store.events.open("g", GAME, None)
    store.projections.project("g")
    before = everything(store)
    assert store.projections.project("g") == len(GAME)
    assert everything(store) == before


def test_workers_that_project_the_same_game_at_once_agree(store: Store, events_server: str) -> None:
    store.events.open("g", GAME[:2], None)
    is_over = threading.Event()

    def work() -> None:
        own = Store.connect(events_server)
        while not is_over.is_set():
            own.projections.project("g")

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for at in range(2, len(GAME)):
        store.events.append("g", position(GAME[:at]), GAME[at : at + 1])
    is_over.set()
    for worker in workers:
        worker.join()
    store.projections.project("g")
    assert store.projections.turns("g") == turns_of(GAME)
    ((found,), _) = store.projections.find(Filter(status="finished"))
    assert (found.version, found.head) == position(GAME)


def test_an_older_projection_does_not_replace_a_newer_one(store: Store) -> None:
    store.events.open("g", GAME, None)
    store.projections.project("g")
    ((newest,), _) = store.projections.find(Filter())
    assert not store.projections.write(msgspec.structs.replace(newest, version=newest.version - 1, status="setup"))
    assert not store.projections.write(newest)
    assert store.projections.find(Filter(status="setup")) == ([], None)
    assert store.projections.find(Filter())[0] == [newest]


def test_turns_at_any_version(store: Store) -> None:
    store.events.open("g", GAME, None)
    for projected in (None, 30, 60):
        if projected is not None:
            store.client.flushdb()
            store.events.open("g", GAME[:projected], None)
            store.projections.project("g")
            store.events.append("g", position(GAME[:projected]), GAME[projected:])
        for version in (1, 2, 29, 30, 31, 60, len(GAME)):
            assert store.projections.turns("g", version) == turns_of(GAME[:version])
        assert store.projections.turns("g") == turns_of(GAME)


def test_the_summary_says_what_the_game_is(store: Store) -> None:
    store.events.open("g", GAME, None)
    store.projections.project("g")
    ((summary,), _) = store.projections.find(Filter())
    game = fold(GAME)
    assert game.outcome is not None
    names, evening = ["ada", "bo", "cleo"], tallies.Evening(GAME[0].recorded_at, 1)
    chosen, parts = {"Difficulty": "Novice"}, tuple(game.ruleset.role(game.state, seat) for seat in range(3))
    mats = [one for one in game.ruleset.board(game.state, names).panels if isinstance(one, PlayerMat)]
    assert set(summary.colours) == {mat.colour for mat in mats}
    assert summary == Summary(
        id="g",
        ruleset="forbidden-island",
        ruleset_version=game.header.ruleset_version,
        seats=("Ada", "Bo", "Cleo"),
        options=game.header.options,
        status="finished",
        version=len(GAME),
        turn=game.turn,
        outcome=game.outcome,
        chance="observed",
        mode="strict",
        tags=(),
        opened_at=GAME[0].recorded_at,
        updated_at=GAME[-1].recorded_at,
        is_settled=True,
        head=GAME[-1].hash,
        chosen=chosen,
        parts=parts,
        colours=summary.colours,
        losses=tuple(sorted(game.state.sunk)),
        counted=(
            tallies.of_ruleset(game.outcome, chosen, parts) + tallies.of_evening("", evening, "lost"),
            *(
                tallies.of_player("forbidden-island", game.outcome, seat, chosen, parts[seat])
                + tallies.of_evening("forbidden-island", evening, "lost")
                + tallies.of_partners("forbidden-island", [name for name in names if name != names[seat]], "lost")
                for seat in range(3)
            ),
        ),
        began_at=GAME[1].recorded_at,
        seconds=88,
    )


def test_time_is_counted_between_events__breaks_and_notes_are_not() -> None:
    def events_at(event: Event, *moments: str) -> list[Event]:
        return [msgspec.structs.replace(event, recorded_at=moment) for moment in moments]

    opened, move, note = GAME[0], GAME[2], msgspec.structs.replace(GAME[2], type="annotate")
    evening = events_at(opened, "2026-11-20T19:00:00Z") + events_at(
        move, "2026-11-20T19:10:00Z", "2026-11-20T20:10:00Z"
    )
    noted, began = events_at(note, "2026-11-20T20:30:00Z"), "2026-11-20T19:10:00Z"
    assert Clock().after([*evening, *noted]) == Clock(70 * 60_000, "2026-11-20T20:10:00Z", began)
    next_day = events_at(move, "2026-11-21T19:00:00Z", "2026-11-21T19:00:02Z")
    assert Clock().after([*evening, *noted]).after(next_day) == Clock(70 * 60_000 + 2000, "2026-11-21T19:00:02Z", began)
    # The time of play counts before the time of recording.
    late = [
        msgspec.structs.replace(one, occurred_at="2026-11-13T19:00:00Z")
        for one in events_at(move, "2026-11-20T19:00:00Z")
    ]
    assert Clock().after([opened, *late]).began_at == began_at([opened, *late]) == "2026-11-13T19:00:00Z"
    # A clock that was set back, or gave no time, counts nothing.
    assert Clock().after([*evening, *events_at(move, "2026-11-20T18:00:00", "some day")]).milliseconds == 70 * 60_000


def test_what_an_earlier_service_made_is_made_anew(store: Store) -> None:
    """The earlier turn index had no clock, and less data about each turn."""
    store.events.open("g", GAME, None)
    store.projections.project("g")
    store.client.hdel(keys.turns("g"), "clock")
    store.client.hset(keys.turns("g"), "turns", "[]")
    assert store.projections.turns("g") == turns_of(GAME)
    store.projections.project("g")
    assert store.client.hget(keys.turns("g"), "turns") != b"[]"


def test_what_is_behind(store: Store) -> None:
    for game_id in "abc":
        store.events.open(game_id, GAME[:5], None)
    assert sorted(store.projections.behind()) == ["a", "b", "c"]
    store.projections.project("a")
    store.projections.project("b")
    store.events.append("b", position(GAME[:5]), GAME[5:6])
    assert sorted(store.projections.behind()) == ["b", "c"]
    assert store.projections.projected_version("c") == 0
    assert store.projections.count() == 2


def test_an_unknown_game_or_one_that_does_not_replay(store: Store) -> None:
    for ask in (store.projections.project, store.projections.turns):
        with pytest.raises(UnknownGame):
            ask("nowhere")
    store.events.open("g", [*GAME[:5], *notes("no action", after=GAME[:5])], None)
    for ask in (store.projections.project, store.projections.turns):
        with pytest.raises(Damaged) as damaged:
            ask("g")
        assert damaged.value.seq == 6


def test_after_a_backup_the_projections_follow_the_log(store: Store) -> None:
    store.events.open("g", GAME, None)
    store.projections.project("g")
    connection.call(store.client, "DEL", "{g}:events", "{g}:meta")
    store.events.open("g", GAME[:40], None)
    assert store.projections.project("g") == 40
    assert store.projections.turns("g") == turns_of(GAME[:40])
    ((summary,), _) = store.projections.find(Filter(status="in_progress"))
    assert summary.version == 40
    assert store.projections.find(Filter(status="finished")) == ([], None)


def test_rebuild_makes_everything_again_and_tells_what_it_cannot(store: Store) -> None:
    for number in range(4):
        store.events.open(f"game-{number}", playout(seed=number), None)
        store.projections.project(f"game-{number}")
    _, copies = fork(playout(seed=1), 9, game="game-1", seed="if", recorded_at=clock(300))
    store.events.open("fork", copies, "if")
    store.projections.project("fork")
    store.audits.save("game-1", "a1", {"verdict": "clean"})
    before = everything(store)
    for name in connection.scan(store.client, "*"):
        if not name.endswith((b":events", b":meta", b":audits")):
            connection.call(store.client, "DEL", name)
    seen: list[tuple[int, int]] = []
    assert store.projections.rebuild(lambda done, of: seen.append((done, of))) == {}
    assert seen == [(done, 5) for done in range(1, 6)]
    assert everything(store) == before
    assert [game.id for game in store.projections.find(Filter(parent="game-1"))[0]] == ["fork"]

    bad = playout(seed=2)[:2]
    store.events.open("bad", [*bad, *notes("no action", after=bad)], None)
    store.events.claim(key("k"), "kept")
    assert list(store.projections.rebuild()) == ["bad"]
    assert store.projections.count() == 5
    assert store.events.claim(key("k"), "next") == "kept"
