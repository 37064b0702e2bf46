"""Exports: write a game's log in the formats of `FORMATS`, and read the formats that can be imported.

The functions are pure: they convert a log to chunks of bytes. json, ndjson and csv never hold the whole log in memory;
the other formats hold one game. The module of a format declares it as `KIND`. Its docstring describes the format, and
docs/formats.md has an example.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Event
from engine.core.language import compute_in, speaking
from exports import (
    bgstats,
    cloudevents,
    csv,
    draws,
    html,
    json,
    markdown,
    ndjson,
    notation,
    paper,
    parquet,
    pictures,
    playthrough,
    sheet,
    sqlite,
)
from exports.log import Animation, ExportedFile, Format, Gathering, Log, Rereadable, Unsuitable, chunks, filename

__all__ = [
    "FORMATS",
    "Animation",
    "ExportedFile",
    "Format",
    "Gathering",
    "Log",
    "Rereadable",
    "Unsuitable",
    "filename",
    "read_any",
    "read_file",
]


def _in_chunks(kind: Format) -> Format:
    def write(log: Log) -> Iterator[bytes]:
        if kind.is_said:
            return chunks(kind.write(log))
        with speaking(None):
            written = kind.write(log)
        return compute_in(None, chunks(written))

    return msgspec.structs.replace(kind, write=write)


FORMATS: dict[str, Format] = {
    kind.name: _in_chunks(kind)
    for kind in (
        json.KIND,
        ndjson.KIND,
        csv.KIND,
        markdown.KIND,
        html.KIND,
        paper.KIND,
        sheet.KIND,
        draws.KIND,
        cloudevents.BATCH,
        cloudevents.LINES,
        bgstats.KIND,
        pictures.SVG,
        pictures.PNG,
        pictures.GIF,
        sqlite.KIND,
        parquet.KIND,
        notation.KIND,
        playthrough.KIND,
    )
}
"""Every format by name. If formats share a media type, `Accept` selects the first."""


LONGEST_IMPORT = 64 * 1024 * 1024
"""Maximum size of an imported file, in bytes."""
_JSON = (b"{", b"[", b'"', b"t", b"f", b"n", b"-", *(str(digit).encode() for digit in range(10)), BOM_UTF8)
"""First bytes of JSON, and of a byte order mark, which is rejected with a separate message."""


def read_any(data: bytes) -> list[Event]:
    """Return the events of an exported file in any format.

    Raises:
        Malformed: no importable format matches; `pointer` is the position of the error (in ndjson it begins with the
            line).
    """
    return read_file(data).whole()


def read_file(data: bytes) -> ExportedFile:
    """Return the contents of an exported file in any format, even if other data in the file contradicts its events.

    Raises:
        Malformed: as in `read_any`. But if only other data contradicts the events, the error is returned as
            `ExportedFile.flaw`.
    """
    if not data.strip():
        raise Malformed("", "the file is empty")
    if not data.lstrip().startswith(_JSON):
        readable = " and ".join(kind.name for kind in FORMATS.values() if kind.read is not None)
        raise Malformed("", f"this is not JSON: only {readable} can be imported")
    return json.read(data) if _is_document(data) else ndjson.read(data)


def _is_document(data: bytes) -> bool:
    """Return True if `data` is a single JSON document, even a broken one.

    A line of NDJSON never names a format or ends inside an object.
    """
    first = data.lstrip().split(b"\n", 1)[0]
    try:
        members = msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return not first.startswith(ndjson.BEGINNINGS)
    return "format" in members
