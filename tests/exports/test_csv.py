"""csv: one row per event, for a spreadsheet."""

import csv
import io

import pytest

from engine.core.events import Event
from engine.play import registry
from engine.play.fold import history
from exports import Log
from exports.csv import columns, write
from tests.engine.recording import dealt
from tests.exports.logs import GAME, LOGS, Record, export, export_log, opened_log
from tests.playouts import playout

NASTY = 'He said "swim", then\nlaughed; a, b\r\n\tÅse 🏝'


def rows(events: list[Event]) -> list[dict[str, str]]:
    """Return the rows as a CSV reader sees them."""
    return rows_in(export("csv", events))


def rows_in(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


@pytest.mark.parametrize("kind", LOGS)
def test_a_row_an_event(kind: str) -> None:
    events = LOGS[kind]()
    table = rows_in(export_log("csv", kind))
    assert [int(row["seq"]) for row in table] == [event.seq for event in events]
    assert [row["hash"] for row in table] == [event.hash for event in events]
    assert all(row["account"] for row in table)


@pytest.mark.parametrize("kind", LOGS)
def test_what_is_superseded_by_nothing_is_what_stands_and_what_corrects(kind: str) -> None:
    events = LOGS[kind]()
    line, table = history(events).mainline, rows_in(export_log("csv", kind))
    stands = {int(row["seq"]) for row in table if not row["superseded_by"]}
    assert {1, *(slot.source for slot in line)} <= stands
    told = {at for slot in line for at in (slot.source, slot.number)}
    assert {events[seq - 1].type for seq in stands - told} <= {"game_opened", "undo"}
    assert all(row["superseded_by"] for row in table if row["is_undone"] == "true")


def test_what_was_written_anew_is_told_with_what_wrote_it() -> None:
    table = rows(LOGS["corrected"]())
    assert [(row["seq"], row["superseded_by"]) for row in table if row["superseded_by"]] == [
        *(("3", "13"), ("4", "9"), ("8", "9"), ("10", "14"), ("12", "13")),
    ]
    assert table[8]["account"] == "Correction: event 4 was recorded wrongly. It reads: Ada moves to Gold Gate."
    assert table[7]["account"] == "Correction: event 4 was recorded wrongly."
    assert {row["is_undone"] for row in table} == {"false"}


def test_what_nobody_saw_is_a_question_mark_and_is_told_once_it_is_known() -> None:
    table = rows(LOGS["revealed"]())
    assert (table[2]["outcomes"], table[2]["superseded_by"]) == ("?", "")
    assert table[4]["account"].endswith(" It reads: Ada draws Sandbags.")


def test_what_was_said_about_an_event_stands_in_its_row() -> None:
    table = rows(LOGS["corrected"]())
    assert (table[3]["marks"], table[3]["bookmarks"], table[3]["remarks"]) == ("?!", "The *turn*", "Hm.\nWell.")
    assert (table[4]["marks"], table[4]["remarks"]) == ("!!", "")
    events = Record(playout(limit=6)).add("annotate", mark="?", text="A").add("annotate", mark="!", seq=6).events
    assert (rows(events)[5]["marks"], rows(events)[5]["remarks"]) == ("? !", "A")
    undone = Record(events).add("undo", to=7).events
    assert rows(undone)[5]["marks"] == "?"


def test_an_undo_that_was_undone_is_undone() -> None:
    undos = {row["params"]: row["is_undone"] for row in rows(LOGS["undos"]()) if row["type"] == "undo"}
    assert undos == {"to=9": "false", "to=6": "true", "to=13": "false"}


def test_columns_line_ends_and_encoding() -> None:
    data = export("csv", opened_log("Åse", "Bo"))
    head, row, rest = data.split(b"\r\n")
    assert head.decode() == ",".join(columns())
    assert "Åse and Bo start a game of Forbidden Island." in row.decode()
    assert rest == b""


def test_an_event_of_a_player() -> None:
    events = playout(limit=12)
    event = next(event for event in events if event.type == "draw_flood_card")
    row = rows(events)[event.seq - 1]
    assert row["turn"] == str(event.turn)
    assert (row["type"], row["actor"], row["player"]) == ("draw_flood_card", "p1", "Ada")
    assert row["outcomes"] == event.outcomes[0]
    assert (row["params"], row["note"], row["occurred_at"], row["recorded_by"]) == ("", "", "", "")
    assert row["recorded_at"] == event.recorded_at


def test_params_are_flat() -> None:
    table = rows(playout("forbidden-island", 1, 2))
    assert table[0]["params"].startswith(
        "ruleset=forbidden-island; ruleset_version=1; seats.1.name=Ada; seats.2.name=Bo; options.difficulty=novice; "
    )
    assert "options.lift_rescues_sinking=true" in table[0]["params"]
    assert table[-1]["params"].startswith("outcome.result=lost; outcome.winners=; outcome.reason=")
    assert table[1]["outcomes"].count(", ") > 30
    assert any(row["params"].startswith("tiles=") for row in table if row["type"] == "shore_up")


def test_commas_quotes_and_line_ends_in_a_note() -> None:
    events = Record(playout(limit=3)).add("annotate", text=NASTY, note=NASTY, by='Ada, the "first"').events
    row = rows(events)[-1]
    assert row["note"] == NASTY
    assert row["params"] == f"text={NASTY}"
    assert row["account"] == f"Note: {NASTY}"
    assert row["recorded_by"] == 'Ada, the "first"'


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start: str) -> None:
    evil = f"{start}HYPERLINK(0)"
    sat_down = rows(opened_log(evil, "Bo"))[0]
    noted = rows(Record(playout(limit=3)).add("annotate", text="x", note=evil, by=evil).events)[-1]
    assert sat_down["account"].startswith(f"'{evil} and Bo")
    assert (noted["note"], noted["recorded_by"]) == (f"'{evil}", f"'{evil}")
    assert not any(cell.startswith(start) for cell in (*sat_down.values(), *noted.values()))


