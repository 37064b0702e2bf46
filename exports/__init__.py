"""Exports: a game's log as bytes in the formats of `FORMATS`, and back from those that can be read.

Pure: a log in, bytes out, in chunks. json, ndjson and csv never hold the whole log; the others hold one game.
A module a format; each module's docstring says what is in it, and docs/formats.md shows an example of each.
"""

from __future__ import annotations

import msgspec

from engine.errors import Malformed
from engine.events import Event
from exports import csv, json, markdown, ndjson, sheet, svg
from exports.log import File, Format, Log, Rereadable, filename

__all__ = ["FORMATS", "File", "Format", "Log", "Rereadable", "filename", "read_any", "read_file"]

FORMATS: dict[str, Format] = {
    kind.name: kind
    for kind in (
        Format(name="json", media_type="application/json", extension="json", write=json.write, read=json.read),
        Format(
            name="ndjson", media_type="application/x-ndjson", extension="ndjson", write=ndjson.write, read=ndjson.read
        ),
        Format(
            name="csv",
            media_type="text/csv; charset=utf-8; header=present",
            extension="csv",
            write=csv.write,
            read=None,
        ),
        Format(
            name="markdown",
            media_type="text/markdown; charset=utf-8",
            extension="md",
            write=markdown.write,
            read=None,
        ),
        Format(
            name="sheet",
            media_type="text/markdown; charset=utf-8",
            extension="sheet.md",
            write=sheet.write,
            read=None,
        ),
        Format(name="svg", media_type="image/svg+xml", extension="svg", write=svg.write, read=None),
    )
}
"""Every format by its name."""


def read_any(data: bytes) -> list[Event]:
    """The events of an exported file, whichever format it is in.

    Raises:
        Malformed: it is in none that can be read back; `pointer` says where (in ndjson the first part is the line).
    """
    return read_file(data).whole()


def read_file(data: bytes) -> File:
    """All that is in an exported file, whichever format it is in; what it repeats of its events may not fit them.

    Raises:
        Malformed: as `read_any`, but for `File.flaw`.
    """
    if not data.strip():
        raise Malformed("", "the file is empty")
    return json.read_file(data) if _is_document(data) else File(ndjson.read(data))


def _is_document(data: bytes) -> bool:
    """Whether it is, or was meant to be, one document: no line of NDJSON names a format, or ends in mid-object."""
    first = data.lstrip().split(b"\n", 1)[0]
    try:
        members = msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return not first.startswith(b'{"seq":')
    return "format" in members
