"""parquet: the tables of `exports.tables`, a Parquet file each, for DuckDB, pandas, Polars, Spark, Arrow.

A game alone is a zip of them (stored, since they are packed by themselves); of many games they lie beside each other in
the zip that all such exports are. A time is a timestamp in UTC, in milliseconds. The description of a column is in its
field's metadata.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.fields import Field, fields
from exports.log import CHUNK, Format, Log
from exports.tables import Rows, rows

if TYPE_CHECKING:
    import pyarrow

_GROUP = 1 << 15
"""Rows at least that are written at a time: what is read of a file is read in such groups."""
_BATCH = 1 << 12
"""Rows at least that become columns at a time."""
_LONG = 5000
"""Events; a longer game is played once more before it is taken in, instead of all its rows being held."""
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of what is in a zip: the same game is the same bytes."""


class Dataset:
    """Begins a file for each table in `folder`, of as many games as are added."""

    def __init__(self, folder: Path) -> None:
        # Only who writes it needs it: it is an extra, and takes as long to load as all the rest.
        from pyarrow import parquet

        self._rows: dict[tuple[str, tuple[str, ...]], list[tuple[Any, ...]]] = {}
        """By the table and the columns that they have a cell for."""
        self._waiting: dict[str, list[pyarrow.RecordBatch]] = {}
        self._writers: dict[str, Any] = {}
        self._schemas = {table: _schema(columns) for table, columns in fields().items()}
        for table, schema in self._schemas.items():
            self._waiting[table] = []
            # What hardly differs from row to row is packed well by zstd's lowest level.
            path = folder / f"{table}.parquet"
            self._writers[table] = parquet.ParquetWriter(path, schema, compression="zstd", compression_level=1)

    def add(self, log: Log) -> None:
        """Take in a game, all of it or nothing.

        Raises:
            EngineError: the log does not replay.
        """
        if log.folded().version > _LONG:
            for _ in rows(log):
                pass
            for some in rows(log):
                self._take(some)
            return
        for some in list(rows(log)):
            self._take(some)

    def finish(self) -> None:
        """Have all files be whole."""
        for table, names in list(self._rows):
            self._convert(table, names)
        for table in self._writers:
            self._write(table)
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        for writer in self._writers.values():
            writer.close()

    def _take(self, some: Rows) -> None:
        # To make a column costs as much as some hundred cells: games share one.
        found = self._rows.setdefault((some.table, some.fields), [])
        found += some.rows
        if len(found) >= _BATCH:
            self._convert(some.table, some.fields)
            if sum(batch.num_rows for batch in self._waiting[some.table]) >= _GROUP:
                self._write(some.table)

    def _convert(self, table: str, names: tuple[str, ...]) -> None:
        found = self._rows.pop((table, names))
        self._waiting[table].append(_batch(self._schemas[table], Rows(table, names, found)))

    def _write(self, table: str) -> None:
        import pyarrow

        if self._waiting[table]:
            self._writers[table].write_table(pyarrow.Table.from_batches(self._waiting[table]))
            self._waiting[table] = []


def _schema(columns: tuple[Field, ...]) -> pyarrow.Schema:
    import pyarrow

    types = {
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
        str: pyarrow.string(),
        datetime: pyarrow.timestamp("ms", "UTC"),
    }
    return pyarrow.schema(
        pyarrow.field(column.name, types[column.kind], metadata={"description": column.description})
        for column in columns
    )


def _batch(schema: pyarrow.Schema, some: Rows) -> pyarrow.RecordBatch:
    import pyarrow

    cells = dict(zip(some.fields, zip(*some.rows, strict=True), strict=True))
    columns = []
    for field in schema:
        found = cells.get(field.name)
        if found is None:
            columns.append(pyarrow.nulls(len(some.rows), field.type))
        elif pyarrow.types.is_timestamp(field.type):
            columns.append(pyarrow.array(found, pyarrow.string()).cast(field.type, safe=False))
        else:
            columns.append(pyarrow.array(found, field.type))
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def write(log: Log) -> Iterator[bytes]:
    """`log` as a zip of Parquet files.

    Raises:
        EngineError: the log does not replay.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as packed:
        dataset = Dataset(Path(folder))
        try:
            dataset.add(log)
            dataset.finish()
        finally:
            dataset.close()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted(Path(folder).iterdir()):
                archive.writestr(zipfile.ZipInfo(path.name, _MOMENT), path.read_bytes())
        packed.seek(0)
        while chunk := packed.read(CHUNK):
            yield chunk


KIND = Format(
    name="parquet",
    media_type="application/zip",
    extension="parquet.zip",
    loses="What `sqlite` loses.",
    write=write,
    gather=Dataset,
    is_whole=True,
    needs="pyarrow",
)
