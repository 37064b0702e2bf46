"""Sheets to write a game down in, with a spreadsheet or on paper: as CSV and as XLSX, and read back as the notation.

At the top stand the tags, one a row; below a row of headings a row for each thing that was done: the turn, the player,
the action, where or what, what came up, and a note. In the XLSX there are lists to choose from. What is written is
read as the notation (`exports.notation`), row for row: line 12 of a report is row 12.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.core import effort
from engine.core.errors import Malformed
from engine.core.language import speaking
from engine.core.values import SEAT_IDS
from engine.kit.ruleset import AnyRuleset
from exports.notation import blank, language
from exports.notation.language import Language, Verb
from exports.notation.spelling import Schema, alternatives, resolved
from exports.notation.words import joined, key

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COLUMNS = ("Turn", "Player", "Action", "Where, what, who", "What came up", "Note")
MOST_ROWS = 3000
"""That are read."""
LONGEST_CELL = 4000
MOST_UNPACKED = 16 * 1024 * 1024
"""Bytes that an XLSX may hold when it is unpacked."""
MOST_PARTS = 200
"""Files in an XLSX."""
MOST_TAGS = 120_000
"""XML tags of a sheet, and of the texts of its cells: `MOST_ROWS` full rows, as spreadsheets save them, have fewer."""
MOST_OTHER_TAGS = 5000
"""XML tags of any other part of a workbook that is read, such as its styles."""
_EMPTY_ROWS = 200
"""Rows to write in, for which there are lists to choose from."""

_MOST_WORDS = 500
"""That fit one action."""

Row = Sequence[str]


@speaking(None)
def write_csv(ruleset: AnyRuleset) -> bytes:
    """An empty sheet as CSV (RFC 4180, with the mark by which spreadsheets know UTF-8)."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(_rows(ruleset))
    return text.getvalue().encode("utf-8-sig")


@speaking(None)
def write_xlsx(ruleset: AnyRuleset) -> bytes:
    """An empty sheet as XLSX, with lists to choose from."""
    from openpyxl import Workbook
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "The game"
    words, results = book.create_sheet("Words"), book.create_sheet("Results")
    rows = list(_rows(ruleset))
    for row in rows:
        sheet.append(row)
    heading = rows.index(list(COLUMNS)) + 1
    for cell in sheet[heading]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", start_color="DCEBEC")
    for index in range(1, heading):
        sheet.cell(index, 1).font = Font(bold=True)
    for column, width in zip("ABCDEF", (12, 14, 24, 34, 34, 40), strict=True):
        sheet.column_dimensions[column].width = width
    sheet.freeze_panes = sheet.cell(heading + 1, 1)
    players = 1 + next(index for index, row in enumerate(rows) if row[0] == "Players")
    last = heading + _EMPTY_ROWS
    own = language.of(ruleset)
    verbs = [verb for verb in own.verbs.values() if verb.is_action]
    names = [f"=IF('{sheet.title}'!{cell}{players}=\"\",\"\",'{sheet.title}'!{cell}{players})" for cell in "BCDEFGH"]
    for place, verb in enumerate(verbs, 1):
        action = " ".join(verb.words)
        ids = {one for field in verb.fields.values() for one in _choices(field, verb.schema)}
        things = sorted({own.label(one) for one in ids.difference(SEAT_IDS)}, key=key)
        seats = names[: ruleset.players[1]] if ids.intersection(SEAT_IDS) else []
        for target, values in ((words, things + seats), (results, _results(own, verb))):
            for index, value in enumerate((action, *values), 1):
                target.cell(index, place).value = value
    for column, source in (
        ("B", f"=$B${players}:$H${players}"),
        ("C", f"=Words!$A$1:${get_column_letter(len(verbs))}$1"),
        ("D", _fitting("Words", heading + 1)),
        ("E", _fitting("Results", heading + 1)),
    ):
        choice = DataValidation(type="list", formula1=source, allow_blank=True, showErrorMessage=False)
        choice.add(f"{column}{heading + 1}:{column}{last}")
        sheet.add_data_validation(choice)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _choices(schema: Schema, root: Schema) -> Iterator[str]:
    """The ids that one value of what `schema` describes can be, or one item of it."""
    for option in alternatives(resolved(schema, root), root)[0]:
        yield from (one for one in option.get("enum", ()) if isinstance(one, str))
        if option.get("type") == "array":
            yield from _choices(option.get("items", {}), root)


def _results(own: Language, verb: Verb) -> list[str]:
    """The results that an action can have, as far as the ruleset declares them: the faces of its cards and dice."""
    if not verb.asks_chance:
        return []
    found = [layout.faces for name, layout in own.ruleset.faces.items() if name.split("_")[0] in verb.words]
    return list(dict.fromkeys(own.label(face.value) for faces in found for face in faces))


def _fitting(sheet: str, row: int) -> str:
    """The cells of a sheet below the action that is chosen in a row, down to the last that has something in it."""
    top = f"OFFSET({sheet}!$A$1,1,MATCH($C{row},{sheet}!$1:$1,0)-1"
    return f"={top},MAX(1,COUNTA({top},{_MOST_WORDS},1))),1)"


def _rows(ruleset: AnyRuleset) -> Iterator[list[str]]:
    """The rows of an empty sheet."""
    top, _, rest = blank(ruleset).partition("\n\n")
    for line in top.splitlines():
        name, _, value = line.partition(": ")
        yield [name, value.strip()]
    yield []
    yield list(COLUMNS)
    for line in rest.splitlines()[1:]:
        group, colon, _ = line.partition(": ")
        if colon:
            yield ["", "", "Set up", group]


