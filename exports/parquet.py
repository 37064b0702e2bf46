"""parquet: the tables of `exports.tables`, one Parquet file each, for DuckDB, pandas, Polars, Spark, Arrow.

The export of one game is a zip of these files (stored, because they are already compressed). In an export of many
games, the files are directly in the zip of the export. Times are timestamps in UTC, in milliseconds. The description of
a column is in its field's metadata.
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
"""Minimum number of rows in a row group: readers load whole groups."""
_BATCH = 1 << 12
"""Minimum number of rows converted to columns at a time."""
_LONG = 5000
"""Maximum events of a game whose rows stay in memory until the end. A longer game is replayed first, to check it."""
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The timestamp of all zip entries. It is constant, so that the same game gives the same bytes."""


class Dataset:
    """A file for each table in `folder`, for any number of games (see `Gathering`)."""

    def __init__(self, folder: Path) -> None:
        # Import late: pyarrow is an extra, and takes as long to load as everything else.
        from pyarrow import parquet

        self._rows: dict[tuple[str, tuple[str, ...]], list[tuple[Any, ...]]] = {}
        """Rows that are not written yet, by table and names of the columns."""
        self._waiting: dict[str, list[pyarrow.RecordBatch]] = {}
        self._writers: dict[str, Any] = {}
        self._schemas = {table: _schema(columns) for table, columns in fields().items()}
        for table, schema in self._schemas.items():
            self._waiting[table] = []
            # Rows are so similar that the lowest level of zstd compresses them well.
            path = folder / f"{table}.parquet"
            self._writers[table] = parquet.ParquetWriter(path, schema, compression="zstd", compression_level=1)

    def add(self, log: Log) -> None:
        if log.fold().version > _LONG:
            for _ in rows(log):
                pass
            for some in rows(log):
                self._take(some)
            return
        for some in list(rows(log)):
            self._take(some)

    def finish(self) -> None:
        for table, names in list(self._rows):
            self._convert(table, names)
        for table in self._writers:
            self._write(table)
        self.close()

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()

    def _take(self, some: Rows) -> None:
        # Games share columns, because creating one costs as much as a hundred cells.
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
    """Write `log` as a zip of Parquet files."""
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
    loses="The hash `prev` of each event, and the digests of states.",
    write=write,
    gather=Dataset,
    is_whole=True,
    by_worker=True,  # Its first export in a process takes a second, because pyarrow must be loaded.
    needs="pyarrow",
    instead="sqlite",
)
