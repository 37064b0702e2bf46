"""csv: one row an event, for spreadsheets (RFC 4180, CRLF, UTF-8, a header row).

    game           the game's id
    ruleset        what was played
    seq            number of the event, from 1
    turn           the turn in which it happened; 0 before the first
    type           what it is: `move`, `draw_flood_card`, …
    actor          who did it: `p1`, `p2`, …; empty where it is nobody's
    player         the actor's name
    account        a sentence that says what happened
    params         `to=coral_palace`; several are parted by `; `, the values of a list by `, `, and a param
                   within another is named `outcome.result`
    outcomes       what chance brought up, in order, parted by `, `; `?` where nobody saw it
    recorded_at    when it was written down (RFC 3339, UTC)
    occurred_at    when it happened, where somebody said so
    recorded_by    who wrote it down
    note           what was noted with it
    verdict        `legal`, `illegal` or `unknowable`, in a game that is recorded as it is played
    rule           the rulebook's heading, where it is not legal
    reason         why it is not, in a sentence
    marks          what it was marked with (`!`, `??`, …), in order, parted by spaces
    bookmarks      the bookmarks that were put to it, parted by `; `
    remarks        what was said about it, parted by ` / `
    is_undone      `true` where an undo took it back
    superseded_by  the undo or amend because of which it does not stand: the rows in which it is empty are the game as
                   it stands, where the row of an amend stands for the one that it wrote anew
    hash           the event's hash
    params.to, …   each param in a column of its own, by name: of actions and of the record; what is no single value
                   nor a list of such is JSON

With `columns=all` every param of every ruleset has its column, so files can be put below each other; with
`columns=game` only those of which the game has a value.

Ids and hashes are those of the log, so rows can be matched with it; the file does not come back as a game.

A spreadsheet takes a cell that begins with = + - @, a tab or a line end for a formula, and players choose their names
and notes. Such a cell gets an apostrophe before it, which spreadsheets read as 'this is text'; a program that wants the
text as it was takes that apostrophe away. Characters that control a line or its direction, instead of being shown,
stand as U+FFFD: json and ndjson have the log to the byte.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from engine.core.events import Event
from engine.core.lifecycle import KINDS
from engine.core.text import visible
from engine.core.values import SEAT_INDEX
from engine.play import registry
from exports.log import Format, Log, Rereadable, chunks
from exports.narration import Narrated, Remark, narrate, overview

_COLUMNS = (
    "game",
    "ruleset",
    "seq",
    "turn",
    "type",
    "actor",
    "player",
    "account",
    "params",
    "outcomes",
    "recorded_at",
    "occurred_at",
    "recorded_by",
    "note",
    "verdict",
    "rule",
    "reason",
    "marks",
    "bookmarks",
    "remarks",
    "is_undone",
    "superseded_by",
    "hash",
)
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""The wide forms are for spreadsheets in Chinese, Japanese and Korean."""


def _params() -> list[str]:
    """The params of all rulesets that are installed, and of the record, by name."""
    kinds = (*(kind for ruleset in registry.rulesets() for kind in ruleset.actions), *KINDS.values())
    return sorted({name for kind in kinds for name in kind.__struct_fields__})


def columns() -> tuple[str, ...]:
    """Return the columns of `columns=all`."""
    return (*_COLUMNS, *(f"params.{name}" for name in _params()))


def write(log: Log) -> Iterator[bytes]:
    """`log` as CSV.

    Raises:
        EngineError: the log does not replay.
    """
    return chunks(_lines(log))


def _lines(log: Log) -> Iterator[bytes]:
    header = log.header()
    names, head = header.names, (log.game_id, header.ruleset)
    found: set[str] = set()
    known = overview(msgspec.structs.replace(log, events=Rereadable(lambda: _noted(log.events, found))))
    params = [name for name in _params() if log.columns == "all" or name in found]
    yield _line((*_COLUMNS, *(f"params.{name}" for name in params)))
    remarks = known.remarks()
    for narrated in narrate(log, known=known):
        event = log.show(narrated.event)
        yield _line((*head, *_row(narrated, event, names, remarks.get(event.seq, ())), *_cells(event.params, params)))


def _row(narrated: Narrated, event: Event, names: tuple[str, ...], remarks: Sequence[Remark]) -> tuple[str | int, ...]:
    return (
        event.seq,
        event.turn,
        event.type,
        event.actor or "",
        names[SEAT_INDEX[event.actor]] if event.actor else "",
        narrated.sentence,
        "; ".join(_flat(event.params)),
        ", ".join("?" if value is None else str(value) for value in event.outcomes),
        event.recorded_at,
        event.occurred_at or "",
        event.recorded_by or "",
        event.note or "",
        event.verdict or "",
        event.rule or "",
        event.reason or "",
        " ".join(_said(remarks, "mark")),
        "; ".join(_said(remarks, "bookmark")),
        " / ".join(_said(remarks, "text")),
        _plain(narrated.is_undone),
        narrated.superseded_by or "",
        event.hash,
    )


def _noted(events: Iterable[Event], found: set[str]) -> Iterator[Event]:
    """Pass the events on, and add the names of their params that have a value to `found`."""
    for event in events:
        found.update(name for name, value in event.params.items() if value not in ("", [], ()))
        yield event


def _cells(params: dict[str, Any], names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield _cell(params[name]) if name in params else ""


def _cell(value: Any) -> str:
    if isinstance(value, list | tuple) and not any(isinstance(one, dict | list | tuple) for one in value):
        return ", ".join(map(_plain, value))
    return _plain(value)


def _said(remarks: Sequence[Remark], param: str) -> Iterator[str]:
    return filter(None, (getattr(remark.said, param) for remark in remarks))


def _flat(params: dict[str, Any], under: str = "") -> Iterator[str]:
    for name, value in params.items():
        match value:
            case dict():
                yield from _flat(value, f"{under}{name}.")
            case [dict(), *_]:
                for number, element in enumerate(value, 1):
                    yield from _flat(element, f"{under}{name}.{number}.")
            case list() | tuple():
                yield f"{under}{name}={', '.join(map(_plain, value))}"
            case _:
                yield f"{under}{name}={_plain(value)}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _line(cells: tuple[str | int, ...]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow([_guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return line.getvalue().encode()


def _guarded(cell: str) -> str:
    shown = visible(cell)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


KIND = Format(
    name="csv",
    media_type="text/csv; charset=utf-8; header=present",
    extension="csv",
    loses="The types of params, and what controls a line.",
    write=write,
    has_choice_of_columns=True,
)
