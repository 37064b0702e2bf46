"""Tables: the rows of a game, read with the usual tools."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from pyarrow import parquet as arrow

from engine.core.errors import EngineError
from engine.core.events import Event
from engine.core.values import SEAT_IDS
from engine.play import registry
from engine.play.fold import history
from engine.review.audit import audit
from engine.review.turns import index, narrate
from exports import Log
from exports.fields import TABLES, fields
from exports.parquet import KIND as PARQUET
from exports.parquet import Dataset
from exports.sqlite import KIND as SQLITE
from exports.sqlite import Database
from exports.tables import rows
from tests.exports.logs import GAME, LOGS, export
from tests.playouts import long_record, playout

Row = dict[str, Any]


def tables(log: Log) -> dict[str, list[Row]]:
    """Return the rows of each table, by the names of their columns."""
    found: dict[str, list[Row]] = {table: [] for table in TABLES}
    for some in rows(log):
        found[some.table] += [dict(zip(some.fields, row, strict=True)) for row in some.rows]
    return found


@cache
def of(kind: str) -> dict[str, list[Row]]:
    return tables(Log(GAME, LOGS[kind]()))


@pytest.mark.parametrize("kind", LOGS)
def test_every_event_has_a_row_and_every_state_too(kind: str) -> None:
    events, found = LOGS[kind](), of(kind)
    assert [row["seq"] for row in found["events"]] == list(range(1, len(events) + 1))
    assert [(row["type"], row["hash"]) for row in found["events"]] == [(event.type, event.hash) for event in events]
    states = history(events).states[1:]
    assert [row["seq"] for row in found["states"]] == [seq for seq, state in enumerate(states, 1) if state is not None]
    assert [row["turn"] for row in found["states"]] == [state.turn for state in states if state is not None]
    seats = len(found["seats"])
    assert [row["seat"] for row in found["seat_states"]] == [*SEAT_IDS[:seats]] * len(found["states"])
    came_up = [(event.seq, *one) for event in events for one in enumerate(event.outcomes)]
    told = [(row["seq"], row["position"], row["value"]) for row in found["outcomes"]]
    assert told == [(*place, None if value is None else str(value)) for *place, value in came_up]
    assert all(row["game"] == GAME and row["ruleset"] for table in found.values() for row in table)


@pytest.mark.parametrize("kind", LOGS)
def test_turns_and_findings_are_those_of_the_service(kind: str) -> None:
    events, found = LOGS[kind](), of(kind)
    played = history(events)
    turns = index(narrate(played.rules.header, events), played.rules.ruleset)
    told = [(row["turn"], row["seat"], row["first"], row["last"], row["account"]) for row in found["turns"]]
    assert told == [(turn.turn, turn.seat, turn.first, turn.last, turn.summary) for turn in turns]
    report = audit(events)
    told = sorted((row["seq"], row["kind"], row["message"]) for row in found["findings"])
    assert told == sorted((one.seq, one.kind, one.message) for one in report.findings)


def test_what_a_ruleset_declares_is_in_the_states() -> None:
    events = playout(seats=3)
    found = tables(Log(GAME, events))
    for row, state in zip(found["states"], history(events).states[2:], strict=True):
        assert state is not None
        assert (row["water_level"], row["tiles_sunk"]) == (state.water_level, len(state.sunk))  # type: ignore[attr-defined]
    last: Any = history(events).states[-1]
    *_, seat = found["seat_states"]
    assert seat["hand"] == ", ".join(last.hands[2])
    assert (seat["place"], seat["role"], seat["cards"]) == (last.pawns[2], last.roles[2], len(last.hands[2]))


def test_what_nobody_saw_is_empty() -> None:
    found = of("unseen")
    unseen = next(row for row in found["outcomes"] if row["value"] is None)
    assert (unseen["name"], unseen["p"]) == (None, None)
    after = next(row for row in found["seat_states"] if row["seq"] == unseen["seq"])
    assert (after["hand"], after["cards"], after["role"] is None) == (None, 3, False)
    assert all(0 < row["p"] <= 1 for row in of("revealed")["outcomes"] if row["p"] is not None)


def test_a_draw_has_its_name_and_its_probability() -> None:
    found = tables(Log(GAME, playout()))
    first = next(row for row in found["outcomes"] if row["name"] == "tile")
    assert first["p"] == pytest.approx(1 / 24)


def test_a_game_has_when_it_began_and_how_long_it_took() -> None:
    events = playout()
    (game,) = tables(Log(GAME, events))["games"]
    seconds = datetime.fromisoformat(events[-2].recorded_at) - datetime.fromisoformat(events[0].recorded_at)
    assert game["minutes"] == round(seconds.total_seconds() / 60, 2)
    assert (game["status"], game["result"], game["events"]) == ("finished", "lost", len(events))
    (game,) = of("in progress")["games"]
    assert (game["status"], game["ended_at"], game["minutes"], game["result"]) == ("in_progress", None, None, None)
    assert of("opened")["games"][0]["status"] == "setup"
    assert of("opened")["seats"][0]["role"] is None


def test_a_log_that_does_not_replay_leaves_nothing_behind(tmp_path: Path) -> None:
    good, bad = playout(), playout(seed=1)
    for begin in (Database, Dataset):
        folder = tmp_path / begin.__name__
        folder.mkdir()
        gathering: Any = begin(folder)
        with closing(gathering):
            gathering.add(Log("good", good))
            with pytest.raises(EngineError):
                gathering.add(Log("bad", [*bad[:40], bad[1]]))
            gathering.add(Log("other", good))
            gathering.finish()
    with closing(sqlite3.connect(tmp_path / "Database" / "driftlog.sqlite")) as database:
        games = database.execute("SELECT game, count(*) FROM events GROUP BY game ORDER BY game").fetchall()
    assert games == [("good", len(good)), ("other", len(good))]
    read = arrow.read_table(tmp_path / "Dataset" / "events.parquet").column("game").to_pylist()
    assert read == ["good"] * len(good) + ["other"] * len(good)


def test_a_long_game_is_taken_in_without_all_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exports.parquet._LONG", 100)
    monkeypatch.setattr("exports.parquet._BATCH", 20)
    monkeypatch.setattr("exports.parquet._GROUP", 50)
    monkeypatch.setattr("exports.tables.BATCH", 20)
    events = long_record(200)
    dataset = Dataset(tmp_path)
    with closing(dataset):
        dataset.add(Log(GAME, events))
        dataset.finish()
    file = arrow.ParquetFile(tmp_path / "events.parquet")
    assert (file.metadata.num_rows, file.metadata.num_row_groups) == (200, 4)


def test_the_same_game_is_the_same_bytes() -> None:
    events = playout()
    assert b"".join(SQLITE.write(Log(GAME, events))) == b"".join(SQLITE.write(Log(GAME, events)))
    assert b"".join(PARQUET.write(Log(GAME, events))) == b"".join(PARQUET.write(Log(GAME, events)))


def test_what_would_steer_is_shown_and_not_obeyed() -> None:
    from tests.exports.logs import opened_log

    found = tables(Log(GAME, opened_log("Eve\x1b[2J", "Bo")))
    assert found["seats"][0]["player"] == "Eve\ufffd[2J"
    assert "\x1b" not in found["events"][0]["account"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Games of every ruleset as files: a database, and Parquet."""
    for begin in (Database, Dataset):
        gathering: Any = begin(tmp_path)
        with closing(gathering):
            for ruleset in registry.rulesets():
                gathering.add(Log(ruleset.id, playout(ruleset.id, 3, ruleset.players[0])))
            gathering.finish()
    return tmp_path


