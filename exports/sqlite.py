"""sqlite: a database with the tables of `exports.tables`, for any SQLite 3 reader: sqlite3, DuckDB, pandas, R.

Times are text (RFC 3339, UTC), booleans are 0 or 1. The table `columns` describes every column.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from exports.fields import fields
from exports.log import CHUNK, Format, Log
from exports.tables import rows

NAME = "driftlog.sqlite"
"""Filename of the file with many games."""
_TYPES = {int: "INTEGER", bool: "INTEGER", float: "REAL", str: "TEXT", datetime: "TEXT"}
_INDEXES = ("CREATE INDEX events_by_type ON events (type)", "CREATE INDEX outcomes_by_value ON outcomes (value)")
_KEYS = {
    "games": "game",
    "seats": "game, seat",
    "events": "game, seq",
    "outcomes": "game, seq, position",
    "states": "game, seq",
    "seat_states": "game, seq, seat",
}


class Database:
    """A database in `folder` for any number of games (see `Gathering`). Each game is added in one transaction."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._connection = sqlite3.connect(self.path, isolation_level=None)
        # The file need not survive a crash, because nobody reads it before it is complete.
        for pragma in ("journal_mode = MEMORY", "synchronous = OFF", "cache_size = -8192", "page_size = 8192"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(
            "CREATE TABLE columns (tab TEXT, name TEXT, description TEXT, PRIMARY KEY (tab, name))"
        )
        for table, columns in fields().items():
            told = ", ".join(f'"{column.name}" {_TYPES[column.kind]}' for column in columns)
            key = f", PRIMARY KEY ({_KEYS[table]})) WITHOUT ROWID" if table in _KEYS else ")"
            self._connection.execute(f'CREATE TABLE "{table}" ({told}{key}')
            described = [(table, column.name, column.description) for column in columns]
            self._connection.executemany("INSERT INTO columns VALUES (?, ?, ?)", described)

    def add(self, log: Log) -> None:
        self._connection.execute("BEGIN")
        try:
            for some in rows(log):
                names = ", ".join(f'"{name}"' for name in some.fields)
                marks = ", ".join("?" * len(some.fields))
                insert = f'INSERT INTO "{some.table}" ({names}) VALUES ({marks})'  # noqa: S608  # the names are ours
                self._connection.executemany(insert, some.rows)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def finish(self) -> None:
        for index in _INDEXES:
            self._connection.execute(index)
        self._connection.execute("PRAGMA optimize")
        self._connection.close()

    def close(self) -> None:
        self._connection.close()


def write(log: Log) -> Iterator[bytes]:
    """Write `log` as a database."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder))
        try:
            database.add(log)
            database.finish()
        finally:
            database.close()
        with database.path.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk


KIND = Format(
    name="sqlite",
    media_type="application/vnd.sqlite3",
    extension="sqlite",
    loses="The hash `prev` of each event, and the digests of states.",
    write=write,
    gather=Database,
    is_whole=True,
)
