"""csv: one row per event, for spreadsheets (RFC 4180, CRLF, UTF-8, a header row).

    game           the game's id
    ruleset        the ruleset's id
    seq            number of the event, from 1
    turn           the turn in which it happened; 0 before the first
    type           the type: `move`, `draw_flood_card`, …
    actor          the seat that acted: `p1`, `p2`, …; empty if none did
    player         the actor's name
    account        the event as a sentence
    params         `to=coral_palace`; several are separated by `; `, the values of a list by `, `, and a param
                   within another is named `outcome.result`
    outcomes       results of chance, in order, separated by `, `; `?` if unknown
    recorded_at    time of recording (RFC 3339, UTC)
    occurred_at    time of the event, if it was given
    recorded_by    the recorder
    note           the note recorded with the event
    verdict        `legal`, `illegal` or `unknowable`, in a game that is recorded as played
    rule           the rulebook's heading, if the verdict is not `legal`
    reason         the reason for the verdict, in a sentence
    marks          its marks (`!`, `??`, …), in order, separated by spaces
    bookmarks      its bookmarks, separated by `; `
    remarks        comments on it, separated by ` / `
    is_undone      `true` if it was undone
    superseded_by  the undo or amend that superseded it; the rows in which this is empty are the game in effect (the row
                   of an amend stands for the event that it rewrote)
    hash           the event's hash
    by_hand        `true` in each row if adjustments decided the outcome of the game, otherwise empty
    v              the win chance of the acting side after the event, if an analysis estimated it
    v_low, v_high  the 95 % interval of `v`
    luck, skill    the parts of the change of `v` that the result and the choice caused
    params.to, …   each param of actions and corrections in its own column; objects and lists of objects are JSON

With `columns=all` every param of every ruleset has a column, so files can be concatenated; with `columns=game` only
params with a value in this game.
Ids and hashes are the same as in the log, so rows can be matched with it. The file cannot be imported.
A spreadsheet reads a cell that begins with = + - @, a tab or a line end as a formula, and players choose their names
and notes. Such a cell begins with an apostrophe, which marks text in spreadsheets; programs must remove it. U+FFFD
replaces invisible characters that control the line or its direction; json and ndjson have the exact log.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from engine.core.events import Event
from engine.core.lifecycle import KINDS
from engine.core.text import visible
from engine.core.values import SEAT_INDEX
from engine.play import registry
from engine.play.by_hand import adjusts
from exports.log import NO_CHANCES, Chances, Format, Log, Rereadable
from exports.narration import Narrated, Remark, narrate, overview


class _Row(NamedTuple):
    log: Log
    ruleset: str
    told: Narrated
    event: Event
    """The event, as the viewer may see it."""
    names: Sequence[str]
    """The players at the time of the event."""
    remarks: Sequence[Remark]
    by_hand: str
    chances: Chances

    def remark_values(self, param: str) -> Iterator[str]:
        """Yield the values of a param of the remarks, such as `mark`. Omit empty values."""
        return filter(None, (getattr(remark.said, param) for remark in self.remarks))


_COLUMNS: dict[str, Callable[[_Row], str | float | None]] = {
    "game": lambda row: row.log.game_id,
    "ruleset": lambda row: row.ruleset,
    "seq": lambda row: row.event.seq,
    "turn": lambda row: row.event.turn,
    "type": lambda row: row.event.type,
    "actor": lambda row: row.event.actor,
    "player": lambda row: row.names[SEAT_INDEX[row.event.actor]] if row.event.actor else None,
    "account": lambda row: row.told.sentence,
    "params": lambda row: "; ".join(_flat(row.event.params)),
    "outcomes": lambda row: ", ".join("?" if value is None else str(value) for value in row.event.outcomes),
    "recorded_at": lambda row: row.event.recorded_at,
    "occurred_at": lambda row: row.event.occurred_at,
    "recorded_by": lambda row: row.event.recorded_by,
    "note": lambda row: row.event.note,
    "verdict": lambda row: row.event.verdict,
    "rule": lambda row: row.event.rule,
    "reason": lambda row: row.event.reason,
    "marks": lambda row: " ".join(row.remark_values("mark")),
    "bookmarks": lambda row: "; ".join(row.remark_values("bookmark")),
    "remarks": lambda row: " / ".join(row.remark_values("text")),
    "is_undone": lambda row: _plain(row.told.is_undone),
    "superseded_by": lambda row: row.told.superseded_by,
    "hash": lambda row: row.event.hash,
    "by_hand": lambda row: row.by_hand,
    "v": lambda row: row.chances[0],
    "v_low": lambda row: row.chances[1],
    "v_high": lambda row: row.chances[2],
    "luck": lambda row: row.chances[3],
    "skill": lambda row: row.chances[4],
}
"""The columns of every file, each with a function that returns its cells (None: empty)."""
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""First characters of a formula. Chinese, Japanese and Korean spreadsheets also accept the wide forms."""


def _params() -> list[str]:
    kinds = (*(kind for ruleset in registry.rulesets() for kind in ruleset.actions), *KINDS.values())
    return sorted({name for kind in kinds for name in kind.__struct_fields__})


def columns() -> tuple[str, ...]:
    """Return the columns of `columns=all`."""
    return (*_COLUMNS, *(f"params.{name}" for name in _params()))


def write(log: Log) -> Iterator[bytes]:
    """Write `log` as CSV."""
    header = log.header()
    found: set[str] = set()
    adjusted: set[int] = set()
    known = overview(msgspec.structs.replace(log, events=Rereadable(lambda: _collect(log.events, found, adjusted))))
    params = [name for name in _params() if log.columns == "all" or name in found]
    yield _line((*_COLUMNS, *(f"params.{name}" for name in params)))
    remarks = known.remarks()
    by_hand = "true" if adjusted and log.fold().by_hand else ""
    for told in narrate(log, known=known):
        event = log.show(told.event)
        chances = log.chances.get(event.seq, NO_CHANCES)
        names = header.names_at(told.before)
        row = _Row(log, header.ruleset, told, event, names, remarks.get(event.seq, ()), by_hand, chances)
        cells = (_cell(event.params[name]) if name in event.params else "" for name in params)
        yield _line((*(cell(row) for cell in _COLUMNS.values()), *cells))


def _collect(events: Iterable[Event], found: set[str], adjusted: set[int]) -> Iterator[Event]:
    """Yield the events. Add the names of params that have a value to `found`, and the adjustments to `adjusted`."""
    for event in events:
        adjusted.update((event.seq,) if adjusts(event) else ())
        found.update(name for name, value in event.params.items() if value not in ("", [], ()))
        yield event


def _cell(value: Any) -> str:
    if isinstance(value, list | tuple) and not any(isinstance(one, dict | list | tuple) for one in value):
        return ", ".join(map(_plain, value))
    return _plain(value)


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


def _line(cells: Iterable[str | float | None]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow([_escape_formula(cell) if isinstance(cell, str) else cell for cell in cells])
    return line.getvalue().encode()


def _escape_formula(cell: str) -> str:
    shown = visible(cell)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


KIND = Format(
    name="csv",
    media_type="text/csv; charset=utf-8; header=present",
    extension="csv",
    loses="The types of params, and control characters.",
    write=write,
    has_choice_of_columns=True,
)
