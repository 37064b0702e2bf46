"""A call of the API, before it is sent and after it was answered: nothing here speaks to a network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote
from uuid import uuid4

Form = Literal["json", "text", "bytes", "nothing"]
"""How an answer is read."""
Value = str | int | float | bool | Sequence[str] | None
"""Of a query or a header; None is not sent."""
KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of the service."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    form: Form = "json"

    @property
    def is_repeatable(self) -> bool:
        """Whether it is done once, however often it is sent."""
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
    is_keyed: bool = False,
    form: Form = "json",
) -> Call:
    """A call.

    Args:
        body: sent as JSON; or `content`, of a `media_type`, as it is.
        is_keyed: whether the service heeds an `Idempotency-Key`: without one among the headers, it gets one of its own.
    """
    named = {name: _written(name, value) for name, value in (headers or {}).items() if value is not None}
    if is_keyed:
        named.setdefault(KEY, str(uuid4()))
    if body is not None:
        content, media_type = json.dumps(body, ensure_ascii=False, separators=(",", ":")), "application/json"
    if media_type is not None:
        named["Content-Type"] = media_type
    asked = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return Call(method, path, asked, named, content.encode() if isinstance(content, str) else content, form)


def part(value: object) -> str:
    """A value as a part of a path."""
    return quote(str(value), safe="")


def read(form: Form, content: bytes) -> Any:
    """What an answer says."""
    if form == "json":
        return json.loads(content)
    if form == "text":
        return content.decode()
    return content if form == "bytes" else None


def _written(name: str, value: Value) -> str:
    """A header; a version is sent as the `ETag` that it is."""
    return f'"{value}"' if name == "If-Match" else str(value)


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) or value is None else ",".join(value)
