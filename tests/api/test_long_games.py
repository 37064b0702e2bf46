"""The cost of a request to a long game depends on the response, not on the length of the game. Pages agree with the
whole list.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.plumbing import live
from engine.core import lifecycle
from engine.core.errors import EngineError
from engine.core.events import Draft, Event
from engine.kit.chance import Observed
from engine.play.corrections.undo import superseded_events
from engine.play.fold import fold, history
from engine.play.game import Game
from engine.play.record import record
from exports import FORMATS, Log, Rereadable, Unsuitable
from exports.narration import narrate
from service.story import part
from service.story_lines import line
from store import Store
from tests.api.table import Table
from tests.api.test_superseded import watching
from tests.exports.logs import unseen
from tests.playouts import clock, long_record, playout
from tests.quick import quick
from tests.store.logs import position

IDS = map("game-{}".format, itertools.count())
BY_PICTURE = {"gif", "pdf"}
"""These fields depend on the distance to the next snapshot, which is longer in the short log."""
BEGINNINGS = {"plain": lambda: playout(seed=4, limit=24), "unseen": unseen, "long": lambda: long_record(270)}

Step = tuple[str, int, int]


@functools.cache
def begin_log(kind: str) -> list[Event]:
    return BEGINNINGS[kind]()


def extend_log(events: list[Event], steps: list[Step]) -> list[Event]:
    """Return `events`, and the legal ones among `steps`."""
    game, played = fold(events), history(events)
    log = list(events)
    for type_, number, other in steps:
        seq = 1 + number % len(log)
        params: dict[str, Any] = {
            "undo": {"to": seq},
            "amend": {"seq": seq, "remove": True, "accept_broken": True},
            "insert": {"seq": seq, "insert": {"type": "annotate", "params": {"mark": "!"}}},
            "reveal": {"seq": seq, "value": "sandbags"},
            "annotate": {"text": "So.", "seq": seq} if other % 2 else {"text": "Well."},
            "again": {},
        }[type_]
        draft = Draft(type="amend" if type_ == "insert" else type_, params=params, note="Hm." if other == 3 else None)
        if type_ == "again":
            one = log[seq - 1]
            draft = Draft(type=one.type, actor=one.actor, params=one.params, outcomes=one.outcomes)
        with suppress(EngineError):
            game, added = record(game, [draft], Observed(), played, recorded_at=clock(len(log) + 1))
            for event in added:
                played.fold([event], Observed())
            log += added
    return log


def put(store: Store, log: list[Event], projected: int) -> str:
    """Store `log` and project its first `projected` events."""
    game_id = next(IDS)
    store.events.open(game_id, log[:projected], None)
    store.projections.project(game_id)
    if log[projected:]:
        store.events.append(game_id, position(log[:projected]), log[projected:])
    return game_id


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["undo", "undo", "amend", "insert", "reveal", "annotate", "again", "again"]),
        st.integers(0, 400),
        st.integers(0, 3),
    ),
    max_size=14,
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(BEGINNINGS)), STEPS, st.data())
def test_a_part_of_a_story_is_told_as_the_whole_is(
    store: Store, kind: str, steps: list[Step], data: st.DataObject
) -> None:
    log = extend_log(begin_log(kind), steps)
    game_id = put(store, log, data.draw(st.integers(1, len(log))))
    until = data.draw(st.integers(1, len(log)))
    whole = [line(one, one.event, fold(log[:1]).ruleset) for one in narrate(Log(game_id, log[:until]))]
    assert [line.seq for line in whole] == list(range(1, until + 1))
    gone = superseded_events(log, until)
    assert [line.superseded_by for line in whole] == [
        next((one.by for one in gone if one.first <= line.seq <= one.last), None) for line in whole
    ]
    game = store.games.get(game_id, at=until)
    for _ in range(4):
        after = data.draw(st.integers(0, until))
        last = data.draw(st.integers(after, until))
        assert part(store, game_id, game, after, last) == whole[after:last]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(BEGINNINGS)), STEPS, st.data())
def test_the_states_after_several_events_are_those_after_each(
    store: Store, kind: str, steps: list[Step], data: st.DataObject
) -> None:
    log = extend_log(begin_log(kind), steps)
    game_id = put(store, log, data.draw(st.integers(1, len(log))))
    seqs = data.draw(st.sets(st.integers(1, len(log))))
    states = history(log).states
    assert store.games.states(game_id, seqs) == {seq: states[seq] for seq in seqs}


@functools.cache
def cached_log(length: int) -> tuple[list[Event], Game]:
    """Return a log of this length without the events that rewrite its line, and the game after it, both cached."""
    log = [event for event in long_record(length) if event.type not in lifecycle.REWRITING]
    return log, fold(log)


def count_reads(log: list[Event]) -> tuple[Rereadable, list[int]]:
    """Return the events of `log`, decoded again at each read, and a list that gets the number of decoded events in
    memory with each event read.
    """
    alive: list[int] = []
    held: set[int] = set()

    class Counted(Event):
        def __del__(self) -> None:
            held.discard(self.seq)

    def read() -> Iterator[Event]:
        for event in log:
            one = Counted(**{name: getattr(event, name) for name in event.__struct_fields__})
            held.add(event.seq)
            alive.append(len(held))
            yield one

    return Rereadable(read), alive


@pytest.mark.no_cover
@pytest.mark.parametrize("name", quick(sorted(FORMATS), lambda name: name not in {"gif", "html", "pdf"}))
def test_an_export_holds_a_few_events_however_many_there_are(name: str) -> None:
    most = []
    for length in (150, 300):
        log, game = cached_log(length)
        events, alive = count_reads(log)
        with suppress(Unsuitable):
            for _ in FORMATS[name].write(Log("g", events, game=game)):
                pass
        most.append(max(alive, default=0))
    if name in BY_PICTURE:
        assert most[1] < most[0]
    else:
        assert most[0] == most[1]


def back_and_forth(table: Table, times: int) -> None:
    """Annotate and undo, `times` times."""
    table.open("observed")
    table.set_up()
    for _ in range(times):
        version = table.get().json["version"]
        drafts = [{"type": "annotate", "params": {"text": "No."}}, {"type": "undo", "params": {"to": version}}]
        assert table.post(drafts).status_code == 201


def read_messages(table: Table, after: int = 0) -> list[dict[str, Any]]:
    version = table.get().json["version"]
    with watching(table, after=after, until=version) as messages:
        return [data for _, name, data in messages if name == "superseded"]


def test_a_stream_tells_what_was_taken_back_as_often_as_it_can_be_told_briefly(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MANY", 8)
    back_and_forth(table, 40)
    version = table.get().json["version"]
    messages = read_messages(table)
    assert [one["by"] for one in messages] == [*range(4, 20, 2), version]
    assert max(len(one["superseded"]) for one in messages[:-1]) == 8
    assert len(messages[-1]["superseded"]) == 40
    game = table.get().json
    assert (messages[-1]["version"], messages[-1]["head"], messages[-1]["turn"]) == (version, game["head"], 1)


def test_a_stream_of_many_undos_reads_the_log_once(table: Table, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MANY", 8)
    monkeypatch.setattr(live, "PAGE", 16)
    read = []
    for times in (20, 40):
        back_and_forth(table, times)
        read_messages(table)
        before = store.client.info("commandstats")["cmdstat_xrange"]["calls"]
        read_messages(table)
        read.append(store.client.info("commandstats")["cmdstat_xrange"]["calls"] - before)
    # Twice as many events take twice as many pages, at the same cost a page.
    assert read[1] <= 2 * read[0]


def test_who_comes_back_to_a_game_of_many_undos_is_told_what_may_have_been_missed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MANY", 8)
    back_and_forth(table, 12)
    assert [one["by"] for one in read_messages(table, after=23)] == [22, 26]
    assert [one["by"] for one in read_messages(table, after=9)] == [10, 12, 14, 16, 18, 26]


def test_a_long_line_is_compared_in_parts(table: Table) -> None:
    table.open()
    table.play_out()
    mine = table.game.rsplit("/", 1)[1]
    fork = table.client.post(f"{table.game}/forks", json={"at": 4}).json["id"]
    whole = table.get(f"/compare/{fork}").json["game"]
    assert not whole["has_more"]
    part = table.get(f"/compare/{fork}", limit=3).json["game"]
    assert (part["events"], part["has_more"]) == (whole["events"][:3], True)
    assert part["state"] == whole["state"]
    assert table.get(f"/compare/{mine}", limit=1).json["game"]["events"] == []
    assert table.get(f"/compare/{fork}", limit=0).status_code == 400
