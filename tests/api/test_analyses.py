"""Analyses over the API: their results, when they are stale, and refused games."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from zipfile import ZipFile

import pytest
from pyarrow import parquet

from engine.players.value import Valuer
from engine.review import swings
from schemas.analyses import Analysis
from store import Store
from tests.api.table import Table, problem
from tests.api.tokens import Door, id_of
from tests.engine.players.dice import Cheat, Divided, Endless, Moody, Picky, Pondering, Rival, Roller, playing
from workers import analysing

Work = Callable[[], None]


@pytest.fixture
def dice() -> Iterator[None]:
    with playing(Roller()):
        yield


def record_rolls(table: Table) -> None:
    """Ann rolls badly, and Bob well."""
    table.open(chance="observed", ruleset="dice", options={"goal": 30})
    table.post({"type": "set_up"})
    for actor, results in (("p1", []), ("p2", [6, 6, 6]), ("p1", [1, 1, 1])):
        event = {"type": "roll", "actor": actor, "params": {"dice": len(results)}, "outcomes": results}
        assert table.post(event).status_code == 201


def run_analysis(table: Table, work: Work) -> dict[str, Any]:
    answer = table.client.post(table.game + "/analyses")
    assert answer.status_code == 202, answer.text
    assert not Analysis().validate(answer.json)
    work()
    return latest(table)


def latest(table: Table) -> dict[str, Any]:
    document: dict[str, Any] = table.get("/analyses/latest").json
    assert not Analysis().validate(document)
    return document


def test_analyse(table: Table, work: Work, dice: None) -> None:
    record_rolls(table)
    found = run_analysis(table, work)
    assert (found["status"], found["progress"], found["kind"]) == ("done", 1.0, "analysis")
    assert (found["player"], found["version"], found["stale_from"]) == ("Roller", 5, None)
    assert [point["turn"] for point in found["points"]] == [1, 2, 3, 4]
    assert found["marks"][0]["message"].startswith("Ann: “Roll 0” instead of “Roll 3”: −")


def test_an_analysis_becomes_stale(table: Table, work: Work, dice: None) -> None:
    record_rolls(table)
    before = run_analysis(table, work)
    table.post({"type": "roll", "actor": "p2", "params": {"dice": 1}, "outcomes": [1]})
    assert latest(table)["stale_from"] == 6
    correction = {"type": "roll", "actor": "p2", "params": {"dice": 1}, "outcomes": [2]}
    assert table.post({"type": "amend", "params": {"seq": 4, "event": correction}}).status_code == 201
    assert latest(table)["stale_from"] == 4
    table.post({"type": "undo", "params": {"to": 3}})
    assert latest(table) | {"stale_from": None} == before
    assert run_analysis(table, work)["stale_from"] is None


def test_progress_is_reported_before_the_first_result(table: Table, dice: None) -> None:
    record_rolls(table)
    problem(table.get("/analyses/latest"), 404, "not-found")
    assert table.client.post(table.game + "/analyses").status_code == 202
    waiting = latest(table)
    assert (waiting["status"], waiting["player"], waiting["points"]) == ("queued", None, [])


def test_the_same_request_makes_one_job(table: Table, dice: None) -> None:
    record_rolls(table)
    first, second = (table.client.post(table.game + "/analyses").json["id"] for _ in range(2))
    assert first == second


def test_refused(table: Table) -> None:
    problem(table.client.post("/v1/games/nothing/analyses"), 404, "not-found")
    problem(table.client.get("/v1/games/nothing/analyses/latest"), 404, "not-found")
    table.open(ruleset="forbidden-desert", chance="observed")
    answer = table.client.post(table.game + "/analyses")
    assert problem(answer, 409, "cannot-analyse")["detail"] == "Forbidden Desert has no computer player yet."
    table.open()
    table.post({"type": "set_up"})
    answer = table.client.post(table.game + "/analyses")
    assert problem(answer, 409, "cannot-analyse")["detail"] == (
        "A seeded game can be analysed only after it has ended."
    )


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        (Cheat(), "It is another player's turn."),
        (Moody(), "KeyError: 'lost'"),
        (Endless(), "it exceeded the limit of 1 seconds"),
        (Pondering(), "it exceeded the limit of 1 seconds"),
        (Divided(), "it exceeded the limit of 1 seconds"),
    ],
)
def test_a_bad_player_is_named(
    player: Roller, reason: str, table: Table, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "STUCK_SECONDS", 1.0)
    with playing(player):
        record_rolls(table)
        found = run_analysis(table, work)
    assert (found["status"], found["error"]) == ("failed", f"The computer player Roller failed: {reason}")


def test_a_game_that_the_player_cannot_play_is_refused(table: Table, work: Work) -> None:
    with playing(Picky()):
        record_rolls(table)
        found = run_analysis(table, work)
    assert (found["status"], found["error"]) == ("failed", "It plays to 1000 only.")


def test_a_player_decides_who_sees_their_skill(
    door: Door, work: Work, dice: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    arbiter = door.enter("arbiter")
    record_rolls(arbiter)
    assert run_analysis(arbiter, work)["skills"] == []
    game = id_of(arbiter.game)
    ann, bob = (door.enter("recorder", game=game, seat=seat).at(arbiter.game) for seat in ("p1", "p2"))
    everyone = [arbiter, ann, bob, door.enter("viewer").at(arbiter.game)]

    def show(visitor: Table, *viewers: str) -> Any:
        return visitor.client.put(arbiter.game + "/analyses/skills/p1", json={"shown_to": viewers})

    def visible_skills() -> list[list[str]]:
        return [[skill["seat"] for skill in latest(one)["skills"]] for one in everyone]

    assert visible_skills() == [[], ["p1"], ["p2"], []]
    for visitor in (arbiter, bob, everyone[-1]):
        told = problem(show(visitor, "public"), 403, "forbidden")["detail"]
        assert told == "Only the player, with the token for that seat, can show the seat's skill to others."
    assert show(ann, "p2").status_code == 204
    assert visible_skills() == [[], ["p1"], ["p1", "p2"], []]
    assert show(ann, "public").status_code == 204
    assert visible_skills() == [["p1"], ["p1"], ["p1", "p2"], ["p1"]]
    (skill,) = latest(ann)["skills"]
    assert (skill["choices"], skill["shown_to"]) == (2, ["public"])
    assert skill["low"] < skill["skill"] < skill["high"] < 0
    # The next player of the seat allows nobody, and the skill is that of the next player's choices alone.
    arbiter.post({"type": "seat_joined", "params": {"seat": "p1", "name": "Dana"}})
    assert visible_skills()[0] == ["p1"]
    arbiter.post({"type": "roll", "actor": "p2", "params": {"dice": 1}, "outcomes": [6]})
    arbiter.post({"type": "roll", "actor": "p1", "params": {"dice": 3}, "outcomes": [1, 1, 1]})
    monkeypatch.setattr(swings, "TURNS_IN_DETAIL", 9)
    (skill,) = [one for one in run_analysis(ann, work)["skills"] if one["seat"] == "p1"]
    assert (skill["choices"], skill["shown_to"]) == (1, [])
    assert visible_skills()[0] == []
    assert show(ann, "public").status_code == 204
    assert visible_skills()[0] == ["p1"]
    assert show(ann).status_code == 204
    assert visible_skills()[0] == []
    problem(ann.client.put(arbiter.game + "/analyses/skills/p3", json={"shown_to": []}), 404, "not-found")


def test_on_an_open_service_everyone_decides(table: Table, work: Work, dice: None) -> None:
    record_rolls(table)
    assert [skill["shown_to"] for skill in run_analysis(table, work)["skills"]] == [[], []]


def test_the_words_are_in_the_reader_s_language(table: Table, work: Work, dice: None) -> None:
    record_rolls(table)
    run_analysis(table, work)
    german = table.client.get(table.game + "/analyses/latest", headers={"Accept-Language": "de"})
    assert " statt " in german.json["marks"][0]["message"]
    assert " instead of " in latest(table)["marks"][0]["message"]


def test_an_older_job_that_ends_later_replaces_nothing(
    table: Table, work: Work, store: Store, dice: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_rolls(table)
    whole = run_analysis(table, work)
    events = store.events.read(whole["game"])
    monkeypatch.setattr(type(store.events), "read", lambda *_: events[:4])
    older = store.jobs.create("analysis", {"game": whole["game"], "version": 5})
    assert analysing.make(store, older) == {"game": whole["game"]}
    monkeypatch.undo()
    assert latest(table) == whole


def test_a_newer_request_drops_the_older_one(table: Table, work: Work, store: Store, dice: None) -> None:
    record_rolls(table)
    older = table.client.post(table.game + "/analyses").json["id"]
    table.post({"type": "roll", "actor": "p2", "params": {"dice": 1}, "outcomes": [1]})
    assert run_analysis(table, work)["version"] == 6
    job = store.jobs.get(older)
    assert job is not None
    assert (job.status, job.error) == ("failed", "A newer request replaced this analysis.")


def test_a_game_that_is_deleted_meanwhile_keeps_no_analysis(
    table: Table, work: Work, store: Store, dice: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewards = Valuer.rewards

    def deleting(*given: Any) -> Any:
        table.client.delete(table.game)
        return rewards(*given)

    monkeypatch.setattr(Valuer, "rewards", deleting)
    monkeypatch.setattr(analysing, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(analysing, "REPORT_SECONDS", 0.0)
    record_rolls(table)
    game, job = id_of(table.game), table.client.post(table.game + "/analyses").json["id"]
    work()
    ended = store.jobs.get(job)
    assert ended is None or ended.status == "failed"
    assert store.analyses.of(game) == {}
    problem(table.get("/analyses/latest"), 410, "gone")


@pytest.mark.parametrize(
    ("events", "reason"), [(0, "Set up the game first."), (9, "Only games with up to 8 events can be analysed.")]
)
def test_refused__too_short_or_too_long(
    table: Table, dice: None, monkeypatch: pytest.MonkeyPatch, events: int, reason: str
) -> None:
    monkeypatch.setattr(swings, "MOST_EVENTS", 8)
    table.open(chance="observed", ruleset="dice", options={"goal": 30})
    for number in range(events):
        event = {"type": "roll", "actor": f"p{2 - number % 2}", "params": {"dice": 0}} if number else {"type": "set_up"}
        assert table.post(event).status_code == 201
    answer = table.client.post(table.game + "/analyses")
    assert problem(answer, 409, "cannot-analyse")["detail"] == reason


@pytest.mark.long
def test_slices_continue_where_the_last_one_ended(
    table: Table, work: Work, dice: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[range] = []
    rewards = Valuer.rewards
    monkeypatch.setattr(Valuer, "rewards", lambda *given: played.append(given[2]) or rewards(*given))  # type: ignore[func-returns-value]
    monkeypatch.setattr(analysing, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(analysing, "REPORT_SECONDS", 0.0)
    record_rolls(table)
    found = run_analysis(table, work)
    assert (found["status"], bool(found["marks"])) == ("done", True)
    once = len(played)
    copy = table.client.post(table.game + "/forks", json={"at": 5}).json["id"]
    table.game = f"/v1/games/{copy}"
    assert run_analysis(table, work)["points"] == found["points"]
    assert len(played) == once


def test_a_slice_of_another_worker_is_awaited(store: Store) -> None:
    (claimed,) = store.playouts.each(["table:0"])
    assert claimed == ("table:0", None)
    other = store.playouts.each(["table:0", "table:20"])
    assert next(other) == ("table:20", None)
    store.playouts.put("table:0", [1.0, 0.0])
    assert next(other) == ("table:0", [1.0, 0.0])


def test_exports_have_the_win_chance(table: Table, work: Work, dice: None) -> None:
    record_rolls(table)
    names = ("v", "v_low", "v_high", "luck", "skill")

    def export_rows() -> list[list[str]]:
        rows = csv.DictReader(table.get("/export", format="csv").text.splitlines())
        return [[row[name] for name in names] for row in rows]

    assert export_rows() == [[""] * 5] * 5
    found = run_analysis(table, work)
    cost = next(swing for swing in found["events"] if swing["seq"] == 3)
    after = cost["after"]
    columns = (after["p"], after["low"], after["high"], cost["luck"], cost["skill"])
    assert export_rows()[2] == list(map(str, columns))
    with closing(sqlite3.connect(":memory:")) as tables:
        tables.deserialize(read_export(table, work, "sqlite"))
        (read,) = tables.execute(f"SELECT {', '.join(names)} FROM events WHERE seq = 3")
    assert read == columns
    with ZipFile(io.BytesIO(read_export(table, work, "parquet"))) as files:
        (name,) = (name for name in files.namelist() if name.endswith("events.parquet"))
        row = parquet.read_table(io.BytesIO(files.read(name))).select(names).slice(2, 1).to_pylist()[0]
    assert tuple(row.values()) == columns


def read_export(table: Table, work: Work, kind: str) -> bytes:
    """Return an export, which a worker may write first."""
    answer = table.get("/export", format=kind)
    if answer.status_code == 202:
        work()
        answer = table.get("/export", format=kind)
    assert answer.status_code == 200, answer.text
    return answer.data


def test_the_recap_and_the_transcripts_name_the_turning_point(table: Table, work: Work) -> None:
    with playing(Rival()):
        record_rolls(table)
        table.post({"type": "roll", "actor": "p2", "params": {"dice": 2}, "outcomes": [6, 6]})
        before, text = table.get("/recap"), table.get("/export", format="markdown")
        assert table.get("/export", format="html").status_code == 202
        assert (before.json["standing"], before.json["turning_point"]) == ("won by Bob in turn 5", None)
        points = run_analysis(table, work)["points"]
        rows = list(csv.DictReader(table.get("/export", format="csv").text.splitlines()))
        assert [float(rows[seq - 1]["v"]) for seq in (4, 5)] == [points[2]["sides"][1]["p"], points[3]["sides"][0]["p"]]
        told = table.client.get(f"{table.game}/recap", headers={"If-None-Match": before.headers["ETag"]}).json
        words = "The turning point was turn 1: the win chance of Bob went from 25 % to 75 %."
        assert told["turning_point"] == words
        headers = {"If-None-Match": text.headers["ETag"]}
        again = table.client.get(f"{table.game}/export?format=markdown", headers=headers)
        assert words in again.text
        assert table.get("/export", format="html").status_code == 202
        work()
        assert words in table.get("/export", format="html").text
        assert table.get("/recap", until=5).json["turning_point"] is None
