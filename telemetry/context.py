"""What is being done, and for which request: it goes with the request into its log lines, its trace and its jobs."""

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
    """One request, told apart from all others."""

    request_id: str
    """As its caller named it, else as its trace is called."""
    traceparent: str
    """W3C Trace Context: the trace, the span in it that comes before, and its flags."""
    is_new: bool = False
    """Whether the trace begins here: no span comes before."""

    @property
    def trace_id(self) -> str:
        """The trace alone: 32 hexadecimal digits."""
        return self.traceparent[3:35]

    @classmethod
    def received(cls, request_id: str | None, traceparent: str | None) -> Self:
        """The context of a request with these headers; what is missing or not well-formed is made."""
        parent = None if traceparent is None else well_formed(traceparent)
        is_new = parent is None
        if parent is None:
            made = token_hex(24)
            parent = f"00-{made[:32]}-{made[32:]}-00"
        if request_id is None or _REQUEST_ID.fullmatch(request_id) is None:
            request_id = parent[3:35]
        return cls(request_id, parent, is_new)


def well_formed(traceparent: str) -> str | None:
    """A `traceparent` as version 00 has it; None where it is none (W3C Trace Context, 3.2)."""
    found = _TRACEPARENT.fullmatch(traceparent)
    if found is None:
        return None
    version, trace, span, flags, more = found.groups()
    if version == "ff" or (more and version == _CURRENT_VERSION) or trace == _NO_TRACE or span == _NO_SPAN:
        return None
    return f"00-{trace}-{span}-{flags}"


_CURRENT: ContextVar[Context | None] = ContextVar("driftlog_context", default=None)

current = _CURRENT.get
"""What this thread does now; None where it is done for no request."""
enter = _CURRENT.set
"""Say what this thread does from now on."""


@contextmanager
def within(context: Context | None) -> Iterator[None]:
    """Say what this thread does until the block ends."""
    token = _CURRENT.set(context)
    try:
        yield
    finally:
        _CURRENT.reset(token)
