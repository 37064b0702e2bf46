"""Stored JSON documents. A damaged document raises `Corrupt`, or is handled like a missing one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from store.errors import Corrupt

_Stored = TypeVar("_Stored")
_Document = TypeVar("_Document")


def decode_text(stored: bytes) -> str:
    """Decode a stored id or name. Replace damaged bytes, so that they match nothing, and break no other entry."""
    return stored.decode(errors="replace")


def parser(kind: type[_Document], name: str) -> Callable[[bytes], _Document]:
    """Return a function that decodes a stored document. If the document is damaged, it raises `Corrupt` with `name`."""
    decoder = msgspec.json.Decoder(kind)

    def parse(stored: bytes) -> _Document:
        try:
            return decoder.decode(stored)
        except ValueError as error:
            # A `DecodeError`, or invalid UTF-8.
            raise Corrupt(f"{name} cannot be decoded: {error}") from error

    return parse


def is_readable(parse: Callable[[bytes], object], stored: bytes) -> bool:
    """Return True if `parse` accepts a stored document."""
    try:
        parse(stored)
    except Corrupt:
        return False
    return True


def readable_one(parse: Callable[[_Stored], _Document], stored: _Stored | None) -> _Document | None:
    """Return a document; None if it is missing or damaged."""
    return next(iter(readable(parse, [stored])), None)


def readable(parse: Callable[[_Stored], _Document], stored: Iterable[_Stored | None]) -> list[_Document]:
    """Return the documents of a list. Omit missing and damaged documents, which `driftlog doctor` reports."""
    found = []
    for document in stored:
        if document is not None:
            try:
                found.append(parse(document))
            except Corrupt:
                continue
    return found
