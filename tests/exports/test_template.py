"""Sheets to write a game in: empty ones for every ruleset, and filled-in ones."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import datetime
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from engine.core import effort
from engine.core.errors import Malformed
from engine.play.registry import rulesets
from exports import notation, template

AT = "2026-11-20T19:00:00.000Z"
ISLAND = """Breakers Bridge, Bronze Gate, Cave of Embers, Cave of Shadows, Cliffs, Copper Gate, Coral Palace, Crimson,
Dunes, Fools Landing, Gold Gate, Howling Garden, Iron Gate, Lost Lagoon, Misty Marsh, Observatory, Phantom Rock,
Silver Gate, Temple of the Moon, Temple of the Sun, Tidal Palace, Twilight, Watchtower, Whispering"""
ROWS: list[list[Any]] = [
    ["Game", "Forbidden Island"],
    ["Players", "Ann", "Bob"],
    ["Difficulty", "Novice"],
    ["Date", "20 November"],
    [],
    list(template.COLUMNS),
    ["", "", "Set up", "The island", ISLAND],
    ["", "", "Set up", "Flooded", "Observatory, Watchtower, Iron Gate, Gold Gate, Misty Marsh, Lost Lagoon"],
    ["", "", "Set up", "Adventurers", "Messenger, Pilot", "drawn {blind}"],
    ["", "", "Set up", "Hands", "Earth Stone, Sandbags, Crystal, Helicopter"],
    [1, "Ann", "move", "Howling Garden", "", "a first\nstep; brave"],
    [1.0, "", "Treasure", "", "Crystal, ?"],
    [],
    ["", "", "draw flood card", "", "Coral Palace"],
    ["", "", "", "", "", "Tea."],
    ["", "", "flood", "", "Tidal Palace"],
    [2, "Bob", "fly", "Gold Gate"],
]


def as_csv(rows: list[list[Any]], delimiter: str = ",", encoding: str = "utf-8-sig") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode(encoding)


def as_xlsx(rows: list[list[Any]]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda rules: rules.id)
def test_an_empty_sheet_is_read_as_an_empty_form(ruleset: Any) -> None:
    text = template.read_xlsx(template.write_xlsx(ruleset))
    assert text == template.read_csv(template.write_csv(ruleset))
    assert text.startswith(f"Game: {ruleset.name}\nPlayers: \n")
    problems = [item.problem for item in notation.read(text, recorded_at=AT).items if item.status == "wrong"]
    assert problems == ["the names are missing"]


@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda rules: rules.id)
def test_the_lists_of_a_workbook_fit_the_action(ruleset: Any) -> None:
    book = load_workbook(io.BytesIO(template.write_xlsx(ruleset)))
    game, words, results = book.worksheets
    lists = {str(one.sqref)[0]: one.formula1 for one in game.data_validations.dataValidation}
    assert list(lists) == ["B", "C", "D", "E"]
    assert lists["B"] == "=$B$2:$H$2"
    own = notation.language.of(ruleset)
    verbs = {" ".join(verb.words): verb for verb in own.verbs.values() if verb.is_action}
    optional = [cell.value for cell in words[1] if str(cell.value).startswith("=IF(OR('The game'!")]
    always = [cell.value for cell in words[1] if cell.value not in optional]
    assert [cell.value for cell in words[1]] == [cell.value for cell in results[1]] == [*always, *optional]
    assert always == [one for one in verbs if all(f'"{one}"' not in formula for formula in optional)]
    assert lists["C"] == f"=Words!$A$1:{words.cell(1, len(verbs)).column_letter.join('$$')}1"
    # The list begins below the action's name, in the action's column.
    first = next(cell.row for cell in game["A"] if cell.value == "Turn") + 1
    for column, sheet in (("D", "Words"), ("E", "Results")):
        below = f"OFFSET({sheet}!$A$1,1,MATCH($C{first},{sheet}!$1:$1,0)-1"
        assert lists[column] == f"={below},MAX(1,COUNTA({below},500,1))),1)"
    for column in words.iter_cols():
        action, *named = [cell.value for cell in column if cell.value]
        if action in optional:
            continue
        ids = set(notation.language._ids(verbs[action].schema))
        assert len(named) < 500
        for name in named:
            assert name.startswith("=IF(") or any(own.label(one) == name for one in ids), (action, name)


def test_each_action_has_its_own_words() -> None:
    (ruleset,) = [one for one in rulesets() if one.id == "forbidden-island"]
    _, words, results = load_workbook(io.BytesIO(template.write_xlsx(ruleset))).worksheets
    of = {
        sheet: {one[0].value: [cell.value for cell in one[1:] if cell.value] for one in sheet.iter_cols()}
        for sheet in (words, results)
    }
    assert of[words]["capture treasure"] == ["Crystal of Fire", "Earth Stone", "Ocean's Chalice", "Statue of the Wind"]
    assert {"Coral Palace", "Fools' Landing"} <= set(of[words]["move"])
    assert "Earth Stone" not in of[words]["move"]
    assert of[words]["draw treasure card"] == []
    assert set(of[words]["discard"]) == {*of[words]["capture treasure"], "Helicopter Lift", "Sandbags"}
    assert of[words]["give card"][-1] == """=IF('The game'!E2="","",'The game'!E2)"""
    assert {"Earth Stone", "Waters Rise"} <= set(of[results]["draw treasure card"])
    assert of[results]["move"] == []


def test_a_flood_card_is_one_of_the_tiles() -> None:
    for id_ in ("forbidden-island", "forbidden-island-archaens"):
        (ruleset,) = [one for one in rulesets() if one.id == id_]
        _, _, results = load_workbook(io.BytesIO(template.write_xlsx(ruleset))).worksheets
        of = {one[0].value: [cell.value for cell in one[1:] if cell.value] for one in results.iter_cols()}
        assert of["draw flood card"] == [tile["name"] for tile in ruleset.components["tiles"]]


def test_the_storm_tracker_is_offered_with_its_option_only() -> None:
    (ruleset,) = [one for one in rulesets() if one.id == "forbidden-desert"]
    game, words, results = load_workbook(io.BytesIO(template.write_xlsx(ruleset))).worksheets
    (row,) = [cells[0].row for cells in game.iter_rows() if cells[0].value == "The Storm Tracker card"]
    assert game.cell(row, 2).value == "Off"
    where = f"'The game'!$B${row}"
    off = f'OR({where}="",{where}="Off",{where}="Left in the box")'
    of = [{one[0].value: [cell.value for cell in one[1:]] for one in sheet.iter_cols()} for sheet in (words, results)]
    card, play = f'=IF({off},"","Storm Tracker")', f'=IF({off},"","play storm tracker")'
    assert list(of[0])[-1] == list(of[1])[-1] == play
    named = [one for one in of[0]["pass equipment"] if one]
    drawn = [one for one in of[1]["draw equipment"] if one]
    assert named[-1] == drawn[-1] == card
    everything = [cell.value for sheet in (words, results) for cells in sheet.iter_rows() for cell in cells]
    assert [one for one in everything if "storm tracker" in str(one).lower()] == [play, card, play, card]


@pytest.mark.parametrize("what", ["Earth Stone, Bob", "Bob, Earth Stone", "Earth Stone to Bob"])
def test_what_and_whom_are_told_in_either_order(what: str) -> None:
    rows = [*ROWS[:10], [1, "Ann", "give card", what]]
    found = notation.read(template.read_xlsx(as_xlsx(rows)), recorded_at=AT)
    assert found.problem is None
    assert (found.events[-1].type, found.events[-1].params) == ("give_card", {"to": "p2", "card": "earth_stone"})


@pytest.mark.parametrize(
    "text",
    [
        template.read_xlsx(as_xlsx(ROWS)),
        template.read_csv(as_csv(ROWS)),
        template.read_csv(as_csv(ROWS, ";", "cp1252")),
        template.read_csv(as_csv(ROWS, "\t", "utf-8")),
    ],
    ids=["xlsx", "comma", "semicolon", "tab"],
)
def test_what_was_written_in_a_sheet_becomes_a_record_and_a_line_is_a_row(text: str) -> None:
    found = notation.read(text, recorded_at=AT)
    assert found.problem is None
    assert found.events[1].note == "drawn {blind}"
    assert [(event.type, event.actor, event.note) for event in found.events[2:]] == [
        ("move", "p1", "a first step, brave"),
        ("draw_treasure_card", "p1", None),
        ("draw_treasure_card", "p1", None),
        ("draw_flood_card", "p1", None),
        ("annotate", None, None),
        ("draw_flood_card", "p1", None),
        *[("fly", "p2", None)],
    ]
    (missing,) = [item for item in found.items if item.status == "incomplete"]
    assert missing.line == 1 + ROWS.index([1.0, "", "Treasure", "", "Crystal, ?"])


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/worksheets/sheet1.xml", b"0" * (template.MOST_UNPACKED + 1))
    return file.getvalue()


def crowd() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        for number in range(template.MOST_PARTS + 1):
            parts.writestr(str(number), b"")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK not a zip", "this workbook cannot be read"),
        (bomb(), "bytes when unpacked"),
        (crowd(), "bytes when unpacked"),
        (as_xlsx([["seq", "turn"]]), "this sheet contains no game"),
        (as_xlsx([*ROWS, *[[] for _ in range(template.MOST_ROWS)], ["late"]]), "at most 3000 rows"),
        (as_xlsx([["x" * (template.LONGEST_CELL + 1)]]), "row 1: a cell must have at most 4000 characters"),
    ],
)
def test_a_workbook_that_is_none_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        template.read_xlsx(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"seq,turn,type\r\n", "this sheet contains no game"),
        (as_csv([*ROWS, *[["x"] for _ in range(template.MOST_ROWS)]]), "at most 3000 rows"),
        (b'Game,"' + b"x" * 200_000, "this is not valid CSV"),
    ],
)
def test_a_table_that_is_none_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        template.read_csv(data)


def test_a_row_far_below_is_not_passed_over() -> None:
    file = io.BytesIO()
    far = b'<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>late</t></is></c></row></sheetData>'
    with zipfile.ZipFile(io.BytesIO(as_xlsx(ROWS))) as source, zipfile.ZipFile(file, "w") as target:
        for info in source.infolist():
            target.writestr(info.filename, source.read(info).replace(b"</sheetData>", far))
    with pytest.raises(Malformed, match="at most 3000 rows"):
        template.read_xlsx(file.getvalue())


def test_empty_rows_without_end_are_no_work() -> None:
    assert template.read_csv(as_csv(ROWS) + b"\r\n" * 100_000) == template.read_csv(as_csv(ROWS))


MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def replace_parts(**parts: str) -> bytes:
    """Return a filled-in sheet with some parts replaced."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(as_xlsx(ROWS))) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            key = name.rpartition("/")[2].partition(".")[0]
            new.writestr(name, parts.get(key, old.read(name)))
    return file.getvalue()


