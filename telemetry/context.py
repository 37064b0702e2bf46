"""The request that is being handled, for log lines, traces and jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from secrets import token_hex
from typing import Self

import msgspec

_REQUEST_ID = re.compile(r"[A-Za-z0-9._~+=:@/-]{1,128}")
_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_CURRENT_VERSION = "00"
_NO_TRACE, _NO_SPAN = "0" * 32, "0" * 16


class Context(msgspec.Struct, frozen=True):
    """A request, with the ids that identify it."""

    request_id: str
    """The caller's request id; without one, the trace id."""
    traceparent: str
    """W3C Trace Context: trace id, parent span and flags."""
    is_new: bool = False
    """True if the trace begins with this request."""

    @property
    def trace_id(self) -> str:
        """The trace id, 32 hexadecimal digits."""
        return self.traceparent[3:35]

    @classmethod
    def from_headers(cls, request_id: str | None, traceparent: str | None) -> Self:
        """Return the context of a request with these headers; ids that are missing or invalid are generated."""
        parent = None if traceparent is None else well_formed(traceparent)
        is_new = parent is None
        if parent is None:
            made = token_hex(24)
            parent = f"00-{made[:32]}-{made[32:]}-00"
        if request_id is None or _REQUEST_ID.fullmatch(request_id) is None:
            request_id = parent[3:35]
        return cls(request_id, parent, is_new)


def well_formed(traceparent: str) -> str | None:
    """Return a valid `traceparent` of version 00; None if it is invalid (W3C Trace Context, 3.2)."""
    found = _TRACEPARENT.fullmatch(traceparent)
    if found is None:
        return None
    version, trace, span, flags, more = found.groups()
    if version == "ff" or (more and version == _CURRENT_VERSION) or trace == _NO_TRACE or span == _NO_SPAN:
        return None
    return f"00-{trace}-{span}-{flags}"


_CURRENT: ContextVar[Context | None] = ContextVar("driftlog_context", default=None)

current = _CURRENT.get
"""Returns the context of this thread; None outside a request."""
enter = _CURRENT.set
"""Sets the context of this thread."""


@contextmanager
def within(context: Context | None) -> Iterator[None]:
    """Set the context of this thread within the block."""
    token = _CURRENT.set(context)
    try:
        yield
    finally:
        _CURRENT.reset(token)
