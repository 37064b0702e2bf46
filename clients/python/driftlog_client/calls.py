"""Build the calls of the API, and parse their responses. Nothing here uses the network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote
from uuid import uuid4

Form = Literal["json", "text", "bytes", "nothing"]
"""The way in which a response body is parsed."""
Value = str | int | float | bool | Sequence[str] | None
"""A value of a query or header. None is not sent."""
KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operation."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    form: Form = "json"

    @property
    def is_repeatable(self) -> bool:
        """True if the service executes the call only once even if it is sent repeatedly."""
        return self.method == "GET" or KEY in self.headers


def call(
    method: str,
    path: str,
    *,
    query: Mapping[str, Value] | None = None,
    headers: Mapping[str, Value] | None = None,
    body: object = None,
    content: str | bytes | None = None,
    media_type: str | None = None,
    form: Form = "json",
) -> Call:
    """Return a call. A POST without an `Idempotency-Key` gets a new key.

    Args:
        body: a document, sent as JSON; alternatively `content` is sent unchanged, with `media_type`.
    """
    named = {name: _header_text(name, value) for name, value in (headers or {}).items() if value is not None}
    if method == "POST":
        named.setdefault(KEY, str(uuid4()))
    if body is not None:
        content, media_type = json.dumps(body, ensure_ascii=False, separators=(",", ":")), "application/json"
    if media_type is not None:
        named["Content-Type"] = media_type
    asked = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return Call(method, path, asked, named, content.encode() if isinstance(content, str) else content, form)


def part(value: object) -> str:
    """Return a value, escaped as a segment of a path."""
    return quote(str(value), safe="")


def read(form: Form, content: bytes) -> Any:
    """Parse the body of a response."""
    if form == "json":
        return json.loads(content)
    if form == "text":
        return content.decode()
    return content if form == "bytes" else None


def _header_text(name: str, value: Value) -> str:
    """Return a value as the text of a header; a version becomes an `ETag`."""
    return f'"{value}"' if name == "If-Match" else str(value)


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) or value is None else ",".join(value)
