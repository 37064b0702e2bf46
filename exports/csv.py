"""csv: one row an event, for spreadsheets (RFC 4180, CRLF, UTF-8, a header row).

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

Ids and hashes are those of the log, so rows can be matched with it; the file does not come back as a game.

A spreadsheet takes a cell that begins with = + - @, a tab or a line end for a formula, and players choose their names
and notes. Such a cell gets an apostrophe before it, which spreadsheets read as 'this is text'; a program that wants the
text as it was takes that apostrophe away.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.events import SEAT_INDEX, Event
from exports.log import Log, chunks
from exports.telling import Told, tell

COLUMNS = (
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
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write(log: Log) -> Iterator[bytes]:
    """`log` as CSV.

    Raises:
        EngineError: the log does not replay.
    """
    return chunks(_lines(log))


def _lines(log: Log) -> Iterator[bytes]:
    names = log.header().names
    yield _line(COLUMNS)
    for told in tell(log):
        yield _line(_row(told, log.show(told.event), names))


def _row(told: Told, event: Event, names: tuple[str, ...]) -> tuple[str | int, ...]:
    return (
        event.seq,
        event.turn,
        event.type,
        event.actor or "",
        names[SEAT_INDEX[event.actor]] if event.actor else "",
        told.sentence,
        "; ".join(_flat(event.params)),
        ", ".join("?" if value is None else str(value) for value in event.outcomes),
        event.recorded_at,
        event.occurred_at or "",
        event.recorded_by or "",
        event.note or "",
        event.verdict or "",
        event.rule or "",
        event.reason or "",
        " ".join(_said(told, "mark")),
        "; ".join(_said(told, "bookmark")),
        " / ".join(_said(told, "text")),
        _plain(told.is_undone),
        told.superseded_by or "",
        event.hash,
    )


def _said(told: Told, param: str) -> Iterator[str]:
    return filter(None, (getattr(remark.said, param) for remark in told.remarks))


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
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
