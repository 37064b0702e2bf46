"""Assemble requests from the bytes of a connection, as they arrive. Nothing here waits or uses a socket.

gunicorn parses the head, which determines the length of the body (RFC 9112, 6.3). A chunked body is decoded here,
because gunicorn's own reader would block on the socket.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from gunicorn.config import Config
from gunicorn.http import RequestParser
from gunicorn.http.body import ChunkedReader
from gunicorn.http.errors import (
    ChunkMissingTerminator,
    InvalidChunkSize,
    InvalidHeader,
    LimitRequestHeaders,
    NoMoreData,
    ParseException,
)

MOST_HEAD = 64 * 1024
"""Maximum bytes of a request line and its headers."""
SHORT = 64 * 1024
"""Maximum bytes of a body that every route accepts."""
MOST_LINE = 4096
"""Maximum bytes of a chunk-size line, and of a trailer section."""
SPARE_FRAMING = 16 * 1024
"""Bytes of framing that a chunked body may always have. Beyond them, the framing may have 1/16 of the data's bytes."""
_END = b"\r\n\r\n"
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?")


class BodyTooLarge(Exception):
    """The body has more bytes than its operation accepts."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the body has more than {limit} bytes")
        self.limit = limit
        """Maximum bytes of the body."""


class Incoming:
    """The requests of one connection, one after the other.

    Args:
        address: the peer's address, from `socket.accept`.
        longest: returns the maximum bytes of a body for a method and path.
    """

    def __init__(self, config: Config, address: Any, longest: Callable[[str, str], int]) -> None:
        self._config = config
        self._address = address
        self._longest = longest
        self._buffer = bytearray()
        self._request: Any = None
        self._expects = False
        self._body: _Sized | _Chunked | None = None
        self._is_long = False

    @property
    def is_idle(self) -> bool:
        """True if no byte of the next request has arrived yet."""
        return self._request is None and not self._buffer

    @property
    def is_in_body(self) -> bool:
        """True if the head of a request has arrived, but not the whole body."""
        return self._request is not None

    @property
    def long(self) -> Any:
        """The request, if its head has arrived and its body may be long; otherwise None."""
        return self._request if self._is_long else None

    @property
    def expects_continue(self) -> bool:
        """Return True if the client waits for permission to send the body.

        Only the first call for a request returns True.
        """
        expects, self._expects = self._expects, False
        return expects and self.size == 0

    @property
    def size(self) -> int:
        """The number of bytes that the connection holds."""
        return len(self._buffer) + (len(self._body.data) if self._body else 0)

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._buffer += data

    def take(self) -> Any:
        """Remove and return the next request as gunicorn's `Request`, with its body; None if it is incomplete.

        Raises:
            ParseException: the data is not HTTP, or the head is too large.
            BodyTooLarge: the request's body is too large.
        """
        if self._request is None:
            self._request = self._head()
            if self._request is None:
                return None
            self._body = self._framing(self._request)
        assert self._body is not None
        if not self._body.takes(self._buffer):
            return None
        request, body = self._request, self._body
        self._request = self._body = None
        request.body = io.BytesIO(body.data)
        return request

    def _head(self) -> Any:
        buffer = self._buffer
        end = buffer.find(_END)
        if end < 0 and len(buffer) <= MOST_HEAD:
            is_hopeless = buffer.count(b"\n") != buffer.count(b"\r\n") or (
                len(buffer) > self._config.limit_request_line + 4 and buffer.find(b"\r\n", 2) < 0
            )
            if not is_hopeless:
                return None
        length = len(buffer) if end < 0 else end + len(_END)
        if length > MOST_HEAD + len(_END):
            length = MOST_HEAD
        head = bytes(buffer[:length])
        try:
            request = next(RequestParser(self._config, [head], self._address))
        except NoMoreData:
            raise LimitRequestHeaders("the request head is too long") from None
        del buffer[:length]
        # gunicorn would send "100 Continue" only when the thread starts, which is after the body has arrived.
        self._expects, request._expected_100_continue = request._expected_100_continue, False  # noqa: SLF001
        return request

    def _framing(self, request: Any) -> _Sized | _Chunked:
        is_chunked = isinstance(request.body.reader, ChunkedReader)
        length = 0 if is_chunked else request.body.reader.length
        self._is_long = is_chunked or length > SHORT
        # A short body needs no check by route here, because the app checks it later.
        longest = self._longest(request.method, unquote(request.path)) if self._is_long else SHORT
        if is_chunked:
            return _Chunked(longest)
        if length > longest:
            raise BodyTooLarge(longest)
        return _Sized(length)


class _Sized:
    """A body with a Content-Length."""

    def __init__(self, length: int) -> None:
        self.data = bytearray()
        self._left = length

    def takes(self, buffer: bytearray) -> bool:
        """Take the available bytes from `buffer`; return True if the body is complete."""
        more = buffer[: self._left]
        del buffer[: self._left]
        self.data += more
        self._left -= len(more)
        return self._left == 0


class _Chunked:
    """A chunked body (RFC 9112, 7.1). Trailers are read and discarded."""

    def __init__(self, longest: int) -> None:
        self.data = bytearray()
        self._longest = longest
        self._left = 0
        """Bytes left in this chunk."""
        self._framing = 0
        self._is_ending = False
        """True if the chunk has arrived, but not the line end after it."""
        self._is_last = False
        self._at = 0
        """Number of bytes of the buffer that have been parsed."""

    def takes(self, buffer: bytearray) -> bool:
        """Take the available bytes from `buffer`; return True if the body is complete."""
        self._at = 0
        try:
            while not self._is_last:
                if not (self._content(buffer) and self._next_chunk(buffer)):
                    return False
            return self._trailers(buffer)
        finally:
            del buffer[: self._at]

    def _content(self, buffer: bytearray) -> bool:
        """Take the available bytes of this chunk and of the line end after it. Return True if the chunk is complete."""
        if self._left:
            more = buffer[self._at : self._at + self._left]
            self.data += more
            self._at += len(more)
            self._left -= len(more)
            if self._left:
                return False
            self._is_ending = True
        if self._is_ending:
            end = buffer[self._at : self._at + 2]
            if end != b"\r\n"[: len(end)]:
                raise ChunkMissingTerminator(bytes(end))
            if len(end) < 2:
                return False
            self._at += 2
            self._is_ending = False
        return True

    def _next_chunk(self, buffer: bytearray) -> bool:
        line = self._line(buffer)
        if line is None:
            return False
        found = _CHUNK.fullmatch(line)
        if found is None:
            raise InvalidChunkSize(line)
        self._left = int(found[1], 16)
        self._is_last = self._left == 0
        if len(self.data) + self._left > self._longest:
            raise BodyTooLarge(self._longest)
        return True

    def _trailers(self, buffer: bytearray) -> bool:
        while (line := self._line(buffer)) is not None:
            if not line:
                return True
            if line.find(b":") <= 0:
                raise InvalidHeader(line.decode("latin-1"))
        return False

    def _line(self, buffer: bytearray) -> bytes | None:
        """Return the next line of the framing; None if the line is incomplete."""
        end = buffer.find(b"\r\n", self._at, self._at + MOST_LINE)
        line = bytes(buffer[self._at : end if end >= 0 else self._at + MOST_LINE])
        if b"\n" in line or b"\r" in line[:-1] or len(line) == MOST_LINE:
            raise InvalidChunkSize("the line of a chunk does not end with CRLF")
        if end < 0:
            return None
        self._at = end + 2
        # Count the framing, too, because one-byte chunks cost as much as a much larger body.
        self._framing += len(line) + 4
        if self._framing > SPARE_FRAMING + len(self.data) // 16:
            raise InvalidChunkSize("the chunks are too small")
        return line


__all__ = ["BodyTooLarge", "Incoming", "ParseException"]
