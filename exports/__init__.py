"""Exports: a game's log as bytes in the formats of `FORMATS`, and back from those that can be read.

Pure: a log in, bytes out, in chunks. json, ndjson and csv never hold the whole log; the others hold one game.
A module a format, which declares it as its `KIND`; each module's docstring says what is in it, and docs/formats.md
shows an example of each.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator

import msgspec

from engine.core.errors import Malformed
from engine.core.events import Event
from engine.core.language import made_in, speaking
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
from exports.log import Animation, File, Format, Gathering, Log, Rereadable, Unsuitable, filename

__all__ = [
    "FORMATS",
    "Animation",
    "File",
    "Format",
    "Gathering",
    "Log",
    "Rereadable",
    "Unsuitable",
    "filename",
    "read_any",
    "read_file",
]


def _in_english(kind: Format) -> Format:
    def write(log: Log) -> Iterator[bytes]:
        with speaking(None):
            written = kind.write(log)
        return made_in(None, written)

    return msgspec.structs.replace(kind, write=write)


FORMATS: dict[str, Format] = {
    kind.name: kind if kind.is_said else _in_english(kind)
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
"""Every format by its name; of those with one media type, the first is what `Accept` gets."""


_JSON = (b"{", b"[", b'"', b"t", b"f", b"n", b"-", *(str(digit).encode() for digit in range(10)), BOM_UTF8)
"""What JSON begins with, and the mark for which it is refused in words of its own."""


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
    if not data.lstrip().startswith(_JSON):
        readable = " and ".join(kind.name for kind in FORMATS.values() if kind.read is not None)
        raise Malformed("", f"this is not JSON, and only {readable} can be read back")
    return json.read_file(data) if _is_document(data) else ndjson.read_file(data)


def _is_document(data: bytes) -> bool:
    """Whether it is, or was meant to be, one document: no line of NDJSON names a format, or ends in mid-object."""
    first = data.lstrip().split(b"\n", 1)[0]
    try:
        members = msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return not first.startswith(ndjson.BEGINNINGS)
    return "format" in members
