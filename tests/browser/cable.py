"""A network connection that tests can interrupt. A service worker cannot be taken offline in any other way."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Cable:
    """Forwards bytes between its own port and the service at `url`, until it is cut."""

    def __init__(self, url: str) -> None:
        there = urlsplit(url)
        assert there.hostname is not None
        assert there.port is not None
        self._there = (there.hostname, there.port)
        # Keep the port reserved while nothing listens, so that `mend` can use the same port.
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("127.0.0.1", 0))
        self._here = self._place.getsockname()
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self.mend()

    @property
    def url(self) -> str:
        """The address of the service through this connection."""
        return f"http://{self._here[0]}:{self._here[1]}"

    def mend(self) -> None:
        """Start to forward connections."""
        listener = socket.create_server(self._here)
        self._open.append(listener)
        threading.Thread(target=self._carry, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        """Close all connections, and refuse new ones."""
        with self._lock:
            for one in self._open:
                with contextlib.suppress(OSError):
                    # Only this wakes a thread that waits in `accept`.
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
            self._open.clear()

    def end(self) -> None:
        """Cut the connection permanently."""
        self.cut()
        self._place.close()

    def _carry(self, listener: socket.socket) -> None:
        while True:
            with contextlib.suppress(OSError):
                near, _ = listener.accept()
                self._connect(listener, near)
            if listener.fileno() < 0:
                return

    def _connect(self, listener: socket.socket, near: socket.socket) -> None:
        """Forward a new connection, unless the cable was cut meanwhile."""
        with self._lock:
            if listener not in self._open:
                near.close()
                return
            self._open.append(near)
            far = socket.create_connection(self._there)
            self._open.append(far)
        for source, target in ((near, far), (far, near)):
            threading.Thread(target=_pump, args=(source, target), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
