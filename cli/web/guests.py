"""Handle the requests of guests (share links) in a separate process, at a low priority.

The process only runs while there are guests.

Python runs one thread at a time. So in a shared process, an append would wait for every request of a guest. A web
process reads a guest's request and sends the response. In between, it forwards the WSGI call to the guests' process
over a Unix socket. The call is the environment and the body. The answer is the status and headers, then the body's
chunks and an empty message.
"""

from __future__ import annotations

import functools
import io
import itertools
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask
from werkzeug.wsgi import ClosingIterator

from api.plumbing.access import LINKS
from api.plumbing.budget import has_gone
from api.plumbing.observing import RequestFacts, record_seen, request_facts
from cli.web.process import WebProcess
from telemetry import context
from telemetry.context import Context
from workers.supervisor import stand_back

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SHARED = "/s/"
"""The path prefix of all share links."""
NICE = 10
"""The niceness of the process. Guests only get the processor time that other processes leave."""
BACKLOG = 1024
IDLE_SECONDS = 60.0
"""Seconds without a call after which the process ends. The next call starts it again."""
SLICE = 64 * 1024
"""Bytes received at a time."""
LOOK_SECONDS = 0.25
"""Seconds between checks if the client has left, or the process must end."""


class GuestsUnavailable(Exception):
    """The guests' process has ended. It will start again soon."""


class WsgiCall(msgspec.Struct, frozen=True):
    """A WSGI call, as it is forwarded."""

    environ: dict[str, str]
    """The texts of the environment."""
    body: bytes


class ResponseHead(msgspec.Struct, frozen=True):
    """The start of a response."""

    status: str
    headers: list[tuple[str, str]]
    seen: RequestFacts | None
    """Data for the access log."""
    context: Context | None
    """The ids of the request, for log lines."""


_decode_call = msgspec.msgpack.Decoder(WsgiCall).decode
_decode_head = msgspec.msgpack.Decoder(ResponseHead).decode
_encode = msgspec.msgpack.Encoder().encode
_SIZE = struct.Struct("!I")
"""The format of the size of a message. The size precedes the message."""


class GuestsProcess(WebProcess):
    """The guests' process."""

    def run(self) -> None:
        """Serve until there are no guests for a while, or until SIGTERM."""
        stand_back(NICE)
        serve(self.wsgi, self.sockets[0], self.tpool, self.goes_on)
        self.wsgi.extensions["hub"].stop()
        self.tpool.shutdown(wait=False)


def listen(folder: Path) -> socket.socket:
    """Return the socket of the guests' process, in a private folder."""
    return socket.create_server(str(folder / "guest.sock"), family=socket.AF_UNIX, backlog=BACKLOG)


def forwarding(app: WSGIApplication, address: str, goes_on: Callable[[], bool]) -> WSGIApplication:
    """Return an app that forwards the calls of guests to `address`, and passes all others to `app`.

    Args:
        goes_on: returns False while the service stops, because the guests' process does not start any more then.
    """

    def call(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_guest = environ["PATH_INFO"].startswith(SHARED) or bears_link(environ.get("HTTP_AUTHORIZATION", ""))
        if not is_guest:
            return app(environ, start_response)
        if not goes_on():
            raise GuestsUnavailable
        return _forward(environ, start_response, address)

    return call


def bears_link(authorization: str) -> bool:
    """Return True if the header has the token of a share link, as this process knows from an earlier request."""
    return authorization.partition(" ")[2].strip() in LINKS


def serve(app: Flask, listener: socket.socket, threads: Executor, goes_on: Callable[[], bool]) -> None:
    """Answer forwarded calls, until no call has arrived for a while.

    Args:
        goes_on: called several times per second; returns False to end at once.
    """
    listener.settimeout(LOOK_SECONDS)
    calls: list[Future[None]] = []
    used = time.monotonic()
    while goes_on() and time.monotonic() - used < IDLE_SECONDS:
        with suppress(TimeoutError):
            calls.append(threads.submit(_answer, app, listener.accept()[0]))
        calls = [call for call in calls if not call.done()]
        if calls:
            used = time.monotonic()


def _forward(environ: WSGIEnvironment, start_response: StartResponse, address: str) -> Iterable[bytes]:
    sock = socket.socket(socket.AF_UNIX)
    texts = {name: value for name, value in environ.items() if isinstance(value, str)}
    try:
        sock.connect(address)
        _send(sock, _encode(WsgiCall(texts, environ["wsgi.input"].read())))
        answered = select.poll()
        answered.register(sock, select.POLLIN)
        while not answered.poll(LOOK_SECONDS * 1000):
            if has_gone(environ):
                raise ConnectionAbortedError
        batches = _batches(sock)
        first, *rest = next(batches)
    except (OSError, StopIteration) as error:
        sock.close()
        raise GuestsUnavailable from error
    head = _decode_head(first)
    # Without this, log lines would have the ids of this thread's previous request.
    context.enter(head.context)
    if head.seen is not None:
        record_seen(environ, head.seen)
    start_response(head.status, head.headers)
    return _body(sock, itertools.chain([rest], batches))


def _body(sock: socket.socket, batches: Iterable[list[bytes]]) -> Iterator[bytes]:
    with sock:
        for batch in batches:
            # Collect small chunks, such as past events of a stream, and send them together.
            yield b"".join(batch)
            if batch and not batch[-1]:
                return
        raise ConnectionAbortedError("the process for share links has ended")


def _answer(app: Flask, sock: socket.socket) -> None:
    with sock, suppress(OSError, StopIteration):
        call = _decode_call(next(_batches(sock))[0])
        environ: WSGIEnvironment = {
            **call.environ,
            "wsgi.version": (1, 0),
            "wsgi.input": io.BytesIO(call.body),
            "wsgi.input_terminated": True,
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            # If the web process closes this socket, the client has left.
            "gunicorn.socket": sock,
        }

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], object]:
            _send(sock, _encode(ResponseHead(status, headers, request_facts(environ), context.current())))
            return functools.partial(_send, sock)

        with closing(ClosingIterator(app(environ, start_response))) as chunks:
            for chunk in filter(None, chunks):
                _send(sock, chunk)
            _send(sock, b"")


def _send(sock: socket.socket, message: bytes) -> None:
    sock.sendall(_SIZE.pack(len(message)) + message)


def _batches(sock: socket.socket) -> Iterator[list[bytes]]:
    """Yield the messages from a socket in batches, as they arrive, until the socket is closed."""
    received = bytearray()
    while data := sock.recv(SLICE):
        received += data
        batch, start = [], 0
        while len(received) - start >= _SIZE.size:
            end = start + _SIZE.size + _SIZE.unpack_from(received, start)[0]
            if end > len(received):
                break
            batch.append(bytes(received[start + _SIZE.size : end]))
            start = end
        if batch:
            del received[:start]
            yield batch
