"""Handle guests (share links) in a process of their own, at a low priority.

Python runs one thread at a time, so an append would wait for each of their requests in the same process. A web process
reads a guest's request and sends the response. In between, it forwards the WSGI call to the guests' process over a
Unix socket: the environment and body, then the status and headers, then the body's chunks and an empty message.
"""

from __future__ import annotations

import io
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask
from werkzeug.wsgi import ClosingIterator

from api.plumbing.budget import has_gone
from api.plumbing.observing import Seen, record_seen, seen_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SHARED = "/s/"
"""The path prefix of all share links."""
NICE = 10
"""The niceness of the process: guests share what other processes leave."""
BACKLOG = 1024
LOOK_SECONDS = 0.25
"""Seconds between checks whether the client has left, or the process must end."""


class Unavailable(Exception):
    """The guests' process has ended; another one starts soon."""


class Call(msgspec.Struct, frozen=True):
    """A WSGI call."""

    environ: dict[str, str]
    """The texts of the environment."""
    body: bytes


class Head(msgspec.Struct, frozen=True):
    """The start of a response."""

    status: str
    headers: list[tuple[str, str]]
    seen: Seen | None
    """Data for the access log."""


_decode_call = msgspec.msgpack.Decoder(Call).decode
_decode_head = msgspec.msgpack.Decoder(Head).decode
_encode = msgspec.msgpack.Encoder().encode


def listen(folder: Path) -> socket.socket:
    """Return the socket of the guests' process, in a private folder."""
    path = folder / "guests.sock"
    # A web server that was killed leaves it behind.
    path.unlink(missing_ok=True)
    return socket.create_server(str(path), family=socket.AF_UNIX, backlog=BACKLOG)


def forwarding(app: WSGIApplication, address: str) -> WSGIApplication:
    """Return an app that forwards the calls of guests to `address`, and passes all others to `app`."""

    def call(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_shared = environ["PATH_INFO"].startswith(SHARED)
        return _forward(environ, start_response, address) if is_shared else app(environ, start_response)

    return call


def serve(app: Flask, listener: socket.socket, threads: Executor, goes_on: Callable[[], bool]) -> None:
    """Answer forwarded calls until `goes_on`, which is called several times per second, returns False."""
    listener.settimeout(LOOK_SECONDS)
    while goes_on():
        with suppress(TimeoutError):
            threads.submit(_answer, app, listener.accept()[0])


def _forward(environ: WSGIEnvironment, start_response: StartResponse, address: str) -> Iterable[bytes]:
    sock = socket.socket(socket.AF_UNIX)
    connection: Connection | None = None
    try:
        sock.connect(address)
        connection = Connection(sock.detach())
        texts = {name: value for name, value in environ.items() if isinstance(value, str)}
        connection.send_bytes(_encode(Call(texts, environ["wsgi.input"].read())))
        while not connection.poll(LOOK_SECONDS):
            if has_gone(environ):
                raise ConnectionAbortedError
        head = _decode_head(connection.recv_bytes())
    except (OSError, EOFError) as error:
        (connection or sock).close()
        raise Unavailable from error
    if head.seen is not None:
        record_seen(environ, head.seen)
    start_response(head.status, head.headers)
    return _chunks(connection)


def _chunks(connection: Connection) -> Iterator[bytes]:
    with connection:
        try:
            while chunk := connection.recv_bytes():
                yield chunk
        except EOFError:
            raise ConnectionAbortedError("the guests' process has ended") from None


def _answer(app: Flask, sock: socket.socket) -> None:
    with sock, Connection(os.dup(sock.fileno())) as connection, suppress(OSError, EOFError):
        call = _decode_call(connection.recv_bytes())
        environ: WSGIEnvironment = {
            **call.environ,
            "wsgi.version": (1, 0),
            "wsgi.input": io.BytesIO(call.body),
            "wsgi.input_terminated": True,
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            # If the web process closes it, the client has left.
            "gunicorn.socket": sock,
        }

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], object]:
            connection.send_bytes(_encode(Head(status, headers, seen_of(environ))))
            return connection.send_bytes

        with closing(ClosingIterator(app(environ, start_response))) as chunks:
            for chunk in chunks:
                if chunk:
                    connection.send_bytes(chunk)
            connection.send_bytes(b"")