def read_csv(data: bytes) -> str:
    """What is written in a sheet that was saved as CSV, as the notation: a line for each row.

    Raises:
        Malformed: it is no such sheet, or longer than one may be.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # As a spreadsheet saves it that knows no better.
        text = data.decode("cp1252", "replace")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(_bounded(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
    except csv.Error as error:
        raise Malformed("", f"this is no CSV: {error}") from None
    return _text(rows)


def read_xlsx(data: bytes) -> str:
    """The same of one that was saved as XLSX: its first sheet.

    Raises:
        Malformed: it is no such sheet, or more than one may be.
    """
    try:
        _check_size(data)
        rows = effort.each(_cells(data))
        # A row far below has a million before it that have nothing in them.
        empty = (None,) * (len(COLUMNS) + 2)
        return _text(list(_bounded(() if row == empty else [_cell(value) for value in row] for row in rows)))
    except Malformed:
        raise
    except Exception as error:
        # Whatever a broken file makes of its reader.
        raise Malformed("", f"this is no workbook that can be read: {type(error).__name__}") from error


def _cells(data: bytes) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a workbook's first sheet, as many cells of each as are read.

    `load_workbook` parses every part of a file at up to 30 µs a tag. Only those parts are parsed here that a cell's
    value depends on, each once its tags are counted.

    Raises:
        Malformed: a part has too many tags.
    """
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.styles.stylesheet import apply_stylesheet
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    with _Parts(io.BytesIO(data)) as parts:
        reader.archive = parts
        reader.read_manifest()
        reader.read_workbook()
        apply_stylesheet(parts, reader.wb)
        names = {
            relation.target: sheet.name
            for sheet, relation in reader.parser.find_sheets()
            if "chartsheet" not in relation.Type and relation.target in reader.valid_files
        }
        path, name = next(iter(names.items()))
        parts.most = MOST_TAGS
        reader.read_strings()
        sheet = ReadOnlyWorksheet(reader.wb, name, path, reader.shared_strings)
        # A file may say that it ends before it does.
        sheet.reset_dimensions()
        yield from sheet.iter_rows(max_col=len(COLUMNS) + 2, values_only=True)


class _Parts(zipfile.ZipFile):
    """The parts of a workbook, each checked before it is parsed."""

    most = MOST_OTHER_TAGS
    """XML tags that a part may have."""

    def open(self, *args: Any, **options: Any) -> Any:
        """Return a part, unpacked.

        Raises:
            Malformed: it has too many tags, or could make more of them from entities.
        """
        with super().open(*args, **options) as packed:
            part = packed.read()
        # UTF-16 has the same bytes with zeros in between.
        markup = part.replace(b"\0", b"")
        if markup.count(b"<") > self.most or b"<!DOCTYPE" in markup:
            raise Malformed("", f"a sheet of at most {MOST_ROWS} rows of {len(COLUMNS)} cells, without other content")
        return io.BytesIO(part)


def _check_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        infos = parts.infolist()
    if len(infos) > MOST_PARTS or sum(info.file_size for info in infos) > MOST_UNPACKED:
        raise Malformed("", f"a workbook of at most {MOST_UNPACKED} bytes when it is unpacked")


def _bounded(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows down to the last that has something in it.

    Raises:
        Malformed: there are too many, or one has too much in it.
    """
    empty = 0
    for number, row in enumerate(rows, 1):
        if not any(map(str.strip, row)):
            empty += 1
            continue
        if number > MOST_ROWS:
            raise Malformed("", f"a sheet of at most {MOST_ROWS} rows")
        if any(len(cell) > LONGEST_CELL for cell in row):
            raise Malformed("", f"row {number}: a cell of at most {LONGEST_CELL} characters")
        yield from [()] * empty
        empty = 0
        yield row


def _cell(value: Any) -> str:
    """What stands in a cell: a number without the point that spreadsheets add."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _text(rows: Sequence[Row]) -> str:
    """The sheet as the notation.

    Raises:
        Malformed: the row of headings is not there.
    """
    names = [key(name) for name in COLUMNS]
    heading = next((index for index, row in enumerate(rows) if [key(cell) for cell in row[:3]] == names[:3]), None)
    if heading is None:
        raise Malformed("", f"this is no sheet to write a game in: a row of headings says {joined(COLUMNS)}")
    lines = [_tag(row) for row in rows[:heading]]
    lines.append("")
    lines += [_line([*row, *[""] * len(COLUMNS)][: len(COLUMNS)]) for row in rows[heading + 1 :]]
    return "\n".join(lines)


def _tag(row: Row) -> str:
    name, *values = map(_plain, row or ("",))
    if not name:
        return ""
    # Each player has a cell; one cell with commas in it will do as well.
    given = [value for value in values if value]
    return f"{name}: {given[0] if len(given) == 1 else joined(given)}"


def _line(row: Row) -> str:
    turn, player, action, what, came_up, note = (_plain(cell) for cell in row)
    said = f" {{{_noted(note)}}}" if note else ""
    if key(action).replace(" ", "") == "setup" and what:
        return f"{what}: {came_up}{said}"
    who = f"{player}: " if player else ""
    number = f"{turn}. " if turn.isdecimal() else ""
    act = f"{who}{action} {what}".strip()
    return f"{number}{act}{f' = {came_up}' if came_up else ''}{said}".strip()


def _plain(cell: str) -> str:
    """A cell on one line, without what parts acts."""
    return " ".join(cell.replace(";", ",").split())


def _noted(note: str) -> str:
    return note.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
