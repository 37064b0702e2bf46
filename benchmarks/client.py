"""The load generator: one light process, with a raw socket for each client and requests built in advance."""

from __future__ import annotations

import math
import select
import socket
import time
from collections.abc import Collection, Iterator, Sequence

import msgspec

from benchmarks.measure import freeze_objects

TIMEOUT = 30.0
"""Seconds without an answer after which the measurement fails."""
_SHOWN = 2000
_REFUSED = b"HTTP/1.1 503"


class UnexpectedStatus(Exception):
    """An answer has an unexpected status."""


class Load(msgspec.Struct, frozen=True):
    """The result of a load test."""

    seconds: float
    milliseconds: list[float]
    """Duration of each answer."""

    @property
    def rate(self) -> float:
        """Responses per second."""
        return len(self.milliseconds) / self.seconds


def post(path: str, body: bytes, headers: Sequence[str] = ()) -> bytes:
    """Return the bytes of a POST request."""
    return _request("POST", path, [*headers, "Content-Type: application/json", f"Content-Length: {len(body)}"]) + body


def get(path: str) -> bytes:
    """Return a GET request for `path`, as the bytes to send."""
    return _request("GET", path, [])


def _request(method: str, path: str, headers: Sequence[str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Accept: application/json", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def drive(
    address: tuple[str, int],
    clients: Sequence[Iterator[bytes]],
    seconds: float = math.inf,
    *,
    warm: int = 0,
    expected: Collection[int] = (201,),
) -> Load:
    """Let each client send requests one after the other, for `seconds` or until it has no more requests.

    Args:
        warm: the number of requests that each client sends before the measurement.

    Raises:
        Failed: the status of an answer is not among the `expected` ones.
    """
    milliseconds: list[float] = []
    connections = [Connection(address, requests, expected) for requests in clients]
    open_ = {connection.fileno: connection for connection in connections}
    poll = select.epoll()
    try:
        for connection in connections:
            connection.send_first(warm)
            poll.register(connection.fileno, select.EPOLLIN)
        with freeze_objects():
            began = time.perf_counter()
            end = began + seconds
            for fileno in [fileno for fileno, connection in open_.items() if not connection.send_next()]:
                del open_[fileno]
            while open_:
                ready = poll.poll(TIMEOUT)
                if not ready:
                    raise UnexpectedStatus(f"no answer for {TIMEOUT:.0f} s")
                for fileno, _ in ready:
                    connection = open_[fileno]
                    if not connection.is_answered():
                        continue
                    now = time.perf_counter()
                    milliseconds.append((now - connection.sent_at) * 1000)
                    if now >= end or not connection.send_next():
                        poll.unregister(fileno)
                        del open_[fileno]
            return Load(time.perf_counter() - began, milliseconds)
    finally:
        poll.close()
        for connection in connections:
            connection.close()


class Connection:
    """A client's connection, kept alive."""

    def __init__(self, address: tuple[str, int], requests: Iterator[bytes], expected: Collection[int]) -> None:
        self._requests = requests
        self._expected = tuple(f"HTTP/1.1 {status}".encode() for status in expected)
        self._socket = socket.create_connection(address, TIMEOUT)
        # Connections have no timeout, because `drive` has one.
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._request = b""
        self._answer = bytearray()
        self._length = 0
        self.fileno = self._socket.fileno()
        self.sent_at = 0.0

    @property
    def retry_after(self) -> float | None:
        """Return the seconds until the request can be repeated; None if the answer has no `Retry-After`."""
        if not self._answer.startswith(_REFUSED):
            return None
        return float(bytes(self._answer).lower().partition(b"retry-after:")[2].split(b"\r\n", 1)[0])

    def send_first(self, count: int) -> None:
        """Send the first requests, and wait for their answers."""
        for _ in range(count):
            if self.send_next():
                while not self.is_answered():
                    pass

    def send_next(self) -> bool:
        """Send the next request; False if there is none."""
        request = next(self._requests, None)
        if request is None:
            return False
        self._request = request
        self.send_again()
        return True

    def send_again(self) -> None:
        """Send the last request once more."""
        self._answer.clear()
        self._length = 0
        self.sent_at = time.perf_counter()
        self._socket.sendall(self._request)

    def is_answered(self) -> bool:
        """Read the available bytes; return True if the answer is complete.

        Raises:
            Failed: the status of the answer is not expected.
        """
        more = self._socket.recv(1 << 16)
        answer = self._answer
        answer += more
        if not self._length:
            head, separator, _ = answer.partition(b"\r\n\r\n")
            if separator:
                length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
                self._length = len(head) + len(separator) + int(length)
        is_whole = 0 < self._length <= len(answer)
        if not more or (is_whole and not answer.startswith(self._expected)):
            raise UnexpectedStatus(answer[:_SHOWN].decode(errors="replace") or "the connection was closed")
        return is_whole

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