def test_files_of_all_games_have_the_same_columns_and_say_whose_each_row_is() -> None:
    logs = {ruleset.id: playout(ruleset.id, 1, ruleset.players[0]) for ruleset in registry.rulesets()}
    heads, found = set(), []
    for events in logs.values():
        head, _, rest = export("csv", events).partition(b"\r\n")
        heads.add(head)
        found.append(rest)
    assert len(heads) == 1
    table = rows_in(heads.pop() + b"\r\n" + b"".join(found))
    assert [(row["ruleset"], row["seq"]) for row in table] == [
        (id_, str(event.seq)) for id_, events in logs.items() for event in events
    ]
    assert {row["game"] for row in table} == {GAME}
    island = [row for row in table if row["ruleset"] == "forbidden-island"]
    moves = [row for row in island if row["type"] == "move"]
    assert moves
    assert all(row["params"] == f"to={row['params.to']}" for row in moves)
    shored = {row["params"]: row["params.tiles"] for row in island if row["type"] == "shore_up"}
    assert shored == {params: params.removeprefix("tiles=") for params in shored}


@pytest.mark.parametrize("kind", LOGS)
def test_columns_of_one_game_are_those_with_a_value(kind: str) -> None:
    events = LOGS[kind]()
    narrow = list(csv.DictReader(io.StringIO(b"".join(write(Log(GAME, events, columns="game"))).decode(), newline="")))
    wide = rows_in(export_log("csv", kind))
    assert [one for one in narrow[0] if one.startswith("params.")] == [
        one for one in wide[0] if one.startswith("params.") and any(row[one] for row in wide)
    ]
    assert narrow == [{name: row[name] for name in narrow[0]} for row in wide]


def test_a_player_has_the_name_that_an_amend_gave() -> None:
    recording = dealt()
    recording.add("seat_joined", seat="p1", name="Zeo")
    recording.add("move", "p1", to="howling_garden")
    event = {"type": "seat_joined", "params": {"seat": "p1", "name": "Zoe"}}
    recording.add("amend", seq=3, event=event)
    text = b"".join(write(Log(game_id="x", events=recording.events))).decode()
    move = list(csv.DictReader(io.StringIO(text)))[3]
    assert [value for value in move.values() if value and value.startswith("Zoe")] == [
        "Zoe",
        "Zoe moves to Howling Garden.",
    ]