@pytest.mark.parametrize(
    "parts",
    [
        {"sheet1": f"<worksheet {MAIN}><sheetData><row>{'<c/>' * 700_000}</row></sheetData></worksheet>"},
        {"sheet1": f"<worksheet {MAIN}>{'<x/>' * 700_000}<sheetData/></worksheet>"},
        {"sheet1": f'<!DOCTYPE x [<!ENTITY a "<c/>">]><worksheet {MAIN}><sheetData/></worksheet>'},
        {"styles": f"<styleSheet {MAIN}><cellXfs>{'<xf/>' * 100_000}</cellXfs></styleSheet>"},
        {"workbook": f"<workbook {MAIN}><sheets>{'<sheet/>' * 60_000}</sheets></workbook>"},
    ],
    ids=["a wide row", "no row", "an entity", "styles", "sheets"],
)
def test_a_part_with_too_many_tags_is_not_parsed(parts: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    reader = "openpyxl.worksheet._reader.WorkSheetParser.parse_row"
    monkeypatch.setattr(reader, lambda _self, row: parsed.append(row))
    with pytest.raises(Malformed, match="at most 3000 rows of 6 cells"):
        template.read_xlsx(replace_parts(**parts))
    assert parsed == []


def test_properties_and_themes_are_not_read() -> None:
    many = "<property/>" * 100_000
    assert template.read_xlsx(replace_parts(core=f"<x>{many}</x>", theme1=f"<x>{many}</x>")) == template.read_xlsx(
        as_xlsx(ROWS)
    )


def test_a_full_sheet_is_read() -> None:
    rows = [*ROWS, *[[number, "Ann", "move", "Dunes", "Crystal", "x"] for number in range(3000 - len(ROWS))]]
    assert template.read_xlsx(as_xlsx(rows)).count("\n") == 2999


def test_a_date_is_read_as_one() -> None:
    day = datetime(2026, 11, 20)  # noqa: DTZ001  # as a spreadsheet has it
    rows = [["Date", day] if row[:1] == ["Date"] else row for row in ROWS]
    assert "Date: 2026-11-20 00:00:00" in template.read_xlsx(as_xlsx(rows))


def test_rows_are_counted_as_work() -> None:
    with effort.count_steps() as spent:
        template.read_xlsx(as_xlsx(ROWS))
    assert spent.spent > 0
