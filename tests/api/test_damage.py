"""A damaged stored record gets a response that names the service as the cause."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from prometheus_client import REGISTRY
from werkzeug.test import TestResponse

from operations import doctor
from store import Store, keys
from store.errors import Damaged
from store.log import watching
from store.redis import connection
from tests.api.table import Table, body_of, problem
from tests.api.tokens import Door
from tests.quick import quick

Work = Callable[[], None]

SEQ = 4
DAMAGES = {
    "no-json": b"[",
    "no-array": b"{}",
    "two-arrays": b'["shore_up","p1",{},[],1,0],["shore_up","p1",{},[],1,0]',
    "no-such-type": b'["jump","p1",{},[],1,0]',
    "params-that-do-not-fit": b'["move","p1",{"to":5},[],1,0]',
    "illegal": b'["move","p1",{"to":"nowhere"},[],1,0]',
    "no-seat": b'["end_actions","p9",{},[],1,0]',
    "outcomes-that-nobody-asks-for": b'["end_actions","p1",{},["x"],1,0]',
    "an-outcome-that-cannot-be": b'["draw_treasure_card","p1",{},["x"],1,0]',
    "undone-to-later": b'["undo",null,{"to":5},[],1,0]',
    "undone-to-nothing": b'["undo",null,{},[],1,0]',
    "amended-later": b'["amend",null,{"seq":9,"remove":true},[],1,0]',
    "revealed-later": b'["reveal",null,{"seq":9,"value":"x"},[],1,0]',
    "no-table": b'["adjust",null,{"patch":[{"op":"remove","path":""}],"reason":"r"},[],1,0]',
    "closed-early": b'["game_closed",null,{"outcome":{"result":"won","winners":[],"reason":"x","rule":"y"}},[],1,0]',
}


BODIES: dict[str, list[Any]] = {
    "events.Events": [
        {"type": "annotate", "params": {"text": "?"}},
        {"type": "amend", "params": {"seq": 6, "remove": True, "accept_broken": True}},
        {"type": "undo", "params": {"to": 2}},
    ],
    "games.Forks": [{"at": 6}],
    "audits.Audits": [None],
    "analyses.Analyses": [None],
    "sharing.Shares": [None],
}
"""A body for each route that writes to a game."""


@pytest.fixture
def cold(process: Callable[[int], Flask]) -> Callable[[], Flask]:
    """Return a function that starts a new process, which has no game in its cache."""
    return functools.partial(process, 2)


def damage(store: Store, game_id: str, seq: int, text: bytes) -> None:
    """Replace the text of event `seq`."""
    name = keys.events(game_id)
    entries = store.client.xrange(name)
    store.client.delete(name)
    for id_, fields in entries:
        words = [b"e", text, *fields[2:]] if id_ == b"%d-0" % seq else fields
        connection.call(store.client, "XADD", name, id_, *words)


def without(store: Store, game_id: str, seq: int) -> None:
    """Remove event `seq` from the log."""
    store.client.xdel(keys.events(game_id), b"%d-0" % seq)


def other_hash(store: Store, game_id: str, seq: int) -> None:
    """Replace the hash of event `seq`."""
    name = keys.events(game_id)
    entries = store.client.xrange(name)
    store.client.delete(name)
    for id_, fields in entries:
        words = [*fields[:3], b"x" * 32] if id_ == b"%d-0" % seq else fields
        connection.call(store.client, "XADD", name, id_, *words)


def open_drawn_game(table: Table) -> str:
    """A seeded game of seven events."""
    table.open(seed="0" * 64)
    for _ in range(5):
        assert table.post(body_of(table.actions()[0])).status_code == 201
    return table.game.rsplit("/", 1)[1]


def paths(app: Flask, game_id: str) -> list[str]:
    """Every read of a game, by every route and in every export format."""
    told: dict[str, Any] = {"game_id": game_id, "other_id": game_id, "seq": 2, "audit_id": "x", "token": "x"}
    asked = {
        "/proof/consistency": f"?from=1&head={'0' * 64}",
        "/stream": "?until=7",
    }
    adapter = app.url_map.bind("")
    found = [
        adapter.build(rule.endpoint, {name: told[name] for name in rule.arguments})
        for rule in app.url_map.iter_rules()
        if "game_id" in rule.arguments and rule.arguments <= told.keys() and "GET" in (rule.methods or ())
    ]
    found = [path + next((query for end, query in asked.items() if path.endswith(end)), "") for path in found]
    formats = ("json", "ndjson", "csv", "markdown", "sheet", "draws", "svg")
    found += [f"/v1/games/{game_id}/export?format={name}" for name in formats]
    found += [f"/v1/games/{game_id}/{what}" for what in ("state?at=3", "state?at=5", "state?turn=1", "board.svg?at=6")]
    found += [f"/v1/games/{game_id}/{what}?until=6" for what in ("state", "actions", "story")]
    return found


@pytest.mark.parametrize("text", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_record_is_nobodys_fault_who_asks(
    text: bytes, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    damage(store, game_id, SEQ, text)
    before = store.client.xrange(keys.events(game_id))
    app = cold()
    client = app.test_client()
    refused = 0
    for path in paths(app, game_id):
        answer = client.get(path)
        assert answer.status_code in {200, 204, 404, 409, 500}, (path, answer.status_code, answer.text)
        if answer.status_code == 500:
            assert "The record is damaged at event 4." in answer.text, path
            refused += 1
        if answer.mimetype == "application/problem+json" and answer.status_code == 500:
            assert problem(answer, 500, "damaged-record")["seq"] == SEQ
    assert refused > 10
    for body in ({"type": "annotate", "params": {"text": "?"}}, {"type": "undo", "params": {"to": 2}}):
        for query in ({}, {"dry_run": "true"}):
            answer = client.post(f"/v1/games/{game_id}/events", json=body, query_string=query)
            assert problem(answer, 500, "damaged-record")["seq"] == SEQ
    assert client.get("/v1/games").status_code == 200
    assert store.client.xrange(keys.events(game_id)) == before


@pytest.mark.parametrize("text", [b"[", DAMAGES["illegal"], b'["undo",null,{"to":20},[],1,0]'])
def test_a_process_that_was_further_comes_upon_it_only_where_it_reads_it(
    text: bytes, table: Table, other: Table, store: Store
) -> None:
    """The process has cached the game before the damage, and reads only later events."""
    game_id = open_drawn_game(table)
    other.game = table.game
    assert other.get().json["version"] == 7
    table.post({"type": "annotate", "params": {"text": "!"}})
    table.post({"type": "annotate", "params": {"text": "!"}})
    damage(store, game_id, 9, text)
    assert problem(other.post({"type": "annotate", "params": {"text": "?"}}), 500, "damaged-record")["seq"] == 9
    assert problem(other.get("/state"), 500, "damaged-record")["seq"] == 9


def test_two_games_side_by_side_that_part_before_the_damage(table: Table, store: Store) -> None:
    """Both games are cached, but the comparison reads the events after the branch, and finds the damage."""
    game_id = open_drawn_game(table)
    other = table.client.post(f"/v1/games/{game_id}/forks", json={"at": 3}).json["id"]
    damage(store, game_id, SEQ, DAMAGES["illegal"])
    problem(table.get(f"/compare/{other}"), 500, "damaged-record")


def request_all(app: Flask, game_id: str) -> Iterator[tuple[str, TestResponse]]:
    """Yield the answer of every route about a game, for each of its methods."""
    client = app.test_client()
    for path in paths(app, game_id):
        if not path.endswith(("/stream?until=7", "/head=" + "0" * 64)):
            yield path, client.get(path)
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and rule.arguments == {"game_id"}:
            path = app.url_map.bind("").build(rule.endpoint, {"game_id": game_id})
            for body in BODIES[rule.endpoint]:
                yield f"POST {path}", client.post(path, json=body) if body else client.post(path)


def refusals(app: Flask, game_id: str) -> list[Any]:
    """Return the problems about damage among the responses, and check all the other responses."""
    found = []
    for path, answer in request_all(app, game_id):
        if path.endswith("/play") and answer.status_code == 422:
            assert "has not ended" in answer.text
        else:
            assert answer.status_code < 400 or answer.status_code in {404, 409, 500}, (path, answer.text)
        assert answer.data is not None
        if answer.status_code == 500:
            assert "The record is damaged" in answer.text, (path, answer.text)
        if answer.status_code == 500 and answer.mimetype == "application/problem+json":
            found.append(problem(answer, 500, "damaged-record").get("seq"))
    return found


@pytest.mark.parametrize("is_projected", quick([False, True], bool))
@pytest.mark.parametrize("text", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_process_that_knows_the_end_says_the_same_of_what_lies_before(
    text: bytes, is_projected: bool, table: Table, store: Store
) -> None:
    game_id = open_drawn_game(table)
    if is_projected:
        store.projections.project(game_id)
    damage(store, game_id, SEQ, text)
    told = refusals(table.client.application, game_id)
    assert len(told) > 5
    assert set(told) == {SEQ}


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize("seq", [1, SEQ])
def test_an_event_that_is_not_there(
    seq: int, is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    without(store, game_id, seq)
    app = cold() if is_cold else table.client.application
    client = app.test_client()
    for what in (f"events/{seq}", "turns", f"events?after={seq - 1}", "export?format=markdown"):
        assert problem(client.get(f"/v1/games/{game_id}/{what}"), 500, "damaged-record")["seq"] == seq
    assert len(refusals(app, game_id)) > 5


@pytest.mark.parametrize("is_cold", quick([False, True], bool))
@pytest.mark.parametrize("name", [keys.events, keys.meta, keys.idempotency, keys.snapshots, keys.turns, keys.audits])
def test_a_key_of_another_kind(
    name: Callable[[str], str], is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    store.client.delete(name(game_id))
    store.client.set(name(game_id), "?")
    refusals(cold() if is_cold else table.client.application, game_id)


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize("name", [keys.turns, keys.snapshots])
def test_derived_data_of_another_kind_is_made_anew(
    name: Callable[[str], str], is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    note = {"type": "annotate", "params": {"text": "!"}}
    repeat = {"headers": {"Idempotency-Key": "one"}}
    done = table.post(note, **repeat).json
    store.projections.project(game_id)
    told = [table.get(path).json for path in ("/turns", "/recap", "/state", "/story")]
    store.client.delete(name(game_id))
    store.client.set(name(game_id), "?")
    client = (cold() if is_cold else table.client.application).test_client()
    again = client.post(f"/v1/games/{game_id}/events", json=note, **repeat)
    assert (again.status_code, again.json) == (201, done)
    assert [client.get(f"/v1/games/{game_id}{path}").json for path in ("/turns", "/recap", "/state", "/story")] == told
    assert client.post(f"/v1/games/{game_id}/events", json=note).status_code == 201
    assert store.projections.project(game_id) == 9
    assert store.projections.projected_version(game_id) == 9


@pytest.mark.parametrize("name", [keys.events, keys.turns, keys.snapshots, keys.idempotency, keys.audits])
def test_a_game_with_a_key_of_another_kind_can_be_deleted(
    name: Callable[[str], str], table: Table, store: Store
) -> None:
    game_id = open_drawn_game(table)
    store.client.delete(name(game_id))
    store.client.set(name(game_id), "?")
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    problem(table.get(), 410, "gone")


def test_a_game_whose_meta_is_of_another_kind_is_reported_as_damaged(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    store.client.delete(keys.meta(game_id))
    store.client.set(keys.meta(game_id), "?")
    problem(table.client.delete(f"/v1/games/{game_id}"), 500, "damaged-record")


@pytest.mark.parametrize("is_archived", [False, True])
def test_a_game_whose_meta_is_missing_is_reported_as_damaged(
    is_archived: bool, table: Table, store: Store, tmp_path: Path, cold: Callable[[], Flask]
) -> None:
    """The response is not "unknown game", because the rest of the record exists and a backup has the missing key."""
    game_id, deleted = open_drawn_game(table), open_drawn_game(table)
    if is_archived:
        assert Store(store.client, str(tmp_path)).archive(game_id)
    store.client.delete(keys.meta(game_id))
    for app in (table.client.application, cold()):
        for path, answer in request_all(app, game_id):
            if not path.endswith("/shares/x"):
                assert (answer.status_code, "The record is damaged" in answer.text) == (500, True), path
    client = app.test_client()
    problem(client.delete(f"/v1/games/{game_id}"), 500, "damaged-record")
    finding = next(finding for finding in doctor.examine(store, None) if finding.check == "orphans")
    assert (finding.level, finding.about) == ("fail", (game_id,))
    doctor.mend(store)
    problem(client.get(f"/v1/games/{game_id}"), 500, "damaged-record")
    assert client.delete(f"/v1/games/{deleted}").status_code == 204
    problem(client.get(f"/v1/games/{deleted}"), 410, "gone")


@pytest.mark.parametrize("is_in_redis", [False, True])
@pytest.mark.parametrize("name", ["{game}/7-0-0.log.gz", "nonsense", b"\xff"])
def test_an_archived_file_that_is_missing_is_damage_and_not_an_archive_that_is_away(
    name: str | bytes, is_in_redis: bool, table: Table, store: Store, tmp_path: Path
) -> None:
    other, game_id = open_drawn_game(table), open_drawn_game(table)
    kept = Store(store.client, str(tmp_path))
    table.client.application.extensions["store"] = kept
    assert kept.archive(other)
    if not is_in_redis:
        assert kept.archive(game_id)
    named = name if isinstance(name, bytes) else name.format(game=game_id)
    store.client.hset(keys.meta(game_id), "archived", named)
    note = {"type": "annotate", "params": {"text": "!"}}
    for _ in range(2):
        problem(table.post(note), 500, "damaged-record")
        assert table.get("/events").status_code == (200 if is_in_redis else 500)
    finding = next(finding for finding in doctor.examine(kept, None) if finding.check == "chains")
    assert finding.about == (game_id,)
    assert kept.archiving.fault() is None
    assert table.client.get(f"/v1/games/{other}/events").status_code == 200
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    assert kept.deletions.finish(game_id)
    problem(table.get(), 410, "gone")


def test_a_fork_copies_nothing_that_has_another_hash(table: Table, store: Store, cold: Callable[[], Flask]) -> None:
    game_id = open_drawn_game(table)
    other_hash(store, game_id, SEQ)
    client = cold().test_client()
    for at in (SEQ, 6):
        refused = client.post(f"/v1/games/{game_id}/forks", json={"at": at})
        assert problem(refused, 500, "damaged-record")["seq"] == SEQ
    assert client.post(f"/v1/games/{game_id}/forks", json={"at": SEQ - 1}).status_code == 201


def test_a_fork_of_a_damaged_record(table: Table, store: Store, cold: Callable[[], Flask]) -> None:
    game_id = open_drawn_game(table)
    damage(store, game_id, SEQ, DAMAGES["illegal"])
    answer = cold().test_client().post(f"/v1/games/{game_id}/forks", json={"at": 6})
    assert problem(answer, 500, "damaged-record")["seq"] == SEQ


@pytest.mark.parametrize(
    "case",
    [
        (functools.partial(damage, text=DAMAGES["illegal"]), SEQ, SEQ),
        (without, SEQ, SEQ + 1),
        # The remaining events are correct.
        (without, 7, 7),
    ],
    ids=["illegal", "gap", "end"],
)
def test_the_audit_goes_on_telling_what_is_wrong(
    case: tuple[Callable[[Store, str, int], None], int, int],
    table: Table,
    store: Store,
    work: Work,
    cold: Callable[[], Flask],
) -> None:
    harm, seq, found = case
    game_id = open_drawn_game(table)
    harm(store, game_id, seq)
    client = cold().test_client()
    location = client.post(f"/v1/games/{game_id}/audits").headers["Location"]
    work()
    report = client.get(location).json
    assert (report["status"], report["verdict"]) == ("done", "broken")
    assert found in {finding["seq"] for finding in report["findings"]}


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the log at every read, however recently it was checked."""
    monkeypatch.setattr(watching, "SHARE", math.inf)


