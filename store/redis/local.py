"""Connections to a server on a Unix socket, which wait while the server restarts."""

from __future__ import annotations

import time

import redis

SCHEME = "unix"
RESTART_SECONDS = 0.5
"""Maximum wait for a server that accepts no connections. An embedded server is restarted within 0.3 s."""
_POLL_SECONDS = 0.02


class LocalConnection(redis.UnixDomainSocketConnection):
    """A connection that is attempted repeatedly. No command is sent twice, because none is sent before it connects."""

    def connect(self) -> None:
        deadline = time.monotonic() + RESTART_SECONDS
        while True:
            try:
                super().connect()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
            except redis.ConnectionError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_POLL_SECONDS)
            else:
                return
