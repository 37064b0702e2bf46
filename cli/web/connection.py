"""One client's connection in the loop of a web process."""

from __future__ import annotations

from typing import Any

from cli.web.incoming import Incoming
from cli.web.lanes import Lane
from cli.web.lines import PlainSocket, TlsSocket


class Connection:
    """One client's connection."""

    def __init__(self, sock: PlainSocket | TlsSocket, client: Any, server: Any, incoming: Incoming) -> None:
        self.sock = sock
        self.client = client
        self.server = server
        self.incoming = incoming
        self.deadline = 0.0
        self.is_new = True
        """True if no byte of the connection has been read yet."""
        self.is_heard = False
        """True if the loop waits for data of the connection."""
        self.is_held_back = False
        """True if more requests have arrived, and the loop waits until most of the last answer is sent."""
        self.is_lingering = False
        self.is_asking_leave = False
        """True while a thread checks the sender of a long body, which is not read until then."""
        self.is_closed = False
        self.lane: Lane[Connection] | None = None
        self.request: Any = None
        self.held = 0
        """Bytes of the connection's request that count towards `MOST_HELD`."""
        self.counted = 0
        """Bytes of the request's body that have extended its deadline."""

    @property
    def peer(self) -> str:
        """The client's address, to which limits apply."""
        return str(self.client[0]) if isinstance(self.client, tuple) else ""

    @property
    def is_idle(self) -> bool:
        """True if the connection is open between requests."""
        return self.is_heard and not self.is_lingering and self.incoming.is_idle