def rewritten(store: Store, game_id: str, seq: int) -> bytes:
    """Return the text of an event with one byte of its turn changed; it can still be read and replayed."""
    ((_, fields),) = store.client.xrange(keys.events(game_id), f"{seq}-0", f"{seq}-0")
    text: bytes = fields[1]
    at = text.rindex(b",") + 1
    return text[:at] + (b"2" if text[at : at + 1] != b"2" else b"3") + text[at + 1 :]


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize("seq", [2, SEQ, 7])
def test_no_event_is_told_that_has_another_hash(
    seq: int, is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    """The changed log can still be read and replayed, and the process may have cached the game."""
    game_id = open_drawn_game(table)
    state = table.get("/state").json
    damage(store, game_id, seq, rewritten(store, game_id, seq))
    known = table.client.application.extensions["store"].games.cached_game(game_id)
    app = cold() if is_cold else table.client.application
    if not is_cold:
        first = table.get(f"/events/{seq}")
        assert problem(first, 500, "damaged-record")["seq"] == seq
    formats = ("json", "ndjson", "csv", "markdown", "cloudevents", "cloudevents_ndjson", "sheet")
    for what in (f"events/{seq}", f"events?after={seq - 1}", *(f"export?format={name}" for name in formats)):
        answer = app.test_client().get(f"/v1/games/{game_id}/{what}")
        if answer.status_code == 200:
            assert answer.headers["Driftlog-Damaged"] == "true", what
        else:
            assert problem(answer, 500, "damaged-record")["seq"] == seq, what
    app.extensions["store"].games.keep(game_id, known)
    for what in ("state", f"state?at={seq}", "state?at=7"):
        answer = app.test_client().get(f"/v1/games/{game_id}/{what}")
        if answer.status_code == 200:
            assert what != f"state?at={seq}" or seq == 7, what
            assert answer.json == state, what
        else:
            assert problem(answer, 500, "damaged-record")["seq"] == seq, what


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize("seq", [2, SEQ, 7])
def test_nothing_is_added_to_a_damaged_record(
    seq: int, is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    """The process has cached the game, and the rules do not need the changed part."""
    game_id = open_drawn_game(table)
    whole = store.client.dump(keys.events(game_id))
    damage(store, game_id, seq, rewritten(store, game_id, seq))
    client = (cold() if is_cold else table.client.application).test_client()
    note = {"type": "annotate", "params": {"text": "?"}}
    for _ in range(2):
        answer = client.post(f"/v1/games/{game_id}/events", json=note)
        assert problem(answer, 500, "damaged-record")["seq"] == seq
    assert store.events.head(game_id)[0] == 7
    store.client.restore(keys.events(game_id), 0, whole, replace=True)
    assert client.post(f"/v1/games/{game_id}/events", json=note).status_code == 201


def test_nothing_is_added_once_another_process_has_seen_damage(table: Table, other: Table, store: Store) -> None:
    """The other process has just checked the log, so its next check is not due yet."""
    game_id = open_drawn_game(table)
    other.game = table.game
    note = {"type": "annotate", "params": {"text": "?"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "SHARE", 1e-9)
        patch.setattr(watching, "WINDOW", 3)
        assert other.post(note).status_code == 201
        whole = store.client.dump(keys.events(game_id))
        damage(store, game_id, 2, rewritten(store, game_id, 2))
        assert other.post(note).status_code == 201
        assert len(table.get("/events").json["events"]) == 1
        version = store.events.head(game_id)[0]
        assert problem(other.post(note), 500, "damaged-record")["seq"] == 2
        assert store.events.head(game_id)[0] == version
        last = store.client.xrange(keys.events(game_id))[-1]
        store.client.restore(keys.events(game_id), 0, whole, replace=True)
        connection.call(store.client, "XADD", keys.events(game_id), last[0], *last[1])
        assert other.post(note).status_code == 201


def test_an_append_finds_a_changed_event_even_right_after_a_check(table: Table, store: Store) -> None:
    """No check is due so soon after a check, but the script that appends still compares one window."""
    game_id = open_drawn_game(table)
    note = {"type": "annotate", "params": {"text": "?"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "SHARE", 1e-9)
        assert table.post(note).status_code == 201
        damage(store, game_id, 2, rewritten(store, game_id, 2))
        assert problem(table.post(note), 500, "damaged-record")["seq"] == 2
    assert store.events.head(game_id)[0] == 8


def test_events_that_were_acknowledged_after_the_damage_are_not_lost(table: Table, store: Store) -> None:
    """An append checks only the next window of a long log. Events acknowledged until then can be rescued."""
    game_id = open_drawn_game(table)
    acknowledged = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "SHARE", 1e-9)
        patch.setattr(watching, "WINDOW", 2)
        assert table.post({"type": "annotate", "params": {"text": "before"}}).status_code == 201
        damage(store, game_id, SEQ, rewritten(store, game_id, SEQ))
        while (answer := table.post({"type": "annotate", "params": {"text": "after"}})).status_code == 201:
            acknowledged += [event["seq"] for event in answer.json["events"]]
    assert problem(answer, 500, "damaged-record")["seq"] == SEQ
    assert acknowledged == [9]
    told = table.get("/events").json["events"]
    lines = table.get("/export", format="ndjson").data.splitlines()
    assert ([event["seq"] for event in told], len(lines)) == (list(range(1, 10)), 9)
    assert told[-1]["params"] == json.loads(lines[-1])["params"] == {"text": "after"}
    finding = next(one for one in doctor.examine(store, None) if one.check == "chains")
    assert (finding.level, finding.about) == ("fail", (game_id,))


def test_whoever_has_seen_damage_looks_at_the_whole_log(table: Table, store: Store) -> None:
    """After a read has found damage, a long log is checked as a whole instead of window by window."""
    game_id = open_drawn_game(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "WINDOW", 2)
        note = {"type": "annotate", "params": {"text": "!"}}
        for _ in range(6):
            assert table.post(note).status_code == 201
        damage(store, game_id, SEQ, b"[")
        problem(table.get("/events", after=SEQ - 1), 500, "damaged-record")
        assert problem(table.post(note), 500, "damaged-record")["seq"] == SEQ


def test_a_look_at_a_log_goes_round(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "WINDOW", 3)
        note = {"type": "annotate", "params": {"text": "!"}}
        assert table.post(note).status_code == 201
        damage(store, game_id, 2, rewritten(store, game_id, 2))
        answers = [table.post(note) for _ in range(8)]
    assert [answer.status_code for answer in answers[-2:]] == [500, 500]
    assert problem(answers[-1], 500, "damaged-record")["seq"] == 2


@pytest.mark.parametrize("version", [b"[[", b"-1", b"9" * 20, b"9" * 5000])
def test_a_version_that_is_no_number_stops_no_other_game(
    version: bytes, table: Table, other: Table, store: Store
) -> None:
    game_id, intact = open_drawn_game(table), open_drawn_game(other)
    store.client.hset(keys.meta(game_id), "v", version)
    table.client.application.extensions["store"].games.forget(game_id)
    for answer in (table.get(), table.get("/events"), table.post({"type": "annotate", "params": {"text": "!"}})):
        problem(answer, 500, "damaged-record")
    assert dict(store.projections.lagging()) == {game_id: 0, intact: 7}
    store.projections.set_aside(game_id)
    store.projections.project(intact)
    assert list(store.projections.lagging()) == []
    assert store.projections.projected_versions([game_id, intact]) == [None, 7]


def test_a_projected_version_that_is_no_number_is_projected_again(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    store.projections.project(game_id)
    for name, field in ((keys.turns(game_id), "v"), (keys.FED, game_id)):
        store.client.hset(name, field, b"[[")
    assert store.projections.projected_versions([game_id]) == [0]
    assert store.projections.project(game_id) == 7
    assert store.projections.projected_version(game_id) == 7


@pytest.mark.parametrize("field", ["turns", "undos", "clock"])
def test_a_damaged_index_costs_nobody_anything(field: str, table: Table, store: Store) -> None:
    """The index can be rebuilt from the log."""
    game_id = open_drawn_game(table)
    store.projections.project(game_id)
    told = [table.get(path).json for path in ("/turns", "/recap", "/state", "/story")]
    store.client.hset(keys.turns(game_id), field, b"[[")
    table.client.application.extensions["store"].games.forget(game_id)
    assert [table.get(path).json for path in ("/turns", "/recap", "/state", "/story")] == told


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize("version", [b"9" * 20, b"50", b"5"])
def test_a_version_that_is_not_that_of_the_log(
    version: bytes, is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    store.client.hset(keys.meta(game_id), "v", version)
    app = cold() if is_cold else table.client.application
    conflicts = REGISTRY.get_sample_value("driftlog_append_conflicts_total") or 0
    for _ in range(2):
        note = {"type": "annotate", "params": {"text": "!"}}
        problem(app.test_client().post(f"/v1/games/{game_id}/events", json=note), 500, "damaged-record")
    assert (REGISTRY.get_sample_value("driftlog_append_conflicts_total") or 0) <= conflicts + 2


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize("field", ["imported", "gone_v", "head", "bytes"])
def test_a_damaged_field_beside_the_version(
    field: str, is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    store.client.hset(keys.meta(game_id), field, b"[[")
    refusals(cold() if is_cold else table.client.application, game_id)


def test_nothing_is_added_behind_an_event_that_is_not_there(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    without(store, game_id, 7)
    for _ in range(2):
        answer = table.post({"type": "annotate", "params": {"text": "!"}})
        assert problem(answer, 500, "damaged-record")["seq"] == 7


def test_another_head_than_that_of_the_log(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    store.client.hset(keys.meta(game_id), "head", b"x" * 32)
    note = {"type": "annotate", "params": {"text": "!"}}
    for _ in range(2):
        assert problem(table.post(note), 500, "damaged-record")["seq"] == 7


@pytest.mark.parametrize("is_cold", [False, True])
def test_a_log_that_is_longer_than_its_version(
    is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    """This happens if an older copy of one key is restored. A client that repeats its append must not wait forever."""
    game_id = open_drawn_game(table)
    older = store.client.dump(keys.meta(game_id))
    note = {"type": "annotate", "params": {"text": "!"}}
    assert table.post(note).status_code == 201
    store.client.restore(keys.meta(game_id), 0, older, replace=True)
    client = (cold() if is_cold else table.client.application).test_client()
    for _ in range(2):
        answer = client.post(f"/v1/games/{game_id}/events", json=note)
        assert problem(answer, 500, "damaged-record")["seq"] == 8
    assert len(client.get(f"/v1/games/{game_id}/events").json["events"]) == 7


@pytest.mark.parametrize("is_cold", [False, True])
def test_a_log_that_is_longer_than_its_version_is_read_up_to_its_version(
    is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    store.client.hset(keys.meta(game_id), "v", 5)
    client = (cold() if is_cold else table.client.application).test_client()
    for path in ("", "/state", "/actions"):
        assert client.get(f"/v1/games/{game_id}{path}").json["version"] == 5


@pytest.mark.parametrize("is_cold", [False, True])
def test_what_lies_before_damage_can_be_read_and_exported(
    is_cold: bool, table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    whole = table.get("/export", format="ndjson").data
    damage(store, game_id, SEQ, b"[")
    client = (cold() if is_cold else table.client.application).test_client()
    here = f"/v1/games/{game_id}"
    page = client.get(f"{here}/events")
    assert [event["seq"] for event in page.json["events"]] == [1, 2, 3]
    for following in (f"{here}/events?after={SEQ - 1}", page.headers["Link"].partition(">")[0].removeprefix("<")):
        assert problem(client.get(following), 500, "damaged-record")["seq"] == SEQ
    assert [event["seq"] for event in client.get(f"{here}/events?after={SEQ}").json["events"]] == [5, 6, 7]
    assert client.get(f"{here}/events/2").status_code == 200
    exported = client.get(f"{here}/export?format=ndjson&until={SEQ - 1}").data
    assert exported == b"".join(whole.splitlines(keepends=True)[: SEQ - 1])
    assert problem(client.get(f"{here}/export?format=ndjson"), 500, "damaged-record")["seq"] == SEQ


def test_a_record_that_reads_and_does_not_replay_is_exported_as_it_is_stored(
    table: Table, store: Store, cold: Callable[[], Flask]
) -> None:
    game_id = open_drawn_game(table)
    damage(store, game_id, SEQ, DAMAGES["illegal"])
    client = cold().test_client()
    lines = client.get(f"/v1/games/{game_id}/export?format=ndjson").data.splitlines()
    assert (len(lines), b'"nowhere"' in lines[SEQ - 1]) == (7, True)
    document = client.get(f"/v1/games/{game_id}/export?format=json").json
    assert (len(document["events"]), "proof" in document) == (7, False)
    assert [event["seq"] for event in client.get(f"/v1/games/{game_id}/events").json["events"]] == list(range(1, 8))


def test_a_damaged_record_with_secrets_is_shown_to_those_alone_who_may_see_all(door: Door, store: Store) -> None:
    recorder = door.enter("recorder")
    recorder.open(ruleset="forever-island", seed="0" * 64)
    game_id = recorder.game.rsplit("/", 1)[1]
    for text in "abc":
        assert recorder.post({"type": "annotate", "params": {"text": text}}).status_code == 201
    damage(store, game_id, SEQ, DAMAGES["no-such-type"])
    door.app.extensions["store"].games.forget(game_id)
    for path in ("/events", "/events/2", "/export?format=ndjson", "/export?format=json"):
        problem(recorder.client.get(recorder.game + path), 500, "damaged-record")
        assert door.enter("arbiter").client.get(recorder.game + path).status_code == 200
    problem(door.enter("arbiter").at(game_id).get("/events", viewer="p1"), 500, "damaged-record")


@pytest.mark.parametrize("seq", [SEQ, 1400])
def test_a_record_damaged_before_a_snapshot_is_exported_as_it_is_stored(seq: int, table: Table, store: Store) -> None:
    """The game replays from the snapshot, so only requests that read the whole log find the damage."""
    game_id = open_drawn_game(table)
    for _ in range(3):
        assert table.post([{"type": "annotate", "params": {"text": "?" * 500}}] * 500).status_code == 201
    store.projections.project(game_id)
    damage(store, game_id, seq, rewritten(store, game_id, seq))
    if seq == SEQ:
        problem(table.get("/export", format="ndjson"), 500, "damaged-record")
    else:
        # The damage is found after the service has sent the beginning.
        begun = table.get("/export", format="ndjson")
        with pytest.raises(Damaged):
            begun.get_data()
    for name in ("ndjson", "json", "cloudevents"):
        exported = table.get("/export", format=name)
        assert (exported.status_code, exported.headers["Driftlog-Damaged"]) == (200, "true")
    page = table.get("/events", after=seq - 1)
    assert (page.json["events"][0]["seq"], page.headers["Driftlog-Damaged"]) == (seq, "true")