def test_sqlite_opens_it(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "driftlog.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM games").fetchone() == (len(registry.rulesets()),)
        described = dict(database.execute("SELECT name, description FROM columns WHERE tab = 'states'"))
    assert described["water_level"] == "The tick of the water meter, from 1."


def test_duckdb_opens_both_and_finds_the_same(folder: Path) -> None:
    with duckdb.connect() as connection:
        for table, columns in fields().items():
            found = connection.sql(f"SELECT * FROM '{folder / table}.parquet'")
            assert found.columns == [column.name for column in columns]
            (read,) = connection.sql(f"SELECT count(*) FROM '{folder / table}.parquet'").fetchall()
            with closing(sqlite3.connect(folder / "driftlog.sqlite")) as database:
                assert database.execute(f'SELECT count(*) FROM "{table}"').fetchone() == read
        rising = f"SELECT max(water_level) FROM '{folder / 'states'}.parquet' WHERE ruleset = 'forbidden-island'"
        ((highest,),) = connection.sql(rising).fetchall()
        assert isinstance(highest, int)


def test_pandas_opens_both(folder: Path) -> None:
    frame = pd.read_parquet(folder / "games.parquet")
    assert set(frame["ruleset"]) == {ruleset.id for ruleset in registry.rulesets()}
    assert str(frame["opened_at"].dtype).startswith("datetime64[ms, ")
    with closing(sqlite3.connect(folder / "driftlog.sqlite")) as database:
        same = pd.read_sql_query("SELECT * FROM games", database)
    assert list(same["head"]) != []
    assert sorted(same["head"]) == sorted(frame["head"])


def test_a_game_alone_is_a_zip_of_parquet_files() -> None:
    archive = zipfile.ZipFile(io.BytesIO(export("parquet", playout())))
    assert archive.namelist() == sorted(f"{table}.parquet" for table in TABLES)
    read = arrow.read_table(io.BytesIO(archive.read("states.parquet")))
    assert read.schema.field("water_level").metadata == {b"description": b"The tick of the water meter, from 1."}


def hidden(event: Event) -> Event:
    import msgspec

    return msgspec.structs.replace(event, params={"masked": True}) if event.seq == 20 else event


def test_of_what_is_hidden_nothing_is_told_that_hangs_on_it() -> None:
    events = playout()
    found = tables(Log(GAME, events, show=hidden))
    assert found["events"][19]["params"] == '{"masked":true}'
    assert all(row["p"] is not None for row in found["outcomes"] if row["seq"] < 20)
    assert all(row["p"] is None for row in found["outcomes"] if row["seq"] >= 20)
