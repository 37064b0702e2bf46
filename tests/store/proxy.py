"""A network that loses chosen messages."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Self


class LossyProxy:
    """Forwards a TCP port to a Unix socket; on request it drops one answer and closes the connection."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._is_to_lose = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._run(self._accept)

    @property
    def url(self) -> str:
        """The address of the proxy."""
        return f"redis://127.0.0.1:{self._listener.getsockname()[1]}"

    def lose_next_answer(self) -> None:
        """Forward the next request to the server, but drop its answer."""
        self._is_to_lose.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in [self._listener, *self._sockets]:
            _hang_up(one)
        for thread in self._threads:
            thread.join()

    def _run(self, target: object, *args: socket.socket) -> None:
        assert callable(target)
        thread = threading.Thread(target=target, args=args)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                self._sockets += [client, server]
                self._run(self._forward, client, server)
                self._run(self._answer, server, client)

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        for piece in _pieces(source):
            sink.sendall(piece)
        _hang_up(sink)

    def _answer(self, source: socket.socket, sink: socket.socket) -> None:
        for piece in _pieces(source):
            if self._is_to_lose.is_set():
                self._is_to_lose.clear()
                break
            sink.sendall(piece)
        _hang_up(sink)
        _hang_up(source)


def _pieces(source: socket.socket) -> Iterator[bytes]:
    with contextlib.suppress(OSError):
        while piece := source.recv(65536):
            yield piece


def _hang_up(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
