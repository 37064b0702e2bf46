"""Sheets to record a game in a spreadsheet or on paper, written as CSV and XLSX, and converted to the notation.

The tags are at the top, one per row. Below are a header row, and one row for each action: the turn, player, action,
params, results and note. The XLSX has lists to choose from. Each row becomes a line of the notation
(`exports.notation`), so a report about line 12 is about row 12.
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
from engine.core.values import SEAT_IDS, Value
from engine.kit.options import TITLES
from engine.kit.ruleset import AnyRuleset
from exports.notation import blank, language
from exports.notation.language import Verb
from exports.notation.spelling import Schema, alternatives, resolve_reference
from exports.notation.words import join_list, key
from exports.notation.writing import comment

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COLUMNS = ("Turn", "Player", "Action", "Where, what, who", "What came up", "Note")
MOST_ROWS = 3000
"""Maximum number of rows read."""
LONGEST_CELL = 4000
MOST_UNPACKED = 16 * 1024 * 1024
"""Maximum unpacked bytes of an XLSX."""
MOST_PARTS = 200
"""Maximum number of files in an XLSX."""
MOST_TAGS = 120_000
"""Maximum number of XML tags in a sheet and its texts. A sheet with `MOST_ROWS` full rows has fewer."""
MOST_OTHER_TAGS = 5000
"""Maximum number of XML tags in any other part of a workbook that is read, such as its styles."""
_TITLE = "The game"
_EMPTY_ROWS = 200
"""Number of rows with drop-down lists."""

_MOST_WORDS = 500
"""Maximum number of words of one action."""

Row = Sequence[str]


@speaking(None)
def write_csv(ruleset: AnyRuleset) -> bytes:
    """Return an empty sheet as CSV (RFC 4180, with a byte order mark so that spreadsheets recognize UTF-8)."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(_rows(ruleset))
    return text.getvalue().encode("utf-8-sig")


