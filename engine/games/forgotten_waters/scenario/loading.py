"""Load and validate scenario packs from JSON. Every error is reported with its line."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from engine.core.documents import malformed_error
from engine.core.errors import EngineError
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.validate import Fault, faults_of

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


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
    lines = _lines(document.decode())
    return BadPack(faults, tuple(_line_of(lines, fault.pointer) for fault in faults))


def _line_of(lines: dict[str, int], pointer: str) -> int:
    """Return the line of a value; if the value is missing, the line of the object that lacks it."""
    while pointer not in lines:
        pointer = pointer.rpartition("/")[0]
    return lines[pointer]


def _lines(text: str) -> dict[str, int]:
    """Return the line of every value in a JSON text, by RFC 6901 pointer."""
    found: dict[str, int] = {}
    path: list[str] = []
    inside: list[str] = []
    is_key = False
    line, position = 1, 0
    for match in _WORD.finditer(text):
        word = match[0]
        line += text.count("\n", position, match.start())
        position = match.start()
        if word in "}]":
            inside.pop()
            path.pop()
        elif word == ",":
            is_key = inside[-1] == "{"
            if not is_key:
                path[-1] = str(int(path[-1]) + 1)
        elif is_key:
            path[-1] = word[1:-1]
            is_key = False
        elif word != ":":
            found["".join(f"/{key}" for key in path)] = line
            if word in "{[":
                inside.append(word)
                path.append("0")
                is_key = word == "{"
    return found
