"""Load and validate scenario packs from JSON. Every error is reported with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any

import msgspec

from engine.core.documents import malformed_error
from engine.core.errors import EngineError
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.validate import Fault, faults_of

_DECODER = JSONDecoder(strict=False)


class BadPack(EngineError):
    """An invalid scenario pack. `faults` are the errors in the pack, and `lines` the line numbers of the errors."""

    def __init__(self, faults: tuple[Fault, ...], lines: tuple[int, ...]) -> None:
        located = zip(lines, faults, strict=True)
        super().__init__("; ".join(f"line {line}: {fault.message} ({fault.pointer or '/'})" for line, fault in located))
        self.faults = faults
        self.lines = lines


def load_pack(document: bytes) -> Pack:
    """Parse and validate a scenario pack from a JSON document in UTF-8.

    Raises:
        BadPack: the document is not JSON, does not match the schema, or is inconsistent.
    """
    try:
        pack = msgspec.json.decode(document, type=Pack)
    except msgspec.ValidationError as error:
        fault = malformed_error(error, "", Pack)
        raise _bad(document, (Fault(fault.pointer, fault.message),)) from None
    except msgspec.DecodeError as error:
        at = re.search(r"byte (\d+)", str(error))
        line = document[: int(at[1])].count(b"\n") + 1 if at else document.count(b"\n") + 1
        raise BadPack((Fault("", str(error)),), (line,)) from None
    faults = tuple(faults_of(pack))
    if faults:
        raise _bad(document, faults)
    return pack


def pack_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of scenario packs."""
    schema = msgspec.json.schema(Pack)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Scenario pack", **schema}


def _bad(document: bytes, faults: tuple[Fault, ...]) -> BadPack:
    return BadPack(faults, tuple(_line_of(document.decode(), fault.pointer) for fault in faults))


def _line_of(text: str, pointer: str) -> int:
    """Return the line of the value at an RFC 6901 pointer; if it is missing, the line of the object that lacks it."""
    at = _next_token(text, 0)
    for key in pointer.split("/")[1:]:
        inside = next((place for name, place in _places(text, at) if name == key), None)
        if inside is None:
            break
        at = inside
    return text.count("\n", 0, at) + 1


def _places(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the key and the position of each value in the object or list at `at`."""
    opening, at, index = text[at], _next_token(text, at + 1), 0
    while opening in "{[" and text[at] not in "}]":
        key, at = _next_value(text, at) if opening == "{" else (str(index), at)
        yield key, at
        _, at = _next_value(text, at)
        index += 1


def _next_value(text: str, at: int) -> tuple[Any, int]:
    """Return the value at `at`, and the position of the token that follows it."""
    value, end = _DECODER.raw_decode(text, at)
    return value, _next_token(text, end)


def _next_token(text: str, at: int) -> int:
    while text[at : at + 1].isspace() or text[at : at + 1] in {",", ":"}:
        at += 1
    return at