@speaking(None)
def write_xlsx(ruleset: AnyRuleset) -> bytes:
    """Return an empty XLSX sheet with drop-down lists."""
    from openpyxl import Workbook
    from openpyxl.styles import Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = _TITLE
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
    lists = list(_lists(ruleset, rows, players))
    for place, (action, things, found) in enumerate(lists, 1):
        for target, values in ((words, things), (results, found)):
            for index, value in enumerate((action, *values), 1):
                target.cell(index, place).value = value
    for column, source in (
        ("B", f"=$B${players}:$H${players}"),
        ("C", f"=Words!$A$1:${get_column_letter(len(lists))}$1"),
        ("D", _fitting("Words", heading + 1)),
        ("E", _fitting("Results", heading + 1)),
    ):
        choice = DataValidation(type="list", formula1=source, allow_blank=True, showErrorMessage=False)
        choice.add(f"{column}{heading + 1}:{column}{last}")
        sheet.add_data_validation(choice)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _lists(ruleset: AnyRuleset, rows: Sequence[Row], players: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield for each action the choices for its cells, and its possible results.

    Choices that depend on other cells are formulas: players, and components that only some options add to the game.
    Formulas come last, because their cells can be empty.
    """
    own = language.of(ruleset)
    optional = dict(_optional(ruleset, rows))

    def formula(thing: str, label: str) -> str:
        return f'=IF({optional[thing]},"","{label}")' if thing in optional else label

    verbs = [verb for verb in own.verbs.values() if verb.is_action]
    cells = [f"'{_TITLE}'!{column}{players}" for column in "BCDEFGH"[: ruleset.players[1]]]
    for verb in sorted(verbs, key=lambda verb: _component_name(verb) in optional):
        ids = {one for field in verb.fields.values() for one in _choices(field, verb.schema)}
        things = sorted(ids.difference(SEAT_IDS), key=lambda one: (one in optional, key(own.label(one))))
        labels = [formula(one, own.label(one)) for one in things]
        certain = len(set(things).difference(optional))
        seats = [f'=IF({cell}="","",{cell})' for cell in cells if ids.intersection(SEAT_IDS)]
        found = [formula(str(value), own.label(value)) for value in _results(ruleset, verb)]
        yield (
            formula(_component_name(verb), " ".join(verb.words)),
            [*labels[:certain], *seats, *labels[certain:]],
            found,
        )


def _choices(schema: Schema, root: Schema) -> Iterator[str]:
    for option in alternatives(resolve_reference(schema, root), root)[0]:
        yield from (one for one in option.get("enum", ()) if isinstance(one, str))
        if option.get("type") == "array":
            yield from _choices(option.get("items", {}), root)


def _component_name(verb: Verb) -> str:
    """Return the name of the component that an action plays: 'storm_tracker'."""
    return verb.type.removeprefix("play_")


def _optional(ruleset: AnyRuleset, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield each component that only an option adds to the game, with a formula that is true if the game lacks it."""
    schemas = language.of(ruleset).options["properties"]
    for thing in _components(ruleset):
        if option := thing.get("option"):
            row = 1 + next(index for index, row in enumerate(rows) if row[0] == schemas[option]["title"])
            default = schemas[option]["default"]
            texts = dict.fromkeys(("", rows[row - 1][1], schemas[option][TITLES][default]))
            yield thing["id"], "OR(" + ",".join(f"'{_TITLE}'!$B${row}=\"{text}\"" for text in texts) + ")"


def _components(ruleset: AnyRuleset, *words: str) -> Iterator[dict[str, Any]]:
    """Yield the components of the box.

    If `words` are given, only yield components of lists whose names begin with one of them.
    """
    for name, things in ruleset.components.items():
        if isinstance(things, list) and (not words or name.split("_")[0] in words):
            yield from (one for one in things if isinstance(one, dict))


def _results(ruleset: AnyRuleset, verb: Verb) -> list[Value]:
    """Return the possible results of an action.

    These are the results that the action declares, or else the faces of its cards and dice.
    """
    if not verb.asks_chance:
        return []
    declared = next(kind.results for kind in ruleset.actions if kind.type == verb.type)
    faces = [layout.faces for name, layout in ruleset.faces.items() if name.split("_")[0] in verb.words]
    optional = [one["id"] for one in _components(ruleset, *verb.words) if "option" in one]
    return list(dict.fromkeys([*declared, *(face.value for layout in faces for face in layout), *optional]))


def _fitting(sheet: str, row: int) -> str:
    """Return a spreadsheet formula that selects the choices for the action in this row.

    They are in the cells below the heading with the action's name, down to the last non-empty cell.
    """
    top = f"OFFSET({sheet}!$A$1,1,MATCH($C{row},{sheet}!$1:$1,0)-1"
    return f"={top},MAX(1,COUNTA({top},{_MOST_WORDS},1))),1)"


def _rows(ruleset: AnyRuleset) -> Iterator[list[str]]:
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
    """Convert a CSV sheet to the notation, one line per row.

    Raises:
        Malformed: the data is not such a sheet, or is too long.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # The encoding that spreadsheets on Windows use for CSV files.
        text = data.decode("cp1252", "replace")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(_trim(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
    except csv.Error as error:
        raise Malformed("", f"this is not valid CSV: {error}") from None
    return _text(rows)


def read_xlsx(data: bytes) -> str:
    """Convert the first sheet of an XLSX file to the notation, one line per row.

    Raises:
        Malformed: the data is not such a sheet, or is larger than allowed.
    """
    try:
        _check_size(data)
        rows = effort.each(_cells(data))
        # There may be a million empty rows before the last one.
        empty = (None,) * (len(COLUMNS) + 2)
        return _text(list(_trim(() if row == empty else [_cell(value) for value in row] for row in rows)))
    except Malformed:
        raise
    except Exception as error:
        # With a broken file, openpyxl can raise any exception.
        raise Malformed("", f"this workbook cannot be read: {type(error).__name__}") from error


def _cells(data: bytes) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a workbook's first sheet, each up to the last used column.

    `load_workbook` parses every part of a file, and takes up to 30 µs per tag. This function counts the tags first, and
    parses only the parts that affect cell values.

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
        # The dimensions that a file declares can be too small.
        sheet.reset_dimensions()
        yield from sheet.iter_rows(max_col=len(COLUMNS) + 2, values_only=True)


class _Parts(zipfile.ZipFile):
    """The parts of a workbook. Each part is checked before it is parsed."""

    most = MOST_OTHER_TAGS
    """Maximum number of XML tags in the next part."""

    def open(self, *args: Any, **options: Any) -> Any:
        """Return a part, unpacked.

        Raises:
            Malformed: the part has too many tags, or declares entities, which could expand to more.
        """
        with super().open(*args, **options) as packed:
            part = packed.read()
        # Remove zeros, so that the search also finds tags in UTF-16.
        markup = part.replace(b"\0", b"")
        if markup.count(b"<") > self.most or b"<!DOCTYPE" in markup:
            raise Malformed(
                "",
                f"the sheet has too much content: send at most {MOST_ROWS} rows of {len(COLUMNS)} cells",
            )
        return io.BytesIO(part)


def _check_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        infos = parts.infolist()
    if len(infos) > MOST_PARTS or sum(info.file_size for info in infos) > MOST_UNPACKED:
        raise Malformed("", f"the workbook must have at most {MOST_UNPACKED} bytes when unpacked")


def _trim(rows: Iterable[Row]) -> Iterator[Row]:
    empty = 0
    for number, row in enumerate(rows, 1):
        if not any(map(str.strip, row)):
            empty += 1
            continue
        if number > MOST_ROWS:
            raise Malformed("", f"the sheet must have at most {MOST_ROWS} rows")
        if any(len(cell) > LONGEST_CELL for cell in row):
            raise Malformed("", f"row {number}: a cell must have at most {LONGEST_CELL} characters")
        yield from [()] * empty
        empty = 0
        yield row


def _cell(value: Any) -> str:
    """Return the text of a cell. Remove the decimal point that spreadsheets add to integers."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _text(rows: Sequence[Row]) -> str:
    names = [key(name) for name in COLUMNS]
    heading = next((index for index, row in enumerate(rows) if [key(cell) for cell in row[:3]] == names[:3]), None)
    if heading is None:
        raise Malformed("", f"this sheet contains no game: one row must have the headings {join_list(COLUMNS)}")
    lines = [_tag(row) for row in rows[:heading]]
    lines.append("")
    lines += [_line([*row, *[""] * len(COLUMNS)][: len(COLUMNS)]) for row in rows[heading + 1 :]]
    return "\n".join(lines)


def _tag(row: Row) -> str:
    name, *values = map(_plain, row or ("",))
    if not name:
        return ""
    # Normally each player has a cell, but one cell with commas also works.
    given = [value for value in values if value]
    return f"{name}: {given[0] if len(given) == 1 else join_list(given)}"


def _line(row: Row) -> str:
    turn, player, action, what, came_up, note = (_plain(cell) for cell in row)
    said = f" {comment(note)}" if note else ""
    if key(action).replace(" ", "") == "setup" and what:
        return f"{what}: {came_up}{said}"
    who = f"{player}: " if player else ""
    number = f"{turn}. " if turn.isdecimal() else ""
    act = f"{who}{action} {what}".strip()
    return f"{number}{act}{f' = {came_up}' if came_up else ''}{said}".strip()


def _plain(cell: str) -> str:
    """Return a cell's text on one line, without characters that separate actions."""
    return " ".join(cell.replace(";", ",").split())
